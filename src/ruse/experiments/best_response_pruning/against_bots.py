"""Training against bots, or by self-play: who learns to beat a bot, and what it is worth against the others."""

from collections.abc import Mapping
from typing import Any

from ruse.bots.cheat import BOTS
from ruse.bots.either import Either
from ruse.choices import Own
from ruse.evaluate.against_bot import AgainstBot
from ruse.experiments.best_response_pruning.agents import (
    OPPONENTS,
    TRAINING,
    VIEWS,
    WALK,
    Score,
    engine_for,
    learning_curve,
)
from ruse.experiments.lab import Lab, Row
from ruse.solve.presets import lcfr
from ruse.solve.sampled import SampledEngine

ITERATIONS = 100_000
HOUR = 8_000_000  # iterations: about an hour on one core
TEACHERS = ("naive", "heuristic_002", "heuristic")


def run(lab: Lab) -> list[Row]:
    view, iterations = VIEWS["Sketch"], ITERATIONS // 50 if lab.quick else ITERATIONS
    rows = []
    for name, engine in {
        "self-play": engine_for(view, planned=iterations, seed=lab.seed),
        **{bot: engine_against(bot, 1.0, view, iterations, lab.seed) for bot in TEACHERS},
        "half heuristic, half self-play": engine_against("heuristic", 0.5, view, iterations, lab.seed),
    }.items():
        lab.tell(f"training against {name}")
        rows.append(row(name, next(learning_curve(engine, view, [iterations], deals=lab.deals, seed=lab.seed))))
    return rows


def run_for_an_hour(lab: Lab) -> list[Row]:
    """How far the best of them goes: half of the games against the strongest bot, the others by self-play."""
    view, hour = VIEWS["Sketch"], HOUR // 1_000 if lab.quick else HOUR
    lab.tell("training against heuristic, and by self-play")
    engine = engine_against("heuristic", 0.5, view, hour, lab.seed)
    stops = [hour // k for k in (20, 5, 2, 1)]
    curve = list(learning_curve(engine, view, stops, deals=lab.deals, seed=lab.seed))
    last = curve[-1].shares
    return [
        Row("The best agent of an hour against Heuristic", "not run", "; ".join(map(str, curve)),
            "95 % against naive and 50 % against heuristic_002",
            None if lab.quick else last["naive"].rate >= 0.95 and last["heuristic_002"].rate >= 0.5)
    ]  # fmt: skip


def engine_against(bot: str, share: float, view: Any, planned: int, seed: int) -> SampledEngine:
    """A training in which a bot has the other seat in a share of the games."""
    teacher: Any = BOTS[bot]
    facing = AgainstBot.of(TRAINING, teacher, view, share=share)
    return SampledEngine(facing, lcfr(walk=WALK), view=Own(), planned=planned, seed=seed)


def engine_among(shares: Mapping[str, float], view: Any, planned: int, seed: int) -> SampledEngine:
    """A training in which each of these bots has the other seat in its share of the games; the rest is self-play."""
    bots: list[Any] = [BOTS[bot] for bot in shares]
    teacher = Either.of(*bots, weights=list(shares.values()))
    facing = AgainstBot.of(TRAINING, teacher, view, share=sum(shares.values()))
    return SampledEngine(facing, lcfr(walk=WALK), view=Own(), planned=planned, seed=seed)


def row(name: str, score: Score) -> Row:
    assert set(score.shares) == set(OPPONENTS)
    return Row(f"Sketch trained against {name}", "named as future work", str(score), "reported", None)
