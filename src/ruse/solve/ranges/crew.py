"""Passes in several threads: stretches of steps run side by side, and what they bring up is added in order.

The stretches are the same for any number of threads, and so is the order, so the result has the same bits.
"""

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.compile import lanes_kernel
from ruse.solve.ranges.passes.iterations import stretch
from ruse.solve.ranges.passes.one_pass import Field, Work
from ruse.solve.ranges.plans.plan import RangePlan

Array = NDArray[Any]


class Crew:
    """Threads with scratch memory of their own, for the passes of one plan."""

    def __init__(self, plan: RangePlan, field: Field, works: list[Work], total: Array) -> None:
        self.plan, self.field, self.works, self.total = plan, field, works, total
        self.brought = np.zeros((len(plan.cuts) - 3, *total.shape), total.dtype)  # [stretch] what it has brought up
        self.pool = ThreadPoolExecutor(len(works) - 1)  # who asks for a pass works, too

    def whole_pass(self, weights: Array, player: int, down: Any, up: Any) -> None:
        """As `iterations.whole_pass`."""
        stretches, last = itertools.count(1), len(self.brought)
        task = (self.field, weights, self.plan.cuts, self.total, player, down, up)
        self._stretch(0, self.works[0], task)
        helping = [self.pool.submit(self._some, stretches, own, task) for own in self.works[1:]]
        self._some(stretches, self.works[0], task)
        for done in helping:
            done.result()
        self.total[:] = 0.0
        for brought in self.brought:
            self.total += brought
        self._stretch(last + 1, self.works[0], task)

    def _some(self, stretches: Iterator[int], own: Work, task: Any) -> None:
        """Run the next stretch that no other thread has taken, until there is none."""
        gates = len(self.total)
        own.gate_reach[1:gates] = self.works[0].gate_reach[1:gates]  # opened in the first stretch
        while (c := next(stretches)) <= len(self.brought):
            self._stretch(c, own, task)
            self.brought[c - 1, 1:] = own.gate_value[1:gates]

    def _stretch(self, c: int, own: Work, task: Any) -> None:
        field, weights, cuts, total, player, down, up = task
        one_stretch(field, own, weights, cuts, c, total, player, down, up)


@lanes_kernel
def one_stretch(field, work, weights, cuts, c, total, player, down, up):
    stretch(field, work, weights, cuts, c, total, player, down, up)
