"""How a walk changes the table: plainly, or so that threads which share it lose nothing."""

from typing import NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled
from ruse.machine import add_at_once, swap


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

    nothing: int = 0

    def add(self, array, k, x):
        array[k] += x

    def add_above(self, array, k, x, floor):
        array[k] = max(array[k] + x, floor)

    def weigh(self, array, k, above, below):
        array[k] *= above if array[k] > 0.0 else below

    def claim(self, array, k, old, new):
        array[k] = new
        return True


@compiled("add", "add_above", "weigh", "claim")
class Atomic(NamedTuple):
    """Many threads write, and no change is lost; in which order they come is up to the machine."""

    nothing: int = 0

    def add(self, array, k, x):
        add_at_once(array, k, x)

    def add_above(self, array, k, x, floor):
        old = array[k]
        while swap(array, k, old, max(old + x, floor)) == 0:
            old = array[k]

    def weigh(self, array, k, above, below):
        old = array[k]
        while swap(array, k, old, old * (above if old > 0.0 else below)) == 0:
            old = array[k]

    def claim(self, array, k, old, new):
        return swap(array, k, old, new) != 0
