"""Pieces of work that do not know of each other, and what is heard of them while they are done.

    for heard in Processes(4).spread(train_run, ["runs/a", "runs/b", "runs/c"]):
        print(heard.at_work, [answer.result for answer in heard.answers])

A place is whatever has `spread`: `InTurn` and `Threads` (here.py) do the work in this process, and it may be any
function; `Processes` (processes.py) and `Cluster` (cluster.py) do it in others, so the work is a function of a module,
and pieces and results are plain data, as JSON has it. All say the same of the same pieces, in whatever order they come.
Whoever leaves the loop stops the work.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from ruse.errors import RuseError


class Answer(NamedTuple):
    """What a piece came to."""

    piece: int  # its number
    result: Any = None
    trouble: str | None = None  # one sentence, if it came to nothing


class Hearing(NamedTuple):
    """What is heard of the pieces, a few times a second."""

    answers: tuple[Answer, ...]  # since the last time
    at_work: tuple[int, ...]  # pieces that are being worked on
    lost: tuple[str, ...] = ()  # what has befallen workers since the last time; their pieces are begun again


class Spreading(Protocol):
    """A place where pieces of work are done."""

    def spread(self, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Hearing]: ...


class ManyJobs(Spreading, Protocol):
    """One that can be asked for so many at once."""

    @property
    def at_once(self) -> int: ...

    def ready(self, count: int | None, threads: int = 1) -> "ManyJobs":
        """The same for so many at once, or for as many as there is room for; raises if it cannot be used."""


def results_of(place: Spreading, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Any]:
    """The results in the order of the pieces, each as soon as it and all before it are there; the first piece that
    comes to nothing is raised in its turn.
    """
    found: dict[int, Answer] = {}
    due = 0
    for hearing in place.spread(work, pieces):
        found |= {answer.piece: answer for answer in hearing.answers}
        while due in found:
            answer = found.pop(due)
            if answer.trouble is not None:
                raise RuseError(answer.trouble)
            yield answer.result
            due += 1


# ---- work by name, for other processes -------------------------------------------------------------------------------


def import_name(work: Callable[[Any], Any]) -> str:
    """What another process finds the same function by.

    >>> import_name(import_name)
    'ruse.spread.pieces:import_name'
    """
    module, name = getattr(work, "__module__", None), getattr(work, "__qualname__", None)
    if module in (None, "__main__") or name is None or "." in name or getattr(import_module(module), name) is not work:
        shown = name or repr(work)
        raise RuseError(f"other processes cannot find {shown}: give a function of a module, or spread it over threads")
    return f"{module}:{name}"


def work_named(name: str) -> Callable[[Any], Any]:
    module, _, function = name.partition(":")
    found: Callable[[Any], Any] = getattr(import_module(module), function)
    return found


# ---- stopping what is at work ----------------------------------------------------------------------------------------

_stops: list[Callable[[], None]] = []
_are_unwanted: list[bool] = []


@contextmanager
def heeding(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop`, from another thread, if nobody wants this piece any more: it may save what it has."""
    _stops.append(stop)
    try:
        if _are_unwanted:
            stop()
        yield
    finally:
        _stops.remove(stop)


def stop_all() -> None:
    """Nobody wants what is at work in this process any more, nor what would follow."""
    _are_unwanted.append(True)
    for stop in tuple(_stops):
        stop()
