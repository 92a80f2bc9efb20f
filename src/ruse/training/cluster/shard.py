"""A part of the table of a training on many machines: it gives rows to those who sample, and adds what they send back.

What a round has changed is taken in two steps. First all that was sent is received, and rows that are new are taken:
whatever can fail, fails here, and nothing has been added yet. Then all is added, which cannot.
"""

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.solve.table.blocks import Array, PackedRows, add_block, copy_rows, made_of, slots_of, take_places
from ruse.solve.table.table import MISFITS, OutOfMemory
from ruse.solve.table.threads import Adding
from ruse.solve.table.writers import Fair, Plain, Unrounded
from ruse.tree.measure.free import free_memory
from ruse.words.amounts import in_bytes

LEFT = 0.9  # of the memory that is free, if nobody has said how much to take
COPIED = 1 << 28  # bytes of a table that each worker has a copy of


def shards_share(memory: int) -> int:
    """What of a node's memory its part of the table may take; the rest is for workers, and the rows that they meet."""
    return memory * 3 // 4


class Making(NamedTuple):
    """What all shards of a training are made with."""

    clock: Any
    seed: int
    blocks: int
    dtype: str
    memory: int | None  # bytes for the rows of one shard

    def empty(self) -> PackedRows:
        return PackedRows(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, self.dtype))


class Sent(NamedTuple):
    """What a chunk has changed of one shard; it ends with the iteration `number`."""

    number: int
    block: PackedRows


class ShardPast(NamedTuple):
    """A shard after some iterations, and what was sent to it in the rounds after them."""

    done: int
    block: PackedRows
    rounds: tuple[tuple[int, list[Sent]], ...] = ()


class ShardStanding(NamedTuple):
    """How large a shard is, after how many iterations."""

    done: int
    infosets: int
    bytes: int


class Stale(RuseError):
    """Rows of another round than the shard is in."""


class Changes:
    """Which rows the last rounds have changed."""

    def __init__(self, done: int) -> None:
        self.since = done  # what was changed before is not known
        self.rounds = deque[tuple[int, Array, Array]]()  # iterations after it, keys, widths

    def note(self, after: int, blocks: list[PackedRows], infosets: int) -> None:
        """A round has changed these rows. Of old rounds no more is kept than all rows would be."""
        keys, first = np.unique(np.concatenate([block.keys for block in blocks]), return_index=True)
        self.rounds.append((after, keys, np.concatenate([block.widths for block in blocks])[first]))
        while sum(len(keys) for _, keys, _ in self.rounds) > infosets:
            self.since = self.rounds.popleft()[0]

    def after(self, done: int) -> tuple[Array, Array] | None:
        """Keys and widths of what was changed after so many iterations; None if that is not known."""
        if done < self.since:
            return None
        kept = [(keys, widths) for number, keys, widths in self.rounds if number > done]
        if not kept:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        keys, first = np.unique(np.concatenate([keys for keys, _ in kept]), return_index=True)
        return keys, np.concatenate([widths for _, widths in kept])[first]


class Shard:
    """Rows by key, as they are after `done` iterations."""

    def __init__(self, making: Making, past: ShardPast) -> None:
        self.making, self.done = making, past.done
        self.table = made_of(own_block(past.block), making.blocks)
        self.rng = np.zeros(1, np.uint64)
        rounding = Unrounded() if self.table.rows.itemsize == 8 else Fair(self.rng)
        self.adding = Adding(making.clock, Plain(rounding))
        self.received: tuple[int, list[Sent]] | None = None
        self.changes = Changes(past.done)
        self.before = len(self.table.places), self.table.totals.copy()
        self._refuse_large()
        for after, sent in past.rounds:
            self.receive(after, *sent)
            self.add(after)

    def standing(self) -> ShardStanding:
        return ShardStanding(self.done, self.table.infosets, self.table.bytes)

    def fetch(self, done: int, keys: Array, widths: Array) -> tuple[Array, int]:
        """The rows of these keys, packed, as they are after `done` iterations; and how many of them are there."""
        self._refuse_stale(done)
        rows = np.zeros(slots_of(widths, self.making.blocks), self.table.rows.dtype)
        found, fits = copy_rows(self.table, np.array(keys), np.array(widths), rows)
        if not fits:
            raise _two_for_one_key()
        return rows, int(found)

    def news(self, done: int, since: int, most: int) -> PackedRows | None:
        """The rows that were changed after `since` iterations, or all, as they are after `done`; None if the shard
        takes more than so many bytes.
        """
        self._refuse_stale(done)
        if self.table.bytes > most:
            return None
        changed = self.changes.after(since)
        if changed is None:
            return self.rows()
        rows = np.empty(slots_of(changed[1], self.making.blocks), self.table.rows.dtype)
        copy_rows(self.table, *changed, rows)
        return PackedRows(*changed, rows)

    def receive(self, after: int, *sent: Sent) -> None:
        """Keep what the chunks of a round have sent, in their order; it leads to `after` iterations."""
        if after <= self.done:
            return  # it has been added before whoever sends it was lost
        self.forget()
        mine = [Sent(one.number, own_block(one.block)) for one in sent]
        self.received = after, mine
        try:
            for one in mine:
                self._take(one.block)
        except OutOfMemory:
            self.forget()
            raise

    def forget(self) -> None:
        """Drop what was received and not added, as if it had never come."""
        if self.received is not None:
            self.table, self.received = self.table.as_of(*self.before), None
        self.before = len(self.table.places), self.table.totals.copy()

    def add(self, after: int) -> ShardStanding:
        """Add what was received; a second time it changes nothing."""
        if self.received is not None and self.done < after == self.received[0]:
            for number, block in self.received[1]:
                keys, words, rows = block
                add_block(keys, words, rows, self.table, self.adding, self.rng, self.making.seed, number)
            if self.table.bytes <= COPIED:
                self.changes.note(after, [block for _, block in self.received[1]], self.table.infosets)
            else:  # nobody will ask
                self.changes = Changes(after)
            self.done, self.received = after, None
            self.before = len(self.table.places), self.table.totals.copy()
        return self.standing()

    def index(self) -> tuple[Array, Array]:
        """All keys, ascending, and the widths of their rows."""
        keys, _, widths = self.table.used()
        return keys, widths

    def rows(self) -> PackedRows:
        """All rows, by key."""
        return PackedRows.all_of(self.table)

    def _take(self, block: PackedRows) -> None:
        done = 0
        while done < len(block.keys):
            if self.table.is_crowded():
                self.table = self.table.larger(self._allowed())
            done = take_places(self.table, block.keys, block.words, done)
            if self.table.totals[MISFITS]:
                raise _two_for_one_key()

    def _refuse_stale(self, done: int) -> None:
        if done != self.done:
            raise Stale(f"a shard has the rows of iteration {self.done}, not of {done}")

    def _allowed(self) -> int:
        if self.making.memory is not None:
            return self.making.memory
        return self.table.bytes + int(LEFT * free_memory())

    def _refuse_large(self) -> None:
        allowed = self._allowed()
        if self.table.bytes > allowed:
            raise RuseError(
                f"a node's part of the table takes {in_bytes(self.table.bytes)}, over the {in_bytes(allowed)} allowed; "
                "give it more memory, or more nodes"
            )


def own_block(block: PackedRows) -> PackedRows:
    """A copy: what comes from another process may be read and not written, which is another type to kernels."""
    return PackedRows(*(np.array(array) for array in block))


def _two_for_one_key() -> RuseError:
    return RuseError("two infosets with different numbers of actions have one key; run `ruse check`, or debug the keys")
