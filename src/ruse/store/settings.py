"""Of which kind each value is that a `run.toml` has under its settings."""

from collections.abc import Callable
from typing import Any

from ruse.store.records import is_count, is_number, is_text, is_whole


def is_list_of(is_kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(is_kind, value))


def is_yes_or_no(value: Any) -> bool:
    return isinstance(value, bool)


SETTINGS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("game", "game_repr", "rule", "solver", "view", "start", "until"), is_text),
    **dict.fromkeys(("against_repr", "on", "horizon"), is_text),
    **dict.fromkeys(("iterations", "memory"), is_count),
    "threads": lambda value: is_count(value) and value < 1 << 16,
    **dict.fromkeys(("target", "seconds"), is_number),
    **dict.fromkeys(("merging", "shared", "debug_keys"), is_yes_or_no),
    **dict.fromkeys(("against", "prefer"), is_list_of(is_text)),
    "seed": lambda value: is_whole(value) and abs(value) < 1 << 64,  # files of before have some beyond 63 bits
    "shares": is_list_of(is_number),
}
