"""Strategy-based warm start: the tables that CFR would have after T iterations with a given average strategy.

From any strategies of a two-player zero-sum game, one for each player, *substitute* values are computed from the leaves
up, as in a best response, but a little lower at every infoset (Brown and Sandholm 2016):

    sum over actions of max(v'(I, a) - v'(I), 0)^2  =  lambda * reach of the others * range^2 * actions / T

The smallest lambda is taken for which v' of both players add up to no more than the payoffs do, and

    regret(I, a) = T (v'(I, a) - v'(I))        average(I, a) = T * own reach * strategy(I, a)

CFR goes on from there with the bound that it would have after T iterations. T is the worth of the strategy.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled, compiled_function, kernel
from ruse.errors import RuseError
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.traits import StartTraits
from ruse.tree.expanded import Expanded
from ruse.tree.passes import fill_leaves, fill_reach, pass_up
from ruse.tree.ranges import fill_ranges
from ruse.tree.sequence_form import node_and_reach, node_index
from ruse.tree.walk import Stack, walk

Array = NDArray[Any]
WARM = StartTraits("a warm start", warms=True, instead="under sampling, lean towards the strategy")
SMALLEST = 1e-15  # of lambda / T: with nothing at all, an equilibrium would have no regret above zero to play by
MOST = 1_000_000_000  # iterations that a strategy may be worth: beyond them float64 would not see new regret


class Survey(NamedTuple):
    """What warm start needs to know of a game and a strategy, at each node of the decision trees."""

    others: Array  # [node] probability that chance and the other player bring play there
    range: Array  # [node] highest less lowest payoff of the owner from there on
    leaves: Array  # [sequence] what the leaves of the sequence are worth to the owner
    reach: Array  # [sequence] product of the owner's own probabilities
    total: float  # of both players' payoffs, the same at every end


class WarmTables(NamedTuple):
    """A start for the full-width engine, by slot, and how it was found."""

    regret: Array
    average: Array
    iterations: int
    factor: float  # lambda
    most: int  # the largest T with a lambda of at most 1


def warm_tables(expanded: Expanded, sigma: Array, iterations: Callable[[int], int] | int) -> WarmTables:
    """The tables after T iterations with the average strategy sigma, which is given by slot.

    `iterations` is T, or a function that is told the largest T that keeps the bound, and chooses.
    """
    form, survey = expanded.form, surveyed(expanded, sigma)
    slack = survey.others * survey.range**2 * np.diff(form.first)
    value, node_value = np.zeros(form.num_sequences), np.zeros(len(form.parent))
    ordered = np.zeros(int(np.diff(form.first).max(initial=1)))

    def excess(ratio: float) -> float:
        """How much more the players' substitute values are than there is to win."""
        ends = [substitute(form, survey.leaves, slack, ratio, value, node_value, ordered, p) for p in range(2)]
        return float(sum(ends)) - survey.total

    # Lambda and T occur only as their ratio: it is found first, and says how large T may be.
    ratio = smallest(excess)
    most = max(1, min(int(1.0 / ratio), MOST))
    chosen = iterations if isinstance(iterations, int) else iterations(most)
    if not 1 <= chosen <= most:
        raise RuseError(
            f"the strategy cannot stand for {chosen:,} iterations; give 1 to {most:,}, or leave the number out"
        )
    excess(ratio)
    node_of = np.repeat(np.arange(len(form.parent)), np.diff(form.first))
    regret = np.zeros(form.num_sequences)
    regret[form.players :] = chosen * (value[form.players :] - node_value[node_of])
    average = chosen * survey.reach
    average[: form.players] = 0.0
    return WarmTables(regret, average, chosen, ratio * chosen, most)


def smallest(excess: Callable[[float], float]) -> float:
    """The smallest ratio whose excess is not positive, by bisection; excess falls as the ratio grows."""
    low, high = 0.0, 1.0
    while excess(high) > 0.0 and high < 1e6:  # if nothing can be won or lost, rounding may leave an excess for ever
        low, high = high, 2.0 * high
    while high > SMALLEST and high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0.0 else (low, middle)
    return max(high, SMALLEST)


def worth(curve: Sequence[float], exploitability: float) -> float:
    """How many iterations a solver needs to reach an exploitability, from its curve over the first few.

    Beyond the curve its later half is drawn on as a straight line in logarithms. The line falls at least as fast as
    1 / sqrt(T), because CFR does.
    """
    for t, found in enumerate(curve, 1):
        if found <= exploitability:
            return float(t)
    if exploitability <= 0.0:
        return math.inf
    times, logs = np.log(np.arange(1, len(curve) + 1)), np.log(np.array(curve))
    later = slice((len(curve) - 1) // 2, None)
    slope = np.polyfit(times[later], logs[later], 1)[0] if len(curve) > 2 else -0.5
    exponent = times[-1] + (math.log(exploitability) - logs[-1]) / min(float(slope), -0.5)
    return math.exp(min(exponent, math.log(2.0 * MOST)))


# ---- substitute values -----------------------------------------------------------------------------------------------


@kernel
def substitute(form, leaves, slack, ratio, value, node_value, ordered, player):
    """Fill the player's substitute values from the leaves up; return the root's."""
    start, end = form.node_start[player], form.node_start[player + 1]
    value[player] = leaves[player]
    for s in range(form.first[start], form.first[end]):
        value[s] = leaves[s]
    pass_up(form, value, Lowering(slack, ratio, node_value, ordered), start, end)
    return value[player]


@compiled("worth")
class Lowering(NamedTuple):
    """A node on the way up: a little lower than its best action."""

    slack: Array
    ratio: float
    node_value: Array
    ordered: Array  # scratch

    def worth(self, value, j, first, last):
        self.node_value[j] = lowered(value, first, last, self.ratio * self.slack[j], self.ordered)
        return self.node_value[j]


@compiled_function
def lowered(value, first, last, squares, ordered):
    """The number v for which the squares of what exceeds it in value[first:last] add up to `squares`.

    With the k highest values above v it is a quadratic equation in v, less than their mean by
    sqrt((squares - the squares of their distances from the mean) / k).
    """
    count = 0
    for s in range(first, last):  # sorted by insertion, highest first: rows are short
        k = count
        while k > 0 and ordered[k - 1] < value[s]:
            ordered[k] = ordered[k - 1]
            k -= 1
        ordered[k] = value[s]
        count += 1
    mean, spread, v = 0.0, 0.0, ordered[0]
    for k in range(count):
        step = ordered[k] - mean  # Welford's running mean and sum of squared distances
        mean += step / (k + 1)
        spread += step * (ordered[k] - mean)
        v = mean - np.sqrt(max(squares - spread, 0.0) / (k + 1))
        if k + 1 == count or v >= ordered[k + 1]:
            break
    return v


# ---- the survey ------------------------------------------------------------------------------------------------------


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Surveyor(NamedTuple):
    """A visitor that adds up how the others reach each node, and finds the extremes of payoffs at each sequence."""

    keys: np.ndarray  # the index of nodes
    ids: np.ndarray
    node_first: np.ndarray
    reach: np.ndarray  # [sequence]
    others: np.ndarray  # [node]
    highest: np.ndarray  # [sequence] payoff of the owner, chance left out
    lowest: np.ndarray  # [sequence]
    sums: np.ndarray  # [2] lowest and highest sum of all payoffs

    def is_full(self):
        return False

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        node, product = node_and_reach(self.keys, self.ids, self.reach, stack, level, key)
        self.others[node] += product
        return self.node_first[node]

    def at_end(self, game, stack, level):
        total = 0.0
        for p in range(stack.sequence.shape[1]):
            payoff = game.payoff(stack.rows[level], p)
            s = stack.sequence[level, p]
            self.highest[s] = max(self.highest[s], payoff)
            self.lowest[s] = min(self.lowest[s], payoff)
            total += payoff
        self.sums[0] = min(self.sums[0], total)
        self.sums[1] = max(self.sums[1], total)


def surveyed(expanded: Expanded, sigma: Array) -> Survey:
    """Walk the game once, with all players following sigma, which is given by slot."""
    form, game = expanded.form, expanded.game
    must_fit(Setup(game=game, form=form, start=WARM))
    reach = np.zeros(form.num_sequences)
    fill_reach(form, sigma, reach)
    keys, ids = node_index(expanded.keys, form.parent)
    highest, lowest = np.full(form.num_sequences, -np.inf), np.full(form.num_sequences, np.inf)
    others, sums = np.zeros(len(form.parent)), np.array([np.inf, -np.inf])
    visitor = Surveyor(keys, ids, form.first.astype(np.int64), reach, others, highest, lowest, sums)
    walk(game, expanded.view, Stack.start(game, levels=expanded.size.depth + 2), visitor, 1 << 62)
    most = max(1.0, np.abs(highest[np.isfinite(highest)]).max(initial=0.0))
    must_fit(Setup(game=game, start=WARM, constant_sum=bool(sums[1] - sums[0] <= 1e-9 * most)))
    spread = np.zeros(len(form.parent))
    fill_ranges(form, highest, lowest, spread)
    leaves = np.zeros(form.num_sequences)
    value_leaves(form, reach, leaves)
    return Survey(others, spread, leaves, reach, float(sums.mean()))


@kernel
def value_leaves(form, reach, leaves):
    fill_leaves(form, reach, leaves, 0, len(leaves))
