"""Deals in pieces, between which Ctrl-C is heard and what was played is told, however long a deal takes."""

from collections.abc import Iterator
from time import perf_counter

SECONDS = 0.1  # that a piece should take
FASTER = 8  # times as many deals as in the piece before, at most: the first ones are too short to be measured well


class Pace:
    """How many deals make a piece, by the time that those before have taken.

    What is computed may not depend on where deals are cut into pieces, for that is another place each time.
    """

    def __init__(self) -> None:
        self.count = 1

    def pieces(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The deals from the first up to the last; whoever plays a piece does so before asking for the next."""
        while first < last:
            end = min(first + self.count, last)
            began = perf_counter()
            yield first, end
            self.learn(end - first, perf_counter() - began)
            first = end

    def learn(self, deals: int, seconds: float) -> None:
        """So many deals have taken so long.

        >>> pace, found = Pace(), []
        >>> for deals, seconds in ((1, 0.0), (8, 0.04), (1, 0.001), (20, 1.0), (2, 30.0)):
        ...     pace.learn(deals, seconds)
        ...     found.append(pace.count)
        >>> found
        [8, 20, 20, 2, 1]
        """
        if seconds * FASTER > SECONDS:
            self.count = max(1, round(deals * SECONDS / seconds))
        else:  # it was short, or only a rest, which says nothing against longer ones
            self.count = max(self.count, FASTER * deals)
