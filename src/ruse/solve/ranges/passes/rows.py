"""What happens at a node, for all hands at once: rows of hands, sixteen lanes at a time.

The rows of a node are [action][hand]. A *strategy* is kept as numbers that are in proportion to it where they are
positive, and uniform where none is: regret is such a table, and so are the sums of the average. On the way down a
decision splits the reach of the one who decides; on the way up it is worth something to its owner:

    regret  <-  max(floor, regret * (positive or negative weight) + value - expected)        Matching, below
    average <-  average * fading + reach * strategy                                           Averaging, below
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.lanes import LANES, lanes, larger, put_lanes, same, where_positive
from ruse.solve.solver.rules import AHEAD, FLOOR, NEGATIVE, POSITIVE, Weights

Table = np.ndarray  # [row * hand] of one player


class RowsDown(Protocol):
    """What is done at a decision on the way down."""

    def split(self, reach: Table, source: int, below: Any, edge: int, row: int, width: int, actions: int) -> None:
        """Fill the reach after each action, at below[edge + a], from the reach before, at `source`."""


class RowsUp(Protocol):
    """What is done at a decision of the player who is updated."""

    def settle(self, value: Table, at: int, below: Any, edge: int, row: int, width: int, actions: int, n: int) -> None:
        """Fill the values of node n from those of its children, at below[edge + a]; its rows start at `row`."""


# ---- a strategy from a table -----------------------------------------------------------------------------------------


LEAST = 1e-37  # of what is positive in all: one by less is more than 32 bits can hold


@compiled_function
def shares(table, row, width, actions, h):
    """What the positive entries of lanes h must be multiplied by, and what is added, to make them a strategy."""
    zero, one = same(table, 0.0), same(table, 1.0)
    total = zero
    for a in range(actions):
        total = total + larger(lanes(table, row + a * width + h), zero)
    enough = total - same(table, LEAST)
    times = where_positive(enough, one / where_positive(enough, total, one), zero)
    return times, where_positive(enough, zero, same(table, 1.0 / actions))


@compiled_function
def share(table, k, times, plus):
    """The strategy of one action, given what `shares` told."""
    return larger(lanes(table, k), same(table, 0.0)) * times + plus


# ---- on the way down -------------------------------------------------------------------------------------------------


@compiled("split")
class Passing(NamedTuple):
    """The strategy of a table is followed."""

    plays: Table

    def split(self, reach, source, below, edge, row, width, actions):
        plays = self.plays
        for h in range(0, width, LANES):
            times, plus = shares(plays, row, width, actions, h)
            above = lanes(reach, source + h)
            for a in range(actions):
                put_lanes(reach, below[edge + a] + h, above * share(plays, row + a * width + h, times, plus))


@compiled("split")
class RowsAveraged(NamedTuple):
    """The same, and it is added to the average."""

    plays: Table
    average: Table
    fading: float
    counted: float  # how many times it is added

    def split(self, reach, source, below, edge, row, width, actions):
        plays, average = self.plays, self.average
        fading, counted = same(average, self.fading), same(average, self.counted)
        for h in range(0, width, LANES):
            times, plus = shares(plays, row, width, actions, h)
            above = lanes(reach, source + h)
            for a in range(actions):
                k = row + a * width + h
                mine = above * share(plays, k, times, plus)
                put_lanes(reach, below[edge + a] + h, mine)
                put_lanes(average, k, lanes(average, k) * fading + mine * counted)


# ---- on the way up ---------------------------------------------------------------------------------------------------


@compiled_function
def expected_value(table, value, below, edge, row, width, actions, h, times, plus):
    """What the strategy of a table is worth."""
    expected = same(value, 0.0)
    for a in range(actions):
        expected = expected + share(table, row + a * width + h, times, plus) * lanes(value, below[edge + a] + h)
    return expected


@compiled_function
def more_regret(regret, k, instant, weights):
    """Regret with this iteration's added, as `rules.add_regret`."""
    old = lanes(regret, k)
    kept = where_positive(old, same(regret, weights[POSITIVE]), same(regret, weights[NEGATIVE]))
    return larger(old * kept + instant, same(regret, weights[FLOOR]))


@compiled("settle")
class Matching(NamedTuple):
    """Regret matching. The strategy follows from the regret, so no other table is needed."""

    regret: Table
    weights: Weights

    def settle(self, value, at, below, edge, row, width, actions, n):
        regret = self.regret
        for h in range(0, width, LANES):
            times, plus = shares(regret, row, width, actions, h)
            expected = expected_value(regret, value, below, edge, row, width, actions, h, times, plus)
            put_lanes(value, at + h, expected)
            for a in range(actions):
                k = row + a * width + h
                instant = lanes(value, below[edge + a] + h) - expected
                put_lanes(regret, k, more_regret(regret, k, instant, self.weights))


@compiled("settle")
class MatchingAhead(NamedTuple):
    """Regret matching where the strategy is a table of its own: it predicts, or waits until all are updated."""

    regret: Table
    weights: Weights
    plays: Table  # the strategy
    then: Table  # the next one; the same table if nothing waits
    prediction: float

    def settle(self, value, at, below, edge, row, width, actions, n):
        regret, plays = self.regret, self.plays
        ahead, prediction = same(regret, self.weights[AHEAD]), same(regret, self.prediction)
        for h in range(0, width, LANES):
            times, plus = shares(plays, row, width, actions, h)
            expected = expected_value(plays, value, below, edge, row, width, actions, h, times, plus)
            put_lanes(value, at + h, expected)
            for a in range(actions):
                k = row + a * width + h
                instant = lanes(value, below[edge + a] + h) - expected
                total = more_regret(regret, k, instant, self.weights)
                put_lanes(regret, k, total)
                put_lanes(self.then, k, total * ahead + prediction * instant)


@compiled("settle")
class RowsFollowed(NamedTuple):
    """The owner follows the strategy of a table."""

    plays: Table

    def settle(self, value, at, below, edge, row, width, actions, n):
        for h in range(0, width, LANES):
            times, plus = shares(self.plays, row, width, actions, h)
            expected = expected_value(self.plays, value, below, edge, row, width, actions, h, times, plus)
            put_lanes(value, at + h, expected)


@compiled("settle")
class RowsAnswered(NamedTuple):
    """The owner takes the best action with each hand."""

    nothing: int = 0

    def settle(self, value, at, below, edge, row, width, actions, n):
        for h in range(0, width, LANES):
            best = lanes(value, below[edge] + h)
            for a in range(1, actions):
                best = larger(best, lanes(value, below[edge + a] + h))
            put_lanes(value, at + h, best)


@compiled_function
def add_up(value, at, below, edge, width, actions):
    """At another's decision, and at chance: reach and chance are in the values already."""
    for h in range(0, width, LANES):
        total = lanes(value, below[edge] + h)
        for a in range(1, actions):
            total = total + lanes(value, below[edge + a] + h)
        put_lanes(value, at + h, total)
