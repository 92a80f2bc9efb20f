"""An engine run from mark to mark, for those who look at it in ways of their own: experiments and searches.

for mark in run_to(engine, (10, 100, 1_000)): ...
"""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol


class Runs(Protocol):
    """All that is asked of an engine here; those under the faces have it too."""

    def run(self, done: int, iterations: int) -> None: ...


class Mark(NamedTuple):
    """Where an engine was stopped to be looked at."""

    iteration: int
    seconds: float  # of iterations so far; looks are not counted


def run_to(
    engine: Runs, marks: Iterable[int], done: int = 0, *, clock: Callable[[], float] = time.perf_counter
) -> Iterator[Mark]:
    """Run an engine on to each of these iterations in turn, after those that are done.

    With time.thread_time for a clock it is the processor's time, which others on the machine do not lengthen.
    """
    seconds = 0.0
    for mark in marks:
        began = clock()
        engine.run(done, mark - done)
        seconds += clock() - began
        done = mark
        yield Mark(done, seconds)
