"""When to look how good the strategy is: a look costs most of an iteration, and one too late costs iterations.

Exploitability falls about as a power of the iterations, so the last two looks tell when the target will be reached.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ruse.solve.ranges.engine import RangeEngine

FIRST = 20  # iterations before the first look
SHORT = 0.95  # of the way to where the target is expected: a look too early costs less than one too late
LEAST, MOST = 0.04, 1.0  # of the iterations so far, until the next look


class Look(NamedTuple):
    """How good the strategy was."""

    iteration: int
    gap: float  # exploitability, in the units of the payoffs


def next_look(looks: Sequence[Look], target: float) -> int:
    """The iteration after which to look next.

    >>> next_look([], 0.1), next_look([Look(20, 4.0)], 0.1), next_look([Look(20, 4.0), Look(40, 1.0)], 0.1)
    (20, 40, 80)
    """
    if not looks:
        return FIRST
    last = looks[-1]
    expected = math.inf
    if len(looks) > 1 and target > 0.0 and last.gap > 0.0:
        before = looks[-2]
        slope = math.log(before.gap / last.gap) / math.log(last.iteration / before.iteration)
        # A slope that flattens out or turns is taken for that of a slow rule.
        expected = last.iteration * (last.gap / target) ** (1.0 / max(slope, 0.5)) * SHORT
    steps = min(max(expected - last.iteration, LEAST * last.iteration, 1.0), max(MOST * last.iteration, 1.0))
    return last.iteration + math.ceil(steps)


def run_to(engine: RangeEngine, target: float, most: int, *, looks: Sequence[Look] = ()) -> Iterator[Look]:
    """Run an engine until its exploitability is at most the target, or so many iterations are done; tell each look.

    To go on with an engine that was run before, give the looks at it.
    """
    seen = list(looks)
    while not (seen and (seen[-1].gap <= target or seen[-1].iteration >= most)):
        done = seen[-1].iteration if seen else 0
        there = min(next_look(seen, target), most)
        engine.run(done, there - done)
        seen.append(Look(there, engine.gap()))
        yield seen[-1]
