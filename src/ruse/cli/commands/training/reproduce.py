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
from ruse.papers.known import PAPERS
from ruse.store.tensors import explaining

if TYPE_CHECKING:
    from ruse.papers.evidence import Evidence


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="000: Ordered Abstraction; 001: Preference-CFR; 002: CFR for Cheat; 003: CFR-p."
        ),
    ],
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer games and seeds, smaller games.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep the rows and the figures there.")] = None,
    only: Annotated[str | None, typer.Option(metavar="PART", help='One part, as "figure 1".')] = None,
    page: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the rows into this page, too.")] = None,
    seed: Seed = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what --out holds of the same seed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a paper's experiments and compare.

    A claim of the paper is reproduced, not reproduced, refuted, or cannot be told; a check of our own holds or is
    broken, which alone is an error. With --out, parts that are done are kept: after Ctrl-C, or a crash, --resume goes
    on with the others.

    Example: ruse reproduce 000 --quick --out figures
    """
    from ruse.papers.evidence import Verdict, counted
    from ruse.papers.lab import Lab
    from ruse.papers.page import Book, with_tables

    if paper not in PAPERS:
        raise RuseError(f"unknown paper {paper!r}; there is {', '.join(f'{k} ({v.title})' for k, v in PAPERS.items())}")
    out = writable_folder(out)
    experiments = import_module(PAPERS[paper].module)
    parts, asked_for = experiments.PARTS, getattr(experiments, "ONLY_IF_ASKED", ())
    if only is not None and only not in parts:
        raise RuseError(f"unknown part {only!r}; there are {', '.join(parts)}")
    if resume and out is None:
        raise RuseError("--resume goes on with what a folder holds; name it, as in --out figures --resume")
    if page is not None and out is None:
        raise RuseError("--page takes its rows from a folder; name it, as in --out figures --page page.md")
    if page is not None:
        with_tables(page_text(page), [])  # raises at once, not after hours
    book = Book(out, paper, seed=seed, quick=quick)
    if resume:
        book.resume(parts)
    rows: list[Evidence] = []
    for name, run in parts.items():
        if only not in (None, name) or (only is None and name in asked_for):
            continue
        found, took = book.read(name) if resume else None, "done before"
        if found is None:
            if resume and book.kept(name):
                print(f"{name}: a file of it is not there, or not as it was, so it is done again", file=sys.stderr)
            began = time.perf_counter()
            try:
                with working(f"{name}") as tell:
                    lab = Lab(out, quick, seed, tell, resumed=resume, run=str(book.origin), keep=book.keep)
                    found = run(lab)
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
    kept = book.sum_up(parts)
    if page is not None:
        new = with_tables(page_text(page), kept.rows, kept.runs)
        with explaining("write", page):
            page.write_text(new, encoding="utf-8")
    if as_json:
        print_json([row.as_dict() for row in rows])
    else:
        print(counted(rows))
        if out is not None:
            print(kept.runs)
            print(f"figures, rows.json and rows.md: {out}")
    if any(row.verdict is Verdict.BROKEN for row in rows):
        raise typer.Exit(1)


def page_text(page: Path) -> str:
    """The page as it is now: it may have been written on while experiments ran."""
    try:
        with explaining("read", page):
            return page.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RuseError(f"{page} is no page: it is not text in UTF-8") from None
