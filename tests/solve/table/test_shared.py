"""Threads that share one table: every key gets one row, and no addition is lost."""

import threading
from collections.abc import Callable

import numpy as np
import pytest

import ruse
from ruse.compile import lean_kernel
from ruse.errors import RuseError
from ruse.evaluate.exploitability import exploitability
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.table.shared import SharedTable
from ruse.solve.table.table import INFOSETS, LOST, OutOfMemory, Table
from ruse.solve.table.writers import Atomic, Plain
from ruse.strategy import Strategy

THREADS = 4


@lean_kernel
def find_all(table, keys, widths, firsts):
    for i in range(len(keys)):
        firsts[i] = table.row(keys[i], widths[i])


@lean_kernel
def add_often(writer, array, times, x, floor):
    for _ in range(times):
        for k in range(len(array)):
            if floor > -1e300:
                writer.add_above(array, k, x, floor)
            else:
                writer.add(array, k, x)


@lean_kernel
def halve_once(writer, array, stamp, old, wins, me):
    if writer.claim(stamp, 0, old, old + 1):
        wins[me] += 1
        for k in range(len(array)):
            writer.weigh(array, k, 0.5, 0.25)


def at_once(work: Callable[[int], None]) -> None:
    """The same work on several threads, which start together."""
    gate = threading.Barrier(THREADS)

    def start(me: int) -> None:
        gate.wait()
        work(me)

    threads = [threading.Thread(target=start, args=(me,)) for me in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("same_order", [True, False])
def test_every_key_gets_one_row(same_order: bool) -> None:
    draw = np.random.default_rng(0)
    keys, widths = draw.integers(-(2**63), 2**63 - 1, 20_000), draw.integers(1, 9, 20_000)
    keys[1::50] = keys[::50]  # some come twice
    widths[1::50] = widths[::50]
    table = Table.empty(infosets=40_000, slots=1 << 20)
    shared = SharedTable.over(table)
    found = np.zeros((THREADS, len(keys)), np.int64)
    orders = [np.arange(len(keys)) if same_order else draw.permutation(len(keys)) for _ in range(THREADS)]

    def work(me: int) -> None:
        firsts = np.zeros(len(keys), np.int64)
        find_all(shared, keys[orders[me]], widths[orders[me]], firsts)
        found[me, orders[me]] = firsts

    find_all(SharedTable.over(Table.empty()), keys[:1], widths[:1], np.zeros(1, np.int64))  # compiled before the race
    at_once(work)
    assert (found == found[0]).all()
    assert table.infosets == len(np.unique(keys)) == len(np.unique(found[0]))
    used, first, width = table.used()
    assert np.array_equal(used, np.sort(np.unique(keys).view(np.uint64)))
    order = np.argsort(first)
    assert np.all((first - 1)[order][1:] >= (first + 2 * width)[order][:-1])  # no row reaches into the next
    assert table.totals[LOST] == 0


def test_a_full_table_loses_infosets_and_nothing_else() -> None:
    table = Table.empty(infosets=100, slots=200)
    keys, widths = np.arange(1, 2_001), np.full(2_000, 3)
    at_once(lambda me: find_all(SharedTable.over(table), keys, widths, np.zeros(len(keys), np.int64)))
    assert 0 < table.totals[INFOSETS] <= 200 // 7
    assert table.totals[LOST] > 0
    _, first, width = table.used()
    assert (first + 2 * width).max() <= len(table.rows)
    assert len(first) == table.infosets


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("floor", [-np.inf, 0.0])
def test_no_addition_is_lost(dtype: type, floor: float) -> None:
    array, times = np.zeros(3, dtype), 50_000
    add_often(Atomic(), np.zeros(3, dtype), 1, 1.0, floor)
    at_once(lambda me: add_often(Atomic(), array, times, 1.0, floor))
    assert array.tolist() == [THREADS * times] * 3
    at_once(lambda me: add_often(Atomic(), array, 2 * times, -1.0, floor))
    assert array.tolist() == [max(-THREADS * times, floor)] * 3


def test_a_row_is_weighted_once() -> None:
    array, stamp, wins = np.array([8.0, -8.0]), np.zeros(1), np.zeros(THREADS, np.int64)
    halve_once(Atomic(), array.copy(), stamp.copy(), 0.0, wins.copy(), 0)
    for old in range(100):
        array[:] = 8.0, -8.0
        at_once(lambda me, old=float(old): halve_once(Atomic(), array, stamp, old, wins, me))
        assert array.tolist() == [4.0, -2.0]
    assert wins.sum() == 100


@pytest.mark.parametrize("rule", ["mccfr", "dcfr", "cfr_plus"])
def test_one_thread_computes_what_a_plain_engine_does(rule: str) -> None:
    solver = ruse.PRESETS[rule](walk="external")
    plain = SampledEngine(ruse.Leduc(), solver, dtype=np.float64)
    shared = SampledEngine(ruse.Leduc(), solver, dtype=np.float64, threads=1, shared=True)
    plain.run(0, 3_000)
    shared.run(0, 3_000)
    assert isinstance(plain.parts.writer, Plain)
    assert isinstance(shared.parts.writer, Atomic)
    assert all(np.allclose(a, b, rtol=0, atol=1e-12) for a, b in zip(plain.rows(), shared.rows(), strict=True))


def test_threads_that_share_a_table_converge() -> None:
    run = ruse.train(ruse.Leduc(), ruse.mccfr("external"), iterations=100_000, threads=3, shared=True)
    assert run.iterations == 100_000
    assert run.facts["infosets"] == 936
    assert run.exploitability < 0.15


def test_the_table_grows_and_stops_at_its_limit() -> None:
    game = ruse.LiarsDice(dice=2)
    engine = SampledEngine(game, ruse.mccfr("external"), threads=3, shared=True)
    engine.run(0, 100)
    assert engine.facts.infosets > 50_000
    assert engine.facts.nodes > engine.facts.infosets
    limited = SampledEngine(game, ruse.mccfr("external"), threads=3, shared=True, memory=4_000_000)
    with pytest.raises(OutOfMemory) as caught:
        limited.run(0, 10_000)
    assert 0 < caught.value.done < 10_000
    assert Strategy(game, *limited.rows())


def test_shared_needs_threads() -> None:
    with pytest.raises(RuseError, match="say how many, as threads=2"):
        ruse.train(ruse.Kuhn(), ruse.mccfr(), iterations=1, shared=True)


def test_outcome_sampling_shares_a_table_too() -> None:
    engine = SampledEngine(ruse.Kuhn(), ruse.mccfr("outcome"), threads=2, shared=True)
    engine.run(0, 50_000)
    assert float(exploitability(ruse.Kuhn(), Strategy(ruse.Kuhn(), *engine.rows()))) < 0.05
