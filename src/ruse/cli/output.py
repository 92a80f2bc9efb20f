"""What commands print: tables for people, JSON for programs."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ruse.catalog import spec_of
from ruse.errors import RuseError
from ruse.game import Game
from ruse.printable import beneath, one_line
from ruse.records import plain
from ruse.view import Full, View


def print_json(value: Any) -> None:
    """One line of JSON; numbers that are not finite become null, which every reader knows."""
    print(json.dumps(plain(value, finite=True), ensure_ascii=False))


def print_table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[str] = ()) -> None:
    """Aligned columns; folded to the width of a terminal, and as wide as it takes where there is none."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    is_terminal = sys.stdout.isatty()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for header in headers:
        table.add_column(header, justify="right" if header in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    console = Console(file=beneath(sys.stdout), width=None if is_terminal else 100_000, highlight=False)
    if is_terminal:
        console.print(table)
        return
    with console.capture() as text:
        console.print(table)
    print("\n".join(line.rstrip() for line in text.get().splitlines()))


def called(game: Game) -> str:
    """What a person would type to get this game."""
    return spec_of(game) or repr(game)


def signed(value: float) -> str:
    """A payoff with its sign, and no minus before what rounds to zero."""
    return f"{round(value, 6) + 0.0:+.6f}"


def view_name(view: View) -> str:
    """What a person would type to get this view."""
    return "full" if isinstance(view, Full) else repr(view)


def mix_of(actions: Sequence[str], shares: Sequence[float]) -> str:
    """A mixed choice on one line, without the actions that are hardly ever played."""
    return "  ".join(f"{a} {p:.3f}" for a, p in zip(actions, shares, strict=True) if p >= 0.0005)


def first_of(rows: Sequence[Any], limit: int) -> Sequence[Any]:
    """At most `limit` rows; all of them if it is 0."""
    if limit < 0:
        raise RuseError(f"--limit must be at least 0 (0 shows all), got {limit}")
    return rows[:limit] if limit else rows


def print_rest(shown: int, of: int) -> None:
    """Say what was left out."""
    if shown < of:
        print(f"… and {of - shown:,} more (--limit 0 shows all)")


def writable(path: Path | None) -> Path | None:
    """The path, if a file can be written there: better told before the work than after it."""
    if path is None:
        return None
    if path.exists() and not path.is_file():
        raise RuseError(f"--out must name a file, and {path} is not one")
    if not path.parent.is_dir():
        raise RuseError(f"cannot write {path}: there is no folder {path.parent}; make it first")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise RuseError(f"cannot write {path}: no permission to make a file in {path.parent}")
    return path
