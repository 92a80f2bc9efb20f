"""Whether a checkpoint's table is one that a sampled walk would have filled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.compile.distinct import count_distinct
from ruse.solve.table.sampling import DEEPEST, HISTORIES, REVIEWED
from ruse.solve.table.table import INFOSETS, MISFITS, SLOTS, WIDEST, WIDTH_BITS
from ruse.store.restoring import Arrays, refuse

# How much more room a table may have than it uses: it grows to twice of what it needs, from a start that is not small.
ROOM, PLACES, FREE = 64, 1 << 16, 1 << 20
COUNTS = (HISTORIES, DEEPEST, REVIEWED)  # the other counters are of what ends a walk, and a walk that goes on has none
MOST = 1 << 60  # of what is counted: sums of counts stay within 64 bits
LARGEST = 2e30  # of a number in a row: a pruned action has a regret of -1e30


def refuse_forged_table(arrays: Arrays, *, blocks: int, counters: int, periods: int) -> None:
    """Raise unless every infoset of a sampled table has a row of its own, and none reaches beyond its end."""
    for name, kind, dimensions in (("places", "i8", 2), ("rows", "f", 1), ("sizes", "i8", 1), ("counters", "i8", 1)):
        array = arrays.get(name)
        if array is None or array.ndim != dimensions or not array.dtype.str[1:].startswith(kind):
            refuse(f"its table of {name} is missing or of another kind")
    if any(array.ndim != 1 or array.size == 0 for name, array in arrays.items() if name != "places"):
        refuse("one of its tables is empty")
    places, rows, sizes, counts = (np.asarray(arrays[name]) for name in ("places", "rows", "sizes", "counters"))
    if places.shape[1] != 2 or not 5 <= len(sizes) <= 4 + MISFITS or not 1 <= len(counts) <= counters:
        refuse("its tables do not fit together")
    index, slots, own_blocks, *totals = (int(n) for n in sizes)
    shared = 1 + blocks * WIDEST
    if own_blocks != blocks or totals[INFOSETS] != len(places) or totals[SLOTS] != len(rows) or len(rows) < shared:
        refuse("its totals are not those of its tables")
    if min(totals) < 0 or counts.min() < 0:
        refuse("a count is negative")
    if counts.max() > MOST:
        refuse(f"{counts.max()} is more than anybody counts to")
    if any(n for k, n in enumerate(counts.tolist()) if k not in COUNTS) or any(totals[MISFITS:]):
        refuse("it counts what no training goes on after")
    if not len(places) < index <= max(PLACES, ROOM * len(places)) or index & (index - 1):
        refuse(f"an index of {index} places is none for {len(places)} infosets")
    if not len(rows) <= slots <= max(FREE, ROOM * len(rows)):
        refuse(f"{slots} slots are none for {len(rows)} in use")
    _refuse_bad_rows(places[:, 1], rows, blocks, shared, periods)
    if count_distinct(places[:, 0]) != len(places):
        refuse("two of its infosets have one key")


def _refuse_bad_rows(words: NDArray[Any], rows: NDArray[Any], blocks: int, shared: int, periods: int) -> None:
    words = np.sort(words)
    first, width = words >> WIDTH_BITS, words & ((1 << WIDTH_BITS) - 1)
    ends = first + blocks * width
    starts = first - 1  # the stamp
    if not len(words):
        return
    if starts[0] < shared or ends[-1] > len(rows) or np.any(starts[1:] < ends[:-1]) or width.min() < 1:
        refuse("a row is not in its place")
    if width.max() > WIDEST:
        refuse(f"an infoset has {width.max()} actions, more than {WIDEST}")
    stamps = rows[starts]
    if not (stamps.min() >= 0.0 and stamps.max() < periods):
        refuse("a row was last visited in a period that there is not")
    if not (rows[shared:].min() >= -LARGEST and rows[shared:].max() <= LARGEST):  # as they are not for NaN
        refuse("a row holds what no row can hold")
    edges = np.stack([first + width, first + 2 * width], axis=1).ravel()  # averages lie behind the regrets
    least = np.minimum.reduceat(rows, edges[: -1 if edges[-1] == len(rows) else None])[::2]
    if least.min() < 0.0:
        refuse(f"a sum of what was played is {least.min():g}")
