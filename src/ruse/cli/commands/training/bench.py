"""`ruse bench`: how fast this machine solves."""

from typing import Annotated

import typer

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
    from ruse.training.engines.speed import measure_speed

    if not seconds > 0:
        raise RuseError(f"--seconds must be above 0, got {seconds}")
    rows = []
    for name in NAMES:
        with working(f"solving {name}"):
            rows.append(measure_speed(name, seconds))
    if as_json:
        print_json(rows)
        return
    cells = [[r["game"], f"{r['infosets']:,}", f"{r['leaves']:,}", f"{r['iterations_per_second']:,.0f}"] for r in rows]
    headers = ["game", "infosets", "leaves", "iterations/s"]
    print_table(headers, cells, right=headers[1:])
    print("`make bench` compares with other solvers.")
