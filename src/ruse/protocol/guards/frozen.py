"""Parts that cannot take notes: their arrays can be read and not written, in kernels too.

A compiled bot is not copied for each game. What it wrote into an array of its own when a deal was played first, it
would know when the deal is played again with seats exchanged. What it may remember is its memory, which begins anew.
"""

from typing import Any, TypeVar

import numpy as np

from ruse.errors import RuseError

P = TypeVar("P")


def frozen(part: P) -> P:
    """The part with arrays that cannot be written, and itself if it has no others.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     size: int
    ...     table: np.ndarray
    >>> frozen(Pair(2, np.zeros(2))).table.flags.writeable
    False
    """
    made: Any = part
    if isinstance(part, np.ndarray) and part.flags.writeable:
        made = part.view()
        made.flags.writeable = False
    elif isinstance(part, tuple):
        fields = [frozen(field) for field in part]
        if any(new is not old for new, old in zip(fields, part, strict=True)):
            made = type(part)._make(fields) if hasattr(part, "_make") else tuple(fields)
    elif type(part).__module__.partition(".")[0] == "numba":  # its lists and dictionaries can be written in kernels
        raise RuseError(f"a bot may hold numbers, arrays and other parts, not a {type(part).__name__} of Numba")
    return made  # type: ignore[no-any-return]
