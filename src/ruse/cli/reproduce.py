"""`ruse reproduce`: a paper's tables and figures, ours beside theirs."""

import json
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruse.cli.options import AsJson, Seed
from ruse.cli.output import print_json
from ruse.cli.progress import working
from ruse.errors import RuseError

if TYPE_CHECKING:
    from ruse.experiments.lab import Row

PAPERS = {
    "000": ("ruse.experiments.ordered_abstraction", "Ordered Abstraction for Cheat"),
    "001": ("ruse.experiments.preference_cfr", "Preference-CFR"),
    "002": ("ruse.experiments.best_response_pruning", "Improve CFR for Cheat"),
}


def reproduce(
    paper: Annotated[
        str, typer.Argument(metavar="PAPER", help="000: Ordered Abstraction; 001: Preference-CFR; 002: CFR for Cheat.")
    ],
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer games and seeds, smaller games.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep the rows and the figures there.")] = None,
    only: Annotated[str | None, typer.Option(metavar="PART", help='One part, as "figure 1".')] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Run a paper's experiments and compare.

    Every row says what the paper has, what was measured, what is accepted, and whether it is so.

    Example: ruse reproduce 000 --quick --out figures
    """
    from ruse.experiments.lab import Lab

    if paper not in PAPERS:
        raise RuseError(f"unknown paper {paper!r}; there is {', '.join(f'{k} ({v[1]})' for k, v in PAPERS.items())}")
    if out is not None and out.exists() and not out.is_dir():
        raise RuseError(f"--out must name a folder, and {out} is a file")
    experiments = import_module(PAPERS[paper][0])
    parts, asked_for = experiments.PARTS, getattr(experiments, "ONLY_IF_ASKED", ())
    if only is not None and only not in parts:
        raise RuseError(f"unknown part {only!r}; there are {', '.join(parts)}")
    rows: list[Row] = []
    for name, run in parts.items():
        if only not in (None, name) or (only is None and name in asked_for):
            continue
        began = time.perf_counter()
        with working(f"{name}") as tell:
            found = run(Lab(out=out, quick=quick, seed=seed, tell=tell))
        rows += found
        if not as_json:
            print(f"{name} ({time.perf_counter() - began:.0f} s)")
            for row in found:
                print(f"  {row}")
    if out is not None:
        keep(rows, out)
    if as_json:
        print_json([row._asdict() for row in rows])
    elif out is not None:
        print(f"figures, rows.json and rows.md: {out}")
    if any(row.ok is False for row in rows):
        raise typer.Exit(1)


def keep(rows: "list[Row]", out: Path) -> None:
    """The comparison as JSON, and as a table for a page."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "rows.json").write_text(json.dumps([row._asdict() for row in rows], indent=1, ensure_ascii=False) + "\n")
    lines = [["", "paper", "ours", "accepted", ""], ["---"] * 5]
    lines += [[row.name, row.theirs, row.ours, row.band, {True: "yes", False: "NO", None: ""}[row.ok]] for row in rows]
    (out / "rows.md").write_text("\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n")
