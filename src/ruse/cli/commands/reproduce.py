"""`ruse reproduce`: a paper's tables and figures, ours beside theirs."""

import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruse.cli.terminal.options import AsJson, Seed
from ruse.cli.terminal.output import print_json, writable_folder
from ruse.cli.terminal.progress import working
from ruse.cli.terminal.signals import INTERRUPTED
from ruse.errors import RuseError

if TYPE_CHECKING:
    from ruse.papers.lab import Row

PAPERS = {
    "000": ("ruse.papers.ordered_abstraction", "Ordered Abstraction for Cheat"),
    "001": ("ruse.papers.preference_cfr", "Preference-CFR"),
    "002": ("ruse.papers.best_response_pruning", "Improve CFR for Cheat"),
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
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what --out holds of the same seed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a paper's experiments and compare.

    Every row says what the paper has, what was measured, what is accepted, and whether it is so. With --out, parts that
    are done are kept: after Ctrl-C, or a crash, --resume goes on with the others.

    Example: ruse reproduce 000 --quick --out figures
    """
    from ruse.papers.book import Book
    from ruse.papers.lab import Lab

    if paper not in PAPERS:
        raise RuseError(f"unknown paper {paper!r}; there is {', '.join(f'{k} ({v[1]})' for k, v in PAPERS.items())}")
    out = writable_folder(out)
    experiments = import_module(PAPERS[paper][0])
    parts, asked_for = experiments.PARTS, getattr(experiments, "ONLY_IF_ASKED", ())
    if only is not None and only not in parts:
        raise RuseError(f"unknown part {only!r}; there are {', '.join(parts)}")
    if resume and out is None:
        raise RuseError("--resume goes on with what a folder holds; name it, as in --out figures --resume")
    book = Book(out, paper, seed=seed, quick=quick)
    rows: list[Row] = []
    for name, run in parts.items():
        if only not in (None, name) or (only is None and name in asked_for):
            continue
        found, took = book.read(name) if resume else None, "done before"
        if found is None:
            began = time.perf_counter()
            try:
                with working(f"{name}") as tell:
                    found = run(Lab(out=out, quick=quick, seed=seed, tell=tell, resumed=resume))
            except KeyboardInterrupt:
                again = f"; --out {out} --resume goes on" if out is not None else ""
                print(f"stopped in {name!r}{again}", file=sys.stderr)
                raise typer.Exit(INTERRUPTED) from None
            took = f"{time.perf_counter() - began:.0f} s"
            book.write(name, found)
        rows += found
        if not as_json:
            print(f"{name} ({took})")
            for row in found:
                print(f"  {row}")
    book.sum_up(parts)
    if as_json:
        print_json([row._asdict() for row in rows])
    elif out is not None:
        print(f"figures, rows.json and rows.md: {out}")
    if any(row.ok is False for row in rows):
        raise typer.Exit(1)
