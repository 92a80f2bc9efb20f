"""What a folder keeps of a paper's experiments, and the tables of its page. All of it comes from the same rows."""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.papers import origin
from ruse.papers.evidence import AFTER, BEFORE, OF_KIND, Evidence, Kind, Verdict, counted
from ruse.papers.origin import Origin
from ruse.store.records import is_count, is_number, is_text, misfit, parsed

COUNT = ("<!-- count: written by `ruse reproduce` -->", "<!-- end of count -->")  # a page's marks: what goes between
ROWS = ("<!-- rows: written by `ruse reproduce` -->", "<!-- end of rows -->")
TITLES = {Kind.CLAIM: "Claims of the paper", Kind.CHECK: "Our own checks", Kind.BEYOND: "Beyond the paper"}


def evidence_from(row: Any) -> Evidence | None:
    """A row as a file has it; None if it is none."""
    if not isinstance(row, dict) or set(row) != set(Evidence._fields):
        return None
    if misfit(row, FIELDS) is not None or row["verdict"] not in OF_KIND[Kind(row["kind"])]:
        return None
    if row["margin_set"] not in (("",) if row["kind"] == Kind.BEYOND else (BEFORE, AFTER)):
        return None
    ends = row["interval"]
    if ends is not None and row["seeds"] is None:
        return None  # of how many?
    interval = None if ends is None else (float(ends[0]), float(ends[1]))
    return Evidence(**{**row, "kind": Kind(row["kind"]), "verdict": Verdict(row["verdict"]), "interval": interval})


def is_line(value: Any) -> bool:
    """Whether it is a text that a row of a table can hold, and nothing but text where the table is shown."""
    return is_text(value) and value.isprintable() and "<" not in value.replace(" < ", " ")


def is_interval(value: Any) -> bool:
    """Whether it is none, or two finite numbers in their order."""
    if value is None:
        return True
    is_pair = isinstance(value, list) and len(value) == 2 and all(x is not None and is_number(x) for x in value)
    return is_pair and all(isfinite(x) for x in value) and value[0] <= value[1]


FIELDS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("name", "theirs", "ours", "margin"), is_line),
    "kind": lambda value: value in list(Kind),
    "verdict": is_text,
    "margin_set": is_text,
    "interval": is_interval,
    "seeds": lambda value: value is None or (is_count(value) and value > 0),
}


class KeptPart(NamedTuple):
    """What is kept of a part: its rows, the run that they are of, and its pictures and strategies."""

    rows: list[Evidence]
    origin: Origin
    files: dict[str, str]  # written for people, and the hash of each


class Summary(NamedTuple):
    """All rows of a folder, and which run they are of, in words."""

    rows: list[Evidence]
    runs: str


class Book:
    """What a folder holds of a paper: the rows of each part that is done, and all of them as tables."""

    def __init__(self, out: Path | None, paper: str, *, seed: int, quick: bool) -> None:
        self.out, self.seed, self.of = out, seed, {"paper": paper, "seed": seed, "quick": quick}
        self.origin = Origin.now()
        self._files: list[Path] = []

    def keep(self, path: Path) -> None:
        """Remember a file of the part that is being done."""
        self._files.append(path)

    def resume(self, parts: Iterable[str]) -> None:
        """Go on with the last run of the same code that the folder holds, if there is one."""
        runs = [kept.origin for kept in map(self.kept, parts) if kept and kept.origin.code == self.origin.code]
        self.origin = max(runs, default=self.origin)

    def read(self, part: str) -> list[Evidence] | None:
        """The rows of a part; None if it was not done for this paper and seed, or its files are not as it left them."""
        kept = self.kept(part)
        return kept.rows if kept and all(self.is_as_written(*file) for file in kept.files.items()) else None

    def is_as_written(self, name: str, hashed: str) -> bool:
        """Whether a file of a part is there as it was."""
        assert self.out is not None
        path = self.out / name
        return ".." not in path.parts and path.is_file() and hash_of(path) == hashed

    def kept(self, part: str) -> KeptPart | None:
        """What a part's file holds."""
        if self.out is None or not (path := self.out / "parts" / f"{part}.json").is_file():
            return None
        kept = parsed(path.read_bytes())
        if not isinstance(kept, dict) or any(
            kept.get(key) != value or type(kept[key]) is not type(value) for key, value in self.of.items()
        ):
            return None
        rows, run, files = kept.get("rows"), Origin.read(kept.get("run")), kept.get("files", {})
        if (
            not isinstance(rows, list)
            or run is None
            or not isinstance(files, dict)
            or not all(map(is_text, files.values()))
        ):
            return None
        found = [evidence_from(row) for row in rows]
        return KeptPart([row for row in found if row is not None], run, files) if None not in found else None

    def write(self, part: str, rows: Sequence[Evidence]) -> None:
        if self.out is not None:
            folder = self.out / "parts"
            folder.mkdir(parents=True, exist_ok=True)
            files = {path.relative_to(self.out).as_posix(): hash_of(path) for path in self._files}
            kept = self.of | {"run": self.origin._asdict(), "files": files, "rows": [row.as_dict() for row in rows]}
            self._files = []
            (draft := folder / f"{part}.draft").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
            draft.replace(folder / f"{part}.json")  # all of it, or nothing

    def sum_up(self, parts: Iterable[str]) -> Summary:
        """The rows of all parts that are there, as JSON, and as tables for a page; and the runs that they are of."""
        if self.out is None:
            return Summary([], "")
        rows, runs, counts = list[Evidence](), dict[Origin, list[str]](), dict[str, int]()
        for part in parts:
            if kept := self.kept(part):
                rows += kept.rows
                counts[part] = len(kept.rows)
                runs.setdefault(kept.origin, []).append(part)
        told = origin.told(runs, self.seed)
        whole = self.of | {
            "told": told,
            "runs": [{**run._asdict(), "parts": own} for run, own in runs.items()],
            "counted": counted(rows), "digest": digest(rows), "parts": counts, "rows": [row.as_dict() for row in rows],
        }  # fmt: skip
        (self.out / "rows.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
        (self.out / "rows.md").write_text(tables(rows))
        return Summary(rows, told)


def hash_of(path: Path) -> str:
    """A short hash of what a file holds."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def digest(rows: Iterable[Evidence]) -> str:
    """A short hash of rows: whoever puts in one of another run has another."""
    return hashlib.sha256(json.dumps([row.as_dict() for row in rows]).encode()).hexdigest()[:16]


def rows_in(path: Path) -> list[Evidence]:
    """The rows of a `rows.json`."""
    kept = parsed(path.read_bytes())
    rows = kept.get("rows") if isinstance(kept, dict) else None
    found = [evidence_from(row) for row in rows] if isinstance(rows, list) else [None]
    if None in found:
        raise RuseError(f"{path} has no rows of evidence; `ruse reproduce` writes them anew")
    return [row for row in found if row is not None]


def parts_in(path: Path) -> list[str]:
    """Of which part each row of a `rows.json` is; nothing if the file does not say."""
    kept = parsed(path.read_bytes())
    counts = kept.get("parts") if isinstance(kept, dict) else None
    if not isinstance(kept, dict) or not isinstance(counts, dict) or not all(map(is_count, counts.values())):
        return []
    found = [part for part, count in counts.items() for _ in range(min(count, 10_000))]
    return found if len(found) == len(kept.get("rows", ())) else []


def tables(rows: Sequence[Evidence]) -> str:
    """The count of verdicts, and one table for each kind of row."""
    lines = [counted(rows)]
    for kind, title in TITLES.items():
        own = [row for row in rows if row.kind == kind]
        if own:
            lines += ["", f"### {title}", "", *table(kind, own)]
    return "\n".join(lines) + "\n"


def table(kind: Kind, rows: Sequence[Evidence]) -> list[str]:
    if kind is Kind.BEYOND:
        cells = [["", "paper", "ours"], ["---"] * 3, *([row.name, row.theirs, row.ours] for row in rows)]
    elif kind is Kind.CHECK:
        cells = [["", "ours", "expected", "set", "verdict"], ["---"] * 5]
        cells += [[row.name, row.ours, row.margin, row.margin_set, row.verdict] for row in rows]
    else:
        cells = [["", "paper", "ours", "margin", "set", "verdict"], ["---"] * 6]
        cells += [[row.name, row.theirs, row.ours, row.margin, row.margin_set, f"**{row.verdict}**"] for row in rows]
    return [f"| {' | '.join(text.replace('|', '/') for text in line)} |" for line in cells]


def with_tables(page: str, rows: Sequence[Evidence], runs: str = "") -> str:
    """A page with its count, what run it is of, and its tables put in anew, each between its two marks."""
    count = f"**{counted(rows)}**" + (f"\n\n{runs}" if runs else "")
    return between(between(page, COUNT, count), ROWS, tables(rows).strip())


def between(page: str, marks: tuple[str, str], text: str) -> str:
    head, begin, rest = page.partition(marks[0])
    _, end, tail = rest.partition(marks[1])
    if not begin or not end:
        raise RuseError(f"the page has no place for its rows: write {marks[0]} and {marks[1]} where they belong")
    return f"{head}{begin}\n\n{text}\n\n{end}{tail}"
