"""Threads with one result: chunks of iterations run side by side, and their sums are added in order.

In a round each chunk has a table of its own. A row that it meets for the first time in the round is copied from the
common table, so a chunk learns from itself at once and from the others in the next round. At the end of the round what
each chunk has changed is added to the common table, chunk by chunk. The result depends on the chunks, which are always
the same, and not on how many threads have run them. Where chunks would learn too late from each other, or are not worth
a thread, a round is a single one, which works on the common table: see `next_round`.

Weights that change over time are applied once: a chunk's own row has got those of all periods up to its last visit, and
what it has added is its difference to the common row *with the same weights*. The common row gets them when the first
chunk is added that has come so far. Baselines are no sums: the last chunk that has changed one tells what it is.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, lean_kernel
from ruse.compile.hashing import GOLDEN
from ruse.compile.rng import stream
from ruse.solve.table.sampling import refresh, weights_since
from ruse.solve.table.table import MISFITS, WIDTH_BITS, Table, crowded, expect_place, find_or_take, search

CHUNKS = 8
WORK = 20_000  # histories of an iteration that is worth a thread
VISITS = 4  # of an infoset in a round of many chunks, on average
ALONE = 200_000  # histories of a round of one chunk
WIDTH = (1 << WIDTH_BITS) - 1


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
        word = self.common_places[search(self.common_places, key), 1]
        known = word >> WIDTH_BITS
        if word != 0 and word & WIDTH != count:
            self.totals[MISFITS] += 1
            known = 0
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

    @classmethod
    def alone(cls, common: Table) -> "ChunkTable":
        """The common table itself, of the type for which walks on threads are compiled."""
        return cls(common.places, common.rows, common.blocks, common.totals, np.zeros((2, 2), np.int64), common.rows)


@compiled_function
def find_row(places, key):
    """The first slot of a key's row, 0 if it is not there."""
    return places[search(places, key), 1] >> WIDTH_BITS


class Adding(NamedTuple):
    """What adding a chunk takes of a solver; few types, so that it is compiled for all of them at once."""

    clock: Any
    writer: Any


@lean_kernel
def take_differences(own, common, clock, start):
    """Turn a chunk's rows, from a place on, into what it has added to the common ones; return the next place.

    Rows that are new are taken in the common table, until it needs room, and in place of its key an entry gets the slot
    of the common row. Stamps stay. A baseline that has not changed becomes NaN.
    """
    for place in range(start, len(own.places)):
        if own.places[place, 1] == 0:
            continue
        first, count = own.places[place, 1] >> WIDTH_BITS, own.places[place, 1] & WIDTH
        into = 1 if common.is_crowded() else common.row(own.places[place, 0], count)
        if into == 1:
            return place
        then, now = int(common.rows[into - 1]), int(own.rows[first - 1])
        positive, negative, fading = weights_since(clock, then, now) if then != now else (1.0, 1.0, 1.0)
        for k in range(count):
            regret, average = np.float64(common.rows[into + k]), np.float64(common.rows[into + count + k])
            # A row that starts below the floor is lifted by every chunk, and must be lifted once.
            own.rows[first + k] -= max(regret * (positive if regret > 0.0 else negative), clock.floor)
            own.rows[first + count + k] -= average * fading
        for k in range(2 * count, own.blocks * count):
            if own.rows[first + k] == common.rows[into + k]:
                own.rows[first + k] = np.nan
        own.places[place, 0] = into
    return len(own.places)


@lean_kernel
def add_differences(own, common, adding, rng, seed, number):
    """Add a chunk's differences to the common rows; its number gives it random numbers of its own, for rounding.

    A row gets those of its place among the chunk's rows, which are in the order of their first visits. In the index
    their order hangs on how large that is, and so on rounds before, of which a run that is resumed knows nothing.
    """
    stream(rng, seed, -number)  # those of iterations are positive
    start = rng[0]
    for place in range(len(own.places)):
        if own.places[place, 1] == 0:
            continue
        into, first, count = own.places[place, 0], own.places[place, 1] >> WIDTH_BITS, own.places[place, 1] & WIDTH
        rng[0] = start + np.uint64(first) * np.uint64(GOLDEN)
        add_row(own.rows, first, common, into, count, adding)


@compiled_function
def add_row(differences, first, common, into, count, adding):
    """Add a row of differences, whose regrets start at `first`, to a common row."""
    refresh(common.rows, adding, into, count, int(differences[first - 1]))
    for k in range(count):
        adding.writer.add_above(common.rows, into + k, differences[first + k], adding.clock.floor)
        adding.writer.add_above(common.rows, into + count + k, differences[first + count + k], 0.0)
    for k in range(2 * count, common.blocks * count):
        if not np.isnan(differences[first + k]):
            common.rows[into + k] = differences[first + k]


class Round(NamedTuple):
    """What is run at once: so many iterations, in so many chunks."""

    iterations: int
    chunks: int


def next_round(done: int, histories: int, infosets: int) -> Round:
    """The round after `done` iterations, which have visited so many histories and met so many infosets.

    Chunks do not see each other: what is learned in a round of n iterations comes n iterations late, which costs a
    factor that grows with n. If rounds grew with the run, by its square root already, regret would not fall as fast as
    it should. So a chunk is one iteration, for good, and there are many only where an iteration is worth a thread and
    they seldom meet at an infoset. Elsewhere a single one works on the common table, and learns as without threads.
    """
    each = max(1, histories // max(done, 1))
    if each >= WORK and CHUNKS * each <= VISITS * infosets:
        return Round(CHUNKS, CHUNKS)
    return Round(max(1, min(ALONE // each, done)), 1)


def spans(done: int, iterations: int, parts: int) -> list[tuple[int, int]]:
    """Iterations in so many stretches: (iterations before it, iterations in it)."""
    cuts = [done + iterations * c // parts for c in range(parts + 1)]
    return [(a, b - a) for a, b in pairwise(cuts) if b > a]
