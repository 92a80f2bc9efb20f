"""Sampled walks of ruse beside OpenSpiel's C++ ones, in one run on one machine, one thread, warm.

`python benchmarks/sampling.py` prints a table and writes docs/benchmarks/sampling.json and sampling.md; `--quick`
measures in shorter windows and writes nothing.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import core
import numpy as np
import peers

import ruse
from ruse.evaluate.exploitability import exploitability
from ruse.solve.sampled.engine import SampledEngine
from ruse.strategy import Strategy

TWO_DICE = "liars_dice(numdice=2,dice_sides=6)"
ROOM = 2_000_000  # infosets that the table of the large game grows to


def openspiel(name: str, walk: str) -> Callable[[], None]:
    """One iteration of OpenSpiel's C++ solver: both players are updated."""
    return solver_of(name, walk).run_iteration


def solver_of(name: str, walk: str) -> object:
    import pyspiel

    game = pyspiel.load_game(name)
    if walk == "external":
        return pyspiel.ExternalSamplingMCCFRSolver(game, 0)
    return pyspiel.OutcomeSamplingMCCFRSolver(game, 0.6, 0)


def rates_of(runs: list[Callable[[int], object]], seconds: float) -> list[float]:
    """Iterations a second of each: the best of five windows, which take turns because the machine's speed changes."""
    counts = []
    for run in runs:
        run(10)
        count = 16
        while peers.seconds_of(lambda run=run, count=count: run(count)) < seconds / 6:  # type: ignore[misc]
            count *= 2
        counts.append(count)
    best = [0.0] * len(runs)
    for _ in range(5):
        for k, (run, count) in enumerate(zip(runs, counts, strict=True)):
            best[k] = max(best[k], count / peers.seconds_of(lambda run=run, count=count: run(count)))  # type: ignore[misc]
    return best


def ours(game: ruse.Game, solver: ruse.Solver) -> tuple[SampledEngine, Callable[[int], object]]:
    """An engine, and how to run it on."""
    engine, done = SampledEngine(game, solver, seed=0), [0]

    def run(iterations: int) -> None:
        engine.run(done[0], iterations)
        done[0] += iterations

    return engine, run


def theirs(name: str, walk: str) -> Callable[[int], object]:
    """OpenSpiel's solver, to be run on by so many iterations."""
    iterate = openspiel(name, walk)

    def run(iterations: int) -> None:
        for _ in range(iterations):
            iterate()

    return run


def grow(infosets: int) -> tuple[SampledEngine, int, float]:
    """External sampling of the large game until its table has so many infosets: engine, iterations, iterations/s."""
    engine, run = ours(ruse.LiarsDice(dice=2), ruse.mccfr("external"))
    began, iterations = time.perf_counter(), 0
    while engine.facts.infosets < infosets:
        run(100)
        iterations += 100
    return engine, iterations, iterations / (time.perf_counter() - began)


def grow_theirs(iterations: int) -> tuple[float, int]:
    """OpenSpiel on the large game: seconds, and by how many bytes the process has grown."""
    before = resident()
    run = theirs(TWO_DICE, "external")
    took = peers.seconds_of(lambda: run(iterations))
    return took, resident() - before


def resident() -> int:
    """Bytes of memory that the process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def touch_memory() -> None:
    """Use some memory and give it back: on a virtual machine the first use of it is slow, whoever's it is."""
    np.ones(200_000_000)


def seconds_to(target: float, run: Callable[[int], object], judge: Callable[[], float], limit: float) -> float | None:
    """Seconds of training until exploitability is at most `target`, looked at after every 10 % more iterations."""
    seconds, done = 0.0, 0
    while seconds < limit:
        more = max(1_000, done // 10)
        began = time.perf_counter()
        run(more)
        seconds += time.perf_counter() - began
        done += more
        if judge() <= target:
            return seconds
    return None


def judge_openspiel(solver: object) -> float:
    import pyspiel

    return float(pyspiel.exploitability(pyspiel.load_game("leduc_poker"), solver.average_policy()))  # type: ignore[attr-defined]


def measure(seconds: float) -> list[core.Row]:
    rows: list[core.Row] = []

    def add(what: str, unit: str, mine: float, other: float | None, must: float, aim: float, note: str = "") -> None:
        rows.append(core.Row(what, unit, mine, {"OpenSpiel": other}, {"OpenSpiel": must}, {"OpenSpiel": aim}, note))
        print(f"  {what}: {mine:.4g} {unit}; OpenSpiel {other}", file=sys.stderr)

    leduc = ruse.Leduc()
    engine, run = ours(leduc, ruse.mccfr("external"))
    mine, other = rates_of([run, theirs("leduc_poker", "external")], seconds)
    note = f"{1e9 / (mine * engine.facts.nodes / max(engine_iterations(engine, run), 1)):.0f} ns a node"
    add("leduc, external sampling", "iterations/s", mine, other, 15, 30, note)
    mine, other = rates_of([ours(leduc, ruse.mccfr("outcome"))[1], theirs("leduc_poker", "outcome")], seconds)
    add("leduc, outcome sampling", "iterations/s", mine, other, 10, 30, "ours has baselines")
    touch_memory()
    mine, infosets, size, iterations = 0.0, 0, 0.0, 0
    for _ in range(3):  # the best of three for both
        engine, iterations, rate = grow(ROOM)
        infosets, size = engine.facts.infosets, engine.facts.bytes
        mine = max(mine, rate)
        del engine
    runs = [grow_theirs(iterations) for _ in range(3)]
    took, grown = min(took for took, _ in runs), max(grown for _, grown in runs)
    add("liars dice 2 x 2, external sampling to 2 M infosets", "iterations/s", mine, iterations / took, 10, 30,
        f"{iterations:,} iterations each, the best of three")  # fmt: skip
    add("the same, bytes for an infoset", "B", size / infosets, grown / infosets, 3, 5,
        "OpenSpiel: growth of the process")  # fmt: skip
    engine, run = ours(leduc, ruse.mccfr("external"))

    def judge() -> float:
        return float(exploitability(leduc, Strategy(leduc, *engine.rows())))

    mine_seconds = seconds_to(0.03, run, judge, 60) or float("nan")
    solver = solver_of("leduc_poker", "external")

    def run_theirs(iterations: int) -> None:
        for _ in range(iterations):
            solver.run_iteration()  # type: ignore[attr-defined]

    theirs_seconds = seconds_to(0.03, run_theirs, lambda: judge_openspiel(solver), 120)
    add("leduc, external sampling to exploitability 0.03", "s", mine_seconds, theirs_seconds, 15, 40)
    return rows


def engine_iterations(engine: SampledEngine, run: Callable[[int], object]) -> float:
    """Iterations that an engine has run, from its nodes: one more thousand tells how many a thousand takes."""
    before = engine.facts.nodes
    run(1_000)
    return 1_000 * engine.facts.nodes / (engine.facts.nodes - before)


def main() -> int:
    """Measure, print, write; the exit code tells whether every promise was kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="short windows, nothing written")
    quick = parser.parse_args().quick
    np.seterr(all="raise")
    return core.report(measure(0.5 if quick else 3.0), "sampling", "Sampled walks beside OpenSpiel", writes=not quick)


if __name__ == "__main__":
    sys.exit(main())
