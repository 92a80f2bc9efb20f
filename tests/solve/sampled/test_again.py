"""Iterations that found no room in the table are run again: nothing is lost, and nothing is counted twice."""

import logging
from typing import Any

import pytest
from sampled_walks import bits

import ruse
from ruse.solve.sampled import again
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.table.sampling import HISTORIES
from ruse.solve.table.table import LOST, OutOfMemory, Table

LEDUC = ruse.Leduc()
ROOMY: dict[str, Any] = {"infosets": 1 << 12, "slots": 1 << 16}
TINY: dict[str, Any] = {"infosets": 4, "slots": 8}


def engine(room: dict[str, Any], solver: ruse.Solver, **options: Any) -> SampledEngine:
    made = SampledEngine(LEDUC, solver, seed=5, **options)
    made.table = Table.empty(**room, baselined=made.table.blocks == 3)
    return made


@pytest.mark.parametrize("solver", [ruse.mccfr(), ruse.dcfr(walk="outcome")], ids=repr)
def test_a_small_table_learns_as_a_large_one(solver: ruse.Solver) -> None:
    whole, small, pieces = (engine(room, solver) for room in (ROOMY, TINY, TINY))
    capacity = small.table.capacity
    whole.run(0, 300)
    small.run(0, 300)
    for done, count in ((0, 1), (1, 6), (7, 93), (100, 200)):
        pieces.run(done, count)
    assert small.table.capacity > capacity
    assert bits(small) == bits(pieces) == bits(whole)
    assert small.facts.nodes == pieces.facts.nodes == whole.facts.nodes
    assert small.table.capacity == pieces.table.capacity


def test_threads_that_share_a_table_lose_nothing() -> None:
    whole, small = (engine(room, ruse.mccfr(), threads=1, shared=True) for room in (ROOMY, TINY))
    for made in (whole, small):
        made.run(0, 300)
    assert bits(small) == bits(whole)
    assert small.facts.nodes == whole.facts.nodes


def test_what_is_undone_for_want_of_memory_is_not_counted() -> None:
    """An iteration that does not fit is as if it had not been; the table is what it was before it."""
    small = engine(TINY, ruse.mccfr(), memory=86_000)
    with pytest.raises(OutOfMemory) as stopped:
        small.run(0, 300)
    whole = engine(ROOMY, ruse.mccfr())
    whole.run(0, stopped.value.done)
    assert stopped.value.done > 0
    assert bits(small) == bits(whole)
    assert small.facts.nodes == whole.facts.nodes


@pytest.mark.usefixtures("many_chunks")
def test_a_round_that_is_undone_is_not_counted() -> None:
    made = SampledEngine(LEDUC, ruse.mccfr(), seed=5, threads=2)
    made.run(0, 8)
    counted, known = made.scratch.counters.tolist(), bits(made)
    assert counted[HISTORIES] > 0
    made.memory = made.table.bytes + 1
    with pytest.raises(OutOfMemory) as stopped:
        made.run(8, 8)
    assert stopped.value.done == 8
    assert (made.scratch.counters.tolist(), bits(made)) == (counted, known)
    made.memory = None
    made.run(8, 8)
    whole = SampledEngine(LEDUC, ruse.mccfr(), seed=5, threads=2)
    for done in (0, 8):
        whole.run(done, 8)
    assert (whole.facts.nodes, bits(whole)) == (made.facts.nodes, bits(made))


@pytest.mark.usefixtures("many_chunks")
def test_chunks_that_begin_again_are_counted_once() -> None:
    small, whole = (SampledEngine(LEDUC, ruse.mccfr(), seed=5, threads=2) for _ in range(2))
    small.chunk_places, whole.chunk_places = 4, 1 << 12
    for made in (small, whole):
        made.run(0, 8)
    assert (small.facts.nodes, bits(small)) == (whole.facts.nodes, bits(whole))


def test_what_cannot_be_undone_is_told(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(again, "SMALL", 0)
    monkeypatch.setattr(again, "EARLY", 0)
    with caplog.at_level(logging.WARNING):
        engine(TINY, ruse.mccfr()).run(0, 300)
    assert "iteration 1 met more new infosets than the table had room for; " in caplog.text


def test_a_table_is_widened_as_far_as_allowed() -> None:
    table = Table.empty(infosets=64, slots=1 << 12)
    wide = table.widened()
    assert (len(wide.places), len(wide.rows)) == (4 * len(table.places), 4 * len(table.rows))
    for memory in (6 * table.capacity, 3 * table.capacity, 3 * table.capacity // 2):
        wide = table.widened(memory)
        assert len(wide.places) > len(table.places) or len(wide.rows) > len(table.rows)
        assert wide.capacity <= memory
    with pytest.raises(OutOfMemory, match="allowed; give it more memory"):
        table.widened(table.capacity)
    assert table.totals[LOST] == 0
