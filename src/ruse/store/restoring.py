"""Whether a checkpoint's arrays are what an engine would have saved.

Kernels trust their tables: an index that points beyond one is a crash, or worse. A checkpoint's hashes tell that it is
whole, not who wrote it, so its arrays are tested before an engine takes them over.
"""

import math
from collections.abc import Container, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.errors import FileTrouble

Arrays = Mapping[str, NDArray[Any]]
SHARES = ("average", "sigma", "reach")  # tables of what is played, or of sums of it: nothing of that is below 0
PROBABILITIES, ROUNDING = ("sigma", "reach"), 1e-6  # of these, nothing is above 1


def refuse(reason: str) -> None:
    raise FileTrouble(f"the checkpoint is not one that this training could have saved: {reason}; start a new run")


def refuse_unlike(arrays: Arrays, saved: Arrays, *, infinite: Container[str] = ()) -> None:
    """Raise unless the arrays are such as the engine saves; those with a name in `infinite` may hold infinities."""
    if unlike := how_unlike(arrays, saved, infinite=infinite):
        refuse(unlike)


def how_unlike(arrays: Arrays, saved: Arrays, *, infinite: Container[str] = ()) -> str | None:
    """How the arrays differ in name, type or shape from those that the engine saves, or what they hold that it never
    does; None if they are alike.
    """
    if arrays.keys() != saved.keys():
        return f"it holds {', '.join(sorted(arrays)) or 'nothing'}, not {', '.join(sorted(saved))}"
    for name, array in arrays.items():
        known = saved[name]
        if array.dtype != known.dtype or array.shape != known.shape:
            return f"{name} is {array.dtype} {array.shape}, not {known.dtype} {known.shape}"
        if np.isnan(array).any():
            return f"{name} holds what is not a number"
        if array.dtype.kind != "f" or not array.size:
            continue
        least, most, limit = float(array.min()), float(array.max()), largest(array.dtype)
        if name in PROBABILITIES and not (least >= 0.0 and most <= 1.0 + ROUNDING):
            return f"{name} holds {least:g} to {most:g}, which are no probabilities"
        if name in SHARES and not (least >= 0.0 and most <= limit):
            return f"{name} holds {least:g} to {most:g}, which is no sum of what was played"
        if name not in infinite and max(-least, most) > limit:
            return f"{name} holds {least:g} to {most:g}, which no training comes to"
    return None


def refuse_unshared(sigma: NDArray[Any], first: NDArray[Any]) -> None:
    """Raise unless the rows that start at `first`, one after the other, are strategies."""
    if len(first) and not np.all(np.abs(np.add.reduceat(sigma, first) - 1.0) <= ROUNDING):
        refuse("what is played somewhere does not add up to 1")


def largest(kind: np.dtype[Any]) -> float:
    """What no sum of a training comes to, and of which many can still be added up."""
    return math.pow(float(np.finfo(kind).max), 0.75)
