"""What a folder holds of a paper's experiments: the parts that are done, so that the others can be gone on with."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ruse.papers.lab import Row
from ruse.store.records import is_text, parsed


def is_row(row: dict[str, Any]) -> bool:
    """Whether a row of a file is one: texts, and whether it was accepted."""
    names = ("name", "theirs", "ours", "band")
    return set(row) == {*names, "ok"} and all(is_text(row[name]) for name in names) and row["ok"] in (True, False, None)


class Book:
    """What a folder holds of a paper: the rows of each part that is done, and all of them as one table."""

    def __init__(self, out: Path | None, paper: str, *, seed: int, quick: bool) -> None:
        self.out, self.of = out, {"paper": paper, "seed": seed, "quick": quick}

    def read(self, part: str) -> list[Row] | None:
        """The rows of a part; None if it was not done for this paper and seed."""
        if self.out is None or not (path := self.out / "parts" / f"{part}.json").is_file():
            return None
        kept = parsed(path.read_bytes())
        if not isinstance(kept, dict) or any(kept.get(key) != value for key, value in self.of.items()):
            return None
        rows = kept.get("rows")
        if not isinstance(rows, list) or not all(isinstance(row, dict) and is_row(row) for row in rows):
            return None
        return [Row(**row) for row in rows]

    def write(self, part: str, rows: list[Row]) -> None:
        if self.out is not None:
            folder = self.out / "parts"
            folder.mkdir(parents=True, exist_ok=True)
            kept = self.of | {"rows": [row._asdict() for row in rows]}
            (draft := folder / f"{part}.draft").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
            draft.replace(folder / f"{part}.json")  # all of it, or nothing

    def sum_up(self, parts: Iterable[str]) -> None:
        """The rows of all parts that are there, as JSON, and as a table for a page."""
        if self.out is None:
            return
        rows = [row for part in parts for row in self.read(part) or []]
        told = json.dumps([row._asdict() for row in rows], indent=1, ensure_ascii=False)
        (self.out / "rows.json").write_text(told + "\n")
        lines = [["", "paper", "ours", "accepted", ""], ["---"] * 5]
        lines += [
            [row.name, row.theirs, row.ours, row.band, {True: "yes", False: "NO", None: ""}[row.ok]] for row in rows
        ]
        (self.out / "rows.md").write_text("\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n")
