"""Whether a checkpoint's arrays are what an engine would have saved.

Kernels trust their tables: an index that points beyond one is a crash, or worse. A checkpoint's hashes tell that it is
whole, not who wrote it, so its arrays are tested before an engine takes them over.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.errors import FileTrouble

Arrays = Mapping[str, NDArray[Any]]
SHARES = ("average", "sigma")  # tables of what is played, or of sums of it: nothing of that is below 0


def refuse(reason: str) -> None:
    raise FileTrouble(f"the checkpoint is not one that this training could have saved: {reason}; start a new run")


def refuse_unlike(arrays: Arrays, saved: Arrays) -> None:
    """Raise unless the arrays are such as the engine saves."""
    if unlike := how_unlike(arrays, saved):
        refuse(unlike)


def how_unlike(arrays: Arrays, saved: Arrays) -> str | None:
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
        if name in SHARES and array.size and not (array.min() >= 0.0 and array.max() <= largest(array.dtype)):
            return f"{name} holds {array.min():g} to {array.max():g}, which is no sum of what was played"
    return None


def largest(kind: np.dtype[Any]) -> float:
    """What no sum of a training comes to, and of which many can still be added up."""
    return float(float(np.finfo(kind).max) ** 0.75)
