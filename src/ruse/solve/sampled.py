"""The sampled engine: walks into a table of infosets that grows, for games too large to expand."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.game import Game
from ruse.solve import chance, external, outcome
from ruse.solve.presets import Solver
from ruse.solve.prune import Never
from ruse.solve.sampling import HISTORIES, NO_LEVEL, NO_SLOT, Clock, Parts, Scratch
from ruse.solve.size import dive
from ruse.solve.table import Table
from ruse.solve.walks import AverageSampling, ChanceSampling, ExternalSampling, OutcomeSampling
from ruse.solve.writers import Plain
from ruse.view import Full, View

PERIODS = 1_000  # how often a weighting that changes over time takes effect, in all planned iterations
OPEN_PERIOD = 1_000  # iterations in a period if no total is planned
SLICE = 2_000  # iterations between two looks at whether the table needs room


class Facts(NamedTuple):
    """How large a sampled solve has become."""

    nodes: int
    infosets: int
    bytes: int


class SampledEngine:
    """A solver whose walk samples. Iteration t draws from its own stream of the seed, so it can be resumed anywhere."""

    def __init__(
        self, game: Game, solver: Solver, *, seed: int = 0, planned: int = 0, view: View | None = None,
        memory: int | None = None, dtype: type = np.float32,
    ) -> None:  # fmt: skip
        self.game, self.solver, self.seed, self.memory = game, solver, seed, memory
        self.view = view or Full()
        refuse_unfit(solver)
        length = max(1, planned // PERIODS) if planned else OPEN_PERIOD
        self.clock = Clock.of(solver.weighting, periods=PERIODS if planned else 100_000, length=length)
        if self.clock.is_idle:
            self.clock = Clock.of(solver.weighting, periods=1, length=1 << 60)
        walk = solver.walk
        baselined = isinstance(walk, OutcomeSampling) and walk.rate > 0
        self.table = Table.empty(dtype=dtype, stamped=not self.clock.is_idle, baselined=baselined)
        self.scratch = Scratch.of(game, *_depth_and_slots(game))
        self.rng = np.zeros(1, np.uint64)
        self.kernel, exploring = _kernel_of(walk)
        pruning = getattr(walk, "pruning", None) or Never()
        self.parts = Parts(solver.minimizer, self.clock, Plain(), pruning, exploring)

    def run(self, done: int, iterations: int) -> None:
        """Run iterations done+1 .. done+iterations, making room in the table between them."""
        last = done + iterations
        while done < last:
            step = min(SLICE, last - done)
            if self.table.is_crowded:
                self.table = self.table.larger(self.memory)
            self.kernel(self.game, self.view, self.parts, self.table, self.scratch, self.rng, self.seed, done, step)
            done += step
            if self.scratch.counters[NO_LEVEL] or self.scratch.counters[NO_SLOT]:
                raise RuseError(
                    f"{self.game!r} is deeper than {len(self.scratch.rows)} decisions on one path; limit its length"
                )

    @property
    def facts(self) -> Facts:
        return Facts(int(self.scratch.counters[HISTORIES]), self.table.infosets, self.table.bytes)

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The average strategy: sorted keys, where their rows start, and the probabilities."""
        table, used = self.table, self.table.used()
        count = table.width[used].astype(np.int64)
        start = np.concatenate([[0], np.cumsum(count)])
        slots = np.repeat(table.start[used].astype(np.int64) - start[:-1], count) + np.arange(start[-1])
        sums = table.average[slots].astype(np.float64)
        total = np.repeat(np.add.reduceat(sums, start[:-1]), count) if len(used) else sums
        probability = np.where(total > 0, sums / np.where(total > 0, total, 1.0), np.repeat(1.0 / count, count))
        return table.keys[used].view(np.uint64), start, probability

    def saved(self) -> dict[str, np.ndarray]:
        """What a checkpoint must hold."""
        return self.table.saved() | {"counters": self.scratch.counters}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        arrays = dict(arrays)
        self.scratch.counters[:] = arrays.pop("counters")
        self.table = Table.restored(arrays)


def _kernel_of(walk: Any) -> tuple[Callable[..., None], Any]:
    """The kernel of a walk, and the part that chooses what is explored."""
    if isinstance(walk, ExternalSampling):
        return external.run, external.All()
    if isinstance(walk, AverageSampling):
        return external.run, walk.exploring
    if isinstance(walk, ChanceSampling):
        return chance.run, external.All()
    if isinstance(walk, OutcomeSampling):
        return outcome.run, walk
    raise RuseError(f"{walk!r} is not a sampled walk")


def _depth_and_slots(game: Game) -> tuple[int, int]:
    """Room for the stack: four times what random games need, and never little."""
    sums, row = np.zeros(3), game.start()
    dive(game, row, row.copy(), 1_000, sums, np.ones(1, np.uint64))
    levels = max(256, 4 * int(sums[2]))
    return levels, max(1 << 14, 64 * levels) * game.players


def refuse_unfit(solver: Solver) -> None:
    """Raise for a rule that makes no sense when values are noise."""
    if getattr(solver.minimizer, "prediction", 0.0):
        raise RuseError(
            f"{solver.name} predicts the next regret from the last, which sampling turns into noise; use dcfr"
        )
    if solver.follows_schedule:
        raise RuseError(f"{solver.name} follows a schedule made for full iterations; use lcfr or dcfr with sampling")
