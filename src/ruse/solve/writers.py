"""How a walk adds to the table: plainly, or so that threads which share the table lose nothing."""

from typing import NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled


class Writer(Protocol):
    """Adds to an array in place."""

    def add(self, array: np.ndarray, k: int, x: float) -> None: ...

    def add_above(self, array: np.ndarray, k: int, x: float, floor: float) -> None:
        """Add, but not below the floor."""


@compiled("add", "add_above")
class Plain(NamedTuple):
    """One thread writes."""

    nothing: int = 0

    def add(self, array, k, x):
        array[k] += x

    def add_above(self, array, k, x, floor):
        array[k] = max(array[k] + x, floor)
