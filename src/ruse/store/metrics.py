"""How a run went: one object of JSON a line, only ever appended to; a line counts once its newline is there, and if it
has the checksum that it names.
"""

import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ruse.errors import FileTrouble
from ruse.store import tensors
from ruse.store.checksums import line_of, row_in
from ruse.store.records import is_count, is_number, misfit, plain

log = logging.getLogger(__name__)

KINDS = {"iteration": is_count, "seconds": is_number, "exploitability": is_number, "measured": is_number}


def append(path: Path, row: Mapping[str, Any]) -> None:
    """Add a line; numbers that are not finite become null, so that every reader of JSON can read it."""
    if not isinstance(row.get("iteration"), int | np.integer):
        raise ValueError(f"a row of metrics needs its iteration, a whole number, got {row.get('iteration')!r}")
    line = line_of(plain(row, finite=True))
    with tensors.explaining("write", path), open(path, "a+b", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(end - 1, 0))
        if file.read(1) not in (b"", b"\n"):  # torn by a process that was killed
            file.seek(0)
            end = file.read().rfind(b"\n") + 1
            file.truncate(end)
        try:
            while line:  # a disk that is nearly full takes a part, and says why only at the next part
                line = line[file.write(line) :]
        except BaseException:
            with suppress(OSError):
                file.truncate(end)
            raise


def read(path: Path) -> list[dict[str, Any]]:
    """All rows, in order; a last line that is not whole yet is left out, and a damaged one with a warning."""
    return [row for _, row in _rows(path, _lines(path))]


def rewind(path: Path, iteration: int) -> None:
    """Forget what was measured after an iteration, and what cannot be read."""
    lines = _lines(path)
    kept = [line for line, row in _rows(path, lines) if row["iteration"] <= iteration]
    if len(kept) < len(lines):
        with tensors.replacing(path) as file:
            file.writelines(line + b"\n" for line in kept)


def _lines(path: Path) -> list[bytes]:
    """All lines that have an end."""
    try:
        with tensors.explaining("read", path):
            return path.read_bytes().split(b"\n")[:-1]
    except FileTrouble as trouble:
        if isinstance(trouble.__cause__, FileNotFoundError):
            return []
        raise


def _rows(path: Path, lines: list[bytes]) -> list[tuple[bytes, dict[str, Any]]]:
    """The lines that are whole, each with what it says."""
    rows, damaged = [], []
    for number, line in enumerate(lines, 1):
        row = row_in(line)
        if row is not None and "iteration" in row and misfit(row, KINDS) is None:
            rows.append((line, row))
        else:
            damaged.append(number)
    if damaged:
        more = f", nor are {len(damaged) - 1} others" if len(damaged) > 1 else ""
        log.warning("%s is damaged: line %s is no row of metrics%s, and is left out", path, damaged[0], more)
    return rows
