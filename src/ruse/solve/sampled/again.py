"""Iterations that are run again: one that meets more new infosets than the table has room for must not lose the rest.

This happens in the first iterations of a wide game, for the table grows between them only. So while it may happen, what
the table holds is kept before a stretch of iterations; if one of them found no room, the stretch is undone and run
again, that one in a larger table, and all is as if it had been large enough from the start. Stretches double with what
is done, so there are few of them, and at most as much is run twice as was run before.

A table has room for a fifth of its rows at least. Once many iterations have filled it, one that meets so much alone is
so unlikely that a large table is no longer kept; if there is one it is told.
"""

import logging
from typing import NamedTuple

import numpy as np

from ruse.solve.table.table import LOST, SLOTS, Table

EARLY = 1_000  # iterations that are kept whatever it takes, if it is allowed
SMALL = 1 << 20  # bytes of rows up to which a table is always kept

log = logging.getLogger(__name__)


class Before(NamedTuple):
    """What a table held and what was counted before a stretch of iterations."""

    totals: np.ndarray
    rows: np.ndarray
    counters: np.ndarray

    def restored(self, table: Table, counters: np.ndarray) -> Table:
        """The table as it was; it has not grown since."""
        counters[:] = self.counters
        table = table.as_of(len(table.places), self.totals)
        table.rows[: len(self.rows)] = self.rows
        return table


def kept(table: Table, counters: np.ndarray, done: int, left: int, memory: int | None) -> tuple[Before | None, int]:
    """What is kept after `done` iterations, if anything, and how many of those that are left are run before the next.

    Whether one is kept must hang on the iteration and the table's room alone, so that pieces are as the whole.
    """
    room = table.rows.nbytes
    if room > SMALL and (done >= EARLY or (memory is not None and table.capacity + room > memory)):
        return None, left
    before = Before(table.totals.copy(), table.rows[: int(table.totals[SLOTS])].copy(), counters.copy())
    return before, min(left, max(1, done), EARLY - done if done < EARLY else left)


def undone(table: Table, before: Before | None, counters: np.ndarray, done: int) -> Table | None:
    """The table as before the last iterations, up to `done`, if one of them found no room; None if they count."""
    if not table.totals[LOST]:
        return None
    if before is not None:
        return before.restored(table, counters)
    log.warning(
        "iteration %s met more new infosets than the table had room for; %s visits to them are not learned from",
        f"{done:,}", f"{int(table.totals[LOST]):,}",
    )  # fmt: skip
    return None
