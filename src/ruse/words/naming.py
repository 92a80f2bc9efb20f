"""What a game is called in a sentence: as Python writes it, or, on the command line, as people type it.

And how a part prints that has got more fields: files name parts as they print.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
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


def printed(part: Any, later: Iterable[str]) -> str:
    """A named tuple as Python writes it, less those of its later fields that are as usual.

    So it prints as it did before there were such fields, and files of then mean the same.
    """
    usual = {name: part._field_defaults[name] for name in later}
    fields = {name: value for name, value in part._asdict().items() if name not in usual or value != usual[name]}
    return f"{type(part).__name__}({', '.join(f'{name}={value!r}' for name, value in fields.items())})"


def distinct(names: Iterable[str]) -> list[str]:
    """The names, each once: where one comes again it is numbered, and no number makes a name that is there already.

    >>> distinct(["x", "x", "x (2)", "y"])
    ['x', 'x (3)', 'x (2)', 'y']
    """
    given = list(names)
    taken, times, found = set(given), Counter[str](), []
    for name in given:
        new, times[name] = name, times[name] + 1
        if times[name] > 1:
            while (new := f"{name} ({times[name]})") in taken:
                times[name] += 1
            taken.add(new)
        found.append(new)
    return found
