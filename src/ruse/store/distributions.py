"""Probabilities by infoset, as a strategy holds them: what must be true of its three tables before anybody uses them.

Kernels look keys up by bisection and read from `start` on without a look at the end, so tables that come from outside
are tested here once, wholly: after that every row is in its place, and is a distribution.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-6  # how far a row may be from 1: numbers in single precision are off by up to 6e-8
BLOCK = 1 << 15  # infosets that are looked at together
TYPES = {"keys": ("uint64",), "start": ("int64",), "probability": ("float64", "float32")}


def fault_in_tables(tables: Mapping[str, NDArray[Any]]) -> str | None:
    """What is wrong with the tables `keys`, `start` and `probability`, in words; None if nothing is."""
    if tables.keys() != TYPES.keys():
        return f"its tables are {', '.join(sorted(tables)) or 'none'}, not {', '.join(TYPES)}"
    for name, types in TYPES.items():
        table = tables[name]
        if not isinstance(table, np.ndarray):
            return f"its table {name} is of the kind {type(table).__name__}, not an array of {' or '.join(types)}"
        if table.dtype.name not in types or table.ndim != 1:
            return (
                f"its table {name} is {table.ndim}-dimensional {table.dtype.name}, not a list of {' or '.join(types)}"
            )
        if not table.dtype.isnative:  # compiled code would read other numbers
            return f"its table {name} has the bytes of its numbers in the order of other machines ({table.dtype.str})"
    keys, start, probability = (tables[name] for name in TYPES)
    if len(start) != len(keys) + 1 or start[0] != 0 or start[-1] != len(probability):
        return "its tables do not fit together"
    for begin in range(0, len(keys), BLOCK):  # with the next one: nothing large lies between
        these = slice(begin, begin + BLOCK + 1)
        # Together with the ends this puts every row inside the table.
        if not all(np.all(table[these][1:] > table[these][:-1]) for table in (start, keys)):
            return "its tables do not fit together: keys and rows must ascend"
    for begin in range(0, len(keys), BLOCK):
        these = slice(begin, min(begin + BLOCK, len(keys)))
        first, last = start[these.start], start[these.stop]
        if fault := _fault_of_rows(keys[these], start[these] - first, probability[first:last]):
            return fault
    return None


def _fault_of_rows(keys: NDArray[Any], start: NDArray[Any], probability: NDArray[Any]) -> str | None:
    if not probability.min() >= 0.0:  # as it is not for NaN
        worst = int(np.flatnonzero(~(probability >= 0.0))[0])
        return f"it holds the probability {probability[worst]}"
    sums = np.add.reduceat(probability, start)
    off = ~(np.abs(sums - 1.0) <= TOLERANCE)
    if off.any():
        row = int(np.flatnonzero(off)[0])
        return f"the probabilities of infoset {keys[row]} add up to {sums[row]:.9g}, not to 1"
    return None
