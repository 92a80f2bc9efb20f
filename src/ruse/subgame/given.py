"""What is given of a subgame, as arrays of numbers: whatever is none is refused in one sentence."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruse.errors import RuseError

SHOWN = 60  # letters of what was given instead


def numbers_of(given: ArrayLike, what: str) -> NDArray[Any]:
    """These numbers in one array."""
    return array_of(given, what).astype(np.float64)


def frequencies_of(given: ArrayLike, what: str) -> NDArray[Any]:
    """The same of numbers that say how often something happens."""
    found = numbers_of(given, what)
    if (wrong := found[~(np.isfinite(found) & (found >= 0.0))]).size:
        raise RuseError(f"{what} are numbers from 0 on, got {wrong[0]}")
    return found


def places_of(given: ArrayLike, what: str, count: int) -> NDArray[Any]:
    """The same of whole numbers below `count`, of which none is there twice in a row."""
    found = array_of(given, what)
    is_place = (found >= 0) & (found < count) & (found == np.floor(found))
    if not is_place.all():
        raise RuseError(f"{what} are whole numbers from 0 to {count - 1}, got {found[~is_place][0]}")
    places = found.astype(np.int64)
    if found.ndim:
        ordered = np.sort(places, axis=-1)
        if (twice := ordered[..., 1:][ordered[..., 1:] == ordered[..., :-1]]).size:
            raise RuseError(f"{what} are all different, got {twice[0]} twice")
    return places


def array_of(given: ArrayLike, what: str) -> NDArray[Any]:
    """What was given, if it is numbers, as many in each row."""
    try:
        found = np.asarray(given)
    except ValueError:
        raise RuseError(f"{what} are numbers, as many in each row, got {repr(given)[:SHOWN]}") from None
    if found.dtype.kind not in "fiub":
        raise RuseError(f"{what} are numbers, got {repr(given)[:SHOWN]}")
    return found
