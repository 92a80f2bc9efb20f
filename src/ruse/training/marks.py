"""An engine run from mark to mark, for those who look at it in ways of their own: experiments and searches.

for mark in run_to(engine, (10, 100, 1_000)): ...
"""

import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol


class Runs(Protocol):
    """All that is asked of an engine here; those under the faces have it too."""

    def run(self, done: int, iterations: int) -> None: ...


class Mark(NamedTuple):
    """Where an engine was stopped to be looked at."""

    iteration: int
    seconds: float  # of iterations so far; looks are not counted


def run_to(engine: Runs, marks: Iterable[int], done: int = 0) -> Iterator[Mark]:
    """Run an engine on to each of these iterations in turn, after those that are done."""
    seconds = 0.0
    for mark in marks:
        began = time.perf_counter()
        engine.run(done, mark - done)
        seconds += time.perf_counter() - began
        done = mark
        yield Mark(done, seconds)
