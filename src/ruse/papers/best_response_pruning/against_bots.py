"""Training against bots, or by self-play: who learns to beat a bot, and what it is worth against the others."""

from typing import Any

from ruse.papers.best_response_pruning.agents import OPPONENTS, TRAINING, VIEWS, WALK, Score, engine_for, learning_curve
from ruse.papers.lab import Lab, Row
from ruse.protocol.choices import Own
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import lcfr
from ruse.training.teachers import Teachers

ITERATIONS = 100_000
TEACHERS = {
    **{bot: Teachers.of(bot) for bot in OPPONENTS},
    "half heuristic, half self-play": Teachers.of("heuristic", share=0.5),
}


def run(lab: Lab) -> list[Row]:
    view, iterations = VIEWS["Sketch"], ITERATIONS // 50 if lab.quick else ITERATIONS
    rows = []
    for name, engine in {
        "self-play": engine_for(view, seed=lab.seed),
        **{name: engine_against(teachers, view, seed=lab.seed) for name, teachers in TEACHERS.items()},
    }.items():
        lab.tell(f"training against {name}")
        rows.append(row(name, next(learning_curve(engine, view, [iterations], deals=lab.deals, seed=lab.seed))))
    return rows


def engine_against(teachers: Teachers, view: Any, *, seed: int) -> SampledEngine:
    """A training in which bots have the other seat in a share of the games."""
    facing = teachers.facing(TRAINING, view)
    return SampledEngine(facing, lcfr(walk=WALK), view=Own(), seed=seed)


def row(name: str, score: Score) -> Row:
    assert set(score.shares) == set(OPPONENTS)
    return Row(f"Sketch trained against {name}", "named as future work", str(score), "reported", None)
