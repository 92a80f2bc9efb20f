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


def refuse(reason: str) -> None:
    raise FileTrouble(f"the checkpoint is not one that this training could have saved: {reason}; start a new run")


def refuse_unlike(arrays: Arrays, saved: Arrays) -> None:
    """Raise unless the arrays have the names, types and shapes of those that the engine saves, and hold numbers."""
    if arrays.keys() != saved.keys():
        refuse(f"it holds {', '.join(sorted(arrays)) or 'nothing'}, not {', '.join(sorted(saved))}")
    for name, array in arrays.items():
        known = saved[name]
        if array.dtype != known.dtype or array.shape != known.shape:
            refuse(f"{name} is {array.dtype} {array.shape}, not {known.dtype} {known.shape}")
        if np.isnan(array).any():
            refuse(f"{name} holds what is not a number")
