"""How a walk changes the table: plainly, or so that threads which share it lose nothing; and how sums are rounded.

A sum in 32 bits that is rounded to the nearest number stands still at 2^24 times what is added, and drifts before. So
it is rounded up or down at random, in proportion to what is left over: then it is right on average at any size, and
where it has to be rounded at all the error stays near 2^-12 of the sum, however many additions there are.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled
from ruse.compile.machine import swap


class Rounding(Protocol):
    """What of a sum is kept."""

    def rounded(self, x: float) -> float: ...


@compiled("rounded")
class Unrounded(NamedTuple):
    """All of it, for tables of 64 bits."""

    nothing: int = 0

    def rounded(self, x):
        return x


SPARE = (1 << 29) - 1  # the bits of a 64-bit number that one of 32 bits has no room for


@compiled("rounded")
class Fair(NamedTuple):
    """A number of 32 bits, the one above or the one below, by the walk's own random numbers.

    They are looked at and not used up: the games that a walk plays stay what they are. A stream starts somewhere else
    at each iteration and moves on with each draw, so its lowest bits are as good as any. The actions of a row are
    mostly rounded by the same number, up or down together, which does their proportions good.
    """

    stream: np.ndarray  # [1] uint64, the state of the walk's random numbers

    def rounded(self, x):
        bits = np.float64(x).view(np.uint64) + (self.stream[0] & np.uint64(SPARE))
        return np.uint64(bits & ~np.uint64(SPARE)).view(np.float64)


class Writer(Protocol):
    """Changes an array in place."""

    def add(self, array: np.ndarray, k: int, x: float) -> None: ...

    def add_above(self, array: np.ndarray, k: int, x: float, floor: float) -> None:
        """Add, but not below the floor."""

    def weigh(self, array: np.ndarray, k: int, above: float, below: float) -> None:
        """Multiply by `above` if it is positive, else by `below`."""

    def claim(self, array: np.ndarray, k: int, old: float, new: float) -> bool:
        """Set array[k], which was `old`, to `new`; False if another thread has been quicker."""


@compiled("add", "add_above", "weigh", "claim")
class Plain(NamedTuple):
    """One thread writes."""

    rounding: Any = Unrounded()

    def add(self, array, k, x):
        array[k] = self.rounding.rounded(np.float64(array[k]) + x)

    def add_above(self, array, k, x, floor):
        array[k] = self.rounding.rounded(max(np.float64(array[k]) + x, floor))

    def weigh(self, array, k, above, below):
        old = np.float64(array[k])
        array[k] = self.rounding.rounded(old * (above if old > 0.0 else below))

    def claim(self, array, k, old, new):
        array[k] = new
        return True


@compiled("add", "add_above", "weigh", "claim")
class Atomic(NamedTuple):
    """Many threads write, and no change is lost; in which order they come is up to the machine."""

    rounding: Any = Unrounded()

    def add(self, array, k, x):
        old = array[k]
        while swap(array, k, old, self.rounding.rounded(np.float64(old) + x)) == 0:
            old = array[k]

    def add_above(self, array, k, x, floor):
        old = array[k]
        while swap(array, k, old, self.rounding.rounded(max(np.float64(old) + x, floor))) == 0:
            old = array[k]

    def weigh(self, array, k, above, below):
        old = array[k]
        while swap(array, k, old, self.rounding.rounded(np.float64(old) * (above if old > 0.0 else below))) == 0:
            old = array[k]

    def claim(self, array, k, old, new):
        return swap(array, k, old, new) != 0
