"""Rounds on many machines, in this process: to the bits of the same chunks on threads, whatever the parts."""

import numpy as np
import pytest
from cluster_rounds import assert_same_rows, undisturbed
from sampled_walks import expl

import ruse
from ruse.errors import FileTrouble, RuseError
from ruse.solve.table.blocks import PackedRows, made_of, parts_of
from ruse.solve.table.table import OutOfMemory, Table
from ruse.solve.table.threads import Round
from ruse.strategy import Strategy
from ruse.training.cluster import rounds
from ruse.training.cluster.engine import ClusterEngine
from ruse.training.cluster.here import CrewHere, OneProcess
from ruse.training.cluster.journal import Journal
from ruse.training.cluster.rounds import next_round
from ruse.training.cluster.shard import Sent, Shard, ShardPast
from ruse.training.engines.sampling import sampled
from ruse.training.jobs.job import Job
from ruse.training.stops import next_check

LEDUC = ruse.Leduc()


@pytest.fixture(autouse=True)
def long_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds that are worth a chunk for each worker after a few iterations."""
    monkeypatch.setattr(rounds, "SHARE", 8)
    monkeypatch.setattr(rounds, "WORTH", 0)


def on(nodes: int, job: Job) -> ClusterEngine:
    """The job after all of its iterations, on so many machines."""
    engine = ClusterEngine(sampled(job._replace(threads=1), None), job, OneProcess(nodes, job.threads or 1))
    assert job.iterations is not None
    done = 0
    while done < job.iterations:
        step = min(engine.round_size(done) or 1, next_check(done, job.iterations, 1.25) - done)
        engine.run(done, step)
        done += step
    return engine


@pytest.mark.parametrize("solver", [ruse.mccfr(), ruse.lcfr(walk="external"), ruse.mccfr(walk="outcome")])
def test_machines_come_to_the_bits_of_threads(solver: ruse.Solver) -> None:
    job = Job(LEDUC, solver, seed=3, iterations=400, threads=3)
    engine = undisturbed(job)
    for nodes in (1, 4):
        other = on(nodes, job)
        assert_same_rows(engine.table, other.table)
        for ours, theirs in zip(engine.rows(), other.rows(), strict=True):
            assert ours.tobytes() == theirs.tobytes()
        assert engine.facts[:2] == other.facts[:2]


def test_a_checkpoint_goes_on_to_the_same_bits() -> None:
    job = Job(LEDUC, ruse.lcfr(walk="external"), seed=3, iterations=400, threads=3)
    first = on(2, job._replace(iterations=150))
    arrays = {name: array.copy() for name, array in first.saved().items()}
    assert arrays["workers"].tolist() == [3]
    alone = sampled(job._replace(threads=1), None)
    alone.restore(dict(arrays))  # on one machine, too
    assert_same_rows(first.table, alone.table)
    other = ClusterEngine(sampled(job._replace(threads=1), None), job._replace(threads=None), OneProcess(1, 3))
    for forged in (np.array([1 << 40]), np.array([0]), np.array([3.0]), np.zeros(0, np.int64)):
        with pytest.raises(FileTrouble, match="it is of no number of workers"):
            other.restore(arrays | {"workers": forged})
    other.restore(arrays)
    other.warm_up()
    for engine in (first, other):
        assert engine.workers == 3
        done = 150
        while done < 400:
            step = min(engine.round_size(done) or 1, 400 - done)
            engine.run(done, step)
            done += step
    assert_same_rows(first.table, other.table)


def test_one_worker_learns_as_one_thread() -> None:
    job = Job(LEDUC, ruse.mccfr(), seed=1, iterations=2_000, threads=1)
    plain = sampled(job._replace(threads=None), None)
    plain.run(0, 2_000)
    spread = float(ruse.exploitability(LEDUC, Strategy(LEDUC, *on(2, job).rows())))
    assert spread == pytest.approx(expl(plain), rel=0.01)


def test_neither_of_two_machines_could_hold_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "SHARE", 32)
    memory, game = 3_000_000, ruse.LiarsDice(dice=2)
    job = Job(game, ruse.mccfr(walk="outcome"), seed=1, iterations=6_000, threads=2, memory=memory)
    with pytest.raises(OutOfMemory, match=r"give it more memory$"):
        sampled(job._replace(threads=None), memory).run(0, 6_000)
    with pytest.raises(OutOfMemory, match="give it more memory"):
        on(1, job)
    engine = on(2, job)
    crew = engine.crew
    assert isinstance(crew, CrewHere)
    for shard, sampler in zip(crew.shards, crew.samplers, strict=True):  # one of each on a machine
        assert shard.table.bytes + sampler.room < memory
    assert engine.facts.bytes > memory * 3 // 4 / 2
    assert_same_rows(undisturbed(job._replace(memory=None)).table, engine.table)


def test_a_table_that_is_out_of_memory_is_as_before_the_round() -> None:
    job = Job(LEDUC, ruse.mccfr(), seed=1, iterations=200, threads=2)
    engine = on(2, job)
    crew, before = engine.crew, engine.table
    assert isinstance(crew, CrewHere)
    shard = crew.shards[0]
    new = PackedRows(np.arange(4_000), np.full(4_000, 5), np.ones(4_000 * 11, np.float32))
    shard.making = shard.making._replace(memory=shard.table.bytes)
    with pytest.raises(OutOfMemory):
        shard.receive(300, Sent(300, new))
    assert shard.add(300).done == 200
    assert_same_rows(before, engine.table)


def test_a_shard_is_made_again_from_its_journal() -> None:
    job = Job(LEDUC, ruse.lcfr(walk="external"), seed=5, iterations=60, threads=2)
    engine = on(1, job)
    crew = engine.crew
    assert isinstance(crew, CrewHere)
    shard, journal = crew.shards[0], Journal()
    journal.begin(shard.done, shard.rows())
    lost = Shard(shard.making, ShardPast(shard.done, shard.rows()))
    for after in (64, 68):
        sent = [Sent(after - 2, PackedRows.all_of(lost.table)), Sent(after, PackedRows.all_of(lost.table))]
        assert journal.keep(after, *sent) is False
        lost.receive(after, *sent)
        lost.add(after)
    assert journal.last() == 68
    assert_same_rows(lost.table, Shard(shard.making, journal.past(68)).table)
    assert Shard(shard.making, journal.past(67)).done == 64
    lost.add(68)  # a second time it changes nothing
    assert_same_rows(lost.table, Shard(shard.making, journal.past(68)).table)
    journal.close()


def test_rounds_grow_with_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "SHARE", 512)
    monkeypatch.setattr(rounds, "WORTH", 20_000)
    assert next_round(0, 0, 0, 8) == Round(1, 1)
    assert next_round(1_000, 100_000, 900, 8) == Round(1_000, 1)  # alone: nothing comes late
    assert next_round(10**6, 10**8, 10**6, 1) == Round(20_000, 1)  # one worker is always alone
    assert next_round(10**6, 10**8, 10**6, 8) == Round(1_953, 8)
    assert next_round(10**6, 10**8, 45_000, 8) == Round(1_800, 8)  # four visits of an infoset,
    assert next_round(10**9, 10**11, 45_000, 8) == Round(1_800, 8)  # however long it goes on
    assert next_round(10**9, 10**11, 900, 8).chunks == 1  # in a small game one works alone
    assert next_round(100, 100 * 30_000, 10**6, 8) == Round(8, 8)  # as chunks on threads
    assert next_round(10**9, 10**11, 10**9, 8).iterations == 8 * 100_000  # no longer than Ctrl-C can wait


def test_a_long_training_converges_as_one_thread_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds that stay a share of all iterations would leave Kuhn at 0.005, twice as far as one thread is here."""
    monkeypatch.setattr(rounds, "SHARE", 512)
    monkeypatch.setattr(rounds, "WORTH", 20_000)
    job = Job(ruse.Kuhn(), ruse.mccfr(), seed=1, iterations=100_000, threads=2)
    plain = sampled(job._replace(threads=1), None)
    plain.run(0, 100_000)
    assert expl(undisturbed(job)) < 1.2 * expl(plain)


def test_every_part_has_its_share_of_any_keys() -> None:
    for keys in (np.arange(30_000), np.arange(30_000) << 40, -np.arange(30_000)):
        counts = np.bincount(parts_of(keys, 3), minlength=3)
        assert counts.min() > 8_500


def test_blocks_are_rows_of_a_table() -> None:
    engine = on(1, Job(LEDUC, ruse.mccfr(), seed=1, iterations=50, threads=1))
    table = engine.table
    again: Table = made_of(PackedRows.all_of(table), 2)
    assert_same_rows(table, again)


def test_rows_of_another_width_are_refused() -> None:
    engine = on(1, Job(LEDUC, ruse.mccfr(), seed=1, iterations=50, threads=1))
    crew = engine.crew
    assert isinstance(crew, CrewHere)
    keys = crew.shards[0].index()[0][:1].view(np.int64)
    with pytest.raises(RuseError, match="have one key"):
        crew.shards[0].fetch(50, keys, np.array([7]))
    with pytest.raises(RuseError, match="of iteration 50, not of 40"):
        crew.shards[0].fetch(40, keys, np.array([2]))
