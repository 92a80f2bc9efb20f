"""What a game is called in a sentence: as Python writes it, or, on the command line, as people type it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_ways: list[Callable[[Any], str]] = [repr]


def named(game: Any) -> str:
    """The game by name."""
    return _ways[-1](game)


@contextmanager
def naming(way: Callable[[Any], str]) -> Iterator[None]:
    """Call games so for a while."""
    _ways.append(way)
    try:
        yield
    finally:
        _ways.remove(way)
