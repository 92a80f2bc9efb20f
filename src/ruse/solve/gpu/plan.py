"""Which kernels an iteration launches, on which numbers, in which order."""

from itertools import chain
from typing import NamedTuple

from ruse.solve.gpu.strips import Strips
from ruse.solve.gpu.world import levels_of
from ruse.tree.sequence_form import SequenceForm


class Launch(NamedTuple):
    """A kernel, and the numbers for each of which it gets a thread."""

    kernel: str
    begin: int
    end: int


class Launches(NamedTuple):
    """The launches of one iteration, and those that judge the average strategy."""

    iteration: tuple[Launch, ...]
    judging: tuple[Launch, ...]

    @classmethod
    def of(cls, form: SequenceForm, strips: Strips, *, alternating: bool) -> "Launches":
        seats = [OnePlayer(form, strips, p, levels) for p, levels in enumerate(levels_of(form))]
        up, down = [seat.learning() for seat in seats], [seat.averaging() for seat in seats]
        turns = chain.from_iterable(zip(up, down, strict=True)) if alternating else chain(up, down)
        iteration = [*chain.from_iterable(turns), Launch("tick", 0, 1)]
        judging = [Launch("normalise", 0, len(form.parent))]
        judging += chain.from_iterable([seat.following() for seat in seats] + [seat.judging() for seat in seats])
        return cls(some(iteration), some(judging))


class OnePlayer(NamedTuple):
    """One player's part of it."""

    form: SequenceForm
    strips: Strips
    player: int
    levels: list[tuple[int, int]]  # of nodes

    @property
    def nodes(self) -> tuple[int, int]:
        return int(self.form.node_start[self.player]), int(self.form.node_start[self.player + 1])

    def leaves(self, kernel: str) -> Launch:
        begin, end = self.strips.position_start[self.player : self.player + 2].tolist()
        return Launch(kernel, begin, end)

    def up(self, kernel: str) -> list[Launch]:
        """One launch a level, the deepest first."""
        return [Launch(kernel, *level) for level in reversed(self.levels)]

    def down(self, kernel: str) -> list[Launch]:
        """The same of sequences, from the roots on."""
        first = self.form.first
        return [Launch(kernel, int(first[begin]), int(first[end])) for begin, end in self.levels]

    def learning(self) -> list[Launch]:
        if self.form.perfect_recall:
            return [self.leaves("leaves"), *self.up("learn")]
        return [self.leaves("leaves"), *self.up("bring_up"), Launch("learn_rows", *self.nodes)]

    def averaging(self) -> list[Launch]:
        if self.form.perfect_recall:
            return self.down("descend")
        return [Launch("average_rows", *self.nodes), *self.down("descend_rows")]

    def following(self) -> list[Launch]:
        return self.down("follow")

    def judging(self) -> list[Launch]:
        return [self.leaves("judged_leaves"), *self.up("judge")]


def some(launches: list[Launch]) -> tuple[Launch, ...]:
    """Those that have anything to do."""
    return tuple(launch for launch in launches if launch.begin < launch.end)
