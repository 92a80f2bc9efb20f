"""Pruning for sampled walks: actions of very negative regret are mostly not explored (Brown and Sandholm 2019)."""

import math
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled
from ruse.protocol.game import Game, Row
from ruse.solve.solver.traits import PruningTraits


class Skipping(Protocol):
    """Which of the traverser's actions to skip."""

    def visits_all(self, u: float) -> bool:
        """Whether this traversal explores everything, given a random number in [0, 1)."""

    def spares(self, game: Game, s: Row) -> bool:
        """Whether nothing is skipped at the decision s, such as any of the last betting round."""

    def skips(self, regret: float) -> bool: ...

    def rarity(self) -> float:
        """How many traversals there are for one that explores everything."""

    def counts(self, rows: np.ndarray, first: int, count: int) -> float:
        """How much a visit counts in the average of this row: more, if other ways to it are skipped."""

    @property
    def floor(self) -> float:
        """Regret is kept above this."""


@compiled("spares")
class Nowhere(NamedTuple):
    """No decision is spared. A game of several rounds may offer a better one: see `LastRound` of Leduc."""

    nothing: int = 0

    def spares(self, game, s):
        return False


@compiled("visits_all", "spares", "skips", "rarity", "counts")
class Never(NamedTuple):
    """Explore everything."""

    nothing: int = 0

    @property
    def traits(self) -> PruningTraits:
        return PruningTraits(samples=True, leaves_out=False, counts_all=False)

    def visits_all(self, u):
        return True

    def spares(self, game, s):
        return True

    def skips(self, regret):
        return False

    def rarity(self):
        return 1.0

    def counts(self, rows, first, count):
        return 1.0

    @property
    def floor(self) -> float:
        return -math.inf


@compiled("visits_all", "spares", "skips", "rarity", "counts")
class Threshold(NamedTuple):
    """Skip actions whose regret is at most `below`, in all but a share of the traversals.

    Actions that end the game at once are always explored: they cost nothing. So are all actions where the part `exempt`
    spares the decision: Pluribus pruned nothing in the last betting round.

    What the others play after such an action counts 1 / `exploring` times for their average, which is then that of a
    walk that skips nothing; else it would stay close to what was played before the action was first skipped. Regret
    counts once: weighed alike it is noisier, and the result no better.
    """

    below: float = -300.0
    exploring: float = 0.05
    exempt: Any = Nowhere()

    @property
    def traits(self) -> PruningTraits:
        return PruningTraits(samples=True, leaves_out=False, counts_all=False, by_regret=True)

    def visits_all(self, u):
        return u < self.exploring

    def spares(self, game, s):
        return self.exempt.spares(game, s)

    def skips(self, regret):
        return regret <= self.below

    def rarity(self):
        return 1.0 / self.exploring

    def counts(self, rows, first, count):
        return 1.0

    @property
    def floor(self) -> float:
        """Just below the threshold, or an action that has become good would be skipped for too long."""
        return 1.03 * self.below

    def __str__(self) -> str:
        return "threshold"
