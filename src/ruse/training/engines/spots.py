"""The range engine at work on a spot of hold'em."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from ruse.evaluate.best_response import Exploitability
from ruse.games.holdem.spots.rules import SpotGame
from ruse.solve.prefer.preferred import Preferred
from ruse.solve.ranges.looks import Look, next_look
from ruse.solve.ranges.preferred import Favour
from ruse.solve.solver.prefer import preferring
from ruse.spots.preferred import favours_of
from ruse.spots.size import SpotSize
from ruse.spots.solving import engine_of
from ruse.spots.strategy import SpotStrategy
from ruse.training.engines.refusing import refusing
from ruse.training.jobs.job import Job
from ruse.tree.measure.free import free_memory


class SpotEngine:
    """Every history, every iteration, all hands of a range at once."""

    growth = 1.15  # not asked: see next_check
    is_judged, unjudged = True, ""
    expanded = None
    learned = infosets = begin = refusing("a spot is solved from nothing, and gives no other training its sums")
    current = refusing("the range engine keeps the average strategy of a spot, and no other")

    def __init__(self, job: Job) -> None:
        self.game, self.solver = cast(SpotGame, job.game), job.solver
        self.size = size_of(job).within(free_memory() if job.memory is None else job.memory)
        self.engine = engine_of(self.game, job.solver, threads=job.threads or 1, planned=job.planned or 0)
        self.preferred = preferred_in(self.game, favours_in(job))

    def warm_up(self) -> None:
        """Compile by an iteration whose traces are wiped out."""
        saved = {name: array.copy() for name, array in self.engine.saved().items()}
        self.engine.run(0, 1)
        self.exploitability()
        self.engine.restore(saved)

    def run(self, done: int, iterations: int) -> None:
        self.engine.run(done, iterations)

    def round_size(self, done: int) -> int | None:
        return None

    def next_check(self, curve: Sequence[tuple[int, float, float]], target: float | None) -> int:
        """When to measure next: where the target is expected, since a check takes as long as an iteration."""
        return next_look([Look(iteration, gap) for iteration, _, gap in curve], target or 0.0)

    def exploitability(self) -> Exploitability:
        return self.engine.exploitability()

    def price(self, measured: Exploitability) -> None:
        return None

    def strategy(self, about: Mapping[str, Any]) -> Any:
        """By hand, node and board, not by infoset: a file of its own kind."""
        return SpotStrategy(self.game, self.engine, about)

    def saved(self) -> dict[str, np.ndarray]:
        return self.engine.saved()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.engine.restore(arrays)

    def facts(self) -> dict[str, Any]:
        return {"walk": "ranges", **self.size.as_dict()}


def preferred_in(game: SpotGame, favours: list[Favour]) -> Preferred | None:
    """The same with nodes of the betting for infosets, as reports tell it."""
    if not favours:
        return None
    nodes = np.array([favour.node for favour in favours])
    start = np.cumsum([0, *(len(favour.delta) for favour in favours)])
    delta = np.concatenate([favour.delta for favour in favours])
    beta = np.array([favour.beta for favour in favours])
    return Preferred(nodes.astype(np.uint64), start, delta, beta, tuple(np.unique(game.who[nodes]).tolist()))


def favours_in(job: Job) -> list[Favour]:
    """What a job prefers, and where."""
    prefer = preferring(job.solver.prefer)
    return [] if prefer is None else favours_of(cast(SpotGame, job.game), prefer.rules)


def size_of(job: Job) -> SpotSize:
    """How large the spot of a job is."""
    return SpotSize.of(cast(SpotGame, job.game), job.solver)
