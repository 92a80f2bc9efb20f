"""Update rules: how regret is weighted over time, and how it becomes a strategy.

A rule of the CFR family is two parts. The *weighting* gives five numbers for iteration t, and the engine does

    regret  <-  max(floor, regret * (positive or negative weight) + this iteration's regret)
    average <-  average * fading + reach * strategy

The *minimizer* adds to a row of regret and turns it into the next strategy. `presets.py` names the combinations. A rule
of your own is one small class with `weights` or `match`.
"""

import math
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.solve.solver.traits import MinimizerTraits

INFINITY = math.inf
LOG_LARGEST = 700.0  # logarithm of what a float can hold, and can still be added to
POSITIVE, NEGATIVE, FLOOR, FADING, AHEAD = range(5)  # what the five weights are

Row: TypeAlias = np.ndarray  # [slot] float64
Weights: TypeAlias = tuple[float, float, float, float, float]


class Weighting(Protocol):
    """Weights of iteration t = 1, 2, ...; `progress` is t divided by the planned iterations, 0 if none are planned."""

    def weights(self, t: int, progress: float) -> Weights:
        """Weight of positive regret, of negative regret, the floor, fading of the average, next positive weight."""


class Minimizer(Protocol):
    """From a row of regret to a strategy."""

    def match(
        self, regret: Row, value: Row, expected: float, sigma: Row, first: int, last: int, weights: Weights
    ) -> None:
        """Add this iteration's regret, value[k] - expected, to regret[first:last], and fill sigma[first:last]."""

    def play(self, regret: Row, first: int, count: int, sigma: Row, at: int) -> None:
        """Fill sigma[at : at + count] with the strategy for regret[first : first + count]. Needed by sampled walks."""


@compiled("weights")
class Discount(NamedTuple):
    """Discounted CFR's family (Brown and Sandholm 2019), with Hyperparameter Schedules (Zhang et al. 2024).

    Positive regret is multiplied by n^alpha / (n^alpha + offset) after n iterations, negative by the same with beta and
    offset 1, the average by ((t-1)/t)^gamma. An exponent of infinity means a weight of 1. The slopes are added to the
    exponents in proportion to progress.
    """

    alpha: float = INFINITY
    beta: float = INFINITY
    gamma: float = 0.0
    floor: float = -INFINITY
    offset: float = 1.0
    alpha_slope: float = 0.0
    beta_slope: float = 0.0
    gamma_slope: float = 0.0

    def weights(self, t, progress):
        alpha = self.alpha + self.alpha_slope * progress
        beta = self.beta + self.beta_slope * progress
        gamma = self.gamma + self.gamma_slope * progress
        positive = kept(t - 1.0, alpha, self.offset)
        negative = kept(t - 1.0, beta, 1.0)
        return positive, negative, self.floor, ((t - 1.0) / t) ** gamma, kept(float(t), alpha, self.offset)


@compiled_function
def kept(n, exponent, offset):
    """The share of old regret that is kept after n iterations."""
    if exponent == INFINITY:
        return 1.0
    if n == 0.0 and exponent < 0.0:
        return 1.0  # the limit of n^e / (n^e + c); there is no regret yet
    if n > 1.0 and exponent * math.log(n) > LOG_LARGEST:
        return 1.0  # nothing is lost beside n^e, which a float cannot hold
    power = n**exponent
    return power / (power + offset)


@compiled_function
def add_regret(regret, instant, weights):
    """Old regret, weighted, and the instant one, not below the floor."""
    total = regret * (weights[POSITIVE] if regret > 0.0 else weights[NEGATIVE]) + instant
    return total if total > weights[FLOOR] else weights[FLOOR]


@compiled("times")
class Alike(NamedTuple):
    """No action is preferred; `solve/prefer/favour.py` has those that are."""

    nothing: int = 0

    def times(self, a):
        return 1.0


@compiled_function
def match_regret(regret, value, expected, sigma, first, last, weights, prediction, wishes):
    """Add this iteration's regret; fill sigma[first:last] with what is positive of it and of what is predicted.

    Each action counts as many times as is wished. Return the total.
    """
    total = 0.0
    for k in range(first, last):
        instant = value[k] - expected
        regret[k] = add_regret(regret[k], instant, weights)
        predicted = regret[k] * weights[AHEAD] + prediction * instant
        sigma[k] = wishes.times(np.int64(k) - np.int64(first)) * (predicted if predicted > 0.0 else 0.0)
        total += sigma[k]
    return total


@compiled_function
def positive_regret(regret, first, count, sigma, at, wishes):
    """The same for regret that is there: fill sigma[at : at + count] and return the total."""
    total = 0.0
    for a in range(count):
        positive = wishes.times(a) * max(np.float64(regret[first + a]), 0.0)
        sigma[at + a] = positive
        total += positive
    return total


@compiled_function
def share(sigma, at, count, total):
    """Divide sigma[at : at + count] by its total; the same for all if there is none."""
    if total > 0.0:
        scale = 1.0 / total
        for a in range(count):
            sigma[at + a] *= scale
    else:
        for a in range(count):
            sigma[at + a] = 1.0 / count


@compiled("match", "play")
class RegretMatching(NamedTuple):
    """Play in proportion to positive regret; uniformly if there is none (Hart and Mas-Colell 2000).

    With a prediction, the last regret is expected to come again that many times (Farina et al. 2021).
    """

    prediction: float = 0.0

    @property
    def traits(self) -> MinimizerTraits:
        return MinimizerTraits(matches_regret=True, predicts=self.prediction != 0.0, form="weighted")

    def match(self, regret, value, expected, sigma, first, last, weights):
        total = match_regret(regret, value, expected, sigma, first, last, weights, self.prediction, Alike(0))
        share(sigma, first, last - first, total)

    def play(self, regret, first, count, sigma, at):
        share(sigma, at, count, positive_regret(regret, first, count, sigma, at, Alike(0)))


@compiled("match", "play")
class BestRegret(NamedTuple):
    """Play the action of highest regret, the first among equals (CFVFP, Ju et al. 2024)."""

    nothing: int = 0  # a part has at least one field

    @property
    def traits(self) -> MinimizerTraits:
        return MinimizerTraits(form="best")

    def match(self, regret, value, expected, sigma, first, last, weights):
        best = first
        for k in range(first, last):
            regret[k] = add_regret(regret[k], value[k] - expected, weights)
            sigma[k] = 0.0
            if regret[k] > regret[best]:
                best = k
        sigma[best] = 1.0

    def play(self, regret, first, count, sigma, at):
        best = 0
        for a in range(count):
            sigma[at + a] = 0.0
            if regret[first + a] > regret[first + best]:
                best = a
        sigma[at + best] = 1.0


@compiled("match", "play")
class Hedge(NamedTuple):
    """Play in proportion to exp(eta * regret) (Freund and Schapire 1997)."""

    eta: float = 1.0

    @property
    def traits(self) -> MinimizerTraits:
        return MinimizerTraits(feels_price=False)

    def match(self, regret, value, expected, sigma, first, last, weights):
        highest = -INFINITY
        for k in range(first, last):
            regret[k] = add_regret(regret[k], value[k] - expected, weights)
            highest = max(highest, regret[k])
        total = 0.0
        for k in range(first, last):
            sigma[k] = math.exp(self.eta * (regret[k] - highest))
            total += sigma[k]
        for k in range(first, last):
            sigma[k] /= total

    def play(self, regret, first, count, sigma, at):
        highest = -INFINITY
        for a in range(count):
            highest = max(highest, np.float64(regret[first + a]))
        total = 0.0
        for a in range(count):
            sigma[at + a] = math.exp(self.eta * (regret[first + a] - highest))
            total += sigma[at + a]
        for a in range(count):
            sigma[at + a] /= total
