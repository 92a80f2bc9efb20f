"""What a sampled walk asks about preferences at each decision; by default there are none."""

from typing import NamedTuple, Protocol

from ruse.compile import compiled
from ruse.solve.solver.rules import Minimizer, Row


class Inclination(Protocol):
    """What a walk asks at each decision."""

    def lean(self, minimizer: Minimizer, regret: Row, first: int, count: int, sigma: Row, at: int, key: int) -> None:
        """Fill sigma[at : at + count] for the infoset of this key, whose regret is regret[first : first + count]."""

    def price(self, key: int) -> float:
        """What is taken from the regret of all actions at a visit."""


@compiled("lean", "price")
class Indifferent(NamedTuple):
    """Nothing is preferred."""

    nothing: int = 0

    def lean(self, minimizer, regret, first, count, sigma, at, key):
        minimizer.play(regret, first, count, sigma, at)

    def price(self, key):
        return 0.0
