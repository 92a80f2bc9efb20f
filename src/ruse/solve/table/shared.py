"""Threads that share one table: fast, and no update is lost, but which one comes first is up to the machine.

A new infoset is put into the index in three steps: its place is taken by swapping a mark into it, its row is taken by
adding to the number of slots, and then key and row are published. Whoever finds the mark waits for that.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.machine import add_at_once, look_now, publish, swap
from ruse.solve.table.table import (
    INFOSETS,
    LOST,
    SLOTS,
    WIDTH_BITS,
    Table,
    checked,
    crowded,
    expect_place,
    home,
    takeable,
)

TAKEN = -1  # in place of a row: another thread is about to write it


@compiled("row", "expect", "is_crowded")
class SharedTable(NamedTuple):
    """A table that several threads read and write; between iterations all of them stop if it must grow."""

    places: np.ndarray  # as in Table
    words: np.ndarray  # [2 * place] the same memory: the key, and after it the row
    rows: np.ndarray
    blocks: int
    totals: np.ndarray

    def row(self, key, count):
        """As in Table."""
        return find_or_share(self.words, len(self.rows), self.blocks, self.totals, home(self.places, key), key, count)

    def expect(self, key):
        expect_place(self.places, key)

    def is_crowded(self):
        return crowded(self.places, len(self.rows), self.totals)

    @classmethod
    def over(cls, table: Table) -> "SharedTable":
        return cls(table.places, table.places.reshape(-1), table.rows, table.blocks, table.totals)


@compiled_function
def find_or_share(words, slots, blocks, totals, place, key, count):
    """The slot of a key's first regret, in a row taken now if it is new; the common row if there is no room."""
    mask = len(words) // 2 - 1
    while True:
        row = look_now(words, 2 * place + 1)
        if row == TAKEN:
            continue
        if row != 0:
            if words[2 * place] == key:
                return checked(row, count, totals)
            place = (place + 1) & mask
            continue
        # As in `find_or_take`; a few more may be taken by threads at once.
        if totals[SLOTS] + 1 + blocks * count > slots or totals[INFOSETS] >= takeable(mask + 1):
            add_at_once(totals, LOST, 1)
            return 1
        if swap(words, 2 * place + 1, 0, TAKEN) == 0:
            continue
        first = add_at_once(totals, SLOTS, 1 + blocks * count) + 1  # after the stamp
        if first + blocks * count > slots:  # another thread has taken the last of it
            add_at_once(totals, SLOTS, -1 - blocks * count)
            add_at_once(totals, LOST, 1)
            publish(words, 2 * place + 1, 0)
            return 1
        add_at_once(totals, INFOSETS, 1)
        words[2 * place] = key
        publish(words, 2 * place + 1, (first << WIDTH_BITS) | count)
        return first
