"""A training on many machines, measured: what late news cost, what a round costs by part, and how far that goes.

    python benchmarks/cluster.py            # all of it, into docs/benchmarks/cluster.md
    python benchmarks/cluster.py late       # exploitability after the same iterations, by workers and length of rounds
    python benchmarks/cluster.py held       # the same with rounds as trainings have them, longer, with intervals
    python benchmarks/cluster.py parts      # seconds of a round by part, and how far that goes
    python benchmarks/cluster.py ray        # rounds on simulated nodes of this machine, against the model

`held SEEDS GAME RULE`, as `held 48 Leduc lcfr`, is a part of it. Late news are measured in one process, chunk after
chunk; parts and the model are those of `cluster_rounds.py`.
"""

import sys
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from cluster_rounds import (
    Counts,
    Far,
    RayCosts,
    Work,
    far_round,
    mixed,
    modelled,
    on_an_idle_ray,
    on_ray,
    seconds_of,
    with_long_rounds,
    with_short_rounds,
)

import ruse
from ruse.evaluate.best_response import exploitability_of
from ruse.spread.here import cores
from ruse.strategy import Strategy
from ruse.training.cluster import rounds
from ruse.training.engines.sampling import sampled
from ruse.training.jobs.job import Job
from ruse.tree.expanded import Expanded
from ruse.words.over_seeds import student

OUT = Path("docs/benchmarks/cluster.md")
WORKERS = (1, 2, 4, 8)
POINTS = ((1, 1), (2, 2), (4, 2))  # workers and nodes that are simulated


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
        size, chunks = rounds.next_cluster_round(done, histories, engine.table.infosets, workers)
        size = min(size, iterations - done)
        engine._run_round(spans(done, size, chunks))
        done += size


def held(seeds: int = 12, *only: str) -> list[str]:
    """What it is with both bounds of a round as they are; but chunks go to workers however little is in them.

    The interval is that of the ratio of two means, 95 %, by Student's distribution over the logarithms.
    """
    usual = rounds.WORTH
    lines = ["| game, rule | iterations | one machine | " + " | ".join(f"{w} workers" for w in WORKERS) + " |"]
    lines += ["|---|---|---|" + "---|" * len(WORKERS)]
    cases = [
        (name, game, solver, iterations)
        for name, game, iterations in (("Leduc", ruse.Leduc(), 60_000), ("Cheat-3", ruse.Cheat(hp=3), 20_000))
        for solver in (ruse.mccfr(), ruse.lcfr(walk="external"))
        if not only or (name in only and solver.name in only)
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


# ---- rounds ----------------------------------------------------------------------------------------------------------


def apart(work: Callable[..., Any], *given: Any) -> Any:
    """In a process of its own: each is in one cluster at a time, and changes what it measures with."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(work, given)


def parts(c: Counts, w: Work, near: RayCosts, far: RayCosts) -> list[str]:
    """What there is of everything in a round, and what each costs."""
    lines = ["| part | value |", "|---|---|"]
    lines += [f"| {name} | {value:.3g} |" for name, value in (c._asdict() | w._asdict()).items()]
    for place, costs in (("", near), (", another node", far)):
        for who, process in zip(("asks", "answers", "Ray itself"), costs[:3], strict=True):
            lines += [f"| {who}{place}: {name} | {value:.3g} |" for name, value in process._asdict().items()]
        lines += [f"| asking for processors | {costs.asking:.3g} + {costs.knowing:.3g} |"] if not place else []
    return lines


def scaled(c: Counts, w: Work, near: RayCosts, far: RayCosts) -> list[str]:
    """Where it stops paying: nodes of eight workers, chunks of one and of four seconds."""
    lines = [f"| nodes | workers | chunk s | round s | {' | '.join(Far._fields)} | worth |"]
    lines += ["|---|---|---|---|" + "---|" * (len(Far._fields) + 1)]
    for chunk in (1.0, 4.0):
        for nodes in (1, 2, 4, 8, 16, 32, 64, 128):
            cost = far_round(c, w, mixed(near, far, nodes), nodes, 8, chunk)
            shares = " | ".join(f"{part / cost.all:.0%}" for part in cost)
            paid = nodes * 8 * chunk / cost.all
            lines.append(f"| {nodes} | {nodes * 8} | {chunk:g} | {cost.all:.2f} | {shares} | {paid:.0f} workers |")
    return lines


def measured(near: RayCosts, far: RayCosts) -> list[str]:
    """Rounds on simulated nodes of this machine, and the model's, which was made without them."""
    lines = ["| workers | nodes | histories | | worker | shard | journal | driver | Ray itself | all | round |"]
    lines += ["|---|---|---|---|---|---|---|---|---|---|---|"]
    for workers, nodes in POINTS:
        c, w, first = apart(with_short_rounds, workers, nodes)
        found, costs = apart(on_ray, workers, nodes, first), mixed(near, far, nodes)
        thought = modelled(c, w, costs, found.wall)
        ends = [f"{found.wall:.2f}"]
        ends += [
            f"{seconds_of(c, w, costs, 1 << 20):.3f}; on {cores()} processors {seconds_of(c, w, costs, cores()):.3f}"
        ]
        for who, cost, end in (("measured", found.costs, ends[0]), ("model", thought, ends[1])):
            cells = " | ".join(f"{x * 1e3:.1f}" for x in (*cost, cost.total(c)))
            lines.append(f"| {workers} | {nodes} | {c.histories:,.0f} | {who} | {cells} | {end} |")
            print(lines[-1], flush=True)
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
        some = asked[asked.index("held") + 1 :] if asked[0] == "held" else []
        text += ["## With rounds as they are", "", *held(*map(int, some[:1]), *some[1:]), ""]
    if "parts" in asked or "ray" in asked:
        near, far = apart(on_an_idle_ray, 2)
    if "parts" in asked:
        counts, work, _ = apart(with_long_rounds)
        text += ["## What a round costs", "", *parts(counts, work, near, far)]
        text += ["", "## How far", "", *scaled(counts, work, near, far), ""]
    if "ray" in asked:
        text += ["## On Ray", "", *measured(near, far), ""]
    print("\n".join(text))
    if not sys.argv[1:]:
        OUT.write_text("\n".join(text))


if __name__ == "__main__":
    main()
