"""A training on many machines, measured: what late news cost, what a round costs by part, and how far that goes.

    python benchmarks/cluster.py            # all of it, into docs/benchmarks/cluster.md
    python benchmarks/cluster.py late       # exploitability after the same iterations, by workers and length of rounds
    python benchmarks/cluster.py held       # the same with rounds as trainings have them, longer, with intervals
    python benchmarks/cluster.py parts      # seconds of a round: sampling, fetching, packing, sending, adding
    python benchmarks/cluster.py ray        # rounds on simulated nodes of this machine, against the model

Late news and parts are measured in one process, chunk after chunk. The model puts them together for machines that work
at the same time and a network between them.
"""

import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ruse
from ruse.evaluate.best_response import exploitability_of
from ruse.strategy import Strategy
from ruse.training.cluster import rounds
from ruse.training.cluster.engine import ClusterEngine
from ruse.training.cluster.here import CrewHere, OneProcess
from ruse.training.engines.sampling import sampled
from ruse.training.jobs.job import Job
from ruse.tree.expanded import Expanded
from ruse.words.over_seeds import student

OUT = Path("docs/benchmarks/cluster.md")
WORKERS = (1, 2, 4, 8)
NETWORK, CALL = 1.25e9, 0.004  # bytes a second of a link of 10 Gbit, and seconds of a call to another process


def engine_on(job: Job, nodes: int) -> ClusterEngine:
    return ClusterEngine(sampled(job._replace(threads=1), None), job, OneProcess(nodes, job.threads or 1))


def judged(engine: Any, whole: Expanded, game: ruse.Game) -> float:
    return float(exploitability_of(whole.form, Strategy(game, *engine.rows()).on(whole)))


# ---- late news -------------------------------------------------------------------------------------------------------


def late(seeds: int = 8) -> list[str]:
    """How much worse a strategy is after the same iterations, because workers learn of each other once a round."""
    usual = rounds.SHARE, rounds.WORTH, rounds.VISITS
    lines = ["| game, rule | rounds of | " + " | ".join(f"{w} worker{'s' * (w > 1)}" for w in WORKERS) + " |"]
    lines += ["|---|---|" + "---|" * len(WORKERS)]
    cases = [
        (ruse.Leduc(), ruse.mccfr(), 20_000, seeds, (32, 128, 512)),
        (ruse.Leduc(), ruse.lcfr(walk="external"), 20_000, seeds, (128, 512)),
        (ruse.Leduc(), ruse.dcfr(walk="external"), 20_000, seeds, (512,)),
        (ruse.Leduc(), ruse.mccfr(walk="outcome"), 20_000, seeds, (512,)),
        (ruse.Cheat(hp=3), ruse.mccfr(), 2_000, max(2, seeds // 3), (32, 512)),
    ]
    for game, solver, iterations, count, shares in cases:
        whole = Expanded.of(game)
        plain = []
        for seed in range(count):
            one = sampled(Job(game, solver, seed=seed), None)
            one.run(0, iterations)
            plain.append(judged(one, whole, game))
        for share in shares:
            rounds.SHARE, rounds.WORTH, rounds.VISITS = share, 0, 1 << 40  # whatever a training would do
            cells = []
            for workers in WORKERS:
                found = []
                for seed in range(count):
                    engine = sampled(Job(game, solver, seed=seed, threads=1), None)
                    run_rounds(engine, iterations, workers)
                    found.append(judged(engine, whole, game))
                ratio = np.array(found) / np.mean(plain)
                cells.append(f"{ratio.mean():.2f} ± {ratio.std() / np.sqrt(count):.2f}")
            lines.append(f"| {type(game).__name__}, {solver.name} {solver.walk} | 1/{share} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    rounds.SHARE, rounds.WORTH, rounds.VISITS = usual
    return lines


def run_rounds(engine: Any, iterations: int, workers: int) -> None:
    """The rounds of so many workers by the engine for threads, to the same bits (tests/training/cluster)."""
    from ruse.solve.table.sampling import HISTORIES
    from ruse.solve.table.threads import spans

    done = 0
    while done < iterations:
        histories = int(engine.scratch.counters[HISTORIES])
        size, chunks = rounds.next_round(done, histories, engine.table.infosets, workers)
        size = min(size, iterations - done)
        engine._run_round(spans(done, size, chunks))
        done += size


def held(seeds: int = 12, only: tuple[str, ...] = ("Leduc", "Cheat-3")) -> list[str]:
    """What it is with both bounds of a round as they are; but chunks go to workers however little is in them.

    The interval is that of the ratio of two means, 95 %, by Student's distribution over the logarithms.
    """
    usual = rounds.WORTH
    lines = ["| game, rule | iterations | one machine | " + " | ".join(f"{w} workers" for w in WORKERS) + " |"]
    lines += ["|---|---|---|" + "---|" * len(WORKERS)]
    cases = [
        (name, game, solver, iterations)
        for name, game, iterations in (("Leduc", ruse.Leduc(), 60_000), ("Cheat-3", ruse.Cheat(hp=3), 20_000))
        if name in only
        for solver in (ruse.mccfr(), ruse.lcfr(walk="external"))
    ]
    for name, game, solver, iterations in cases:
        whole = Expanded.of(game)
        plain, cells = [], []
        for seed in range(seeds):
            one = sampled(Job(game, solver, seed=seed), None)
            one.run(0, iterations)
            plain.append(np.log(judged(one, whole, game)))
        rounds.WORTH = 0
        for workers in WORKERS:
            found = []
            for seed in range(100, 100 + seeds):  # not those of one machine
                engine = sampled(Job(game, solver, seed=seed, threads=1), None)
                run_rounds(engine, iterations, workers)
                found.append(np.log(judged(engine, whole, game)))
            middle = np.mean(found) - np.mean(plain)
            error = student(2 * seeds - 2) * np.sqrt((np.var(found, ddof=1) + np.var(plain, ddof=1)) / seeds)
            ends = np.exp([middle - error, middle + error])
            cells.append(f"{np.exp(middle):.2f} ({ends[0]:.2f} to {ends[1]:.2f})")
        rounds.WORTH = usual
        begun = f"| {name}, {solver.name} {solver.walk} | {iterations:,} | {np.exp(np.mean(plain)):.4f} | "
        lines.append(begun + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    return lines


# ---- parts of a round ------------------------------------------------------------------------------------------------


class Parts(NamedTuple):
    """What a history, a row and a known row cost, in seconds; and how many rows a chunk has."""

    history: float  # of sampling
    known: float  # row that is asked for
    packed: float  # row that has changed
    received: float  # row, by the shard
    added: float  # row, by the shard
    row_bytes: float
    rows: float  # of a chunk,
    asked: float  # rows known before it,
    histories: float  # and its histories
    waste: float  # histories walked for one that counts


def parts(workers: int = 4, seconds: float = 30.0) -> Parts:
    """Half a deck of Cheat: the costs of the last rounds, with all processes of a cluster in this one.

    In processor time, whatever else the machine does.
    """
    time.perf_counter = time.process_time
    game = ruse.game("cheat:half")
    job = Job.typed(game, {"rule": "lcfr", "walk": "probing", "view": "memoryless+"})._replace(threads=workers)
    engine = engine_on(job, 2)
    engine.warm_up()
    done, began, last = 0, time.process_time(), []
    while time.process_time() - began < seconds:
        step = engine.round_size(done) or 1
        engine.run(done, step)
        done += step
        assert isinstance(engine.crew, CrewHere)
        last = [*last, engine.ended][-6:]
    told = [one for ended in last for one in ended.told]
    total = {name: sum(getattr(one, name) for one in told) for name in told[0]._fields}
    row_bytes = engine.facts.bytes / engine.facts.infosets
    return Parts(
        total["sampling"] / total["histories"], total["fetching"] / max(total["known"], 1),
        total["packing"] / total["rows"], sum(one.sending for one in last) / total["rows"],
        sum(one.adding for one in last) / total["rows"], row_bytes, total["rows"] / len(told),
        total["known"] / len(told), total["histories"] / len(told), total["visited"] / total["histories"],
    )  # fmt: skip


class Costs(NamedTuple):
    """Seconds of a round."""

    sampling: float
    fetching: float
    sending: float
    adding: float
    calls: float

    @property
    def all(self) -> float:
        return sum(self)


def modelled(p: Parts, nodes: int, each: int, chunk: float) -> Costs:
    """A round of nodes with so many workers each, whose chunks take `chunk` seconds; a shard for each four workers.

    Rows of a chunk grow as the square root of its histories, as they do in half a deck of Cheat from 0.2 to 2 million.
    """
    workers, histories = nodes * each, chunk / p.history
    rows = p.rows * np.sqrt(histories / p.histories)
    shards = max(nodes, -(-workers // 4))
    elsewhere = (nodes - 1) / nodes
    wire = (p.asked + rows) * p.row_bytes * each * elsewhere / NETWORK  # in and out of one node
    fetching = p.known * p.asked * max(1.0, workers / shards)  # workers of one shard wait for each other
    sending = p.packed * rows + p.received * rows * workers / shards
    adding = p.added * rows * workers / shards
    return Costs(chunk * p.waste, fetching + wire / 2, sending + wire / 2, adding, CALL * (3 + workers / 16))


def far(p: Parts) -> list[str]:
    """Where it stops paying: nodes of eight workers, chunks of one and of four seconds."""
    lines = ["| nodes | workers | chunk s | round s | sampling | fetching | sending | adding | calls | worth |"]
    lines += ["|---|---|---|---|---|---|---|---|---|---|"]
    for chunk in (1.0, 4.0):
        for nodes in (1, 2, 4, 8, 16, 32, 64, 128):
            cost = modelled(p, nodes, 8, chunk)
            shares = " | ".join(f"{part / cost.all:.0%}" for part in cost)
            paid = nodes * 8 * chunk / cost.all
            lines.append(f"| {nodes} | {nodes * 8} | {chunk:g} | {cost.all:.2f} | {shares} | {paid:.0f} workers |")
    return lines


# ---- on Ray ----------------------------------------------------------------------------------------------------------


def counting(kind: type, *names: str) -> type:
    """The same kind of process, which counts the processor time of some of its methods, and of all it does."""

    def counted(name: str) -> Any:
        def run(self: Any, *given: Any) -> Any:
            began = time.process_time()
            try:
                return getattr(kind, name)(self, *given)
            finally:
                self.spent[name] = self.spent.get(name, 0.0) + time.process_time() - began

        return run

    def init(self: Any, *given: Any) -> None:
        time.perf_counter = time.process_time  # a chunk's own watch, too
        self.spent = dict[str, float]()
        kind.__init__(self, *given)

    def told(self: Any) -> dict[str, float]:
        return self.spent | {"all": time.process_time()}

    return type(kind.__name__, (kind,), {name: counted(name) for name in names} | {"__init__": init, "told": told})


class OnRay(NamedTuple):
    """What a round took on Ray, in processor time."""

    nodes: int
    rounds: int
    histories: float  # of a chunk
    chunk: float  # seconds of its walks that count
    wall: float  # seconds of a round, whatever else the machine did
    costs: "Costs"  # as the model has them; calls are all that Ray did besides
    journal: float  # which the model has not


def on_ray(nodes: int, seconds: float = 60.0) -> OnRay:
    """Rounds on simulated nodes of one processor each: those after so many seconds of sampling."""
    from ruse.spread.connect import reached
    from ruse.training.cluster import crew as crews

    crews.RayWorker = counting(crews.RayWorker, "run")
    crews.RayShard = counting(crews.RayShard, "fetch", "receive", "add")
    crews.Journal = counting(crews.Journal, "keep", "begin")
    ray = reached(f"ray:nodes={nodes},processors=1")
    game = ruse.game("cheat:half")
    job = Job.typed(game, {"rule": "lcfr", "walk": "probing", "view": "memoryless+"})._replace(threads=nodes)
    engine = ClusterEngine(sampled(job._replace(threads=1), None), job, crews.RayMachines(ray))
    engine.warm_up()
    done, sampled_for, before, told, walls = 0, 0.0, None, [], []
    while len(walls) < 6:
        step, start = engine.round_size(done) or 1, time.perf_counter()
        engine.run(done, step)
        done += step
        sampled_for += np.mean([one.sampling for one in engine.ended.told])
        if before is not None:
            told += engine.ended.told
            walls.append(time.perf_counter() - start)
        elif sampled_for > seconds and len(engine.ended.told) == nodes:
            before = spent_by(ray, engine.crew)
    after = spent_by(ray, engine.crew)
    used = {name: (after[name] - before[name]) / len(walls) for name in after}
    mean = {name: float(np.mean([getattr(one, name) for one in told])) for name in told[0]._fields}
    each = 1 / engine.crew.parts
    costs = Costs(
        mean["sampling"] + mean["vain"], mean["fetching"] + used["shard fetch"] * each,
        mean["packing"] + used["shard receive"] * each, used["shard add"] * each,
        (used["worker all"] - used["worker run"]) / nodes
        + (used["shard all"] - used["shard fetch"] - used["shard receive"] - used["shard add"]) * each,
    )  # fmt: skip
    ray.shutdown()
    return OnRay(
        nodes, len(walls), mean["histories"], mean["sampling"], float(np.mean(walls)), costs,
        used["journal all"] * each,
    )  # fmt: skip


def spent_by(ray: Any, crew: Any) -> dict[str, float]:
    """Processor time so far, by who and what."""
    found: dict[str, float] = {}
    for who, actors in (("worker", crew.idle), ("shard", crew.shards), ("journal", crew.journals)):
        for told in ray.get([actor.told.remote() for actor in actors]):
            for name, value in told.items():
                found[f"{who} {name}"] = found.get(f"{who} {name}", 0.0) + value
    return found


def against(p: Parts, found: OnRay) -> list[str]:
    """A measured round, and the model's for a chunk as long."""
    thought = modelled(p, found.nodes, 1, found.chunk)
    lines = [f"| {found.nodes} | {found.histories:,.0f} | measured | " + " | ".join(f"{x:.2f}" for x in found.costs)]
    lines[0] += f" | {found.costs.all:.2f} | {found.journal:.2f} | {found.wall:.2f} |"
    lines.append(
        f"| {found.nodes} | | model | " + " | ".join(f"{x:.2f}" for x in thought) + f" | {thought.all:.2f} | | |"
    )
    return lines


def measured(p: Parts, nodes: tuple[int, ...] = (1, 2)) -> list[str]:
    """Each in a process of its own, which is in one cluster at a time."""
    from multiprocessing import get_context

    lines = ["| nodes | histories | | sampling | fetching | sending | adding | calls | all | journal | wall |"]
    lines += ["|---|---|---|---|---|---|---|---|---|---|---|"]
    for count in nodes:
        with get_context("spawn").Pool(1) as pool:
            lines += against(p, pool.apply(on_ray, (count,)))
        print("\n".join(lines[-2:]), flush=True)
    return lines


def main() -> None:
    asked = sys.argv[1:] or ["late", "held", "parts", "ray"]
    text = [
        "# A training on many machines",
        "",
        "Made by `python benchmarks/cluster.py`; what it means: ../scale.md.",
        "",
    ]
    if "late" in asked:
        text += ["## What late news cost", "", *late(), ""]
    if "held" in asked:
        text += ["## With rounds as they are", "", *held(), ""]
    if "parts" in asked or "ray" in asked:
        found = parts()
        text += ["## What a round costs", "", "| part | value |", "|---|---|"]
        text += [f"| {name} | {value:.3g} |" for name, value in found._asdict().items()]
        text += ["", "## How far", "", *far(found), ""]
    if "ray" in asked:
        text += ["## On Ray", "", *measured(found), ""]
    print("\n".join(text))
    if not sys.argv[1:]:
        OUT.write_text("\n".join(text))


if __name__ == "__main__":
    main()
