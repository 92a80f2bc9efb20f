"""What the engine works on: everything about a spot or a game that iterations do not change."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile.lanes import LANES
from ruse.solve.ranges.passes.one_pass import Field, Work
from ruse.solve.ranges.public.betting import PublicTree
from ruse.solve.ranges.public.boards import CARDS, SolvedBoard
from ruse.solve.ranges.public.forest import Forest, RangeScratch


class RangePlan(NamedTuple):
    """A public tree with hands, ready for passes."""

    tree: PublicTree
    field: Field
    scratch: RangeScratch
    weights: NDArray[np.float64]  # [player, hand] the ranges at the root
    cuts: NDArray[np.int64]  # where stretches of steps begin and end: those between the first and the last run alone
    gates: int  # blocks of the second street are 1 .. gates
    met: NDArray[np.float64]  # [player, hand] the weight of all that each hand can meet
    payoff_sum: float | None  # what the players get together, if that is always the same
    first_row: dict[tuple[int, int], tuple[int, int]]  # (block, board): where the players' rows start
    size: int  # entries of a table
    visits: dict[
        int, int
    ]  # node of the public tree: the place of the reach of chance and the other, if it is asked for
    boards: tuple[SolvedBoard, ...] = ()  # of a spot

    @property
    def forest(self) -> Forest:
        return self.field.forest

    @property
    def pairs(self) -> float:
        """The weight of all pairs of hands that can be dealt together: what values are divided by."""
        return float(self.met[0] @ self.weights[0])

    @property
    def hands(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[player] the hands of the first rows, by number."""
        if self.boards:
            return self.boards[0].hands
        counts = self.field.boards.hands[:, 0]
        return np.arange(counts[0]), np.arange(counts[1])

    def bytes(self, dtype: Any, tables: int = 2) -> int:
        """What an engine takes: so many tables, scratch memory for one thread, and this."""
        return tables * self.size * int(np.dtype(dtype).itemsize) + taken(self.work(dtype)) + taken(self.field)

    def work(self, dtype: Any) -> Work:
        """Scratch memory for one thread."""
        width = self.scratch.width
        blocks = len(self.forest.block) - 1 if self.gates else 1
        sizes = (self.scratch.reach, self.scratch.value)
        reach, value = (np.zeros(size, dtype) for size in sizes)
        gate_reach, gate_value = (np.zeros((blocks, width * LANES if self.gates else 1), dtype) for _ in range(2))
        hands = (width + 1, width + 1, 3 * width + CARDS + 1, CARDS + 1)
        lanes, more, sums, totals = (np.zeros(count * LANES, dtype) for count in hands)
        return Work(reach, value, gate_reach, gate_value, lanes, more, sums, totals)


def taken(part: Any) -> int:
    """The bytes of all arrays of a part."""
    if isinstance(part, np.ndarray):
        return part.nbytes
    return sum(map(taken, part)) if isinstance(part, tuple) else 0


def padded(count: int) -> int:
    """The next multiple of LANES."""
    return -(-count // LANES) * LANES


def as_type(part: Any, dtype: Any) -> Any:
    """A part with its numbers in another precision; whole numbers stay as they are."""
    if isinstance(part, np.ndarray):
        return part.astype(dtype) if part.dtype.kind == "f" else part
    make = getattr(part, "_make", None)
    return part if make is None else make([as_type(inner, dtype) for inner in part])
