"""How long kernels take to compile, beside Numba's own way of doing it, and how fast they are afterwards.

`python benchmarks/compiling.py` prints a table and writes docs/benchmarks/compiling.md. Each kernel is compiled in a
process of its own with an empty cache; seconds are of the processor, so that others on the machine count less. What
Numba alone takes minutes for is left out with `--quick`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import core

MUST = 20.0  # seconds
SLOW = {"half deck of Cheat, probing", "half deck of Cheat against three bots, probing"}


def leduc() -> Any:
    import ruse
    from ruse.solve.sampled.engine import SampledEngine

    return SampledEngine(ruse.Leduc(), ruse.mccfr(), seed=3), 300_000


def cheat() -> Any:
    import ruse
    from ruse.solve.sampled.engine import SampledEngine

    return SampledEngine(ruse.Cheat(), ruse.mccfr(walk="chance"), seed=1), 500


def half_deck() -> Any:
    import ruse
    from ruse.games.cheat.sketch import Sketch
    from ruse.papers.best_response_pruning.agents import TRAINING
    from ruse.solve.sampled.engine import SampledEngine

    return SampledEngine(TRAINING, ruse.lcfr(walk="probing"), view=Sketch(), seed=1), 6_000


def three_bots() -> Any:
    import ruse
    from ruse.papers.best_response_pruning.agents import TRAINING, WALK
    from ruse.papers.best_response_pruning.hour import TEACHERS, VIEW
    from ruse.protocol.choices import Own
    from ruse.solve.sampled.engine import SampledEngine

    return SampledEngine(TEACHERS.facing(TRAINING, VIEW), ruse.lcfr(walk=WALK), view=Own(), seed=1), 4_000


class FullWidth:
    """The full-width engine, expansion included, with the face of the sampled one."""

    def __init__(self) -> None:
        self.form: Any = None

    def run(self, done: int, iterations: int) -> None:
        import ruse
        from ruse.solve.full.engine import Tables, iterate
        from ruse.tree.expanded import Expanded

        if self.form is None:
            self.form = Expanded.of(ruse.Leduc()).merged
            self.tables = Tables.start(self.form)
        iterate(ruse.dcfr(), self.form, self.tables, done, iterations, 0)


KERNELS: dict[str, Callable[[], Any]] = {
    "Leduc, full width and expansion (dcfr)": lambda: (FullWidth(), 50_000),
    "Leduc, external sampling": leduc,
    "Cheat-3, chance sampling": cheat,
    "half deck of Cheat, probing": half_deck,
    "half deck of Cheat against three bots, probing": three_bots,
}


def measure_here(name: str, as_numba_does: bool) -> dict[str, float]:
    """Seconds to compile, and iterations a second afterwards, the best of three."""
    if as_numba_does:
        import numba.core.compiler

        import ruse.compile.once as once

        once.CalleePipeline = once.KernelPipeline = numba.core.compiler.Compiler  # type: ignore[misc,assignment]
    engine, iterations = KERNELS[name]()
    began = time.process_time()
    engine.run(0, 1)
    compiled, done, best = time.process_time() - began, 1, 0.0
    for _ in range(3):
        began = time.process_time()
        engine.run(done, iterations)
        best, done = max(best, iterations / (time.process_time() - began)), done + iterations
    return {"seconds": compiled, "rate": best}


def measure(name: str, as_numba_does: bool) -> dict[str, float]:
    """The same in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, __file__, "--one", name, *(["--numba"] if as_numba_does else [])],
            env=os.environ | {"RUSE_CACHE": folder}, stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--one", metavar="KERNEL")
    parser.add_argument("--numba", action="store_true")
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measure_here(asked.one, asked.numba)))
        return 0
    lines, failed = [], []
    for name in KERNELS:
        ours = measure(name, as_numba_does=False)
        theirs = None if asked.quick and name in SLOW else measure(name, as_numba_does=True)
        shown = ["not run"] * 2 if theirs is None else [
            f"{theirs['seconds']:.1f} s ({theirs['seconds'] / ours['seconds']:.1f}x)",
            f"{theirs['rate']:,.0f} ({ours['rate'] / theirs['rate']:.2f}x)",
        ]  # fmt: skip
        lines.append([name, f"{ours['seconds']:.1f} s", shown[0], f"{ours['rate']:,.0f}", shown[1], f"{MUST:g} s"])
        print(f"  {' | '.join(lines[-1])}", file=sys.stderr)
        if ours["seconds"] > MUST:
            failed.append(name)
    heads = ["", "compiling", "as Numba does it", "iterations/s", "as Numba does it", "must"]
    table = "\n".join("| " + " | ".join(line) + " |" for line in (heads, ["---"] * len(heads), *lines))
    verdict = f"Not kept: {'; '.join(failed)}." if failed else "Every promise is kept."
    if not asked.quick:
        about = ", ".join(f"{key} {value}" for key, value in core.machine().items())
        text = f"# Compiling kernels\n\nWritten by `benchmarks/compiling.py`: {about}. Empty cache, CPU seconds.\n\n"
        (core.OUT / "compiling.md").write_text(f"{text}{table}\n\n{verdict}\n")
    print(f"{table}\n\n{verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
