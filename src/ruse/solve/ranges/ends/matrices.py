"""Ends of small games: a matrix of payoffs for each, by hands, with the probability of chance in it."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.compile.lanes import LANES, lanes, put_lanes, same


@compiled("fill")
class Matrices(NamedTuple):
    """What each end is worth to each hand: payoffs times the other's reach.

    A matrix may go over several rows of reach that lie side by side: it is then that many matrices, added up.
    """

    first: np.ndarray  # [player + 1] the matrices of a player
    reach_at: np.ndarray  # [matrix] the place of the other's reach
    value_at: np.ndarray  # [matrix] the place of the values
    length: np.ndarray  # [matrix] the numbers of reach that it goes over
    start: np.ndarray  # [matrix] where its payoffs start
    payoff: np.ndarray  # [the other's hand, own hand] flat, one matrix after the other; rows are `width` long
    width: int

    def fill(self, work, player, block, board):
        for m in range(self.first[player], self.first[player + 1]):
            for h in range(0, self.width, LANES):
                total = same(work.value, 0.0)
                for other in range(self.length[m]):
                    reach = same(work.value, work.reach[self.reach_at[m] + other])
                    total = total + reach * lanes(self.payoff, self.start[m] + other * self.width + h)
                put_lanes(work.value, self.value_at[m] + h, total)
