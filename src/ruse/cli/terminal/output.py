"""What commands print: tables for people, JSON for programs."""

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from ruse.catalog.titles import title_of
from ruse.errors import RuseError
from ruse.protocol.game import Game, declared
from ruse.protocol.view import Full, View
from ruse.store.records import plain
from ruse.words.printable import beneath, printable


def print_json(value: Any) -> None:
    """One line of JSON; numbers that are not finite become null, which every reader knows."""
    print(json.dumps(plain(value, finite=True), ensure_ascii=False))


def print_table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[str] = ()) -> None:
    """Aligned columns. On a terminal the last one is folded between its entries; what is in the others, names above
    all, is never broken, so that it can be copied.
    """
    table = [[clean(cell) for cell in row] for row in (headers, *rows)]
    widths = widths_of(table)
    room = None if (columns := terminal_columns()) is None else columns - sum(widths[:-1]) - len(GAP) * len(widths[:-1])
    for number, row in enumerate(table):
        cells = [padded(cell, widths[k], right=headers[k] in right) for k, cell in enumerate(row[:-1])]
        last = folded(row[-1], room)
        if len(last) == 1:
            last = [padded(row[-1], widths[-1], right=headers[-1] in right)]
        lines = [GAP.join([*cells, last[0]]).rstrip()]
        lines += [" " * (sum(widths[:-1]) + len(GAP) * len(cells)) + more for more in last[1:]]
        for line in lines:
            (print_bold if number == 0 else print)(line)


GAP, NARROWEST = "  ", 16  # between columns; characters of a column that is worth folding


def widths_of(table: Sequence[Sequence[str]]) -> list[int]:
    """What the columns of a table take, in characters of a terminal."""
    from rich.cells import cell_len

    return [max(map(cell_len, column)) for column in zip(*table, strict=True)]


def fits(table: Sequence[Sequence[str]]) -> bool:
    """Whether the lines of a table are no longer than those of the terminal, if there is one."""
    columns, widths = terminal_columns(), widths_of(table)
    return columns is None or sum(widths) + len(GAP) * (len(widths) - 1) <= columns


def padded(cell: str, width: int, *, right: bool) -> str:
    from rich.cells import cell_len

    rest = " " * (width - cell_len(cell))
    return rest + cell if right else cell + rest


def folded(cell: str, room: int | None) -> list[str]:
    """A cell in lines that fit, broken only where two spaces part its entries."""
    lines = [""]
    for entry in cell.split(GAP):
        if room is not None and room >= NARROWEST and lines[-1] and len(lines[-1]) + len(GAP) + len(entry) > room:
            lines.append("")
        lines[-1] += GAP * bool(lines[-1]) + entry
    return lines if len(lines) > 1 else [cell]


def terminal_columns() -> int | None:
    """How wide the terminal is; None if what is printed does not go to one, and may be as wide as it takes."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def clean(cell: str) -> str:
    """A cell on one line, with the spaces that part its entries, and nothing that steers a terminal."""
    return printable(" ".join(cell.splitlines()))


def print_bold(line: str) -> None:
    """Print a line so that it stands out, on a terminal that can do so."""
    if not is_coloured():
        print(line)
    else:
        print(f"\033[1m{printable(line)}\033[0m", file=beneath(sys.stdout))


def is_coloured() -> bool:
    """Whether stdout is a terminal that shows colours, to somebody who wants them."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and "NO_COLOR" not in os.environ


def called(game: Game) -> str:
    """What people call this game."""
    return title_of(game)


def print_forgetting(game: Game) -> None:
    """What best responses are in a game whose players forget; of others nothing."""
    if not declared(game, "perfect_recall", True):
        print("players forget in this game, and best responses remember: nobody could gain more than that")


READABLE = 1e12  # from here on nobody counts digits


def signed(value: float, digits: int = 6) -> str:
    """A payoff with its sign, and no minus before what rounds to zero."""
    return f"{value:+z.{digits}f}" if abs(value) < READABLE else f"{value:+z.6g}"


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
    refuse_unwritable(path, path.parent)
    return path


def writable_folder(path: Path | None) -> Path | None:
    """The path, if it is a folder to write to, or one can be made there: told before the work, too."""
    if path is None:
        return None
    if path.exists() and not path.is_dir():
        raise RuseError(f"--out must name a folder, and {path} is a file")
    refuse_unwritable(path, next(folder for folder in (path, *path.absolute().parents) if folder.exists()))
    return path


def refuse_unwritable(path: Path, folder: Path) -> None:
    """Raise if nothing can be made in a folder. Only trying tells: not all that may be written can be."""
    if not os.access(folder, os.W_OK | os.X_OK):
        raise RuseError(f"cannot write {path}: no permission to make a file in {folder}")
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".ruse-", dir=folder))
    except OSError as error:
        raise RuseError(f"cannot write {path}: nothing can be made in {folder} ({error.strerror})") from error
