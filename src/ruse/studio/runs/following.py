"""Files that grow by lines: what is new in them since they were last looked at, without reading them anew."""

import os
import threading
from pathlib import Path
from typing import Any

from ruse.store.checksums import row_in
from ruse.store.records import is_count

LONGEST = 1 << 26  # bytes that are read at once


class Tail:
    """The rows of a file of JSON lines. One that was written anew, as when a run goes on, is read anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[dict[str, Any]] = []
        self.generation = 0  # how often it was begun anew
        self._place: tuple[int, int] = (0, 0)  # which file it is, and how far it was read
        self._lock = threading.Lock()

    def look(self) -> list[dict[str, Any]]:
        """All rows that are whole by now."""
        with self._lock:
            try:
                with open(self.path, "rb") as file:
                    found = os.fstat(file.fileno())
                    which, read = self._place
                    if which != found.st_ino or found.st_size < read:
                        self._forget()
                        which, read = found.st_ino, 0
                    file.seek(read)
                    text = file.read(LONGEST)
            except OSError:
                if self.rows:
                    self._forget()
                self._place = (0, 0)
                return self.rows
            end = text.rfind(b"\n") + 1
            self._place = (which, read + end)
            if not end:
                return self.rows
            self.rows = self.rows + [row for line in text[:end].splitlines() if (row := known_row(line)) is not None]
            return self.rows

    def _forget(self) -> None:
        if self.rows:
            self.generation += 1
        self.rows = []


def known_row(line: bytes) -> dict[str, Any] | None:
    """A row; None for what is none, or is damaged."""
    row = row_in(line)
    return row if row is not None and is_count(row.get("iteration")) else None
