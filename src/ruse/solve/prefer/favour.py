"""How a preference changes the choice at an infoset: Preference-CFR's rules as parts (Ju 2025, equations 13 to 16).

A form adds regret and fills the strategy like a minimizer, with the infoset's deltas beside it. The price beta has been
taken from every regret before: B = R - beta * (reach of the others, summed up), so that what is positive is what is
regretted by more than the style may cost.

| form | plays | if no B is positive |
|---|---|---|
| `Weighted` | in proportion to delta * B+ (eq. 13), B as the solver's rule has it | in proportion to delta - 1 |
| `Best` | the action of highest delta * B (eq. 14) or, with power 0, B (eq. 16) | the same, or the most preferred |
| `Times` | in proportion to delta * what the solver's own rule plays | |

`Weighted` keeps the rule's own regret bound, slowed down by at most sqrt(delta); `Best` is fictitious play, which has
none against every opponent.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.solve.solver.prefer import Prefer
from ruse.solve.solver.rules import Minimizer, Row, Weights, add_regret, match_regret, positive_regret
from ruse.solve.solver.traits import minimizer_traits


class Form(Protocol):
    """How a preferred infoset is played; its deltas are delta[d], delta[d + 1], ..."""

    def match_preferred(
        self, regret: Row, value: Row, expected: float, sigma: Row, first: int, last: int, weights: Weights,
        delta: Row, d: int,
    ) -> None:  # fmt: skip
        """As a minimizer's `match`."""

    def play_preferred(self, regret: Row, first: int, count: int, sigma: Row, at: int, delta: Row, d: int) -> None:
        """As a minimizer's `play`."""


@compiled_function
def share_out(sigma, at, count, total, delta, d):
    """Divide sigma[at : at + count] by its total; in proportion to delta - 1 if there is none, uniform if all are 1."""
    if total > 0.0:
        for a in range(count):
            sigma[at + a] /= total
        return
    wishes = 0.0
    for a in range(count):
        wishes += delta[d + a] - 1.0
    for a in range(count):
        sigma[at + a] = (delta[d + a] - 1.0) / wishes if wishes > 0.0 else 1.0 / count


@compiled("times")
class Deltas(NamedTuple):
    """An action counts as many times as its delta says."""

    delta: Row
    d: int

    def times(self, a):
        return self.delta[self.d + a]


@compiled("match_preferred", "play_preferred")
class Weighted(NamedTuple):
    """Regret matching in proportion to delta times positive regret, with the rule's own prediction."""

    prediction: float = 0.0

    def match_preferred(self, regret, value, expected, sigma, first, last, weights, delta, d):
        wishes = Deltas(delta, d)
        total = match_regret(regret, value, expected, sigma, first, last, weights, self.prediction, wishes)
        share_out(sigma, np.int64(first), np.int64(last) - np.int64(first), total, delta, d)

    def play_preferred(self, regret, first, count, sigma, at, delta, d):
        total = positive_regret(regret, first, count, sigma, at, Deltas(delta, d))
        share_out(sigma, at, count, total, delta, d)


@compiled("fall_back")
class Shares(NamedTuple):
    """Without positive regret, play in proportion to delta - 1 (equations 13 and 16)."""

    nothing: int = 0

    def fall_back(self, sigma, at, count, delta, d):
        share_out(sigma, at, count, 0.0, delta, d)


@compiled("fall_back")
class Most(NamedTuple):
    """Without positive regret, play the most preferred action (the authors' code for Leduc)."""

    nothing: int = 0

    def fall_back(self, sigma, at, count, delta, d):
        best = 0
        for a in range(count):
            sigma[at + a] = 0.0
            if delta[d + a] > delta[d + best]:
                best = a
        sigma[at + best] = 1.0


@compiled("match_preferred", "play_preferred")
class Best(NamedTuple):
    """The one action of highest delta^power * B, the first among equals; the fallback if no B is positive."""

    power: float = 1.0  # 1: equation 14 and the authors' code; 0: equation 16 as it is printed
    fallback: Any = Shares()

    def match_preferred(self, regret, value, expected, sigma, first, last, weights, delta, d):
        at, count = np.int64(first), np.int64(last) - np.int64(first)
        for a in range(count):
            regret[at + a] = add_regret(regret[at + a], value[at + a] - expected, weights)
        self.play_preferred(regret, at, count, sigma, at, delta, d)

    def play_preferred(self, regret, first, count, sigma, at, delta, d):
        best, highest = 0, 0.0
        for a in range(count):
            sigma[at + a] = 0.0
            wish = delta[d + a] ** self.power * regret[first + a]
            if wish > highest:
                best, highest = a, wish
        sigma[at + best] = 1.0
        if highest == 0.0:
            self.fallback.fall_back(sigma, at, count, delta, d)


@compiled("match_preferred", "play_preferred")
class Times(NamedTuple):
    """In proportion to delta times what another minimizer plays: for Hedge, a prior in favour of the action."""

    minimizer: Any

    def match_preferred(self, regret, value, expected, sigma, first, last, weights, delta, d):
        self.minimizer.match(regret, value, expected, sigma, first, last, weights)
        at, count, total = np.int64(first), np.int64(last) - np.int64(first), 0.0
        for a in range(count):
            sigma[at + a] *= delta[d + a]
            total += sigma[at + a]
        share_out(sigma, at, count, total, delta, d)

    def play_preferred(self, regret, first, count, sigma, at, delta, d):
        self.minimizer.play(regret, first, count, sigma, at)
        total = 0.0
        for a in range(count):
            sigma[at + a] *= delta[d + a]
            total += sigma[at + a]
        share_out(sigma, at, count, total, delta, d)


FORMS: dict[str, Callable[[Any], Form]] = {
    "weighted": lambda minimizer: Weighted(minimizer.prediction),
    "best": lambda minimizer: Best(),
    "times": Times,
}


def form_of(prefer: Prefer, minimizer: Minimizer) -> Form:
    """The form that was asked for, or that goes with the solver's minimizer."""
    return FORMS[minimizer_traits(minimizer).form](minimizer) if prefer.form is None else prefer.form
