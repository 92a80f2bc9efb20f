"""Rows that go from one table to another: packed side by side, with their keys, and apart by the part that has them.

A table that is too large for one machine is kept in parts. Which part a row belongs to hangs on its key alone, and what
is done to a row on the row alone, so that the numbers are the same for any number of parts.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import lean_kernel
from ruse.compile.hashing import GOLDEN
from ruse.compile.rng import stream
from ruse.solve.table.table import WIDTH_BITS, Table, search
from ruse.solve.table.threads import WIDTH, add_row

Array = NDArray[Any]
ODD = 0xD6E8FEB86659FD93  # not the factor by which a table scatters keys, or those of a part would lie together


class PackedRows(NamedTuple):
    """Rows with their stamps, one after the other."""

    keys: Array  # [row] int64
    words: Array  # [row] int64: a number of the row, for those who round it; and its width, as in a table's index
    rows: Array  # [slot]

    @property
    def widths(self) -> Array:
        return self.words & WIDTH

    @property
    def bytes(self) -> int:
        return self.keys.nbytes + self.words.nbytes + self.rows.nbytes

    @classmethod
    def of(cls, table: Table, keys: Array, words: Array) -> "PackedRows":
        """The rows of a table with these keys; a word says where a row is."""
        rows = np.empty(slots_of(words & WIDTH, table.blocks), table.rows.dtype)
        pack_rows(table.rows, words, table.blocks, rows)
        return cls(keys, words, rows)

    @classmethod
    def all_of(cls, table: Table) -> "PackedRows":
        """All rows, in the order of their keys."""
        keys, at = table.sorted()
        return cls.of(table, keys.view(np.int64), table.places[at, 1])

    @classmethod
    def in_parts(cls, table: Table, keys: Array, words: Array, parts: int) -> "list[PackedRows]":
        """The same for each part of a table that is kept in so many."""
        part = part_of_each(keys, parts)
        numbers = [np.flatnonzero(part == k) for k in range(parts)]
        return [cls.of(table, keys[these], words[these]) for these in numbers]


def slots_of(widths: Array, blocks: int) -> int:
    """How many slots rows of these widths take."""
    return int((1 + blocks * widths).sum())


def part_of_each(keys: Array, parts: int) -> Array:
    """The part of the table that each key belongs to."""
    z = keys.view(np.uint64)
    mixed = (z ^ (z >> np.uint64(29))) * np.uint64(ODD)
    return np.asarray((mixed >> np.uint64(40)) % np.uint64(parts)).astype(np.int64)


def made_of(block: PackedRows, blocks: int, *, room: float = 1.0) -> Table:
    """A table of these rows, with room for so many times as many."""
    dtype = block.rows.dtype.type
    infosets, slots = int(len(block.keys) * room) + 1024, int(len(block.rows) * room * 1.3) + 8192
    table = Table.empty(infosets=infosets, slots=slots, dtype=dtype, baselined=blocks == 3)
    return put_all(table, block)


def put_all(table: Table, block: PackedRows) -> Table:
    """The table with these rows in it, grown where it had to."""
    done, at = 0, 0
    while done < len(block.keys):
        while table.is_crowded():
            table = table.larger(None)
        done, at = put_rows(table, block.keys, block.words, block.rows, done, at)
    return table


@lean_kernel
def pack_rows(rows, words, blocks, packed):
    """Copy rows side by side, from their stamps on."""
    at = 0
    for word in words:
        first, length = (word >> WIDTH_BITS) - 1, 1 + blocks * (word & WIDTH)
        for k in range(length):
            packed[at + k] = rows[first + k]
        at += length


@lean_kernel
def put_rows(table, keys, words, rows, start, at):
    """Write rows, from number `start` on, which lies at `at`, until the table needs room; the next, and where it is."""
    for n in range(start, len(keys)):
        count = words[n] & WIDTH
        first = 1 if table.is_crowded() else table.row(keys[n], count)
        if first == 1:
            return n, at
        for k in range(1 + table.blocks * count):
            table.rows[first - 1 + k] = rows[at + k]
        at += 1 + table.blocks * count
    return len(keys), at


@lean_kernel
def copy_rows(table, keys, words, rows):
    """Copy the rows of these keys, empty ones where there are none; how many there are, and whether all widths fit."""
    at, found, fits = 0, 0, True
    for n in range(len(keys)):
        count = words[n] & WIDTH
        word = table.places[search(table.places, keys[n]), 1]
        if word != 0 and word & WIDTH != count:
            fits = False
        elif word != 0:
            found += 1
            for k in range(1 + table.blocks * count):
                rows[at + k] = table.rows[(word >> WIDTH_BITS) - 1 + k]
        at += 1 + table.blocks * count
    return found, fits


@lean_kernel
def mark_missing(table, keys, missing):
    """Mark the keys that have no row."""
    for n in range(len(keys)):
        missing[n] = table.places[search(table.places, keys[n]), 1] == 0


@lean_kernel
def take_places(table, keys, words, start):
    """Take an empty row for each key that is new, from number `start` on, until the table needs room; the next one."""
    for n in range(start, len(keys)):
        if table.is_crowded() or table.row(keys[n], words[n] & WIDTH) == 1:
            return n
    return len(keys)


@lean_kernel
def add_block(keys, words, rows, table, adding, rng, seed, number):
    """Add a chunk's differences to the rows of a table, as `add_differences` does: to the same bits."""
    stream(rng, seed, -number)
    start, at = rng[0], 1
    for n in range(len(keys)):
        count = words[n] & WIDTH
        rng[0] = start + np.uint64(words[n] >> WIDTH_BITS) * np.uint64(GOLDEN)
        add_row(rows, at, table, table.row(keys[n], count), count, adding)
        at += 1 + table.blocks * count
