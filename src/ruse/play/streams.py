"""The random numbers of a match in plain Python, for games in which nothing is compiled.

The n-th number of a stream is found without those before it, so nothing has to be remembered of what was drawn.
"""

from typing import NamedTuple

from ruse.compile.hashing import FIRST, GOLDEN, MASK, SECOND, mix


class Stream(NamedTuple):
    """A stream as `ruse.compile.rng` has it, to the same bits."""

    start: int  # a 64-bit word

    @classmethod
    def of(cls, seed: int, number: int) -> "Stream":
        return cls(mix(mix(seed, number), 1) & MASK)

    def draw(self, n: int) -> float:
        """The number in [0, 1) that comes after n others."""
        z = self.start + (n + 1) * GOLDEN & MASK
        z = (z ^ (z >> 30)) * FIRST & MASK
        z = (z ^ (z >> 27)) * SECOND & MASK
        return ((z ^ (z >> 31)) >> 11) * 2.0**-53


def streams_of(seed: int, deal: int, rotation: int = 0) -> tuple[Stream, Stream]:
    """Chance's stream of a deal, and that of the decisions in one of its games, as `match.open_streams` has them."""
    return Stream.of(mix(seed, 0), 2 * deal), Stream.of(mix(seed, 1 + rotation), 2 * deal + 1)


def seat_drawn(seed: int, deal: int, players: int) -> int:
    """A seat at random, the same for the same deal; no game of a match has this stream."""
    return int(streams_of(seed, deal, rotation=players)[1].draw(0) * players)
