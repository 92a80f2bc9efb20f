"""result.json: what a run came to. It names a checksum of itself, as lists and tables of sweeps show its numbers."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ruse.errors import FileTrouble
from ruse.store import tensors
from ruse.store.checksums import is_as_written, with_digest
from ruse.store.records import parsed, plain


def write_result(path: Path, result: Mapping[str, Any]) -> None:
    """Write it whole or not at all; numbers that are not finite become null."""
    content = {
        "format": tensors.format_name("result", 1),
        "finished": datetime.now(UTC).isoformat(),
        "result": plain(result, finite=True),
    }
    kept = json.loads(json.dumps(content))  # as a reader has it: keys are texts
    with tensors.replacing(path) as file:
        file.write(json.dumps(with_digest(kept), indent=1).encode() + b"\n")


def read_result(path: Path) -> dict[str, Any]:
    """What was written; raises for what is damaged."""
    with tensors.explaining("read", path):
        content = parsed(path.read_bytes())
    match content:
        case {"format": found, "result": dict(result)}:
            tensors.check_format(found, "result", newest=1, path=path)
            if is_as_written(content):
                return result
            what = "does not have the checksum that it names"
        case _:
            what = "holds no result"
    raise FileTrouble(f"{path} is damaged: it {what}; delete it, and `ruse resume {path.parent}` makes it anew")
