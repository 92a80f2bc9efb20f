"""Robust sampling: external sampling that explores k of the traverser's actions, whatever they are worth.

Li et al. 2020, "Double Neural Counterfactual Regret Minimization". There k actions are drawn; here each is explored
with probability k / count by itself, so that k may be any number. It is how much a walk branches at a decision: below 1
it dies out, at 2 the answers to twenty yes-or-no questions are a million lines of play.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ruse.compile import compiled
from ruse.solve.sampled import iterations
from ruse.solve.sampled.external import Traversal
from ruse.solve.solver.threshold import Never, Skipping
from ruse.solve.solver.traits import WalkTraits


@compiled("probability")
class Robust(NamedTuple):
    """Explore k actions on average, or all if there are fewer."""

    k: float = 1.0

    def probability(self, average, first, count, a):
        return min(1.0, self.k / count)


class RobustSampling(NamedTuple):
    """External sampling that explores some of one's own actions, each of a decision with the same probability."""

    exploring: Robust = Robust(1.0)
    pruning: Skipping = Never()

    @property
    def traits(self) -> WalkTraits:
        return WalkTraits(skips=True, width=self.exploring.k, branches=self.exploring.k > 1.0)

    def kernel(self) -> tuple[Callable[..., int], Any]:
        return iterations.run, Traversal(self.exploring)

    def __str__(self) -> str:
        return "robust"
