"""Work that takes long and is done once: whoever does it tells how far it has come, whoever sits before it listens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from ruse.errors import RuseError
from ruse.words.printable import shown

# Told what is being done, and which share of it is done; or a sentence that should stay, and None.
Tell: TypeAlias = Callable[[str, float | None], None]

_listeners: list[Tell] = []


@contextmanager
def on_long_work(hear: Tell) -> Iterator[None]:
    """Hear of work that takes long while this lasts."""
    _listeners.append(hear)
    try:
        yield
    finally:
        _listeners.remove(hear)


def tell_listeners(what: str, share: float | None) -> None:
    """Tell whoever sits nearest."""
    if _listeners:
        _listeners[-1](what, share)


def told_progress(what: str, share: float | None) -> str:
    """The words for it."""
    return what if share is None else f"{what}, {share:.0%}"


def refuse_uncallable(watch: Any) -> None:
    """Raise if nobody can be told by this how work stands."""
    if watch is not None and not callable(watch):
        raise RuseError(f"watch is a function that is told how it stands, such as watch=print, not {shown(watch)}")
