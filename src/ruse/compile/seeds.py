"""Seeds of random numbers: which are taken, and those that follow from one."""

import operator
from typing import Any

from ruse.errors import RuseError
from ruse.words.printable import shown

HIGHEST = 2**63 - 1  # kernels hold a seed in 64 bits, one of which is its sign


def seed_of(value: Any) -> int:
    """The seed, if it is a whole number that kernels can hold."""
    try:
        seed = operator.index(value)
    except TypeError:
        seed = -1
    if not 0 <= seed <= HIGHEST:
        raise RuseError(f"a seed must be a whole number from 0 to {HIGHEST}, got {shown(value)}")
    return seed


def next_seed(seed: int, number: int) -> int:
    """The seed that comes so many after this one; after the highest comes 0."""
    return (seed + number) % (HIGHEST + 1)
