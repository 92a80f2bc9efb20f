"""Values as JSON and TOML keep them."""

import json
import math
from collections.abc import Iterable, Mapping
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


def parsed(text: bytes) -> Any:
    """The value of a JSON text, None if it is none."""
    try:
        return json.loads(text.decode())
    except (ValueError, RecursionError):
        return None
