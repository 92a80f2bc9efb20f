"""Points and histograms of all holdings, against every pair of hands one by one."""

import numpy as np
import pytest

from ruse.games.holdem.buckets.equities import BINS, POINTS, room, work_out
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by, holding_cards
from ruse.games.holdem.hands.strengths import BLOCKED, strengths_on
from ruse.games.holdem.hands.tables import hand_ranks
from ruse.games.holdem.suits.deals import word_of

SHARING = (holding_cards()[:, None, :, None] == holding_cards()[None, :, None, :]).any(axis=(2, 3))


def points_one_by_one(board: list[int]) -> np.ndarray:
    """Two for each holding without a common card that is beaten, one for each tie."""
    strength = strengths_on(board)
    alive = strength >= 0
    met = ~SHARING & alive
    assert (met[alive].sum(axis=1) == POINTS // 2).all()
    beaten, tied = strength[:, None] > strength, strength[:, None] == strength
    return np.where(alive, 2 * (met & beaten).sum(axis=1) + (met & tied).sum(axis=1), BLOCKED)


@pytest.mark.parametrize("text", ["Qs Jh 2h 8d 3c", "As Ks Qs Js Ts", "Qs Qh Qd Qc 2c", "9s 8s 7s 2d 2c"])
def test_points_on_a_whole_board(text: str) -> None:
    board, own = cards_named(text), room()
    work_out(hand_ranks(), word_of(board), 0, own)
    assert (own.points == points_one_by_one(board)).all()


@pytest.mark.parametrize(("text", "boards"), [("Qs Jh 2h 8d", 46), ("Qs Jh 2h", 1081)])
def test_histograms_over_the_boards_that_can_come(text: str, boards: int) -> None:
    board, own = cards_named(text), room()
    work_out(hand_ranks(), word_of(board), 5 - len(board), own)
    assert (own.counts.sum(axis=1) == np.where(blocked_by(board), 0, boards)).all()
    if len(board) == 4:
        counts = np.zeros((HOLDINGS, BINS), int)
        for river in set(range(52)) - set(board):
            points = points_one_by_one([*board, river])
            there = np.flatnonzero(points >= 0)
            counts[there, points[there] * BINS // (POINTS + 1)] += 1
        assert (own.counts == counts).all()
