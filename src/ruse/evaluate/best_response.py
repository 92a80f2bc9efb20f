"""Exact values, best responses and exploitability of a profile, for any number of players."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ruse.compile import kernel
from ruse.tree.passes import Following, Responding, fill_leaves, fill_reach, pass_up
from ruse.tree.sequence_form import SequenceForm
from ruse.words.html import table_of


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

    def _repr_html_(self) -> str:
        columns = zip(self.values, self.best, self.per_player, strict=True)
        rows = [(f"player {p}", *(f"{x:+z.6f}" for x in row)) for p, row in enumerate(columns)]
        return table_of(["", "gets", "best response", "could gain"], rows, caption=f"exploitability {float(self):.6g}")

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.values, self.best


def exploitability_of(form: SequenceForm, sigma: np.ndarray) -> Exploitability:
    """The exploitability of the strategy sigma, given by slot."""
    reach, value = np.zeros(form.num_sequences), np.zeros(form.num_sequences)
    fill_reach(form, sigma, reach)
    values, best = np.zeros(form.players), np.zeros(form.players)
    for p in range(form.players):
        values[p] = evaluated(form, reach, value, Following(form.slot, sigma), p)
        best[p] = evaluated(form, reach, value, Responding(), p)
    return Exploitability(values.tolist(), best.tolist())


def sequence_values(form: SequenceForm, sigma: np.ndarray) -> np.ndarray:
    """For each sequence, its counterfactual value to the owner when all follow sigma afterwards."""
    reach, value = np.zeros(form.num_sequences), np.zeros(form.num_sequences)
    fill_reach(form, sigma, reach)
    for p in range(form.players):
        evaluated(form, reach, value, Following(form.slot, sigma), p)
    return value


@kernel
def evaluated(form, reach, value, node, player):
    """Fill the player's sequence values from the leaves up, by what the part does at a node; return the root's."""
    start, end = form.node_start[player], form.node_start[player + 1]
    fill_leaves(form, reach, value, player, player + 1)
    fill_leaves(form, reach, value, form.first[start], form.first[end])
    pass_up(form, value, node, start, end)
    return value[player]
