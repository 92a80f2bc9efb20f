"""Tables that name a checksum of themselves: a digit that has changed is damage, and no other number.

What earlier versions wrote names none, and is taken as it is.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from typing import Any

from ruse.store.records import parsed
from ruse.store.tensors import SEAL, is_nearly_a_seal

LINE = "crc32"  # of a line, which is written often: eight letters are enough to see a flipped bit


def digest_of(table: Mapping[str, Any]) -> str:
    """The SHA-256 of a table as JSON keeps it, however it is laid out."""
    return hashlib.sha256(_canonical(table)).hexdigest()


def with_digest(table: Mapping[str, Any]) -> dict[str, Any]:
    return {**table, SEAL: digest_of(table)}


def is_as_written(table: Mapping[str, Any]) -> bool:
    """Whether a table has the checksum that it names, or names none."""
    if any(is_nearly_a_seal(str(name)) for name in table):
        return False
    rest = {name: value for name, value in table.items() if name != SEAL}
    return SEAL not in table or table[SEAL] == digest_of(rest)


def line_of(row: Mapping[str, Any]) -> bytes:
    """A row as a line of JSON, with its checksum."""
    return json.dumps({**row, LINE: _short(row)}).encode() + b"\n"


def row_in(line: bytes) -> dict[str, Any] | None:
    """The row that a line holds, without its checksum; None if it holds none, or not what was written."""
    row = parsed(line)
    if not isinstance(row, dict):
        return None
    promised = row.pop(LINE, None)
    return row if promised is None or promised == _short(row) else None


def _short(row: Mapping[str, Any]) -> str:
    return f"{zlib.crc32(_canonical(row)):08x}"


def _canonical(table: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(table, sort_keys=True).encode()
    except RecursionError:  # nothing that we write is so deep
        return b""
