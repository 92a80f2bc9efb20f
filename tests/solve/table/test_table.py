"""The infoset table: nothing is lost, nothing overlaps, and it grows at the same moments wherever it was saved."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruse.compile import kernel
from ruse.solve.table.table import FULLEST, INFOSETS, LOST, SLOTS, WIDEST, OutOfMemory, Table
from ruse.words.amounts import in_bytes

SMALLEST, LARGEST = -(2**63), 2**63 - 1
blocks_of = pytest.mark.parametrize("baselined", [False, True], ids=["plain", "baselined"])
any_key = st.one_of(
    st.integers(SMALLEST, LARGEST),
    st.integers(-3, 3).map(lambda k: k << 40),  # all want the same place in a small index
    st.sampled_from([0, -1, SMALLEST, LARGEST]),
)


@kernel
def find(table, keys, widths, firsts):
    """Ask for the row of every key."""
    for i in range(len(keys)):
        firsts[i] = table.row(keys[i], widths[i])


def rows_of(table: Table, keys: np.ndarray, widths: np.ndarray) -> np.ndarray:
    firsts = np.zeros(len(keys), np.int64)
    find(table, keys, widths, firsts)
    return firsts


def roomy(table: Table, memory: int | None = None) -> Table:
    while table.is_crowded():
        table = table.larger(memory)
    return table


def random_keys(count: int, seed: int) -> np.ndarray:
    """Different keys of either sign; 0 is one of them."""
    keys = np.unique(np.random.default_rng(seed).integers(SMALLEST, LARGEST, count))
    keys[len(keys) // 2] = 0
    return np.random.default_rng(seed).permutation(keys)


def assert_apart(table: Table) -> None:
    """Every row, with its stamp, lies by itself, behind the shared one and before the end."""
    _, first, width = table.used()
    order = np.argsort(first)
    begin, end = (first - 1)[order], (first + table.blocks * width)[order]
    assert np.all(begin[1:] >= end[:-1])
    if len(begin):
        assert begin[0] >= 1 + table.blocks * WIDEST
        assert end[-1] <= table.totals[SLOTS] <= len(table.rows)


@blocks_of
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_of_any_width_are_found_again(dtype: type, baselined: bool) -> None:
    table = Table.empty(slots=1 << 20, dtype=dtype, baselined=baselined)
    assert (table.rows.dtype, table.blocks, table.infosets) == (dtype, 3 if baselined else 2, 0)
    keys = random_keys(500, 0)
    widths = np.random.default_rng(1).integers(1, 100, len(keys))
    widths[:3] = 1, WIDEST, 65_535
    firsts = rows_of(table, keys, widths)
    assert len(np.unique(firsts)) == len(keys) == table.infosets
    assert_apart(table)
    for first, width in zip(firsts, widths, strict=True):
        assert not table.rows[first - 1 : first + table.blocks * width].any()
    assert np.array_equal(rows_of(table, keys[::-1].copy(), widths[::-1].copy()), firsts[::-1])
    assert table.infosets == len(keys)
    assert table.totals[LOST] == 0


def test_interpreted_equals_compiled() -> None:
    keys, widths = random_keys(200, 2), np.random.default_rng(2).integers(1, 9, 200)
    one, other = Table.empty(), Table.empty()
    firsts = rows_of(one, keys, widths)
    assert [other.row(key, width) for key, width in zip(keys, widths, strict=True)] == firsts.tolist()
    assert one.places.tobytes() == other.places.tobytes()
    assert one.totals.tolist() == other.totals.tolist()


@settings(max_examples=60, deadline=None)
@given(
    batches=st.lists(st.lists(st.tuples(any_key, st.integers(1, 40)), min_size=1, max_size=30), max_size=8),
    baselined=st.booleans(),
)
def test_growth_keeps_everything(batches: list[list[tuple[int, int]]], baselined: bool) -> None:
    """Beside a dictionary: what was written under a key is there, however often the table has grown since."""
    table, twin = Table.empty(infosets=4, slots=8, baselined=baselined), {}
    stamp = 0.0
    for batch in batches:
        table = roomy(table)
        for key, width in batch:
            if key in twin:
                width = len(twin[key]) // table.blocks  # an infoset always has the same actions
            first = table.row(np.int64(key), width)
            if first == 1:  # no room before the next batch
                assert key not in twin
                continue
            stamp += 1.0
            twin[key] = stamp + np.arange(table.blocks * width) / 128
            table.rows[first - 1] = stamp
            table.rows[first : first + table.blocks * width] = twin[key]
    assert_apart(table)
    table = roomy(table.larger())
    assert_apart(table)
    keys, firsts, widths = table.used()
    assert keys.tolist() == sorted(key % 2**64 for key in twin)
    assert table.infosets == len(twin)
    for key, first, width in zip(keys.view(np.int64), firsts, widths, strict=True):
        assert table.row(key, width) == first
        assert table.rows[first - 1] == twin[int(key)][0]
        assert np.array_equal(table.rows[first : first + table.blocks * width], twin[int(key)])


@blocks_of
def test_many_keys_in_batches(baselined: bool) -> None:
    table = Table.empty(infosets=16, slots=64, baselined=baselined)
    keys, widths = random_keys(40_000, 3), np.random.default_rng(3).integers(1, 7, 40_000)
    grown, met = 0, []
    for begin in range(0, len(keys), 100):
        before = len(table.places), len(table.rows)
        table = roomy(table)
        grown += (len(table.places), len(table.rows)) != before
        part = slice(begin, begin + 100)
        firsts = rows_of(table, keys[part], widths[part])
        met.append(firsts != 1)
        table.rows[firsts[firsts != 1]] = np.arange(begin, begin + len(firsts))[firsts != 1]
    assert grown > 10
    had_room = np.concatenate(met)
    assert table.infosets == np.count_nonzero(had_room) > 39_000
    assert_apart(table)
    firsts = rows_of(table, keys[had_room], widths[had_room])
    assert np.array_equal(table.rows[firsts], np.flatnonzero(had_room))
    assert table.infosets < FULLEST * len(table.places) + 100


def test_saved_and_restored_is_equal_and_grows_at_the_same_moments() -> None:
    keys, widths = random_keys(20_000, 4), np.random.default_rng(4).integers(1, 7, 20_000)
    table = roomy(Table.empty(infosets=8, slots=16, baselined=True))
    for begin in range(0, 5_000, 50):
        table = roomy(table)
        firsts = rows_of(table, keys[begin : begin + 50], widths[begin : begin + 50])
        table.rows[firsts] = begin + np.arange(50)
    saved = {name: array.copy() for name, array in table.saved().items()}
    assert sum(array.nbytes for array in saved.values()) < table.bytes + 100
    other = Table.restored(saved)
    for ours, theirs in zip(table.used(), other.used(), strict=True):
        assert np.array_equal(ours, theirs)
    assert table.rows.tobytes() == other.rows.tobytes()
    assert table.rows.dtype == other.rows.dtype
    sizes = []
    for begin in range(5_000, 20_000, 50):
        part = slice(begin, begin + 50)
        table, other = (t.larger() if t.is_crowded() else t for t in (table, other))
        assert np.array_equal(rows_of(table, keys[part], widths[part]), rows_of(other, keys[part], widths[part]))
        sizes.append((table.places.shape, table.rows.shape, table.blocks, table.totals.tolist()))
        assert sizes[-1] == (other.places.shape, other.rows.shape, other.blocks, other.totals.tolist())
    assert len({size[:2] for size in sizes}) > 2, "it never grew"
    assert not np.shares_memory(table.rows, other.rows)


@blocks_of
def test_without_room_for_rows_infosets_share_one_that_nobody_reads(baselined: bool) -> None:
    blocks = 3 if baselined else 2
    table = Table.empty(slots=2 * (1 + 5 * blocks), baselined=baselined)
    own = [table.row(np.int64(key), 5) for key in (7, 8)]
    for first in own:
        table.rows[first - 1 : first + 5 * blocks] = first
    for n, (key, width) in enumerate([(9, 5), (10, 1), (11, WIDEST)], 1):
        first = table.row(np.int64(key), width)
        assert first == 1
        table.rows[first - 1 : first + blocks * width] = -1.0
        assert table.totals.tolist() == [2, len(table.rows), n, 0]
    assert [table.row(np.int64(key), 5) for key in (7, 8)] == own  # those that are known need no room
    for first in own:
        assert np.all(table.rows[first - 1 : first + 5 * blocks] == first)
    assert table.used()[0].tolist() == [7, 8]
    assert table.is_crowded()
    table = roomy(table)
    assert table.totals[LOST] == 0
    late = table.row(np.int64(9), 5)
    assert late > max(own)
    assert not table.rows[late - 1 : late + 5 * blocks].any()
    assert_apart(table)


def test_without_room_in_the_index_a_search_still_ends() -> None:
    table = Table.empty(infosets=4)
    places = len(table.places)
    firsts = [table.row(np.int64(key), 2) for key in range(places + 5)]
    assert len(set(firsts[: places - 1])) == places - 1
    assert firsts[places - 1 :] == [1] * 6
    assert table.totals[INFOSETS] == places - 1
    assert table.totals[LOST] == 6
    assert np.count_nonzero(table.places[:, 1] == 0) == 1
    table = roomy(table)
    assert [table.row(np.int64(key), 2) for key in range(places - 1)] == firsts[: places - 1]
    assert table.row(np.int64(places), 2) > max(firsts)


def test_an_eighth_of_the_index_stays_free() -> None:
    """Cheat-5 once took twenty times as long to begin with, for an iteration searched an index that was full."""
    table = Table.empty(infosets=1000, slots=1 << 20)
    rows_of(table, random_keys(3_000, 1), np.full(3_000, 2))
    assert (len(table.places), table.infosets, table.totals[LOST]) == (2048, 2048 * 7 // 8, 3_000 - 2048 * 7 // 8)


def test_crowded_before_it_is_full() -> None:
    table = Table.empty(infosets=100, slots=1 << 20)
    places = len(table.places)
    for key in range(int(FULLEST * places)):
        table.row(np.int64(key), 2)
        assert not table.is_crowded()
    table.row(np.int64(-1), 2)
    assert table.is_crowded()
    assert table.totals[LOST] == 0
    table = table.larger()
    assert not table.is_crowded()
    assert len(table.places) == 2 * places


def test_out_of_memory() -> None:
    table = Table.empty(infosets=1000, slots=1 << 20)
    rows_of(table, random_keys(1434, 5), np.full(1434, 2))
    assert table.is_crowded()
    used = 1 + 2 * WIDEST + 1434 * 5  # the rest of the rows takes no memory yet
    assert used == table.totals[SLOTS]
    assert table.bytes == table.places.nbytes + 4 * used
    places, slots = 4096 * 16, used * 5 // 4  # the least that it may grow by
    strategy = int((slots - 1 - 2 * WIDEST) / 5 * 40)  # of the infosets for which there are slots
    needed = places + 4 * slots + strategy
    words = (
        f"the table has 1,434 infosets in 92 KiB and would need {in_bytes(needed)} to grow, over the 195 KiB allowed; "
        "give it more memory"
    )
    with pytest.raises(OutOfMemory, match=f"^{re.escape(words)}$"):
        table.larger(200_000)
    assert table.infosets == 1434, "nothing was lost"
    with pytest.raises(OutOfMemory):
        table.larger(needed - 1)
    assert table.larger(needed).bytes == places + 4 * used


def test_near_its_limit_a_table_takes_what_is_left() -> None:
    table = Table.empty(infosets=1000, slots=1000)
    rows_of(table, random_keys(500, 5), np.full(500, 2))
    assert table.totals[LOST] > 0
    assert len(table.larger().rows) == 2 * len(table.rows)
    shared = 1 + 2 * WIDEST  # slots that belong to no infoset
    made = (1.7 * len(table.rows) - shared) * 40 / 5  # bytes of the strategy, which is made of the others in the end
    limit = table.places.nbytes + int(1.7 * 4 * len(table.rows) + made)
    assert len(table.larger(limit).rows) == pytest.approx(1.7 * len(table.rows), abs=1)
    with pytest.raises(OutOfMemory):
        table.larger(table.places.nbytes + int(1.2 * table.rows.nbytes))


def test_keys_are_sorted_as_unsigned() -> None:
    table = Table.empty()
    keys = np.array([5, -1, 0, SMALLEST, LARGEST, -7], np.int64)
    firsts = rows_of(table, keys, np.arange(1, 7))
    found, first, width = table.used()
    assert found.dtype == np.uint64
    assert found.tolist() == [0, 5, LARGEST, 2**63, 2**64 - 7, 2**64 - 1]
    assert width.tolist() == [3, 1, 5, 4, 6, 2]
    assert first.tolist() == [firsts[w - 1] for w in width]
    assert [array.tolist() for array in Table.empty().used()] == [[], [], []]
