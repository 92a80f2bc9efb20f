"""Average-strategy sampling: external sampling that explores the traverser's actions in proportion to the average.

Gibson et al. 2012. Action a is explored with probability max(epsilon, (beta + tau s(a)) / (beta + sum of s)), where s
is the row of the average, and its value is divided by that probability.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ruse.compile import compiled
from ruse.solve.sampled import iterations
from ruse.solve.sampled.external import Traversal
from ruse.solve.solver.threshold import Never, Skipping
from ruse.solve.solver.traits import WalkTraits


@compiled("probability")
class AverageStrategy(NamedTuple):
    """Explore what has been played, and everything now and then."""

    epsilon: float = 0.05
    tau: float = 1000.0
    beta: float = 1e6

    def probability(self, average, first, count, a):
        total = 0.0
        for k in range(first, first + count):
            total += average[k]
        share = (self.beta + self.tau * average[first + a]) / (self.beta + total)
        return min(1.0, max(self.epsilon, share))


class AverageSampling(NamedTuple):
    """External sampling that explores one's own actions in proportion to the average."""

    exploring: AverageStrategy = AverageStrategy(0.1, 10.0, 10.0)  # made for games of some thousand infosets
    pruning: Skipping = Never()

    @property
    def traits(self) -> WalkTraits:
        return WalkTraits(skips=True, width=math.inf)  # nothing has an average yet, so all is explored

    def kernel(self) -> tuple[Callable[..., int], Any]:
        return iterations.run, Traversal(self.exploring)

    def __str__(self) -> str:
        return "average"
