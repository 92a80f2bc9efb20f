"""The infoset table of the sampled walks: open addressing on NumPy arrays, 64-bit keys, rows of any length.

At millions of infosets a look-up is a wait for memory, so what is used together lies together: a place of the index is
two words side by side, the key and where its row is, and a row is one piece,

    stamp | regret of each action | average of each action | a third number of each action, if a walk wants one

(baselines of outcome sampling, or, in the first of them, how much a visit counts under hybrid pruning)

A walk asks for the row of a key and gets a new, empty one if the key has not been met. It cannot stop in the middle of
an iteration to make room, so room is made between iterations; if one iteration meets more new infosets than there is
room for, those beyond share a row that nobody reads, and the iteration is run again in a larger table (see
`solve/sampled/again.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, compiled_twin, kernel
from ruse.compile.hashing import GOLDEN, MASK
from ruse.compile.machine import prefetch
from ruse.errors import RuseError
from ruse.words.amounts import in_bytes

FULLEST = 0.7  # share of the index that may be taken before it grows
FREE_BITS = 3  # an eighth of it stays free whatever an iteration meets
WIDEST = 4096  # actions of the row that is shared when there is no room
WIDTH_BITS = 16
CACHED = 1 << 14  # places that fit into a core's own cache
BLOCK = 1 << 15  # places that are looked at together, so that what lies between takes little memory
INFOSETS, SLOTS, LOST, MISFITS = range(4)


class OutOfMemory(RuseError):
    """The table may not grow any further. It is whole, up to the iteration `done`.

    A training that is kept nowhere else leaves here the strategy that it had.
    """

    done = 0
    strategy: Any = None


@compiled("row", "expect", "is_crowded")
class Table(NamedTuple):
    """Regret and average of every infoset that has been met."""

    places: np.ndarray  # [place, 2] int64: the key, and its row's first regret and width in one word; 0 if it is free
    rows: np.ndarray  # [slot] float32 or float64
    blocks: int  # 2, or 3 with baselines
    totals: np.ndarray  # [4] infosets, slots in use, infosets that found no room, keys that came with another width

    def row(self, key, count):
        """The slot of an infoset's first regret, in a row taken now if it is new."""
        return abs(find_or_take(self.places, len(self.rows), self.blocks, self.totals, key, count))

    def expect(self, key):
        """A row will be asked for soon."""
        expect_place(self.places, key)

    def is_crowded(self):
        """Whether it is time to make room."""
        return crowded(self.places, len(self.rows), self.totals)

    @classmethod
    def empty(
        cls, *, infosets: int = 1 << 10, slots: int = 1 << 13, dtype: type = np.float32, baselined: bool = False
    ) -> "Table":
        """A table with room for so many infosets and slots."""
        places = 1 << int(infosets / FULLEST).bit_length()
        blocks = 3 if baselined else 2
        shared = 1 + blocks * WIDEST
        totals = np.array([0, shared, 0, 0])
        return cls(np.zeros((places, 2), np.int64), np.zeros(shared + slots, dtype), blocks, totals)

    @property
    def infosets(self) -> int:
        return int(self.totals[INFOSETS])

    @property
    def bytes(self) -> int:
        """Memory that the table has taken: rows that nobody has used yet take none."""
        return self.places.nbytes + int(self.totals[SLOTS]) * self.rows.itemsize

    def larger(self, memory: int | None = None, *, beside: int = 0) -> "Table":
        """The same table with more room, unless this takes more than `memory` bytes.

        Counted are the table when it is full, with what is in use `beside` it while it is filled or with the strategy
        that is made of it in the end, whichever is more; and both tables at once while this one is copied.
        """
        places, slots, used = len(self.places), len(self.rows), int(self.totals[SLOTS])
        if self.totals[INFOSETS] > FULLEST * places:
            places *= 2
        is_same = places == len(self.places)
        # Twice as much is more than is needed at once: near the limit a quarter more must do, and slots that nobody has
        # used, which take no memory, are given up.
        least, most = (slots if is_same else used) * 5 // 4, 2 * slots if is_same or used > 0.5 * slots else slots
        return self.resized(places, min(most, max(least, self._allowed_slots(memory, places, beside))), memory, beside)

    def widened(self, memory: int | None = None) -> "Table":
        """The same with four times the room, for an iteration that found too little; or with less, if it must be."""
        places, slots, used = len(self.places), len(self.rows), int(self.totals[SLOTS])
        for times in (4, 2, 1):
            allowed = min(4 * slots, self._allowed_slots(memory, times * places, 0))
            if allowed >= (used if times > 1 else slots) * 5 // 4:  # more places alone may be what was wanting
                return self.resized(times * places, allowed, memory)
        raise self.too_large(self._needed(places, slots * 5 // 4, 0), memory or 0)

    def resized(self, places: int, slots: int, memory: int | None, beside: int = 0) -> "Table":
        """The same table with so many places and slots, unless this takes more than `memory` bytes."""
        used = int(self.totals[SLOTS])
        copied = 16 * places * (places > len(self.places)) + used * self.rows.itemsize * (slots > len(self.rows))
        needed = max(self._needed(places, slots, beside), self.bytes + copied + beside)
        if memory is not None and needed > memory:
            raise self.too_large(needed, memory)
        totals = self.totals.copy()
        totals[LOST] = 0
        index, rows = self.places, self.rows[:slots]
        if places > len(index):
            index = np.zeros((places, 2), np.int64)
            rehash(self.places, index)
        if slots > len(rows):
            rows = longer(rows[: int(totals[SLOTS])], slots)
        return self._replace(places=index, rows=rows, totals=totals)

    def _needed(self, places: int, slots: int, beside: int) -> int:
        """Bytes of a table of that size when it is full, with what is beside it or the strategy made of it."""
        infosets = min(FULLEST * places, max(slots - self._shared, 0) / self._slots_of_one)
        return 16 * places + slots * self.rows.itemsize + max(beside, int(infosets * self._made_of_one))

    def _allowed_slots(self, memory: int | None, places: int, beside: int) -> int:
        """For how many slots there is memory, with so many places."""
        if memory is None:
            return 1 << 62
        room, made = memory - 16 * places, self._made_of_one / self._slots_of_one
        with_strategy = (room + made * self._shared) / (self.rows.itemsize + made)
        return int(min(with_strategy, (room - beside) / self.rows.itemsize))

    @property
    def _shared(self) -> int:
        """Slots that belong to no infoset."""
        return 1 + self.blocks * WIDEST

    @property
    def _slots_of_one(self) -> float:
        """Slots that an infoset takes, as far as they are known: its stamp and its blocks."""
        return max((int(self.totals[SLOTS]) - self._shared) / max(self.infosets, 1), 1 + self.blocks)

    @property
    def _made_of_one(self) -> float:
        """Bytes of a strategy, for each infoset, while it is made: key, start of the row, place; and probabilities."""
        return 24 + 8 * (self._slots_of_one - 1) / self.blocks

    def as_of(self, places: int, totals: np.ndarray) -> "Table":
        """The table without the rows taken since it had so many places and these totals. Older rows stay."""
        slots, index = int(totals[SLOTS]), self.places
        forget(index, slots)
        if len(index) > places:  # it has grown since, and the search for old keys may lead over new ones
            index = np.zeros_like(self.places)
            rehash(self.places, index)
        self.rows[slots : int(self.totals[SLOTS])] = 0.0
        return self._replace(places=index, totals=totals.copy())

    @property
    def capacity(self) -> int:
        """Memory that the table will take when it is full."""
        return self.places.nbytes + self.rows.nbytes

    def too_large(self, needed: int, memory: int) -> OutOfMemory:
        return OutOfMemory(
            f"the table has {self.infosets:,} infosets in {in_bytes(self.bytes)} and would need "
            f"{in_bytes(needed)} to grow, over the {in_bytes(memory)} allowed; give it more memory"
        )

    def used(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Keys in ascending order as unsigned integers, the slots of their first regrets, and their widths."""
        keys, at = self.sorted()
        return keys, *self.first_and_width(at)

    def sorted(self) -> tuple[np.ndarray, np.ndarray]:
        """Keys in ascending order as unsigned integers, and their places. It takes little memory."""
        at = np.empty(np.count_nonzero(self.places[:, 1]), np.uint32 if len(self.places) < 1 << 32 else np.int64)
        list_taken(self.places, at)
        keys = self.places[at, 0].view(np.uint64)
        at = at[np.argsort(keys)]
        keys.sort()
        return keys, at

    def first_and_width(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The slots of the first regrets of these places, and their widths."""
        words = self.places[at, 1]
        return words >> WIDTH_BITS, words & ((1 << WIDTH_BITS) - 1)

    def saved(self) -> dict[str, np.ndarray]:
        """What a checkpoint must hold, without the free places. Rows stay where they are."""
        sizes = np.array([len(self.places), len(self.rows), self.blocks, *self.totals])
        taken = self.places[self.places[:, 1] != 0]
        return {"places": taken, "rows": self.rows[: int(self.totals[SLOTS])], "sizes": sizes}

    @classmethod
    def restored(cls, arrays: dict[str, np.ndarray]) -> "Table":
        """The table of a checkpoint, of the same capacity, so that it will grow at the same moments."""
        places, slots, blocks, *totals = (int(n) for n in arrays["sizes"])
        totals += [0] * (MISFITS + 1 - len(totals))  # in older files there are fewer
        index = np.zeros((places, 2), np.int64)
        rehash(np.array(arrays["places"]), index)
        return cls(index, longer(np.asarray(arrays["rows"]), slots), blocks, np.array(totals))


def scattered(key: int) -> int:
    """A number below 2^32 for a key; neighbours are far apart, for a view's own keys may all be small (Knuth 6.4)."""
    z = int(key) & MASK
    return ((z ^ (z >> 32)) * GOLDEN & MASK) >> 32


@compiled_twin(scattered)
def _scattered(key):
    """The same with the machine's own wrap-around."""
    z = np.uint64(key)
    return np.int64((z ^ (z >> np.uint64(32))) * np.uint64(GOLDEN) >> np.uint64(32))


@compiled_function
def home(places, key):
    """Where the search for a key starts. Keys keep their order in an index of any size, so that it grows in order."""
    return scattered(key) * len(places) >> 32


@compiled_function
def expect_place(places, key):
    """Ask for a key's place ahead of time, unless the index is so small that it is in the cache anyway."""
    if len(places) > CACHED:
        prefetch(places, home(places, key))


@compiled_function
def search(places, key):
    """The place of a key, or the free place where it would be."""
    mask = len(places) - 1
    place = home(places, key)
    while places[place, 1] != 0 and places[place, 0] != key:
        place = (place + 1) & mask
    return place


@compiled_function
def checked(known, count, totals):
    """The first slot of a row that was found; if it is of another width, two infosets have one key."""
    if known & ((1 << WIDTH_BITS) - 1) != count:
        totals[MISFITS] += 1
        return 1  # the shared row: nothing is written where it does not belong
    return known >> WIDTH_BITS


@compiled_function
def takeable(places):
    """How many of so many places may be taken: a search ends at a free one, and in an index that is full not soon."""
    return places - max(1, places >> FREE_BITS)


@compiled_function
def find_or_take(places, slots, blocks, totals, key, count):
    """The slot of a key's first regret, negative if its row has just been taken; the shared row if there is no room."""
    place = search(places, key)
    known = places[place, 1]
    if known != 0:
        return checked(known, count, totals)
    first = totals[SLOTS] + 1  # after the stamp
    end = first + blocks * count
    if end > slots or totals[INFOSETS] >= takeable(len(places)):
        totals[LOST] += 1
        return 1
    places[place, 0] = key
    places[place, 1] = (first << WIDTH_BITS) | count
    totals[INFOSETS] += 1
    totals[SLOTS] = end
    return -first


@compiled_function
def crowded(places, slots, totals):
    """Whether the index or the rows are nearly full, or an infoset has found no room."""
    return totals[INFOSETS] > FULLEST * len(places) or totals[SLOTS] > 0.8 * slots or totals[LOST] > 0


def longer(array: np.ndarray, length: int) -> np.ndarray:
    """The array with zeros behind it, which the system provides when they are first used."""
    result = np.zeros(length, array.dtype)
    result[: len(array)] = array
    return result


def list_taken(places: np.ndarray, at: np.ndarray) -> None:
    """Fill in which places are taken, a block of them at a time."""
    found = 0
    for begin in range(0, len(places), BLOCK):
        here = np.flatnonzero(places[begin : begin + BLOCK, 1])
        at[found : found + len(here)] = here + begin
        found += len(here)


@kernel
def forget(places, slots):
    """Free the places of all rows from this slot on. Keys that came before them are still found: none went around."""
    for place in range(len(places)):
        if places[place, 1] >> WIDTH_BITS >= slots:
            places[place, 0] = places[place, 1] = 0


@kernel
def rehash(places, larger):
    """Put every entry into a larger index."""
    for old in range(len(places)):
        if places[old, 1] != 0:
            place = search(larger, places[old, 0])
            larger[place, 0] = places[old, 0]
            larger[place, 1] = places[old, 1]
