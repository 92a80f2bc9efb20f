"""ruse beside OpenSpiel's C++ solvers and LiteEFG, in one run on one machine, one thread, warm.

Machines are shared and noisy, so only ratios count: ours and each peer's windows are measured one after the other, and
the best of several is taken for both. `python benchmarks/core.py` prints a table and writes docs/benchmarks/core.json
and core.md; `--quick` measures in shorter windows and writes nothing.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import peers
from rich.console import Console
from rich.table import Table

import ruse
from ruse.evaluate.best_response import exploitability_of
from ruse.solve.full.engine import Tables, average_strategy, iterate
from ruse.tree.expanded import Expanded
from ruse.tree.sequence_form import expand

GAMES = {
    "kuhn": "kuhn",
    "leduc": "leduc",
    "liars4": "liars_dice:sides=4",
    "liars6": "liars_dice:sides=6",
    "goof4": "goofspiel:cards=4",
    "goof5": "goofspiel:cards=5",
}
RULES = ("cfr_plus", "dcfr", "pcfr_plus", "dcfr_plus", "pdcfr_plus")  # those tried for the best time of ours
OUT = Path(__file__).parent.parent / "docs" / "benchmarks"


class Row(NamedTuple):
    """One measure: ours, each peer's, and how many times better ours must be."""

    what: str
    unit: str
    ours: float
    theirs: dict[str, float | None]
    must: dict[str, float]  # by peer
    aim: dict[str, float]
    note: str = ""

    def ratio(self, peer: str) -> float | None:
        other = self.theirs.get(peer)
        if other is None:
            return None
        return self.ours / other if self.unit.endswith("/s") else other / self.ours

    def is_met(self, peer: str) -> bool | None:
        ratio = self.ratio(peer)
        return None if ratio is None or peer not in self.must else ratio >= self.must[peer]


# ---- our side --------------------------------------------------------------------------------------------------------


def rate(game: str, rule: str = "cfr", *, seconds: float) -> float:
    """Iterations a second, the best of five windows that together last about `seconds`."""
    form, solver = Expanded.of(ruse.game(GAMES[game])).merged, ruse.PRESETS[rule]()
    tables = Tables.start(form)
    iterate(solver, form, tables, 0, 1, 0)  # the first call loads the kernel

    def took(count: int, *, best_of: int = 1) -> float:
        return peers.seconds_of(lambda: iterate(solver, form, tables, 1, count, 0), best_of=best_of)

    count = 1
    while took(count) < seconds / 20:
        count *= 2
    count = max(1, round(count * seconds / 5 / took(count)))
    return count / took(count, best_of=5)


def time_to(game: str, rule: str, *, target: float) -> peers.Reached:
    """Seconds of training until exploitability is at most `target`: the best of five, with the peers' looks."""
    form, solver = Expanded.of(ruse.game(GAMES[game])).merged, ruse.PRESETS[rule]()
    results = []
    iterate(solver, form, Tables.start(form), 0, 1, 0)  # the first call loads the kernel
    for _ in range(5):
        tables, done, seconds = Tables.start(form), 0, 0.0
        found = float("inf")
        while found > target:
            more = max(1, done // 20)
            began = time.perf_counter()
            iterate(solver, form, tables, done, more, 0)
            seconds += time.perf_counter() - began
            done += more
            found = float(exploitability_of(form, average_strategy(form, tables)))
        results.append(peers.Reached(seconds, done, found))
    return min(results)


def best_rule(game: str, *, target: float) -> tuple[str, peers.Reached]:
    """Our fastest rule to a target."""
    return min(((rule, time_to(game, rule, target=target)) for rule in RULES), key=lambda pair: pair[1].seconds)


def exploitability_seconds(game: str) -> float:
    """Exact exploitability of an average strategy over the whole form, nothing merged."""
    expanded = Expanded.of(ruse.game(GAMES[game]))
    tables = Tables.start(expanded.merged)
    iterate(ruse.cfr(), expanded.merged, tables, 0, 1, 0)
    sigma = expanded.unmerged(average_strategy(expanded.merged, tables))
    return peers.seconds_of(lambda: exploitability_of(expanded.form, sigma), times=20, best_of=20) / 20


def expand_seconds(game: str) -> float:
    """Measure and expand a game into sequence form, compiled and cached."""
    made = ruse.game(GAMES[game])
    return peers.seconds_of(lambda: expand(made, ruse.Full()), best_of=5)


def first_solve_seconds() -> float:
    """CPU seconds of a fresh process with a warm cache: from the start of Python to the end of a solve."""
    code = "import ruse; ruse.train(ruse.Leduc(), ruse.dcfr(), iterations=1000)"

    def took() -> float:
        before = os.times()
        subprocess.run([sys.executable, "-c", code], check=True)
        after = os.times()
        return after.children_user - before.children_user + after.children_system - before.children_system

    return min(took() for _ in range(4))


def kernels_seconds() -> float:
    """A fresh process with a warm cache: CPU seconds to load a solve's kernels from disk, Numba being imported."""
    code = (
        "import time, ruse; from ruse.compile.kernels import _numba; _numba(); t = time.process_time(); "
        "ruse.train(ruse.Leduc(), ruse.dcfr(), iterations=1); print(time.process_time() - t)"
    )
    runs = (subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True) for _ in range(4))
    return min(float(run.stdout) for run in runs)


# ---- the table -------------------------------------------------------------------------------------------------------


def measure(seconds: float) -> list[Row]:
    """All rows, one after the other."""
    found = peers.available()
    rows = []

    def add(what: str, unit: str, ours: float, theirs: Callable[[peers.Peer], float | None], **promise: Any) -> None:
        values = {peer.name: theirs(peer) for peer in found}
        rows.append(
            Row(what, unit, ours, values, promise.get("must", {}), promise.get("aim", {}), promise.get("note", ""))
        )
        print(f"  {rows[-1].what}: {ours:.4g} {unit}; {values}", file=sys.stderr)

    both = "LiteEFG updates both players at once, half a sweep of ours"
    promises = {
        "leduc": {"must": {"OpenSpiel": 250, "LiteEFG": 35}, "aim": {"OpenSpiel": 1000, "LiteEFG": 150}, "note": both},
        "liars6": {"must": {"OpenSpiel": 80, "LiteEFG": 180}, "aim": {"OpenSpiel": 200, "LiteEFG": 450}, "note": both},
    }
    for game in GAMES:
        ours = rate(game, seconds=seconds)
        add(f"{game}, vanilla CFR", "iterations/s", ours, lambda p, g=game: p.rate(g, seconds=seconds),
            **promises.get(game, {}))  # fmt: skip
    for game, target, must, aim in (
        ("leduc", 1e-3, {"OpenSpiel": 400, "LiteEFG": 70}, {"OpenSpiel": 1500, "LiteEFG": 270}),
        ("liars6", 1e-2, {"OpenSpiel": 230, "LiteEFG": 300}, {"OpenSpiel": 500, "LiteEFG": 700}),
    ):
        rule, reached = best_rule(game, target=target)
        add(f"{game}, to exploitability {target:g}, best rule", "s", reached.seconds,
            lambda p, g=game, x=target: best_of_peer(p, g, x), must=must, aim=aim,
            note=f"ours: {rule}, {reached.iterations} iterations")  # fmt: skip
    exact = exploitability_seconds("leduc")
    add("leduc, exact exploitability", "s", exact, lambda p: p.exploitability_seconds("leduc"),
        must={"OpenSpiel": 400, "LiteEFG": 2})  # fmt: skip
    walk = "OpenSpiel: a walk of its tree in Python"
    add("liars6, expand into leaves", "s", expand_seconds("liars6"),
        lambda p: peers.expand_seconds("liars6") if p is peers.OPENSPIEL else None, note=walk)  # fmt: skip
    add("import and first solve, warm cache", "CPU s", first_solve_seconds(), lambda p: None)
    add("load kernels from disk", "CPU s", kernels_seconds(), lambda p: None)
    return rows


def best_of_peer(peer: peers.Peer, game: str, target: float) -> float | None:
    """A peer's seconds with its best rule."""
    times = []
    for rule in peer.rules:
        if rule == "CFR":
            continue  # never the best, and slow
        # OpenSpiel's exploitability takes seconds; its CFR+ has the same numbers as ours, which tell where to look.
        same = rule == "CFR+" and peer is peers.OPENSPIEL
        start = int(0.9 * time_to(game, "cfr_plus", target=target).iterations) if same else 1
        reached = peer.time_to(game, rule, target=target, limit_seconds=120, look_from=start)
        if reached:
            times.append(reached.seconds)
    return min(times, default=None)


LIMITS = {"liars6, expand into leaves": 0.3, "import and first solve, warm cache": 1.5, "load kernels from disk": 1.0}


def misses(rows: list[Row]) -> list[str]:
    """Every promise that this run has not kept."""
    found = [
        f"{row.what}: {row.ratio(peer):.0f}x {peer}, must be {row.must[peer]:g}x"
        for row in rows for peer in row.must if row.is_met(peer) is False
    ]  # fmt: skip
    return found + [
        f"{row.what}: {row.ours:.2f} s, must be {LIMITS[row.what]} s"
        for row in rows if row.what in LIMITS and row.ours > LIMITS[row.what]
    ]  # fmt: skip


def cells(row: Row) -> list[str]:
    """A row as text."""
    line = [row.what, f"{row.ours:.4g} {row.unit}"]
    for peer in ("OpenSpiel", "LiteEFG"):
        other, ratio = row.theirs.get(peer), row.ratio(peer)
        line.append("" if other is None else f"{other:.4g}")
        line.append("" if ratio is None else f"{ratio:,.0f}x")
        line.append("" if peer not in row.must else f"{row.must[peer]:g}x / {row.aim.get(peer, row.must[peer]):g}x")
    return [*line, row.note]


HEADS = ["", "ruse", "OpenSpiel", "ratio", "must / aim", "LiteEFG", "ratio", "must / aim", "note"]


def machine() -> dict[str, str]:
    """What it ran on."""
    model = platform.processor()
    if Path("/proc/cpuinfo").is_file():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), model)
    versions = {name: version_of(name) for name in ("ruse", "numba", "numpy", "open_spiel", "LiteEFG")}
    return {"cpu": model, "cores": str(os.cpu_count()), "python": platform.python_version(), **versions}


def version_of(package: str) -> str:
    """Not every benchmark needs every peer: one that is missing must not cost what was measured."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def report(rows: list[Row], name: str, title: str, *, writes: bool) -> int:
    """Print the table, write it as JSON and as a page, and tell which promises were not kept."""
    table = Table(*HEADS, title=title)
    for row in rows:
        table.add_row(*cells(row))
    Console(width=200).print(table)
    failed = misses(rows)
    verdict = 'Every "must" is met.' if not failed else "Not met: " + "; ".join(failed) + "."
    if writes:
        OUT.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y-%m-%d", time.gmtime())
        data = [row._asdict() | {"ratios": {peer: row.ratio(peer) for peer in row.theirs}} for row in rows]
        result = {"date": stamp, "machine": machine(), "rows": data}
        (OUT / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n")
        about = ", ".join(f"{key} {value}" for key, value in machine().items())
        lines = ["| " + " | ".join(line) + " |" for line in (HEADS, ["---"] * len(HEADS), *map(cells, rows))]
        text = f"# {title}\n\nWritten by `benchmarks/{name}.py` on {stamp}: {about}. One thread, warm.\n\n"
        (OUT / f"{name}.md").write_text(text + "\n".join(lines) + f"\n\n{verdict}\n")
    print(verdict)
    return 1 if failed else 0


def main() -> int:
    """Measure, print, write; the exit code tells whether every promise was kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="short windows, nothing written")
    quick = parser.parse_args().quick
    return report(measure(0.5 if quick else 3.0), "core", "The core beside its peers", writes=not quick)


if __name__ == "__main__":
    sys.exit(main())
