"""Chunks on threads: one result for any number of threads, and every rule and walk converges as on one."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from marks import compiled_only
from sampled_walks import WALKS, bits, expl, few_walks

import ruse
from ruse.cli import main
from ruse.errors import RuseError
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import PRESETS
from ruse.solve.solver.threshold import Threshold
from ruse.solve.table.sampling import Clock, refresh, weights_since
from ruse.solve.table.table import OutOfMemory, Table
from ruse.solve.table.threads import (
    CHUNKS,
    Adding,
    ChunkTable,
    Round,
    add_differences,
    next_round,
    spans,
    take_differences,
)
from ruse.solve.table.writers import Fair, Plain

KUHN = ruse.Kuhn()


def run_rounds(engine: SampledEngine, last: int) -> int:
    """Rounds until at least `last` iterations are done; how many are."""
    done = 0
    while done < last:
        step = engine.round_size(done)
        assert step is not None
        engine.run(done, step)
        done += step
    return done


def run_all(engine: SampledEngine, last: int) -> None:
    """So many iterations, in rounds if there are some, in small steps if threads share a table."""
    done = 0
    while done < last:
        step = engine.round_size(done) or (last if engine.threads is None else max(8, done // 20))
        step = min(step, last - done)
        engine.run(done, step)
        done += step


def assert_sound(engine: SampledEngine) -> None:
    """Probabilities are some, and nothing is below the floor of the rule."""
    _, first, width = engine.table.used()
    for start, n in zip(first, width, strict=True):
        regret, average = engine.table.rows[start : start + n], engine.table.rows[start + n : start + 2 * n]
        assert regret.min() >= engine.clock.floor - 1e-6 * abs(engine.clock.floor)
        assert average.min() >= 0.0
        assert np.isfinite(engine.table.rows[start - 1 : start + engine.table.blocks * n]).all()


def converged(solver: Any, *, shared: bool, iterations: int = 3_000) -> tuple[float, float]:
    """How exploitable Kuhn poker's strategy is on average over seeds: on one thread, and on threads."""
    result = []
    for threads in (None, 2):
        found = []
        for seed in range(2):
            engine = SampledEngine(KUHN, solver, seed=seed, threads=threads, shared=shared and threads is not None)
            run_all(engine, iterations)
            assert_sound(engine)
            found.append(expl(engine))
        result.append(float(np.mean(found)))
    return result[0], result[1]


def trained(game: ruse.Game, threads: int, *, seed: int = 0) -> tuple[SampledEngine, int]:
    engine = SampledEngine(game, ruse.mccfr("external"), seed=seed, threads=threads)
    return engine, run_rounds(engine, 320)


@pytest.mark.usefixtures("many_chunks")
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


def test_rounds_stay_short() -> None:
    """News that come later the longer a run lasts keep it from settling."""
    for done in (1, 1_000, 10**6, 10**12):
        assert next_round(done, 14 * done, 12).chunks == 1, "a small game"
        assert next_round(done, 50_000 * done, 1_000_000) == Round(CHUNKS, CHUNKS)
        assert next_round(done, 50_000 * done, 25_000).chunks == 1, "where all chunks meet everywhere"
        assert next_round(done, 10**9 * done, 1).iterations == 1
    assert next_round(0, 0, 0) == Round(1, 1)


@compiled_only
def test_threads_do_not_stand_still() -> None:
    """Ten times as many iterations must bring about a third; once there was a floor, of 0.0066 in this game."""
    found = []
    for seed in range(3):
        engine, done = SampledEngine(KUHN, ruse.mccfr("external"), seed=seed, threads=2), 0
        for last in (30_000, 300_000):
            while done < last:
                step = min(engine.round_size(done) or 0, last - done)
                engine.run(done, step)
                done += step
            found.append(expl(engine))
    early, late = float(np.mean(found[::2])), float(np.mean(found[1::2]))
    assert late < 0.55 * early


def test_a_small_game_learns_as_without_threads() -> None:
    engines = [SampledEngine(KUHN, ruse.lcfr(walk="external"), threads=threads) for threads in (None, 2)]
    for engine in engines:
        run_all(engine, 500)
    assert bits(engines[0]) == bits(engines[1])
    assert engines[0].facts == engines[1].facts


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize(("shared", "more", "left"), [(False, 10, 0.55), (True, 100, 0.4)], ids=["chunks", "shared"])
@pytest.mark.parametrize("rule", ["mccfr", "lcfr"])
@pytest.mark.usefixtures("many_chunks")
def test_many_writers_do_not_stand_still(rule: str, shared: bool, more: int, left: float) -> None:
    """The same with eight chunks in every round, which learn late, or with a shared table, never twice the same."""
    solver = solver_of(rule, "external")
    early, late = (converged(solver, shared=shared, iterations=n)[1] for n in (3_000, 3_000 * more))
    assert late < left * early


RULES = ("mccfr", "lcfr", "dcfr", "cfr_plus", "dcfr_plus")  # all of the same types: each walk is compiled once
HARD = ("cfvfp", "hedge")
PREFER = "bet, player 0, first: delta=3"


def solver_of(rule: str, walk: str, **options: Any) -> Any:
    return PRESETS[rule](walk=walk, **options)


@compiled_only
@few_walks
@pytest.mark.usefixtures("many_chunks")
def test_weights_floors_and_baselines_converge_as_on_one_thread(walk: str) -> None:
    """A discount that every chunk applies to the common row, or baselines that are added up, end far away."""
    for rule in RULES:
        one, many = converged(solver_of(rule, walk), shared=False)
        assert many < 1.5 * one + 0.02, rule
        assert many < 0.08, rule


@compiled_only
@pytest.mark.parametrize("walk", ["external", "outcome"])
def test_a_shared_table_converges_as_one_thread(walk: str) -> None:
    for rule in RULES:
        one, many = converged(solver_of(rule, walk), shared=True)
        assert many < 1.5 * one + 0.02, rule


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("shared", [False, True], ids=["chunks", "shared"])
@pytest.mark.parametrize("prefer", [None, PREFER], ids=["plain", "prefer"])
@pytest.mark.parametrize("prune", [None, Threshold(-8.0)], ids=["whole", "pruned"])
@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.usefixtures("many_chunks")
def test_everything_that_threads_accept_converges(
    walk: str, prune: Threshold | None, prefer: str | None, shared: bool
) -> None:
    if prune is not None and walk in ("chance", "outcome"):
        with pytest.raises(RuseError):
            solver_of("mccfr", walk, prune=prune)
        return
    rules = RULES + (HARD if walk == "external" and prune is None else ())
    for rule in rules:
        try:
            solver = solver_of(rule, walk, prune=prune, prefer=prefer)
        except RuseError:
            assert rule not in ("mccfr", "lcfr"), "regret of the others does not become so low"
            assert prune is not None
            continue
        one, many = converged(solver, shared=shared)
        assert many < 1.6 * one + 0.02, rule


def differences_once(weighting: Any) -> tuple[np.ndarray, np.ndarray]:
    """A row that several chunks have met in several periods, and the same by hand."""
    clock = Clock.of(weighting)
    start, periods, gains = 3, (3, 5, 5, 9), ([4.0, -2.0], [1.0, 1.0], [-3.0, 0.5], [0.25, -8.0])
    common, rng = Table.empty(), np.zeros(1, np.uint64)
    first = common.row(np.int64(7), 2)
    common.rows[first - 1 : first + 4] = start, 30.0, -20.0, 6.0, 10.0
    hand, then, tables = common.rows[first : first + 4].astype(np.float64), start, []
    parts = Adding(clock, Plain(Fair(rng)))
    for now, gain in zip(periods, gains, strict=True):
        own = Table.empty()
        row = ChunkTable.over(common, own).row(np.int64(7), 2)
        refresh(own.rows, parts, row, 2, now)
        own.rows[row : row + 4] += [*gain, 0.5, 0.5]
        tables.append(own)
        positive, negative, fading = weights_since(clock, then, now)
        hand *= [*np.where(hand[:2] > 0, positive, negative), fading, fading]
        hand += [*gain, 0.5, 0.5]
        then = now
    for own in tables:
        assert take_differences(own, common, clock, 0) == len(own.places)
    for own in tables:
        add_differences(own, common, parts, rng, 0, 1)
    assert common.rows[first - 1] == then
    return common.rows[first : first + 4], hand


@pytest.mark.parametrize("rule", ["lcfr", "dcfr"])
def test_a_round_is_discounted_once(rule: str) -> None:
    np.testing.assert_allclose(*differences_once(PRESETS[rule]().weighting), rtol=1e-5)


def test_baselines_are_told_and_not_added() -> None:
    common, tables = Table.empty(baselined=True), []
    first = common.row(np.int64(7), 2)
    common.rows[first + 4 : first + 6] = 1.0, 2.0
    for told in ((1.0, 5.0), (3.0, 2.0), (1.0, 2.0)):  # the second chunk changes one, the first the other
        own = Table.empty(baselined=True)
        row = ChunkTable.over(common, own).row(np.int64(7), 2)
        own.rows[row + 4 : row + 6] = told
        tables.append(own)
    rng = np.zeros(1, np.uint64)
    adding = Adding(Clock.of(ruse.cfr().weighting), Plain(Fair(rng)))
    for own in tables:
        take_differences(own, common, adding.clock, 0)
    for own in tables:
        add_differences(own, common, adding, rng, 0, 1)
    assert common.rows[first + 4 : first + 6].tolist() == [3.0, 5.0]


@pytest.mark.usefixtures("many_chunks")
def test_rounds_of_weighted_rules_have_one_result() -> None:
    engines = []
    for threads in (1, 3):
        engine = SampledEngine(KUHN, ruse.lcfr(walk="external"), threads=threads)
        run_all(engine, 500)
        engines.append(engine)
    assert bits(engines[0]) == bits(engines[1])


@pytest.mark.usefixtures("many_chunks")
def test_it_converges_as_a_run() -> None:
    runs = [ruse.train(ruse.Kuhn(), ruse.mccfr(), iterations=6_000, threads=n) for n in (1, 2)]
    assert runs[0].exploitability < 0.03
    assert runs[0].exploitability == runs[1].exploitability


@pytest.mark.usefixtures("many_chunks")
def test_a_memory_limit_leaves_a_whole_round() -> None:
    """What is saved when the table may not grow must be a state that an unlimited run has been in."""
    for memory in (1_200_000, 1_800_000):
        limited = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), threads=2, memory=memory)
        with pytest.raises(OutOfMemory, match=r"infosets in .* would need .* to grow") as caught:
            run_rounds(limited, 100_000)
        free = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), threads=1)
        assert run_rounds(free, caught.value.done) == caught.value.done > 0
        assert bits(limited) == bits(free)
        assert limited.table.totals.tolist() == free.table.totals.tolist()
        assert limited.facts.bytes <= memory
        keys, first, width = limited.table.used()  # every key is found where it was
        assert [limited.table.row(key, n) for key, n in zip(keys.view(np.int64), width, strict=True)] == first.tolist()


@pytest.mark.usefixtures("many_chunks")
def test_the_tables_of_chunks_count() -> None:
    engine = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), threads=2, memory=700_000)
    with pytest.raises(
        OutOfMemory, match=r"the chunks of a round need .* MiB or more beside it, .* leave threads out$"
    ) as caught:
        run_rounds(engine, 100)
    assert engine.facts.bytes == engine.table.bytes
    free = SampledEngine(ruse.LiarsDice(), ruse.mccfr(), threads=2)
    assert run_rounds(free, 1) == caught.value.done == 1, "before there are many"
    assert bits(engine) == bits(free)
    for done in range(1, 100, CHUNKS):
        free.run(done, CHUNKS)
    assert free.facts.bytes > free.table.bytes + CHUNKS * 16 * 1024, "and are told"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--walk", "external", "--threads", "0"], "threads must be at least 1, got 0"),
        (["--walk", "external", "--threads", "-3"], "threads must be at least 1, got -3"),
        (["--threads", "2"], "the full-width engine uses one thread"),
        (["--walk", "external", "--shared"], "a shared table is for threads"),
        (["--walk", "external", "--rule", "pcfr_plus"], "pcfr_plus predicts the next regret"),
        (["--walk", "external", "--rule", "mccfr", "--prune", "hybrid", "--threads", "2"], "so it uses one thread"),
    ],
)
def test_what_cannot_be_leaves_no_run_behind(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["solve", "kuhn", "--iterations", "5", *words]) == 2
    assert told in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_threads_must_be_some() -> None:
    for threads in (0, -1):
        with pytest.raises(
            RuseError, match=f"^threads must be at least 1, got {threads}; leave them out for a plain run$"
        ):
            ruse.train(KUHN, ruse.mccfr(), iterations=1, threads=threads)


def test_the_full_width_engine_refuses_threads() -> None:
    with pytest.raises(RuseError, match="the full-width engine uses one thread"):
        ruse.train(ruse.Kuhn(), ruse.cfr(), iterations=1, threads=2)


@pytest.mark.usefixtures("many_chunks")
def test_chunks_of_wide_iterations_lose_nothing() -> None:
    """An iteration that meets more infosets than a chunk's table holds at first; once it never converged."""
    game, solver = ruse.LiarsDice(), ruse.mccfr(walk="chance")
    alone, side_by_side = (ruse.train(game, solver, iterations=300, seed=1, threads=n) for n in (None, 2))
    assert alone.facts["infosets"] > 1_024
    assert side_by_side.facts["infosets"] == alone.facts["infosets"]
    assert side_by_side.exploitability < 1.5 * alone.exploitability
    again = ruse.train(game, solver, iterations=300, seed=1, threads=3)
    assert again.strategy.probability.tobytes() == side_by_side.strategy.probability.tobytes()
