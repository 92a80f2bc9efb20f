"""Whether a game goes on a card, and whether it is worth it; told before anything is made for it."""

from typing import NamedTuple

from ruse.errors import RuseError
from ruse.solve.gpu.card import Card
from ruse.solve.gpu.plan import Launches
from ruse.solve.gpu.strips import Strips
from ruse.solve.gpu.world import bytes_needed
from ruse.tree.sequence_form import SequenceForm
from ruse.words.amounts import in_bytes

# Rough, and only to warn by. A card: a prototype's 17 kernels of next to no work took 39 us in a graph on an H200. A
# processor: 1.1 ns for each leaf and for a quarter of what a sequence takes, from Kuhn to Liar's Dice.
LAUNCH = 2.3e-6  # seconds a kernel
STEP = 1.1e-9
SEQUENCE = 4


class CardSize(NamedTuple):
    """What a game takes on a card, and what an iteration takes at least."""

    bytes: int
    launches: int
    steps: int  # leaves, counted for each player, and sequences

    @classmethod
    def of(cls, form: SequenceForm, card: Card) -> "CardSize":
        strips = Strips.of(form)
        launches = len(Launches.of(form, strips, alternating=True).iteration)
        return cls(bytes_needed(form, strips, card.kind), launches, len(form.value) + SEQUENCE * form.num_sequences)

    @property
    def is_small(self) -> bool:
        """Whether the processor is likely to be done before a card has launched its kernels."""
        return self.steps * STEP < self.launches * LAUNCH

    def within(self, free: int, name: str) -> "CardSize":
        """The same, if it fits."""
        if self.bytes > free:
            raise RuseError(
                f"this game needs {in_bytes(self.bytes)} on {name}, where {in_bytes(free)} are free; "
                "use gpu:precision=f32, which takes about half, or on='cpu'"
            )
        return self

    def told(self, name: str) -> str:
        size = f"on {name}: {in_bytes(self.bytes)}, {self.launches} kernels an iteration"
        if not self.is_small:
            return size
        here, there = self.steps * STEP * 1e6, self.launches * LAUNCH * 1e6
        return (
            f"{size}; so small a game is solved faster by the processor (on='cpu'): about {here:.2g} us an iteration, "
            f"where a card takes about {there:.2g} us to launch its kernels alone"
        )
