"""`ruse bench`: how fast this machine solves."""

import time
from typing import Annotated, Any

import typer

from ruse.catalog import names as catalog
from ruse.cli.terminal.options import AsJson, number
from ruse.cli.terminal.output import print_json, print_table
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError

NAMES = ("kuhn", "leduc", "liars_dice", "goofspiel")


def bench(
    *,
    seconds: Annotated[float, typer.Option(parser=number, metavar="S", help="Seconds for each game.")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure iterations a second on four games.

    The rule is dcfr with alternating updates, on one core. `make bench` compares with other solvers.

    Example: ruse bench
    """
    if not seconds > 0:
        raise RuseError(f"--seconds must be above 0, got {seconds}")
    rows = []
    for name in NAMES:
        with working(f"solving {name}"):
            rows.append(measure(name, seconds))
    if as_json:
        print_json(rows)
        return
    cells = [[r["game"], f"{r['infosets']:,}", f"{r['leaves']:,}", f"{r['iterations_per_second']:,.0f}"] for r in rows]
    headers = ["game", "infosets", "leaves", "iterations/s"]
    print_table(headers, cells, right=headers[1:])
    print("`make bench` compares with other solvers.")


def measure(name: str, seconds: float) -> dict[str, Any]:
    """Iterations a second, without compiling, expanding and checks."""
    from ruse.solve.full.engine import Tables, iterate
    from ruse.tree.expanded import Expanded

    expanded, solver = Expanded.of(catalog.game(name)), catalog.preset("dcfr")
    form = expanded.merged
    tables = Tables.start(form)
    done, chunk, took = 0, 1, 0.0
    iterate(solver, form, Tables.start(form), 0, 1, 0)  # so that compiling is not counted
    while took < seconds:
        began = time.perf_counter()
        iterate(solver, form, tables, done, chunk, 0)
        took += time.perf_counter() - began
        done, chunk = done + chunk, 2 * chunk if took < seconds / 4 else chunk
    return {
        "game": name, "rule": "dcfr", "infosets": len(expanded.form.parent), "leaves": int(expanded.size.leaves),
        "iterations": done, "seconds": took, "iterations_per_second": done / took,
    }  # fmt: skip
