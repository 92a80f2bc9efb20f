"""Ends of small games: a matrix of payoffs for each, by hands, with the probability of chance in it."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.compile.lanes import LANES, lanes, put_lanes, same


@compiled("fill")
class Matrices(NamedTuple):
    """What each end is worth to each hand: payoffs times the other's reach."""

    first: np.ndarray  # [player + 1] the matrices of a player
    reach_at: np.ndarray  # [matrix] the place of the other's reach
    value_at: np.ndarray  # [matrix] the place of the values
    payoff: np.ndarray  # [matrix, the other's hand, own hand] flat; rows are `width` long
    width: int

    def fill(self, work, player, block, board):
        for m in range(self.first[player], self.first[player + 1]):
            for h in range(0, self.width, LANES):
                total = same(work.value, 0.0)
                for other in range(self.width):
                    reach = same(work.value, work.reach[self.reach_at[m] + other])
                    total = total + reach * lanes(self.payoff, (m * self.width + other) * self.width + h)
                put_lanes(work.value, self.value_at[m] + h, total)
