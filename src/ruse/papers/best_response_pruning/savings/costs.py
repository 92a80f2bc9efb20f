"""What pruning saves: the processor's time of one thread, both trainings in one sitting; and nodes.

The paper claims time. That fewer nodes are visited is told beside it, and no claim of theirs is judged by it.

The processor's time is not lengthened by what else runs, but by what else fills its cache: a pruned walk jumps, and a
plain one does not. So full-width trainings are timed with a neighbour, too, who does nothing but that.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from ruse.papers.evidence import AFTER, Evidence, Found, Verdict, agreed, at_least, beyond, claim, told
from ruse.training.engines.marks import Runs, run_to

PAPER = "280,000 s and 30,000 s for 100 iterations, 9.3 times"  # half deck, external sampling, one thread
FASTER = 280_000 / 30_000
SPACE = 1.1  # less is no saving of space to speak of
LARGE = 1 << 24  # numbers that a neighbour goes through, 128 MiB: more than a cache holds
NEARLY = 1.5  # a factor within which theirs, one run of each, would be called met


def timed(plain: Callable[[], Runs], pruned: Callable[[], Runs], iterations: int, times: int) -> list[float]:
    """How many times as long the plain training takes, so many times, turn by turn."""
    for made in (plain, pruned):
        made().run(0, 1)  # compiled, so that it is not timed
    return [seconds(plain(), iterations) / seconds(pruned(), iterations) for _ in range(times)]


def seconds(engine: Runs, iterations: int) -> float:
    return next(run_to(engine, (iterations,), clock=time.thread_time)).seconds


@contextmanager
def neighbour() -> Iterator[None]:
    """A thread that goes through a lot of memory all the time, as on a machine that is busy."""
    memory, is_over = np.zeros(LARGE), threading.Event()

    def work() -> None:
        while not is_over.is_set():
            np.add(memory, 1.0, out=memory)  # without the interpreter's lock

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def faster(name: str, factors: Sequence[float]) -> Evidence:
    """Whether a training with pruning takes less time at all, in whatever game. By how much is `as_fast`."""
    found = Found.ratio(factors)
    return claim(
        f"{name}: accelerated at all, seconds without pruning by those with", "BRP does help us accelerate",
        told(found, ".2f", unit=" times"), at_least(1.0, found),
        "above 1, by the whole interval; the processor's time, both in one sitting", found=found,
    )  # fmt: skip


def faster_beside(name: str, alone: Sequence[float], crowded: Sequence[float]) -> Evidence:
    """The same of trainings timed alone and beside a neighbour; nothing can be told where it hangs on that."""
    row, other = faster(name, alone), Found.ratio(crowded)
    verdict = agreed(row.verdict, at_least(1.0, other))
    ours = f"{row.ours}; {told(other, '.2f')} beside a neighbour who fills the cache"
    margin = "above 1, by the whole interval, both ways; the processor's time, whole trainings turn by turn"
    return row._replace(ours=ours, verdict=verdict, margin=margin, margin_set=AFTER)


def as_fast(name: str, factors: Sequence[float]) -> Evidence:
    """Whether it is faster by as much as in the paper: in the paper's game alone, and always by the same margin."""
    found = Found.ratio(factors)
    return claim(
        f"{name}: seconds without pruning by those with", PAPER, told(found, ".2f", unit=" times"),
        by_factor(FASTER, found, NEARLY), f"within a factor of {NEARLY:g}: theirs is one run of each", found=found,
        margin_set=AFTER,
    )  # fmt: skip


def fewer(name: str, factors: Sequence[float], *, exact: bool = False) -> Evidence:
    """Nodes, which do not hang on the machine; exact if they do not hang on chance."""
    found = Found.exactly(factors[0]) if exact else Found.ratio(factors)
    return beyond(f"{name}: nodes without pruning by those with", told(found, ".2f", unit=" times"),
                  theirs="not told by nodes", found=found)  # fmt: skip


def by_factor(paper: float, found: Found, factor: float) -> Verdict:
    """A ratio, give or take a factor: the whole interval within, or the whole of it outside."""
    low, high = paper / factor, paper * factor
    if low <= found.low and found.high <= high:
        return Verdict.REPRODUCED
    return Verdict.NOT_REPRODUCED if found.high < low or found.low > high else Verdict.CANNOT_BE_TOLD
