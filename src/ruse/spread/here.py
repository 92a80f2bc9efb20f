"""Pieces of work in this process: one after the other, or side by side in threads.

Kernels run without the interpreter's lock, so threads do for whatever spends its time in them, and the work may be any
function. What a piece raises is raised here, as if there were no place between.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.spread.pieces import Answer, Hearing
from ruse.words.counts import is_whole_in

PACE = 0.25  # seconds between two hearings, at most
MOST = 4096  # at once


def cores() -> int:
    """How many processes or threads this one may keep at work at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def refuse_count(count: Any) -> None:
    if not is_whole_in(count, 1, MOST + 1):
        raise RuseError(f"jobs at once must be a number from 1 to {MOST}, got {count!r}")


class InTurn(NamedTuple):
    """One after the other."""

    def spread(self, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Hearing]:
        for number, piece in enumerate(pieces):
            yield Hearing((Answer(number, work(piece)),), ())


class Threads(NamedTuple):
    """So many at once."""

    most: int = 0  # 0: as many as there are cores

    def spread(self, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Hearing]:
        refuse_count(self.most or 1)
        pool = ThreadPoolExecutor(self.most or cores())
        try:
            open_ = {pool.submit(work, piece): number for number, piece in enumerate(pieces)}
            while open_:
                done, _ = wait(open_, timeout=PACE, return_when=FIRST_COMPLETED)
                answers = tuple(Answer(open_[future], future.result()) for future in done)
                open_ = {future: number for future, number in open_.items() if future not in done}
                yield Hearing(answers, tuple(number for future, number in open_.items() if future.running()))
        finally:  # those that are begun go on to their end
            pool.shutdown(cancel_futures=True)
