"""One 64-bit word for many values: the mixing step of splitmix64, in Python and in kernels."""

import numpy as np

from ruse.compile.parts import compiled_function, compiled_twin

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB  # the constants of splitmix64


def mix(key: int, value: int) -> int:
    """Add a value to a 64-bit key, for what a player knows that does not fit into 63 bits.

    Different sequences of values give different keys, but for a chance of 2^-64 a pair.
    """
    z = ((int(key) * FIRST & MASK) ^ int(value)) + GOLDEN & MASK
    z = (z ^ (z >> 30)) * FIRST & MASK
    z = (z ^ (z >> 27)) * SECOND & MASK
    z = z ^ (z >> 31)
    return z - (1 << 64) if z >> 63 else z


@compiled_twin(mix)
def _mix(key, value):
    """The same with the machine's own wrap-around."""
    z = ((np.uint64(key) * np.uint64(FIRST)) ^ np.uint64(value)) + np.uint64(GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(FIRST)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(SECOND)
    return np.int64(z ^ (z >> np.uint64(31)))


@compiled_function
def share_of(word):
    """A number in [0, 1) of the upper 53 bits of a word, which is signed as `mix` gives it."""
    return (word >> 11 & ((1 << 53) - 1)) * 2.0**-53


def collision_chance(keys: int) -> float:
    """That any two of so many 64-bit keys are the same by chance: the birthday bound, n^2 / 2^65."""
    return keys**2 / 2.0**65
