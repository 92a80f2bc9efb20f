"""Random numbers with an explicit state: one 64-bit word a stream (splitmix64, Steele et al. 2014)."""

import numpy as np

from ruse.compile import compiled_function
from ruse.compile.hashing import FIRST, GOLDEN, SECOND, mix


@compiled_function
def stream(state, seed, number):
    """Start stream `number` of a seed in state[0]. Streams of different numbers are independent."""
    state[0] = np.uint64(mix(mix(seed, number), 1))


@compiled_function
def uniform(state):
    """The next number in [0, 1)."""
    state[0] += np.uint64(GOLDEN)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(FIRST)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(SECOND)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * 2.0**-53
