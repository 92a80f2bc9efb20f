"""Places of a blueprint, typed by hand: what every hand does there, and what is refused."""

import numpy as np
import pytest
from rough_hands import few_buckets

from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.games.holdem.ranges.cells import hand_named
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import starting_names
from ruse.spots.blueprints import blueprint_here, call_words, due_words
from ruse.spots.grid import Grid
from ruse.strategy import Strategy

GAME = Holdem()
ACES = starting_names().index("AA")


def raising_aces() -> Strategy:
    """At the start aces raise to 3bb; all else is played uniformly."""
    key = int(few_buckets().key_of(0, ACES, 0)) & MASK
    row = np.array([0.0, 0.0, 0.0, 1.0, 0.0])
    return Strategy(GAME, np.array([key], np.uint64), np.array([0, 5]), row, view=few_buckets())


def test_hands_come_where_they_were_played() -> None:
    first = blueprint_here(raising_aces(), "")
    assert first.actions == ("fold", "call", "raise 2bb", "raise 3bb", "all-in")
    aces, kings = hand_named("AhAs"), hand_named("KhKs")
    assert first.rows[aces].tolist() == [0, 0, 0, 1, 0]
    assert np.allclose(first.rows[kings], 0.2)
    assert Grid.of(first).as_dict()["AA"]["strategy"]["raise 3bb"] == 1.0
    flop = blueprint_here(raising_aces(), "raise 3, call, Qs Jh 2h")
    assert flop.place.line == ("raise 3bb", "call", "Qs Jh 2h")
    assert (flop.player, call_words(flop, GAME)) == (1, "seat 1 to act")
    assert flop.reach[0][[aces, kings, hand_named("QsQd")]].tolist() == pytest.approx([1.0, 0.2, 0.0])
    facing = blueprint_here(raising_aces(), "raise 2bb")
    assert call_words(facing, GAME) == "seat 1 to act, 1bb to call"


def test_a_bet_that_the_menu_does_not_have() -> None:
    """It is taken for the likelier of its neighbours, and later bets are shares of the pot that there really is."""
    near = blueprint_here(raising_aces(), "raise 2.8bb")
    assert near.place.line == ("raise 2.8bb as raise 3bb",)
    assert near.reach[0][[hand_named("AhAs"), hand_named("KhKs")]].tolist() == pytest.approx([1.0, 0.2])
    # 4.2bb are three quarters of 5.6bb; by the menu there are 6bb, and the bet is one of 4.5bb.
    later = blueprint_here(raising_aces(), "raise 2.8bb, call, Qs Jh 2h, check, bet 4.2bb")
    assert later.place.line[-1] == "bet 4.2bb as bet 4.5bb"
    assert call_words(later, GAME) == "seat 1 to act, 4.5bb to call"
    assert blueprint_here(raising_aces(), "raise 12bb, fold").place.line == ("raise 12bb as all-in", "fold")


def test_three_players_have_places_too() -> None:
    three = Strategy(Holdem(players=3), np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())
    assert blueprint_here(three, "fold, call").player == 2


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("call, check, bet", "3 cards must be dealt after call, check, as in Qs Jh 2h; got 'bet'"),
        ("call, check, Qs Jh", "3 cards must be dealt"),
        ("call, check, Qs Jh 2h, check, check, 3c 4c", "1 card must be dealt"),
        ("call, check, Qs Jh Qs", "twice"),
        ("raise", "'raise' at the start may be raise 2bb or raise 3bb; say which"),
        ("bet 4bb", "there is no 'bet 4bb' at the start; there is fold, call"),
        ("raise 1.2bb", "there is no 'raise 1.2bb' at the start"),
        ("raise 26bb", "there is no 'raise 26bb' at the start"),
        ("fold, call", "the hand is over after fold; leave 'call' out"),
    ],
)
def test_what_is_refused(line: str, why: str) -> None:
    with pytest.raises(RuseError, match=why):
        blueprint_here(raising_aces(), line)


def test_where_nobody_acts() -> None:
    assert due_words(blueprint_here(raising_aces(), "call, check"), GAME).startswith("3 cards must be dealt")
    assert due_words(blueprint_here(raising_aces(), "fold"), GAME) == "the hand is over"
