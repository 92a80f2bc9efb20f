"""Spots of Hold'em to 0.1 % of the pot: seconds, set-up and memory, beside what postflop-solver took elsewhere.

`python benchmarks/spots.py` prints a table and writes docs/benchmarks/spots.md; `--quick` writes nothing and leaves the
flop out. Seconds are the processor's, kernels compiled before, exploitability checks counted, the best of several.

The rule was chosen on the first three spots. Two more, on which nothing was chosen, are solved with it and with two
rules that everybody knows.
"""

import argparse
import sys
import time
from typing import Any, NamedTuple

import core
import numpy as np

from ruse.catalog.names import game, preset
from ruse.games.holdem.spots.rules import USUAL, SpotGame
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.looks import Look, run_to
from ruse.spots.solving import engine_of

TARGET, MOST = 0.001, 2000  # of the pot; iterations
OTHERS = ("dcfr", "cfr_plus")
FEW = 20  # iterations that are timed for threads
FREE = 1.8  # processors that two threads have had, if no other work was there
FRESH = {
    "a fresh river": "holdem: board Ks 9d 4c 7h 2s, pot 40, stack 170, oop 99-22, A2s+, KTs+, QTs+, JTs, T9s, 98s, "
    "87s, 76s, ATo+, KJo+, ip TT:0.5, 88, 66-33, A2s-A9s, AJs+, K8s+, QTs+, J9s+, T8s+, 97s+, 86s+, AQo+, KQo, "
    "KJo:0.5, bets 33% 75% 150%, raises 50% all-in",
    "a fresh turn": "holdem: board Ah 7d 4s Tc, pot 30, stack 135, oop JJ-22, A2s-AJs, KTs+, QTs+, J9s+, T9s, 98s, "
    "87s, 76s, 65s, AJo-A9o, KQo, ip 88-22:0.75, QQ:0.5, ATs+, A5s-A2s, KJs+, QJs, JTs, T8s+, 97s+, 86s+, 75s+, 64s+, "
    "AJo+, KQo:0.5, bets 40% 110%, raises 60% all-in",
}


class Known(NamedTuple):
    """A spot of the benchmark: what postflop-solver took on a machine of this kind, and what must be."""

    seconds: float
    iterations: int
    megabytes: float
    faster: float  # how many times as fast it must be
    set_up: float | None
    value: float | None  # in position, above half of the pot
    rounds: int


KNOWN = {
    "river": Known(0.0158, 210, 0.26, 2.0, 0.1, 4.911, 30),
    "turn": Known(7.0, 320, 24.2, 1.5, 0.5, 6.02, 3),
    "flop": Known(38.9, 165, 235.0, 1.0, None, None, 1),
}
LARGER = 1.3  # than its memory on the turn


class Solved(NamedTuple):
    """One spot, solved."""

    seconds: float
    set_up: float
    looks: list[Look]
    engine: RangeEngine
    game: SpotGame

    @property
    def iterations(self) -> int:
        return self.looks[-1].iteration

    @property
    def megabytes(self) -> float:
        return self.engine.plan.bytes(np.float32) / 1e6


def spot(name: str) -> SpotGame:
    made: Any = game(FRESH.get(name) or str(core.OUT.parents[1] / "examples" / "spots" / f"{name}.toml"))
    return made  # type: ignore[no-any-return]


def solved(made: SpotGame, rule: str, rounds: int) -> Solved:
    """The quickest of several, after an iteration that compiles."""
    solver = preset(rule)
    warm = engine_of(made, solver)
    warm.run(0, 1)
    warm.gap()
    best = None
    for _ in range(rounds):
        began = time.process_time()
        engine = engine_of(made, solver)
        ready = time.process_time()
        looks = list(run_to(engine, TARGET * made.stake, MOST))
        took = time.process_time() - ready
        if best is None or took < best.seconds:
            best = Solved(took, ready - began, looks, engine, made)
    assert best is not None
    return best


def threads(made: SpotGame, rounds: int) -> tuple[float, float, bool]:
    """How many times the work of one thread two do, how many times as soon they are done, and whether that tells
    anything: a machine with other work does not have two processors for it.
    """
    engines = [engine_of(made, preset(USUAL["rule"]), threads=count) for count in (1, 2)]
    busy, wall = [float("inf")] * 2, [float("inf")] * 2
    for _ in range(rounds + 1):
        for k, engine in enumerate(engines):
            began = time.process_time(), time.perf_counter()
            engine.run(0, FEW)
            busy[k] = min(busy[k], time.process_time() - began[0])
            wall[k] = min(wall[k], time.perf_counter() - began[1])
    return busy[1] / busy[0], wall[0] / wall[1], busy[1] / wall[1] > FREE


def measure(names: list[str]) -> tuple[list[list[str]], list[str]]:
    """The lines of the table, and which promises were not kept."""
    lines, failed = [], []

    def add(what: str, value: str, must: str = "", kept: bool = True) -> None:
        lines.append([what, value, must, ("yes" if kept else "NO") if must else ""])
        print(f"  {what}: {value}", file=sys.stderr)
        if not kept:
            failed.append(what)

    for name in names:
        known, found = KNOWN[name], solved(spot(name), USUAL["rule"], KNOWN[name].rounds)
        ratio = known.seconds / found.seconds
        took = f"{told(found.seconds)}, {found.iterations} iterations"
        add(name, took)
        add(f"{name}: postflop-solver", f"{told(known.seconds)}, {known.iterations} iterations")
        add(f"{name}: times as fast", f"{ratio:.1f}x", f"{known.faster:g}x", ratio >= known.faster)
        must = f"{known.set_up:g} s" if known.set_up else ""
        add(f"{name}: set-up", told(found.set_up), must, not known.set_up or found.set_up <= known.set_up)
        limit = LARGER * known.megabytes if name == "turn" else None
        must = f"{limit:.1f} MB" if limit else ""
        add(f"{name}: memory", f"{found.megabytes:.2f} MB (postflop-solver {known.megabytes:g})", must,
            limit is None or found.megabytes <= limit)  # fmt: skip
        value = found.engine.exploitability().values[1]
        must = f"{known.value:g}" if known.value else ""
        add(f"{name}: worth in position, above half of the pot", f"{value:.3f}", must,
            known.value is None or abs(value - known.value) < TARGET * found.game.stake)  # fmt: skip
    busy, wall, is_free = threads(spot("turn"), 10)
    add("turn, two threads: work of both / work of one", f"{busy:.2f}x, at best {2 / busy:.2f} times as fast")
    add("turn, two threads: times as fast by the clock", f"{wall:.2f}x" if is_free else "the machine had other work")
    for name in FRESH:
        for rule in (USUAL["rule"], *OTHERS):
            found = solved(spot(name), rule, 3 if "river" in name else 1)
            add(f"{name}, {rule}", f"{told(found.seconds)}, {found.iterations} iterations, set-up {told(found.set_up)}")
    return lines, failed


def told(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 1.0 else f"{seconds:.2f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="without the flop, nothing written")
    quick = parser.parse_args().quick
    lines, failed = measure([name for name in KNOWN if not (quick and name == "flop")])
    heads = ["", "", "must", "kept"]
    table = "\n".join("| " + " | ".join(line) + " |" for line in (heads, ["---"] * len(heads), *lines))
    about = ", ".join(f"{key} {value}" for key, value in core.machine().items())
    verdict = f"Not kept: {'; '.join(failed)}." if failed else "Every promise is kept."
    text = (
        f"Written by `benchmarks/spots.py`: {about}. To 0.1 % of the pot, one thread, seconds of the processor, "
        "kernels compiled before, checks of exploitability counted. postflop-solver (Rust) ran on such a machine."
    )
    if not quick:
        (core.OUT / "spots.md").write_text(f"# Spots of Hold'em\n\n{text}\n\n{table}\n\n{verdict}\n")
    print(f"{table}\n\n{verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
