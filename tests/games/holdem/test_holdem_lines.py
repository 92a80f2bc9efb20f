"""The lines of betting without cards, and starting hands against each other."""

import numpy as np
import pytest
from rough_hands import points_on

from ruse.games.holdem.buckets import starting
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.hands.strengths import strengths_on
from ruse.games.holdem.lines import FOLD, SHOWDOWN, lines_of
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import STARTING_HANDS, cards_of, starting_hands, starting_names
from ruse.games.holdem.suits.index import suit_index

LINES = lines_of(Holdem())


def test_lines_are_those_of_the_game() -> None:
    assert LINES.names[0] == ("fold", "call", "raise 2bb", "raise 3bb", "all-in")
    assert LINES.who[LINES.at([0])] == FOLD
    assert LINES.payoff[LINES.at([0]), 0].tolist() == [-0.5, 0.5]
    shove_called = LINES.at([4, 1])
    assert (LINES.who[shove_called], LINES.street[shove_called]) == (SHOWDOWN, 0)
    assert LINES.payoff[shove_called].tolist() == [[25, -25], [-25, 25], [0, 0]]
    limped = LINES.at([1, 0])
    assert (LINES.who[limped], LINES.street[limped]) == (1, 1)  # on the flop the big blind is first
    over = LINES.who < 0
    assert np.all(np.diff(LINES.start)[over] == 0)
    assert np.all(np.diff(LINES.start)[~over] >= 2)
    assert np.allclose(LINES.payoff.sum(axis=2), 0)
    assert sorted(LINES.child.tolist()) == list(range(1, len(LINES.who)))  # each has one parent


def test_lines_of_three() -> None:
    lines = lines_of(Holdem(players=3, stack=4.0, cap=1))
    limped = lines.at([1, 1, 0])
    assert (lines.who[limped], lines.street[limped], lines.stays[limped].tolist()) == (1, 1, [True] * 3)
    folded = lines.at([0, 0])
    assert (lines.who[folded], lines.stays[folded].tolist()) == (FOLD, [False, False, True])
    assert lines.paid[folded].tolist() == [0.0, 0.5, 1.0]
    shown = lines.who == SHOWDOWN
    assert (lines.stays[shown].sum(axis=1) >= 2).all()
    assert (lines.stays[lines.who == FOLD].sum(axis=1) == 1).all()
    assert not lines.payoff.any(), "side pots hang on who beats whom"


def test_starting_hands_are_compared_pair_by_pair() -> None:
    """By brute force on two boards, one of them with a flush."""
    hands, cards, boards = starting_hands().astype(int), holding_cards(), suit_index(0, 5)
    for number in (77, 90_000):
        expected = np.zeros((STARTING_HANDS, STARTING_HANDS), int)
        strength = strengths_on(cards_of(int(boards.canonical_cards(number)[1])))
        live = np.flatnonzero(strength >= 0)
        for mine in live:
            other = live[~np.isin(cards[live], cards[mine]).any(axis=1)]
            won = 2 * (strength[mine] > strength[other]) + (strength[mine] == strength[other])
            np.add.at(expected[hands[mine]], hands[other], won * int(boards.arrangements(number)))
        assert np.array_equal(points_on(range(number, number + 1)), expected)


def test_pairs_share_no_card() -> None:
    pairs = starting.disjoint_pairs()
    assert pairs.sum() == CARDS * 51 // 2 * 50 * 49 // 2
    aces, suited = starting_names().index("AA"), starting_names().index("AKs")
    assert (pairs[aces, aces], pairs[aces, suited]) == (6, 12)


@pytest.mark.slow
def test_the_exact_table() -> None:
    names, equity = starting_names(), starting.starting_equities().equity
    assert equity[names.index("AA"), names.index("KK")] == pytest.approx(0.819461, abs=1e-6)
    assert equity[names.index("AKs"), names.index("22")] == pytest.approx(0.498933, abs=1e-6)
