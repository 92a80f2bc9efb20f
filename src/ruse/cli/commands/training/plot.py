"""`ruse plot`: the curves of runs, side by side, in the terminal or as a picture."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ruse.catalog.titles import how_far
from ruse.cli.terminal.options import RUNS, AsJson, Runs
from ruse.cli.terminal.output import print_json, terminal_columns, writable
from ruse.errors import RuseError

RUN = "A run: its folder, name, a part of it, or last; as many as you like."
PLOTTED = ("iterations", "seconds")
WIDEST, MARGIN = 120, 8  # columns of a chart, and of its axis


def plot(
    names: Annotated[list[str], typer.Argument(metavar="RUN...", help=RUN)],
    *,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="A picture: .png, .svg or .pdf.")] = None,
    across: Annotated[str, typer.Option(metavar="WHAT", help="iterations or seconds.")] = "iterations",
    runs: Runs = RUNS,
    as_json: AsJson = False,
) -> None:
    """Draw how exploitability fell in one run or several.

    It is drawn in the terminal, on logarithmic axes; --out makes a picture of it. A run that goes on may be drawn.

    Example: ruse plot last --out curve.png
    """
    from ruse.store.runs import find

    if across not in PLOTTED:
        raise RuseError(f"--across must be {' or '.join(PLOTTED)}, got {across!r}")
    out = writable(out)
    found = {run.path: run for run in (find(runs, name) for name in names)}
    labels = labels_of(found)
    curves = {labels[path]: points(run.metrics()) for path, run in found.items()}
    if as_json:
        print_json({name: [dict(zip((*PLOTTED, "exploitability"), row, strict=True)) for row in curve]
                    for name, curve in curves.items()})  # fmt: skip
        return
    if not any(curves.values()):
        raise RuseError(f"{', '.join(curves)}: nothing was measured yet, or the game is too large to be judged")
    if out is not None:
        from ruse.training.progress import draw_runs

        draw_runs(curves, title="", across=across).save(out)
        print(f"wrote {out}")
        return
    from ruse.charts.curves import text_chart

    column = PLOTTED.index(across)
    lines = {name: [(row[column], row[2]) for row in curve] for name, curve in curves.items()}
    print(text_chart(lines, width=min(terminal_columns() or 80, WIDEST) - MARGIN - 1, across=across))


def points(rows: list[dict[str, Any]]) -> list[tuple[int, float, float]]:
    """What was measured: iteration, seconds and exploitability; nothing where that is not known."""
    known = [row for row in rows if row.get("exploitability") is not None and "seconds" in row]
    return [(row["iteration"], row["seconds"], row["exploitability"]) for row in known]


def labels_of(found: dict[Path, Any]) -> dict[Path, str]:
    """What to call the runs in a legend: game and rule, or their names where that is not enough."""
    short = {
        path: f"{run.game}{how_far(run.settings)} {run.settings.get('rule', '')}".strip() for path, run in found.items()
    }
    is_clear = len(set(short.values())) == len(short)
    return short if is_clear else {path: f"{run.name}{how_far(run.settings)}" for path, run in found.items()}
