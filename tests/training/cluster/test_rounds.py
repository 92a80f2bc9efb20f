"""Rounds on many machines, in this process: to the bits of the same chunks on threads, whatever the parts."""

import random

import numpy as np
import pytest
from cluster_rounds import assert_same_rows, undisturbed
from sampled_walks import expl

import ruse
from ruse.errors import FileTrouble, RuseError
from ruse.solve.table.blocks import PackedRows, made_of, part_of_each
from ruse.solve.table.table import OutOfMemory, Table
from ruse.solve.table.threads import Round
from ruse.strategy import Strategy
from ruse.training.cluster import rounds, sampler, shard
from ruse.training.cluster.engine import ClusterEngine
from ruse.training.cluster.here import AskingHere, CrewHere, OneProcess
from ruse.training.cluster.journal import Journal
from ruse.training.cluster.rounds import next_cluster_round
from ruse.training.cluster.shard import Changes, Sent, Shard, ShardPast
from ruse.training.engines.sampling import sampled
from ruse.training.jobs.job import Job
from ruse.training.terms.stops import next_check

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
def test_machines_come_to_the_bits_of_threads(solver: ruse.Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job(LEDUC, solver, seed=3, iterations=400, threads=3)
    engine = undisturbed(job)
    for nodes, copied in ((1, shard.COPIED), (4, shard.COPIED), (4, 100_000), (1, 0)):  # from some round on, and always
        monkeypatch.setattr(sampler, "COPIED", copied)
        other = on(nodes, job)
        assert isinstance(other.crew, CrewHere)
        assert {one.is_copy for one in other.crew.samplers} == {copied == shard.COPIED}
        assert_same_rows(engine.table, other.table)
        for ours, theirs in zip(engine.rows(), other.rows(), strict=True):
            assert ours.tobytes() == theirs.tobytes()
        assert engine.facts[:2] == other.facts[:2]


def test_a_copy_is_brought_up_to_the_table() -> None:
    """Whether a worker has missed rounds, or more of them than are known, or a shard was made again meanwhile."""
    job = Job(LEDUC, ruse.lcfr(walk="external"), seed=3, iterations=100, threads=2)
    engine = on(2, job)
    crew = engine.crew
    assert isinstance(crew, CrewHere)
    last = crew.samplers[1]
    for missed in (0, 1, 30):
        before = last.heard
        for _ in range(missed):
            engine.run(engine.done, 1)  # one chunk, which the first of them runs
        assert last.heard == before
        if missed == 1:
            crew.shards[0] = Shard(crew.shards[0].making, ShardPast(engine.done, crew.shards[0].rows()))
        brought = last._hear(AskingHere(engine.done, crew.shards))
        assert brought is not None
        assert_same_rows(engine.table, last.engine.table)
        assert last._hear(AskingHere(engine.done, crew.shards)) == 0, "there is no news"


def test_what_has_changed_is_known_for_some_rounds() -> None:
    changes, rows = Changes(10), np.zeros(0, np.float32)

    def block(*keys: int) -> PackedRows:
        return PackedRows(np.array(keys), np.array(keys) + 100 & 3, rows)

    for after, blocks in ((12, [block(1, 2)]), (14, [block(2, 3), block(5, 3)])):
        changes.note(after, blocks, infosets=6)
    assert changes.after(9) is None
    assert [found.tolist() for found in changes.after(10) or ()] == [[1, 2, 3, 5], [1, 2, 3, 1]]
    assert [found.tolist() for found in changes.after(12) or ()] == [[2, 3, 5], [2, 3, 1]]
    assert [found.tolist() for found in changes.after(14) or ()] == [[], []]
    changes.note(16, [block(7, 1)], infosets=6)
    assert changes.after(11) is None
    assert [found.tolist() for found in changes.after(12) or ()] == [[1, 2, 3, 5, 7], [1, 2, 3, 1, 3]]


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
    with pytest.raises(
        RuseError, match=r"of 769 workers, and 3 processors take turns for 768 at most; go on with it wh"
    ):
        other.restore(arrays | {"workers": np.array([769])})  # each of them would have a table of its own
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
    for part, worker in zip(crew.shards, crew.samplers, strict=True):  # one of each on a machine
        assert part.table.bytes + worker.room < memory
    assert engine.facts.bytes > memory * 3 // 4 / 2
    assert_same_rows(undisturbed(job._replace(memory=None)).table, engine.table)


def test_a_table_that_is_out_of_memory_is_as_before_the_round() -> None:
    job = Job(LEDUC, ruse.mccfr(), seed=1, iterations=200, threads=2)
    engine = on(2, job)
    crew, before = engine.crew, engine.table
    assert isinstance(crew, CrewHere)
    first = crew.shards[0]
    new = PackedRows(np.arange(4_000), np.full(4_000, 5), np.ones(4_000 * 11, np.float32))
    first.making = first.making._replace(memory=first.table.bytes)
    with pytest.raises(OutOfMemory):
        first.receive(300, Sent(300, new))
    assert first.add(300).done == 200
    assert_same_rows(before, engine.table)


def test_a_shard_is_made_again_from_its_journal() -> None:
    job = Job(LEDUC, ruse.lcfr(walk="external"), seed=5, iterations=60, threads=2)
    engine = on(1, job)
    crew = engine.crew
    assert isinstance(crew, CrewHere)
    one, journal = crew.shards[0], Journal()
    journal.begin(one.done, one.rows())
    lost = Shard(one.making, ShardPast(one.done, one.rows()))
    for after in (64, 68):
        sent = [Sent(after - 2, PackedRows.all_of(lost.table)), Sent(after, PackedRows.all_of(lost.table))]
        assert journal.keep(after, *sent) is False
        lost.receive(after, *sent)
        lost.add(after)
    assert journal.last() == 68
    assert_same_rows(lost.table, Shard(one.making, journal.past(68)).table)
    assert Shard(one.making, journal.past(67)).done == 64
    lost.add(68)  # a second time it changes nothing
    assert_same_rows(lost.table, Shard(one.making, journal.past(68)).table)
    journal.close()


def test_rounds_grow_with_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "SHARE", 512)
    monkeypatch.setattr(rounds, "WORTH", 20_000)
    assert next_cluster_round(0, 0, 0, 8) == Round(1, 1)
    assert next_cluster_round(1_000, 100_000, 900, 8) == Round(1_000, 1)  # alone: nothing comes late
    assert next_cluster_round(10**6, 10**8, 10**6, 1) == Round(20_000, 1)  # one worker is always alone
    assert next_cluster_round(10**6, 10**8, 10**6, 8) == Round(1_953, 8)
    assert next_cluster_round(10**6, 10**8, 45_000, 8) == Round(1_800, 8)  # four visits of an infoset,
    assert next_cluster_round(10**9, 10**11, 45_000, 8) == Round(1_800, 8)  # however long it goes on
    assert next_cluster_round(10**9, 10**11, 900, 8).chunks == 1  # in a small game one works alone
    assert next_cluster_round(100, 100 * 30_000, 10**6, 8) == Round(8, 8)  # as chunks on threads
    assert next_cluster_round(10**9, 10**11, 10**9, 8).iterations == 8 * 100_000  # no longer than Ctrl-C can wait


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
        counts = np.bincount(part_of_each(keys, 3), minlength=3)
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


def mended(arrays: dict[str, np.ndarray], draw: random.Random) -> dict[str, np.ndarray]:
    """A checkpoint with something else in it, which has right checksums none the less."""
    found = {name: array.copy() for name, array in arrays.items()}
    name = draw.choice(sorted(found.keys() - {"workers"}))
    array, way = found[name], draw.randrange(5)
    if way == 0 and array.size:
        special = (
            (-1, 0, 1 << 60, -(1 << 40), (1 << 63) - 1) if array.dtype.kind == "i" else (np.nan, np.inf, -1.0, 3e38)
        )
        array.reshape(-1)[draw.randrange(array.size)] = draw.choice(special)
    elif way == 1:
        found[name] = array[:-1]
    elif way == 2:
        found[name] = array.astype(draw.choice([np.int32, np.float64, np.complex64]))
    elif way == 3:
        del found[name]
    elif array.size:
        array.view(np.uint8).reshape(-1)[draw.randrange(array.nbytes)] ^= 1 << draw.randrange(8)
    return found


def test_forged_checkpoints_are_refused_or_go_on_lawfully() -> None:
    job = Job(ruse.Kuhn(), ruse.mccfr(), seed=3, iterations=40, threads=2)
    arrays, draw, refused = {name: np.array(a) for name, a in on(2, job).saved().items()}, random.Random(5), 0
    for _ in range(60):
        other = ClusterEngine(sampled(job._replace(threads=1), None), job, OneProcess(2, 2))
        try:
            other.restore(mended(arrays, draw))
            other.run(40, other.round_size(40) or 1)
        except RuseError:
            refused += 1
            continue
        _, start, probability = other.rows()
        assert np.add.reduceat(probability, start[:-1]) == pytest.approx(1.0)
        assert probability.min() >= 0.0
    assert 30 < refused < 60
