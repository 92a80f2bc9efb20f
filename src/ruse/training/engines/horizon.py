"""A game solved up to its next card, with several values for each leaf there.

The first iterations are those of a blueprint: they go over the whole game. From the last of them on its leaves are
worth what the blueprint makes them, and all further iterations go over the part before the card. Exploitability is that
in the part, by best responses that choose at leaves, too. The strategy is the part's, and after it the blueprint's;
what that loses in the whole game is told beside it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

import numpy as np

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.games.holdem.spots.rules import SpotGame
from ruse.horizon.continuations import Leafs
from ruse.horizon.games import CutGame, UncutGame
from ruse.horizon.horizon import Horizon, horizon_named
from ruse.horizon.spots import CutSpot
from ruse.protocol.game import declared
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.looks import Look, next_look
from ruse.solve.ranges.plans.leaves import CutTree, leaf_plan
from ruse.spots.cutting import UncutSpot
from ruse.training.engines.from_nothing import FromNothing
from ruse.training.jobs.job import Job
from ruse.tree.measure.free import free_memory
from ruse.words.amounts import exploitability_text

BLUEPRINT, WHOLE = "blueprint", "whole_"  # in a checkpoint: its average, and its tables while it is being made


class Uncut(Protocol):
    """A game that can be cut, and its engine."""

    engine: RangeEngine
    told: str  # how large it is

    @property
    def cut(self) -> CutGame | CutSpot: ...

    def valued(self, leafs: Leafs) -> CutTree: ...

    def strategy(self, about: Mapping[str, Any]) -> Any: ...


def whole_of(job: Job, horizon: Horizon) -> Uncut:
    """The whole of what a job cuts; raises if that cannot be."""
    if job.planned is not None and job.planned <= horizon.blueprint:
        raise RuseError(
            f"of {job.planned:,} iterations the first {horizon.blueprint:,} are the blueprint's, which leaves none; "
            f"give more than {horizon.blueprint:,} iterations, or start a run with a smaller blueprint, as in "
            f"card:blueprint={max(1, job.planned // 2)}"
        )
    room = free_memory() if job.memory is None else job.memory
    if declared(job.game, "stake") is not None:
        return UncutSpot(cast(SpotGame, job.game), job.solver, horizon.blueprint, room)
    return UncutGame(job.game, job.solver, horizon.blueprint, horizon.leafs, room)


def told_of_whole(job: Job) -> str:
    """What is to be told before anything is solved."""
    return whole_of(job, horizon_named(job.horizon)).told


class HorizonEngine(FromNothing):
    """A blueprint, and then the part before the next card."""

    no_sums = "a game that is cut is solved from nothing, and gives no other training its sums"

    def __init__(self, job: Job) -> None:
        self.horizon, self.solver = horizon_named(job.horizon), job.solver
        self.stake, self.planned = declared(job.game, "stake"), job.planned
        self.whole = whole_of(job, self.horizon)
        self.part: RangeEngine | None = None  # once the blueprint is done
        self.lost: tuple[float, float] | None = None  # in the whole game: by the blueprint, and by the strategy

    def warm_up(self) -> None:
        """Compile by an iteration whose traces are wiped out."""
        saved = {name: array.copy() for name, array in self.saved().items()}
        engine = self.part or self.whole.engine
        engine.run(0, 1)
        engine.exploitability()
        self.restore(saved)

    def run(self, done: int, iterations: int) -> None:
        before = min(iterations, max(0, self.horizon.blueprint - done))
        self.whole.engine.run(done, before)
        if iterations > before:
            self._cut().run(done + before - self.horizon.blueprint, iterations - before)

    def _cut(self) -> RangeEngine:
        """The engine of the part, made of what the blueprint is when it is first asked for."""
        if self.part is None:
            self.average = self.whole.engine.tables.average.copy()
            plan, self.node = leaf_plan(self.whole.valued(self.horizon.leafs))
            planned = (self.planned or self.horizon.blueprint) - self.horizon.blueprint
            self.part = RangeEngine(plan, self.solver, dtype=np.float64, planned=planned)
        return self.part

    def next_check(self, done: int, curve: Sequence[tuple[int, float, float]], target: float | None) -> int:
        """When to measure next, as of spots: the blueprint is not measured, and stops at no target."""
        first = self.horizon.blueprint
        return first + next_look([Look(iteration - first, gap) for iteration, _, gap in curve], target or 0.0)

    def exploitability(self) -> Exploitability:
        return (self.part or self.whole.engine).exploitability()

    def strategy(self, about: Mapping[str, Any]) -> Any:
        """The part's before the card and the blueprint's after it, judged in the whole game."""
        if self.part is None:
            return self.whole.strategy(about)
        engine, cut = self.whole.engine, self.whole.cut
        engine.take_average(self.average)
        before = float(engine.exploitability())
        for n in np.flatnonzero(cut.tree.player >= 0).tolist():
            here = int(np.flatnonzero(engine.plan.forest.tree_node == cut.kept[n])[0])
            engine.rows(engine.tables.average, here)[:] = self.part.strategy(self.node[n])[1].T
        self.lost = (before, float(engine.exploitability()))
        return self.whole.strategy({**about, "exploitability": self.lost[1], "horizon": str(self.horizon)})

    def saved(self) -> dict[str, np.ndarray]:
        if self.part is None:
            return {f"{WHOLE}{name}": array for name, array in self.whole.engine.saved().items()}
        return {BLUEPRINT: self.average, **self.part.saved()}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if BLUEPRINT in arrays:
            if self.part is None:
                self.whole.engine.take_average(arrays[BLUEPRINT])
            self._cut().restore({name: array for name, array in arrays.items() if name != BLUEPRINT})
        else:
            self.part = None
            self.whole.engine.restore({name.removeprefix(WHOLE): array for name, array in arrays.items()})

    def facts(self) -> dict[str, Any]:
        """Which part it is at, and what it comes to, if the part is solved and that was asked for."""
        if self.part is None:
            return {"walk": "ranges", "stage": BLUEPRINT, "horizon": self._unbegun()}
        told = {"walk": "ranges", "stage": "part"}
        return told if self.lost is None else told | {"horizon": self._judged(*self.lost)}

    def _unbegun(self) -> dict[str, Any]:
        """That there is a blueprint and nothing else."""
        numbers = self.horizon._asdict() | {"is_begun": False}
        first = f"the first {self.horizon.blueprint:,} iterations are a blueprint's"
        return numbers | {"told": f"{first}, and it ended among them: nothing is solved up to the next card yet"}

    def _judged(self, before: float, after: float) -> dict[str, Any]:
        """What it comes to in the whole game."""
        numbers = self.horizon._asdict() | {"is_begun": True}
        numbers |= {"blueprint_exploitability": before, "whole_exploitability": after}
        lost, was = (exploitability_text(x, self.stake) for x in (after, before))
        told = (
            f"up to the next card, {self.horizon.told}; exploitability in the whole game {lost}, of the blueprint {was}"
        )
        return numbers | {"told": told}
