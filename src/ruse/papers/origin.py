"""Which run rows and pictures come from: when it began, and by which code. What says the same is of one run."""

import hashlib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ruse.store.records import is_text

FORM = "%Y-%m-%d %H:%M:%S"


class Origin(NamedTuple):
    """One run of `ruse reproduce`; what is done by --resume is of the run that it goes on with."""

    began: str  # UTC
    code: str

    def __str__(self) -> str:
        return f"began {self.began} UTC, code {self.code}"

    @classmethod
    def now(cls) -> "Origin":
        return cls(datetime.now(UTC).strftime(FORM), code())

    @classmethod
    def read(cls, value: Any) -> "Origin | None":
        """As a file has it; None if it is none."""
        if not isinstance(value, dict) or set(value) != set(cls._fields) or not all(map(is_text, value.values())):
            return None
        try:
            datetime.strptime(value["began"], FORM).replace(tzinfo=UTC)
        except ValueError:
            return None
        is_code = len(value["code"]) == len(code()) and set(value["code"]) <= set("0123456789abcdef")
        return cls(**value) if is_code else None


@cache
def code() -> str:
    """A short hash of all of Ruse's source: two runs that have the same were run by the same."""
    root, found = Path(__file__).parents[1], hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        found.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]


def told(runs: dict[Origin, list[str]], seed: int) -> str:
    """One run, or which parts are of which."""
    if len(runs) == 1:
        return f"One run, seed {seed}: {next(iter(runs))}."
    each = "; ".join(f"{origin} ({', '.join(parts)})" for origin, parts in runs.items())
    return f"Rows of {len(runs)} runs, seed {seed}: {each}."
