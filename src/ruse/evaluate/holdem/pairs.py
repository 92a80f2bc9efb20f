"""All pairs of holdings on one board: which share no card, and what each gets of the pot if no more is bet."""

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import lean_kernel
from ruse.games.holdem.buckets.starting import starting_equities
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by, holding_cards
from ruse.games.holdem.hands.strengths import BLOCKED, fill_board
from ruse.games.holdem.hands.tables import hand_ranks
from ruse.games.holdem.row import BOARD_CARDS
from ruse.games.holdem.suits.deals import starting_hands

Array = NDArray[np.float64]


class HoldingPairs(NamedTuple):
    """Pairs of holdings as they meet on a street, the own one first. Rows and columns that the board blocks are 0."""

    apart: Array  # [holding, holding] 1 if both can be dealt
    equity: Array  # [holding, holding] the share of the pot that the first gets if no more is bet
    dealt: int  # how many pairs there are

    @classmethod
    def before_the_flop(cls) -> "HoldingPairs":
        kinds = starting_hands().astype(np.int64)
        apart = ~sharing()
        return cls(apart.astype(np.float64), starting_equities().equity[np.ix_(kinds, kinds)] * apart, counted(0))

    @classmethod
    def on(cls, board: Sequence[int]) -> "HoldingPairs":
        """On three to five cards; equities are exact, over all cards to come."""
        free = ~blocked_by(board)
        apart = ~sharing() * np.outer(free, free)
        points = np.zeros((HOLDINGS, HOLDINGS), np.int16)
        missing = BOARD_CARDS - len(board)
        whole = np.array([*board, *[0] * missing], np.uint8)
        add_runouts(hand_ranks(), whole, missing, np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16), points)
        runouts = comb(CARDS - len(board) - 4, missing)
        lower = np.tril(points * apart) / (2.0 * runouts)
        return cls(apart.astype(np.float64), lower + np.triu(apart - lower.T), counted(len(board)))


@cache
def sharing() -> NDArray[np.bool_]:
    """[holding, holding] whether they need the same card."""
    cards = holding_cards()
    return np.asarray((cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3)))


def counted(lies: int) -> int:
    """How many pairs of holdings a board of so many cards leaves."""
    return comb(CARDS - lies, 2) * comb(CARDS - lies - 2, 2)


@lean_kernel
def add_runouts(ranks, board, missing, strength, free, points):
    """Two points for each holding of a lower number that is weaker, one if it is as strong, on all whole boards."""
    lies = len(board) - missing
    for first in range(CARDS if missing > 0 else 1):
        for second in range(first if missing > 1 else 1):
            is_new = True
            for k in range(lies):
                is_new = is_new and not (missing > 0 and board[k] == first) and not (missing > 1 and board[k] == second)
            if not is_new:
                continue
            if missing > 0:
                board[lies] = first
            if missing > 1:
                board[lies + 1] = second
            fill_board(ranks, board, strength)
            for h in range(HOLDINGS):
                free[h] = 1 if strength[h] != BLOCKED else 0
            for h in range(HOLDINGS):
                mine, row = strength[h], points[h]
                if mine == BLOCKED:
                    continue
                for other in range(h):
                    beaten = np.int16(mine > strength[other]) + np.int16(mine >= strength[other])
                    row[other] = np.int16(row[other] + np.int16(free[other] * beaten))
