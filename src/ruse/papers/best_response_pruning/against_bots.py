"""Training against bots, or by self-play: who learns to beat a bot, what it is worth against others, how it behaves.

The paper names it as its next step: the rates of lying, challenging and challenges won for each training opponent.
"""

from typing import Any

from ruse.papers.best_response_pruning.agents import (
    OPPONENTS,
    TOLD,
    TRAINING,
    VIEWS,
    WALK,
    AgentScore,
    engine_for,
    learning_curve,
)
from ruse.papers.evidence import Evidence, beyond
from ruse.papers.lab import Lab
from ruse.protocol.choices import Own
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import lcfr
from ruse.training.terms.teachers import Teachers

ITERATIONS = 100_000
TEACHERS = {
    **{bot: Teachers.of(bot) for bot in OPPONENTS},
    "half heuristic, half self-play": Teachers.of("heuristic", share=0.5),
}


def run(lab: Lab) -> list[Evidence]:
    view, iterations = VIEWS["Sketch"], ITERATIONS // 50 if lab.quick else ITERATIONS
    rows = []
    for name, engine in {
        "self-play": engine_for(view, seed=lab.seed),
        **{name: engine_against(teachers, view, seed=lab.seed) for name, teachers in TEACHERS.items()},
    }.items():
        lab.tell(f"training against {name}")
        score = next(learning_curve(engine, view, [iterations], deals=lab.deals, seed=lab.seed))
        rows += rows_for(name, score)
    return rows


def engine_against(teachers: Teachers, view: Any, *, seed: int) -> SampledEngine:
    """A training in which bots have the other seat in a share of the games."""
    facing = teachers.facing(TRAINING, view)
    return SampledEngine(facing, lcfr(walk=WALK), view=Own(), seed=seed)


def rows_for(name: str, score: AgentScore) -> list[Evidence]:
    assert set(score.shares) == set(OPPONENTS)
    behaves = "; ".join(f"against {bot} {', '.join(f'{rates[what]:.2f}' for what in TOLD)}"
                        for bot, rates in score.rates.items())  # fmt: skip
    return [
        beyond(f"Sketch trained against {name}: games won", str(score), theirs="named as future work", seeds=1),
        beyond(f"Sketch trained against {name}: rates of {', '.join(TOLD)}", behaves, theirs="named as future work",
               seeds=1),
    ]  # fmt: skip
