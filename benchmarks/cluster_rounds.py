"""What a round of a training on many machines costs, by part: counted, measured one by one, put together, and compared.

A round has the same bits wherever it runs, so how often everything is done is counted in one process. What each of it
costs is measured one by one, in processor time: walks and rows in that process, calls and objects between two processes
of Ray that do nothing else. The model is the one times the other, and nothing in it was fitted to a round.
`python benchmarks/cluster.py parts` and `ray` print it.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ruse
from ruse.training.cluster import rounds, sampler
from ruse.training.cluster.engine import ClusterEngine
from ruse.training.cluster.here import CrewHere, OneProcess
from ruse.training.cluster.journal import Journal
from ruse.training.cluster.shard import Shard
from ruse.training.engines.sampling import sampled
from ruse.training.jobs.job import Job

NETWORK = 1.25e9  # bytes a second of a link of 10 Gbit
LARGE = 100 << 10  # bytes of an object from which on Ray keeps it in its store
MEASURED, LONG = 24, 6  # rounds that are measured, of short chunks and of long ones


class Counts(NamedTuple):
    """What a round has of everything, on average."""

    workers: int
    shards: int
    histories: float  # of a chunk
    visited: float  # with walks in vain
    longest: float  # the longest chunk of a round, of the average one
    rows: float  # that a chunk has changed
    brought: float  # rows, before it begins
    asks: float  # of all shards by a worker
    row_bytes: float  # of a row as it is sent


class Work(NamedTuple):
    """Seconds of a processor for everything that is not Ray's."""

    walk: float  # a history
    put: float  # row that is brought, by the worker
    packed: float  # row that has changed, by the worker
    given: float  # row that is asked for, by a shard
    received: float  # row, by a shard
    added: float
    kept: float  # row, by a journal


class Process(NamedTuple):
    """Seconds of a processor that Ray takes in a process of one kind."""

    call: float
    large: float  # an object in its store,
    byte: float  # and each of its bytes
    idle: float  # a second in which nothing happens

    def of(self, calls: float, objects: float, size: float) -> float:
        """So many calls, which bring so many objects of that size."""
        return calls * self.call + (objects * (self.large + size * self.byte) if size > LARGE else 0.0)


class RayCosts(NamedTuple):
    """Whoever asks, whoever answers, and Ray's own processes; and what it costs to ask which processors there are."""

    asks: Process
    answers: Process
    own: Process
    asking: float  # by the driver,
    knowing: float  # and by Ray's own


def mixed(near: RayCosts, far: RayCosts, nodes: int) -> RayCosts:
    """What it costs on average if whoever answers may as well be on any of the nodes."""
    share = (nodes - 1) / nodes

    def between(one: Any, other: Any) -> Any:
        return one + share * (other - one)

    kinds = [Process(*map(between, one, other)) for one, other in zip(near[:3], far[:3], strict=True)]
    return RayCosts(*kinds, between(near.asking, far.asking), between(near.knowing, far.knowing))


class Costs(NamedTuple):
    """Processor time of a round, by who spends it."""

    worker: float  # each, on average
    shard: float
    journal: float
    driver: float
    own: float  # Ray's own processes, together

    def total(self, c: Counts) -> float:
        return self.worker * c.workers + (self.shard + self.journal) * c.shards + self.driver + self.own


# ---- counting, and the work itself -----------------------------------------------------------------------------------


def job_of(workers: int) -> Job:
    said = {"rule": "lcfr", "walk": "probing", "view": "memoryless+"}
    return Job.typed(ruse.game("cheat:half"), said)._replace(threads=workers)


def in_one_process(workers: int, nodes: int, many: int) -> tuple[Counts, Work, int]:
    """Half a deck of Cheat: so many rounds in which every worker has a chunk, after 2,000 iterations.

    All processes of a cluster are in this one. Also the iterations before the first of them.
    """
    time.perf_counter = time.process_time
    job, spent = job_of(workers), dict.fromkeys(("given", "kept"), 0.0)
    shards, journals = list[Any](), dict[int, Journal]()
    engine = ClusterEngine(sampled(job._replace(threads=1), None), job, OneProcess(nodes, workers))
    watched(Shard, "news", spent, "given")
    watched(Shard, "fetch", spent, "given")
    received = Shard.receive

    def receive(self: Shard, after: int, *sent: Any) -> None:
        began = time.process_time()
        journals.setdefault(id(self), Journal()).keep(after, *sent)
        spent["kept"] += time.process_time() - began
        shards.extend(one.block for one in sent)
        receive.apart += time.process_time() - began  # type: ignore[attr-defined]
        received(self, after, *sent)

    receive.apart = 0.0  # type: ignore[attr-defined]
    Shard.receive = receive  # type: ignore[method-assign]
    engine.warm_up()
    done, first, told = 0, 0, list[Any]()
    while len(told) < many:
        step, is_wanted = engine.round_size(done) or 1, done > 2_000 and engine._next(done).chunks == workers
        if not is_wanted:
            spent.update(given=0.0, kept=0.0)
            receive.apart = 0.0  # type: ignore[attr-defined]
        shards.clear()
        engine.run(done, step)
        done += step
        assert isinstance(engine.crew, CrewHere)
        if is_wanted:
            first = first or done - step
            told.append((engine.ended, sum(b.bytes for b in shards), sum(len(b.keys) for b in shards)))
    Shard.receive = received  # type: ignore[method-assign]
    chunks = [one for ended, *_ in told for one in ended.told]
    total = {name: sum(getattr(one, name) for one in chunks) for name in chunks[0]._fields}
    mean = {name: value / len(chunks) for name, value in total.items()}
    longest = np.mean([max(one.histories for one in ended.told) for ended, *_ in told]) / mean["histories"]
    counts = Counts(
        workers, engine.crew.parts, mean["histories"], mean["visited"], float(longest), mean["rows"], mean["known"],
        mean["asks"], sum(one[1] for one in told) / sum(one[2] for one in told),
    )  # fmt: skip
    sending = sum(ended.sending for ended, *_ in told) - receive.apart  # type: ignore[attr-defined]
    return counts, Work(
        (total["sampling"] + total["vain"]) / total["visited"],
        max(total["fetching"] - spent["given"], 0.0) / max(total["known"], 1), total["packing"] / total["rows"],
        spent["given"] / max(total["known"], 1), sending / total["rows"],
        sum(ended.adding for ended, *_ in told) / total["rows"], spent["kept"] / total["rows"],
    ), first  # fmt: skip


def watched(kind: type, name: str, spent: dict[str, float], what: str) -> None:
    """Count the processor time of a method."""
    plain = getattr(kind, name)

    def run(self: Any, *given: Any) -> Any:
        began = time.process_time()
        try:
            return plain(self, *given)
        finally:
            spent[what] += time.process_time() - began

    setattr(kind, name, run)


def with_short_rounds(workers: int, nodes: int) -> tuple[Counts, Work, int]:
    return in_one_process(workers, nodes, MEASURED)


def with_long_rounds(workers: int = 4) -> tuple[Counts, Work, int]:
    """Chunks of a million histories, and no copy of the table: as in one that is too large for it."""
    rounds.SHARE, rounds.VISITS, rounds.LONGEST, sampler.COPIED = 4, 1 << 40, 1_000_000, 0
    return in_one_process(workers, 2, LONG)


# ---- calls, and objects ----------------------------------------------------------------------------------------------


class Answering:
    """Somebody who answers, with two arrays of so many bytes in all."""

    def answer(self, size: int) -> Any:
        return (np.ones(size // 16, np.int64), np.ones(size // 16, np.int64)) if size else None

    def spent(self) -> float:
        return time.process_time()


class Asks(Answering):
    """Somebody who asks, and copies what comes, as workers and shards do."""

    def ask(self, other: Any, size: int, times: int) -> None:
        import ray

        for _ in range(times):
            for array in ray.get(other.answer.remote(size)) or ():
                np.array(array)


def on_an_idle_ray(nodes: int) -> tuple[RayCosts, RayCosts]:
    """What calls and objects cost between two processes that do nothing else: on one node, and on two if there are."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    from ruse.spread.connect import alive

    ray = reached(f"ray:nodes={nodes},processors=1")
    there = [NodeAffinitySchedulingStrategy(node, soft=False) for node in alive(ray)]
    asking = ray.remote(num_cpus=0, scheduling_strategy=there[0])(Asks).remote()
    found = []
    for place in (there[0], there[-1]):
        answering = ray.remote(num_cpus=0, scheduling_strategy=place)(Answering).remote()

        def look(other: Any = answering) -> np.ndarray:
            told = ray.get([asking.spent.remote(), other.spent.remote()])
            return np.array([*told, of_ray_itself(), time.process_time()])

        def of(work: Callable[[], Any], times: int, idle: Any = 0.0, look: Any = look) -> np.ndarray:
            before, began = look(), time.monotonic()
            work()
            took = time.monotonic() - began
            return (look() - before - idle * took) / times

        def of_size(size: int, times: int, idle: Any, of: Any = of, other: Any = answering) -> Any:
            return np.maximum(of(lambda: ray.get(asking.ask.remote(other, size, times)), times, idle), 0.0)

        of_size(0, 20, 0.0)
        of_size(1 << 22, 3, 0.0)
        idle = of(lambda: time.sleep(6.0), 1) / 6.0
        small, middle, large = of_size(0, 500, idle), of_size(1 << 18, 200, idle), of_size(1 << 22, 50, idle)
        question = of(lambda: [ray.cluster_resources() for _ in range(200)], 200, idle)
        byte = np.maximum(large - middle, 0.0) / ((1 << 22) - (1 << 18))
        fixed = np.maximum(middle - small - byte * (1 << 18), 0.0)
        kinds = [Process(*of_one) for of_one in np.stack([small, fixed, byte, idle], axis=1).tolist()]
        found.append(RayCosts(*kinds[:3], float(question[3]), float(question[2])))
        ray.kill(answering)
    ray.shutdown()
    return found[0], found[1]


def reached(on: str) -> Any:
    """Ray, whose processes find the classes of this file."""
    from ruse.spread import connect

    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(Path(__file__).parent), os.environ.get("PYTHONPATH"))))
    return connect.connected(on)


def of_ray_itself() -> float:
    """Processor time of Ray's own processes: those who lead the nodes, and the cluster, which this one has started."""
    found = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            name = (folder / "cmdline").read_text().split("\0")[0].rpartition("/")[2]
            if int(fields[1]) == os.getpid() and name in ("raylet", "gcs_server"):
                found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:  # it has ended meanwhile
            continue
    return found


# ---- the model -------------------------------------------------------------------------------------------------------


def modelled(c: Counts, w: Work, r: RayCosts, wall: float = 0.0) -> Costs:
    """Processor time of a round; what an idle process takes is counted for so many seconds."""
    news, sent = c.brought / c.asks / c.shards * c.row_bytes, c.rows / c.shards * c.row_bytes  # bytes of an object
    asked = c.asks * c.shards  # calls of a worker
    worker = (
        w.walk * c.visited + w.put * c.brought + w.packed * c.rows + r.asks.of(asked, asked, news)
        + r.answers.of(1, c.shards, sent)
    )  # fmt: skip
    shard = (
        (w.given * c.brought + (w.received + w.added) * c.rows) * c.workers / c.shards
        + r.answers.of(c.workers * c.asks, c.workers * c.asks, news) + r.answers.of(2, 0, 0)
        + r.asks.of(0, c.workers, sent)
    )  # fmt: skip
    journal = w.kept * c.rows * c.workers / c.shards + r.answers.of(1, 0, 0) + r.asks.of(0, c.workers, sent)
    driver = r.asks.of(c.workers + 3 * c.shards, 0, 0) + r.asking * c.workers  # which processors there are, each time
    objects = c.workers * c.shards
    own = r.own.of(0, c.asks * objects, news) + r.own.of(0, 2 * objects, sent) + r.knowing * c.workers
    return Costs(
        worker + r.asks.idle * wall, shard + r.answers.idle * wall, journal + r.answers.idle * wall,
        driver + r.asks.idle * wall, own + r.own.idle * wall,
    )  # fmt: skip


def seconds_of(c: Counts, w: Work, r: RayCosts, processors: int, wall: float = 0.0) -> float:
    """How long a round takes: everybody waits for the longest chunk, and for all of it if processors are few."""
    cost = modelled(c, w, r, wall)
    alone = cost.worker + w.walk * c.visited * (c.longest - 1.0) + cost.shard + cost.driver
    return max(alone, cost.total(c) / processors)


class Far(NamedTuple):
    """Seconds of a round of many machines, by what they are spent for."""

    sampling: float
    waiting: float  # for the longest chunk
    fetching: float
    sending: float
    adding: float
    calls: float

    @property
    def all(self) -> float:
        return sum(self)


def far_round(c: Counts, w: Work, r: RayCosts, nodes: int, each: int, chunk: float) -> Far:
    """A round of nodes with so many workers each, whose chunks walk `chunk` seconds; a shard for each four workers.

    Rows of a chunk grow as the square root of its histories, as they do in half a deck of Cheat from 0.2 to 2 million.
    """
    workers, times = nodes * each, chunk / w.walk / c.histories
    shards = max(nodes, -(-workers // 4))
    there = c._replace(workers=workers, shards=shards, rows=c.rows * np.sqrt(times))
    wire = (there.brought + there.rows) * c.row_bytes * each * (nodes - 1) / nodes / NETWORK  # in and out of one node
    at_shard = workers / shards
    free = modelled(there, Work(*[0.0] * len(w)), r)  # calls and objects alone
    walked = chunk * c.visited / c.histories
    return Far(
        walked, walked * (c.longest - 1.0), w.put * there.brought + w.given * there.brought * at_shard + wire / 2,
        w.packed * there.rows + w.received * there.rows * at_shard + wire / 2, w.added * there.rows * at_shard,
        free.worker + free.shard + free.driver,
    )  # fmt: skip


# ---- on Ray ----------------------------------------------------------------------------------------------------------


class OnRay(NamedTuple):
    """What rounds took on Ray."""

    costs: Costs
    wall: float  # seconds of a round, whatever else the machine did


def on_ray(workers: int, nodes: int, first: int) -> OnRay:
    """The same rounds as in one process, on simulated nodes: those after so many iterations."""
    from ruse.training.cluster.crew import RayMachines

    ray = reached(f"ray:nodes={nodes},processors={workers // nodes}")
    job = job_of(workers)
    engine = ClusterEngine(sampled(job._replace(threads=1), None), job, RayMachines(ray))
    engine.warm_up()
    done, measured, before, began = 0, 0, np.zeros(5), 0.0
    while measured < MEASURED:
        if done == first:
            before, began = spent_by(ray, engine.crew), time.perf_counter()
        measured += done >= first
        step = engine.round_size(done) or 1
        engine.run(done, step)
        done += step
    wall = (time.perf_counter() - began) / MEASURED
    spent = (spent_by(ray, engine.crew) - before) / MEASURED
    shards = engine.crew.parts
    ray.shutdown()
    return OnRay(Costs(*map(float, spent / [workers, shards, shards, 1, 1])), wall)


def spent_by(ray: Any, crew: Any) -> np.ndarray:
    """Processor time so far, by who spent it."""
    actors = [crew.idle, crew.shards, crew.journals]
    told = [
        sum(ray.get([actor.__ray_call__.remote(lambda _: time.process_time()) for actor in some])) for some in actors
    ]
    return np.array([*told, time.process_time(), of_ray_itself()])
