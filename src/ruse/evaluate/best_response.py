"""Exact values, best responses and exploitability of a profile, for any number of players."""

from typing import NamedTuple

import numpy as np

from ruse.compile import kernel
from ruse.solve.full import fill_reach, leaves_value
from ruse.solve.sequence_form import SequenceForm


class Exploitability(NamedTuple):
    """How far a profile is from an equilibrium: NashConv divided by the number of players.

    Used as a number it is that quotient.
    """

    values: tuple[float, ...]  # [player] expected payoff when all follow the profile
    best: tuple[float, ...]  # [player] expected payoff of the best response to the others

    @property
    def per_player(self) -> tuple[float, ...]:
        """What each player could gain by deviating alone."""
        return tuple(b - v for b, v in zip(self.best, self.values, strict=True))

    @property
    def nash_conv(self) -> float:
        return sum(self.per_player)

    def __float__(self) -> float:
        return self.nash_conv / len(self.values)

    def __repr__(self) -> str:
        shares = ", ".join(f"{share:.6g}" for share in self.per_player)
        return f"Exploitability({float(self):.6g}, per_player=({shares}))"


def exploitability_of(form: SequenceForm, sigma: np.ndarray) -> Exploitability:
    """The exploitability of the strategy sigma, given by slot."""
    reach, value = np.zeros(form.num_sequences), np.zeros(form.num_sequences)
    fill_reach(form, sigma, reach)
    values, best = np.zeros(form.players), np.zeros(form.players)
    for p in range(form.players):
        values[p] = pass_up(form, reach, sigma, value, p, False)
        best[p] = pass_up(form, reach, sigma, value, p, True)
    return Exploitability(tuple(values.tolist()), tuple(best.tolist()))


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
