"""Hybrid pruning, as it is asked for: Best-Response Pruning under external sampling (`reviews.py` does it)."""

import math
from typing import Any, NamedTuple

from ruse.compile import compiled
from ruse.protocol.game import Game
from ruse.protocol.view import View
from ruse.solve.hybrid.reviews import PRUNED, Reviewer
from ruse.solve.solver.pruning import grown, lasts
from ruse.solve.solver.traits import PruningTraits


@compiled("spent")
class Arrivals(NamedTuple):
    """The most that an action may gain each time that somebody arrives; `arrived` is how often that was so far."""

    nothing: int = 0

    def spent(self, arrived, value, highest, lowest, most):
        return arrived * (highest - lowest)


@compiled("visits_all", "spares", "skips", "rarity", "counts", "next_review", "is_worth")
class Hybrid(NamedTuple):
    """Best-Response Pruning under external sampling, by estimates and without a guarantee.

    The first review is after so many iterations, the next ones as in `RegretBased`. An action stays pruned until the
    next review, but it is hardly ever worth the most that it could be, so its allowance need only last for `patience`
    of that time. It is estimated by sums over sampled visits, of which `certainty` times the standard error is taken
    off.
    """

    length: Any = Arrivals()
    first: int = 10_000
    growth: float = 1.3
    patience: float = 0.3
    certainty: float = 2.0

    @property
    def traits(self) -> PruningTraits:
        return PruningTraits(samples=True, reviews=True)

    def reviewer(self, game: Game, view: View, minimizer: Any, memory: int | None) -> Reviewer:
        """What stops the walk for a look at the whole game; its `minimizer` plays nothing that is pruned."""
        return Reviewer(game, view, self, minimizer, memory)

    def visits_all(self, u):
        return False

    def spares(self, game, s):
        return False

    def skips(self, regret):
        return regret <= PRUNED

    def rarity(self):
        return 1.0

    def counts(self, rows, first, count):
        return 1.0 + rows[first + 2 * count]  # solve/hybrid/average.py writes it there; a new row has 0

    def next_review(self, t):
        return grown(t, self.growth)

    def is_worth(self, allowance, spending, t):
        return lasts(allowance, spending, t, self.patience * (grown(t, self.growth) - t))

    @property
    def floor(self) -> float:
        return -math.inf

    def __str__(self) -> str:
        return "hybrid"
