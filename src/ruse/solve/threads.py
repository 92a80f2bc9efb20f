"""Threads with one result: chunks of iterations run side by side, and their sums are added in order.

In a round each chunk has a table of its own. A row that it meets for the first time in the round is copied from the
common table, so a chunk learns from itself at once and from the others in the next round. At the end of the round what
each chunk has changed is added to the common table, chunk by chunk. The result depends on the chunks, which are always
the same, and not on how many threads have run them.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, lean_kernel
from ruse.solve.table import WIDTH_BITS, Table, crowded, expect_place, find_or_take, search

CHUNKS = 8
WORK = 20_000  # histories of a chunk: enough to be worth a thread, and no more, because chunks do not see each other
SHARE = 100  # nor may a round be more than this part of what has been done


@compiled("row", "expect", "is_crowded")
class ChunkTable(NamedTuple):
    """A chunk's own rows, over a common table that nobody changes meanwhile."""

    places: np.ndarray  # [place, 2] as in Table
    rows: np.ndarray
    blocks: int
    totals: np.ndarray
    common_places: np.ndarray
    common_rows: np.ndarray

    def row(self, key, count):
        """As in Table; a row that is new here starts as a copy of the common one."""
        first = find_or_take(self.places, len(self.rows), self.blocks, self.totals, key, count)
        if first > 0:
            return first
        known = find(self.common_places, key)
        for k in range(-1, self.blocks * count):
            self.rows[k - first] = self.common_rows[known + k] if known > 0 else 0.0
        return -first

    def expect(self, key):
        expect_place(self.places, key)

    def is_crowded(self):
        return crowded(self.places, len(self.rows), self.totals)

    @classmethod
    def over(cls, common: Table, own: Table) -> "ChunkTable":
        return cls(own.places, own.rows, own.blocks, own.totals, common.places, common.rows)


@compiled_function
def find(places, key):
    """The first slot of a key's row, 0 if it is not there."""
    return places[search(places, key), 1] >> WIDTH_BITS


@lean_kernel
def take_differences(own, common):
    """Turn a chunk's rows into what it has added to the common ones. Stamps stay."""
    for place in range(len(own.places)):
        if own.places[place, 1] == 0:
            continue
        first, count = own.places[place, 1] >> WIDTH_BITS, own.places[place, 1] & ((1 << WIDTH_BITS) - 1)
        known = find(common.places, own.places[place, 0])
        if known > 0:
            for k in range(own.blocks * count):
                own.rows[first + k] -= common.rows[known + k]


@lean_kernel
def add_differences(own, common, start):
    """Add a chunk's differences, from a place on, until the common table needs room; return the next place."""
    for place in range(start, len(own.places)):
        if own.places[place, 1] == 0:
            continue
        if common.is_crowded():
            return place
        first, count = own.places[place, 1] >> WIDTH_BITS, own.places[place, 1] & ((1 << WIDTH_BITS) - 1)
        into = common.row(own.places[place, 0], count)
        common.rows[into - 1] = max(common.rows[into - 1], own.rows[first - 1])
        for k in range(own.blocks * count):
            common.rows[into + k] += own.rows[first + k]
    return len(own.places)


def round_size(done: int, histories: int) -> int:
    """Iterations of the round that starts after `done`, which have visited so many histories.

    Late news slow learning down: if rounds grew with the run, it would never settle.
    """
    each = max(1, histories // max(done, 1))
    return CHUNKS * max(1, min(WORK // each, done // (SHARE * CHUNKS)))


def spans(done: int, iterations: int, parts: int) -> list[tuple[int, int]]:
    """Iterations in so many stretches: (iterations before it, iterations in it)."""
    cuts = [done + iterations * c // parts for c in range(parts + 1)]
    return [(a, b - a) for a, b in pairwise(cuts) if b > a]
