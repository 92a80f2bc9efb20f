"""The infoset table of the sampled walks: open addressing on NumPy arrays, 64-bit keys, rows of any length.

A walk asks for the row of a key and gets a new, empty one if the key has not been met. It cannot stop in the middle of
an iteration to make room, so room is made between iterations; if one iteration meets more new infosets than there is
room for, those beyond share row 0, which nobody reads, and are met again later.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, kernel
from ruse.errors import RuseError

FULLEST = 0.7  # share of the index that may be taken before it grows
WIDEST = 4096  # the row that is shared when there is no room has this many slots
INFOSETS, SLOTS, LOST = range(3)


class OutOfMemory(RuseError):
    """The table may not grow any further."""


@compiled("place")
class Table(NamedTuple):
    """Regret and average of every infoset that has been met."""

    keys: np.ndarray  # [place] int64
    start: np.ndarray  # [place] uint32: the first slot of the row; 0 where the place is free
    width: np.ndarray  # [place] uint16: how many actions
    stamp: np.ndarray  # [place] uint32: the period up to which weights have been applied; [1] if they never are
    regret: np.ndarray  # [slot]
    average: np.ndarray  # [slot]
    baseline: np.ndarray  # [slot] expected payoff of the action, for variance reduction; [1] if unused
    totals: np.ndarray  # [3] infosets, slots in use, infosets that found no room

    def place(self, key, count):
        """The place of an infoset, taken now if it is new; -1 if there is no room."""
        mask = len(self.keys) - 1
        place = (key ^ (key >> 31)) & mask
        while self.start[place] != 0:
            if self.keys[place] == key:
                return place
            place = (place + 1) & mask
        first = self.totals[SLOTS]
        # One place stays free, so that a search always ends.
        if first + count > len(self.regret) or self.totals[INFOSETS] + 2 > len(self.keys):
            self.totals[LOST] += 1
            return -1
        self.keys[place] = key
        self.start[place] = first
        self.width[place] = count
        self.totals[INFOSETS] += 1
        self.totals[SLOTS] = first + count
        return place

    @classmethod
    def empty(
        cls, *, infosets: int = 1 << 12, slots: int = 1 << 15, dtype: type = np.float32,
        stamped: bool = False, baselined: bool = False,
    ) -> "Table":  # fmt: skip
        """A table with room for so many infosets and slots."""
        places = 1 << int(infosets / FULLEST).bit_length()
        slots += WIDEST
        return cls(
            np.zeros(places, np.int64),
            np.zeros(places, np.uint32),
            np.zeros(places, np.uint16),
            np.zeros(places if stamped else 1, np.uint32),
            np.zeros(slots, dtype),
            np.zeros(slots, dtype),
            np.zeros(slots if baselined else 1, dtype),
            np.array([0, WIDEST, 0]),
        )

    @property
    def infosets(self) -> int:
        return int(self.totals[INFOSETS])

    @property
    def bytes(self) -> int:
        """Memory that the table has taken."""
        return sum(array.nbytes for array in self)

    @property
    def is_crowded(self) -> bool:
        """Whether it is time to make room."""
        rows = self.totals[SLOTS] > 0.8 * len(self.regret)
        return bool(self.totals[INFOSETS] > FULLEST * len(self.keys) or rows or self.totals[LOST] > 0)

    def larger(self, memory: int | None = None) -> "Table":
        """The same table with more room, unless it would take more than `memory` bytes."""
        crowded_index = self.totals[INFOSETS] > 0.5 * len(self.keys)
        places = len(self.keys) * (2 if crowded_index else 1)
        slots = int(len(self.regret) * 1.5) if self.totals[SLOTS] > 0.5 * len(self.regret) else len(self.regret)
        if places == len(self.keys) and slots == len(self.regret):
            slots = int(slots * 1.5)
        per_place = 8 + 4 + 2 + (4 if len(self.stamp) > 1 else 0)
        per_slot = self.regret.itemsize * (3 if len(self.baseline) > 1 else 2)
        needed = places * per_place + slots * per_slot
        if memory is not None and needed > memory:
            raise OutOfMemory(
                f"the table has {self.infosets:,} infosets in {self.bytes / 2**20:,.0f} MiB and would need "
                f"{needed / 2**20:,.0f} MiB to grow, over the {memory / 2**20:,.0f} MiB allowed; give it more memory"
            )
        grown = [
            _longer(array, slots) if len(array) > 1 else array for array in (self.regret, self.average, self.baseline)
        ]
        totals = self.totals.copy()
        totals[LOST] = 0
        if places == len(self.keys):
            return Table._make([*self[:4], *grown, totals])
        index = [np.zeros(places if len(array) > 1 else 1, array.dtype) for array in self[:4]]
        rehash(self.keys, self.start, self.width, self.stamp, *index)
        return Table._make([*index, *grown, totals])

    def used(self) -> np.ndarray:
        """The places that are taken, by ascending key as an unsigned integer."""
        taken = np.flatnonzero(self.start)
        return taken[np.argsort(self.keys[taken].view(np.uint64))]

    def saved(self) -> dict[str, np.ndarray]:
        """What a checkpoint must hold, without the free places. Rows stay where they are."""
        taken = self.used()
        slots = int(self.totals[SLOTS])
        arrays = {"keys": self.keys[taken], "start": self.start[taken], "width": self.width[taken]}
        if len(self.stamp) > 1:
            arrays["stamp"] = self.stamp[taken]
        arrays |= {"regret": self.regret[:slots], "average": self.average[:slots]}
        if len(self.baseline) > 1:
            arrays["baseline"] = self.baseline[:slots]
        return arrays | {"sizes": np.array([len(self.keys), len(self.regret), *self.totals])}

    @classmethod
    def restored(cls, arrays: dict[str, np.ndarray]) -> "Table":
        """The table of a checkpoint, of the same capacity, so that it will grow at the same moments."""
        places, slots, *totals = (int(n) for n in arrays["sizes"])
        index = [np.zeros(places, dtype) for dtype in (np.int64, np.uint32, np.uint16)]
        stamp = np.zeros(places if "stamp" in arrays else 1, np.uint32)
        taken = arrays.get("stamp", np.zeros(1, np.uint32))
        old = [np.array(arrays[name]) for name in ("keys", "start", "width")]
        rehash(*[*old, np.array(taken), *index, stamp])
        rows = [_longer(np.array(arrays[name]), slots) for name in ("regret", "average")]
        baseline = _longer(np.array(arrays["baseline"]), slots) if "baseline" in arrays else np.zeros(1, rows[0].dtype)
        return cls._make([*index, stamp, *rows, baseline, np.array(totals)])


def _longer(array: np.ndarray, length: int) -> np.ndarray:
    longer = np.zeros(length, array.dtype)
    longer[: len(array)] = array
    return longer


@kernel
def rehash(keys, start, width, stamp, new_keys, new_start, new_width, new_stamp):
    """Put every entry into a larger index."""
    mask = len(new_keys) - 1
    for old in range(len(keys)):
        if start[old] == 0:
            continue
        place = (keys[old] ^ (keys[old] >> 31)) & mask
        while new_start[place] != 0:
            place = (place + 1) & mask
        new_keys[place] = keys[old]
        new_start[place] = start[old]
        new_width[place] = width[old]
        if len(new_stamp) > 1:
            new_stamp[place] = stamp[old]
