"""Sets of ranks as masks of 13 bits, and the number of each among those of its size, in colexicographic order."""

from functools import cache
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled_function

RANKS = 13
MASKS = 1 << RANKS


class RankSets(NamedTuple):
    """What there is to know of masks. Made by `rank_sets`."""

    size: np.ndarray  # [mask] how many ranks it has
    number: np.ndarray  # [mask] its number among those of its size
    first: np.ndarray  # [size] where the masks of a size begin in `masks`
    masks: np.ndarray  # by size, then number

    def __repr__(self) -> str:
        return "rank_sets()"


@cache
def rank_sets() -> RankSets:
    masks = np.arange(MASKS)
    size = (masks[:, None] >> np.arange(RANKS) & 1).sum(axis=1)
    order = np.argsort(size, kind="stable")  # as numbers they are in colexicographic order
    first = np.searchsorted(size[order], np.arange(RANKS + 2))
    number = np.zeros(MASKS, np.int16)
    number[order] = np.arange(MASKS) - first[size[order]]
    return RankSets(size.astype(np.int8), number, first, order.astype(np.int16))


@compiled_function
def choose(n, k):
    """How many ways there are to choose k of n, for k from 1 to 4; without a division by anything but a constant."""
    if k == 1:
        return n
    if k == 2:
        return n * (n - 1) // 2
    if k == 3:
        return n * (n - 1) * (n - 2) // 6
    return n * (n - 1) * (n - 2) * (n - 3) // 24


@compiled_function
def squeezed(mask, holes):
    """A mask without the ranks in `holes`, which it does not have: those above move down."""
    while holes:
        below = (holes & -holes) - 1
        mask = (mask & below) | (mask >> 1 & ~below)
        holes = (holes & (holes - 1)) >> 1
    return mask


@compiled_function
def spread(mask, holes):
    """The mask that is `mask` when squeezed."""
    while holes:
        below = (holes & -holes) - 1
        mask = (mask & below) | (mask & ~below) << 1
        holes &= holes - 1
    return mask
