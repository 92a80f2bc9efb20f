"""Exact values, best responses and exploitability of a profile, for any number of players."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ruse.compile import kernel
from ruse.solve.full.engine import fill_reach, leaves_value
from ruse.tree.sequence_form import SequenceForm


class Exploitability(float):
    """How far a profile is from an equilibrium: NashConv divided by the number of players, a plain number.

    It remembers what it was made of.
    """

    values: tuple[float, ...]  # [player] expected payoff when all follow the profile
    best: tuple[float, ...]  # [player] expected payoff of the best response to the others

    def __new__(cls, values: Sequence[float], best: Sequence[float]) -> "Exploitability":
        self = super().__new__(cls, sum(b - v for b, v in zip(best, values, strict=True)) / len(values))
        self.values, self.best = tuple(values), tuple(best)
        return self

    @property
    def per_player(self) -> tuple[float, ...]:
        """What each player could gain by deviating alone."""
        return tuple(b - v for b, v in zip(self.best, self.values, strict=True))

    @property
    def nash_conv(self) -> float:
        return sum(self.per_player)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.values, self.best


def exploitability_of(form: SequenceForm, sigma: np.ndarray) -> Exploitability:
    """The exploitability of the strategy sigma, given by slot."""
    reach, value = np.zeros(form.num_sequences), np.zeros(form.num_sequences)
    fill_reach(form, sigma, reach)
    values, best = np.zeros(form.players), np.zeros(form.players)
    for p in range(form.players):
        values[p] = pass_up(form, reach, sigma, value, p, False)
        best[p] = pass_up(form, reach, sigma, value, p, True)
    return Exploitability(values.tolist(), best.tolist())


def sequence_values(form: SequenceForm, sigma: np.ndarray) -> np.ndarray:
    """For each sequence, its counterfactual value to the owner when all follow sigma afterwards."""
    reach, value = np.zeros(form.num_sequences), np.zeros(form.num_sequences)
    fill_reach(form, sigma, reach)
    for p in range(form.players):
        pass_up(form, reach, sigma, value, p, False)
    return value


@kernel
def pass_up(form, reach, sigma, value, player, is_best):
    """Fill the player's sequence values from the leaves up, by sigma or by the best action; return the root's."""
    node_first, node_slot, parent, copies = form.first, form.slot, form.parent, form.copies
    leaf_start, others, payoff = form.leaf_start, form.others, form.value
    start, end = form.node_start[player], form.node_start[player + 1]
    value[player] = leaves_value(leaf_start, others, payoff, reach, player)
    for s in range(node_first[start], node_first[end]):
        value[s] = leaves_value(leaf_start, others, payoff, reach, s)
    for j in range(end - 1, start - 1, -1):
        first, last, slot = node_first[j], node_first[j + 1], node_slot[j]
        expected, highest = 0.0, value[first]
        for s in range(first, last):
            expected += sigma[slot + s - first] * value[s]
            highest = max(highest, value[s])
        value[parent[j]] += copies[j] * (highest if is_best else expected)
    return value[player]
