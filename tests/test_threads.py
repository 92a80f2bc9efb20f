"""Chunks on threads: one result for any number of threads, and it still converges."""

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError
from ruse.solve.sampled import SampledEngine
from ruse.solve.table import OutOfMemory
from ruse.solve.threads import CHUNKS, round_size, spans


def run_rounds(engine: SampledEngine, last: int) -> int:
    """Rounds until at least `last` iterations are done; how many are."""
    done = 0
    while done < last:
        step = engine.round_size(done)
        assert step is not None
        engine.run(done, step)
        done += step
    return done


def trained(game: ruse.Game, threads: int, *, seed: int = 0) -> tuple[SampledEngine, int]:
    engine = SampledEngine(game, ruse.mccfr("external"), seed=seed, threads=threads)
    return engine, run_rounds(engine, 320)


def test_the_number_of_threads_does_not_matter() -> None:
    first, done = trained(ruse.Leduc(), 1)
    second, same = trained(ruse.Leduc(), 3)
    assert done == same
    assert all(np.array_equal(a, b) for a, b in zip(first.rows(), second.rows(), strict=True))
    assert first.facts == second.facts
    other, _ = trained(ruse.Leduc(), 1, seed=1)
    assert not np.array_equal(first.rows()[2], other.rows()[2])


def test_chunks_cover_every_iteration_once() -> None:
    for done, iterations in ((0, 8), (100, 3), (1_000, 1_001)):
        parts = spans(done, iterations, CHUNKS)
        assert [t for a, n in parts for t in range(a, a + n)] == list(range(done, done + iterations))
        assert len(parts) <= CHUNKS
    assert round_size(0, 0) == CHUNKS


def test_it_converges_as_a_run() -> None:
    runs = [ruse.train(ruse.Kuhn(), ruse.mccfr(), iterations=20_000, threads=n) for n in (1, 2)]
    assert runs[0].exploitability < 0.02
    assert runs[0].exploitability == runs[1].exploitability


def test_a_memory_limit_leaves_a_whole_round() -> None:
    """What is saved when the table may not grow must be a state that an unlimited run has been in."""
    limited = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), threads=2, memory=600_000)
    with pytest.raises(OutOfMemory) as caught:
        run_rounds(limited, 100_000)
    free = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), threads=1)
    assert run_rounds(free, caught.value.done) == caught.value.done > 0
    assert all(np.array_equal(a, b) for a, b in zip(limited.rows(), free.rows(), strict=True))


def test_the_full_width_engine_refuses_threads() -> None:
    with pytest.raises(RuseError, match="the full-width engine uses one thread"):
        ruse.train(ruse.Kuhn(), ruse.cfr(), iterations=1, threads=2)
