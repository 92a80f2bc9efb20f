"""Values as JSON and TOML keep them, and whether what comes back is of the kind that it must be."""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np


def plain(value: Any, *, finite: bool = False, drop_none: bool = False) -> Any:
    """The same value made of what text formats know; with `finite`, None for numbers that are not."""
    if isinstance(value, Mapping):
        pairs: Iterable[tuple[Any, Any]] = value.items()
        kept = ((key, item) for key, item in pairs if not (drop_none and item is None))
        return {str(key): plain(item, finite=finite, drop_none=drop_none) for key, item in kept}
    if isinstance(value, list | tuple):
        return [plain(item, finite=finite, drop_none=drop_none) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Path):
        return str(value)
    if finite and isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def is_whole(value: Any) -> bool:
    """Whether it is a whole number, which True and False are not."""
    return type(value) is int


def is_count(value: Any) -> bool:
    """Whether it is a whole number from 0 on that a 64-bit word can hold."""
    return is_whole(value) and 0 <= value < 1 << 63


def is_number(value: Any) -> bool:
    """Whether it is a number, and no larger than a float can be; None stands for one that is not finite."""
    return value is None or type(value) is float or (is_whole(value) and abs(value) < 1 << 1000)


def is_finite(value: Any) -> bool:
    """Whether it is a number that one can count with."""
    return value is not None and is_number(value) and math.isfinite(value)


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def misfit(table: Mapping[str, Any], kinds: Mapping[str, Callable[[Any], bool]]) -> str | None:
    """The name of an entry that is there and not of its kind; None if there is no such."""
    return next((name for name, is_kind in kinds.items() if name in table and not is_kind(table[name])), None)


def parsed(text: bytes) -> Any:
    """The value of a JSON text, None if it is none."""
    try:
        return json.loads(text.decode())
    except (ValueError, RecursionError):
        return None
