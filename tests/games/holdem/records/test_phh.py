"""Hand histories in PHH: ours are read by PokerKit, PokerKit's by us, and broken ones are refused in one sentence."""

import random
import warnings

import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, HandHistory, NoLimitTexasHoldem

from ruse.errors import FileTrouble
from ruse.games.holdem.betting.menus import menu
from ruse.games.holdem.betting.pots import chips_won
from ruse.games.holdem.fields import NAMED, stacks
from ruse.games.holdem.records.reading import begins, read
from ruse.games.holdem.records.writing import seats_in_order, write
from ruse.games.holdem.row import left
from ruse.games.holdem.rules import Holdem
from ruse.protocol.played import Played
from ruse.protocol.state import State

GAMES = [
    Holdem(),
    Holdem(players=3, stacks=stacks("25/10/40"), ante=0.1),
    Holdem(players=6, stack=8.0, big_ante=1.0),
    Holdem(players=4, limit=True),
    Holdem(players=5, stacks=stacks("3/12/0.75/30/2"), **NAMED["any"]),
]


def played(game: Holdem, seed: int) -> Played:
    dice, state = random.Random(seed), State.of(game)
    while not state.is_over:
        is_raise = dice.random() < 0.3
        count = state.num_actions
        calls = 1 if count > 1 and not state.is_chance and state.actions[0] == "fold" else 0
        state = state.child(dice.randrange(count) if state.is_chance or is_raise else calls)
    return Played(game, state.history, tuple(f"seat {p}" for p in range(game.players)))


def stacks_after(hand: Played) -> list[int]:
    game, state = hand.game, State.of(hand.game)
    for a in hand.history:
        state = state.child(a)
    return [int(state.row[left(game) + p] + chips_won(game, state.row, p)) for p in seats_in_order(game)]


def replayed(text: str) -> list[int]:
    """The stacks at the end, by PokerKit."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        history = HandHistory.loads(text)
        steps = list(history.state_actions)
    state = steps[-1][0]
    assert not state.status
    assert sum(action is not None for _, action in steps) == len(history.actions)  # nothing was mended
    return [int(x) for x in state.stacks]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_pokerkit_reads_what_we_write(game: Holdem) -> None:
    for seed in range(12):
        hand = played(game, seed)
        text = write([hand])
        assert begins(text)
        assert replayed(text) == stacks_after(hand)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_what_is_written_is_read_again(game: Holdem) -> None:
    hands = [played(game, seed) for seed in range(3)]
    found = list(read(write(hands), "hands", game))
    assert found == hands
    for other, hand in zip(read(write(hands), "hands", None), hands, strict=True):  # with menus of its own bets
        assert stacks_after(other) == stacks_after(hand)
        assert other.names == hand.names


@pytest.mark.parametrize("kind", [NoLimitTexasHoldem, FixedLimitTexasHoldem])
def test_we_read_what_pokerkit_writes(kind: type) -> None:
    """Their own form, cards dealt at random, amounts as they come."""
    dice = random.Random(7)
    automatic = tuple(one for one in Automation if one != Automation.BOARD_DEALING)
    for number in range(12):
        players = dice.randint(2, 6)
        low = 3 if kind is NoLimitTexasHoldem else 40  # PokerKit lets more be raised after a short all-in
        bets = (2,) if kind is NoLimitTexasHoldem else (2, 4)
        their = kind(automatic, True, 0, (1, 2), *bets)([dice.randint(low, 80) for _ in range(players)], players)
        random.seed(number)
        while their.status:
            if their.can_deal_board():
                their.deal_board()
            elif their.can_complete_bet_or_raise_to() and dice.random() < 0.2:
                least = their.min_completion_betting_or_raising_to_amount
                their.complete_bet_or_raise_to(dice.randint(least, their.max_completion_betting_or_raising_to_amount))
            elif their.can_fold() and dice.random() < 0.2:
                their.fold()
            else:
                their.check_or_call()
        game = kind(automatic, True, 0, (1, 2), *bets)
        text = HandHistory.from_game_state(game, their).dumps()
        (hand,) = read(text, "theirs", None)
        assert stacks_after(hand) == [int(x) for x in their.stacks], text


HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [0.25, 0.50, 0]
min_bet = 0.5
starting_stacks = [50, 40.50, 60]
actions = [
  "d dh p1 AsKs", "d dh p2 2c2d", "d dh p3 7h7d",
  "p3 cbr 1.5", "p1 f # too bad", "p2 cc", "d db Qs Jh 2h",
]
"""


def test_amounts_may_have_a_point() -> None:
    text = HAND.replace("Qs Jh 2h", "QsJh2h")
    (hand,) = read(text, "hand", None)
    assert hand.game == Holdem(
        players=3, stack=100.0, stacks=stacks("120/100/81"), chips=50, open=menu("150c"), all_in_from=1.0
    )
    state = State.of(hand.game)
    for a in hand.history:
        state = state.child(a)
    assert state.player == 2
    assert state.describe(2) == "2d 2c | Qs Jh 2h | raise 3bb, fold, call"


WRONG = [
    ('"NT"', '"PO"', "variant 'PO' is not among those that can be read"),
    ("min_bet = 0.5", "min_bet = 1", "'min_bet' must be 0.5"),
    ("[0.25, 0.50, 0]", "[0.25, 0.5, 1]", "straddles cannot be read"),
    ("[0.25, 0.50, 0]", "[0.25, 0.5]", "must have 3 amounts"),
    ("[0.25, 0.50, 0]", "[1, 0.5, 0]", "at most the big blind"),
    ("[0, 0, 0]", "[0, 0.1, 0.2]", "'antes' must be the same for all"),
    ("[50, 40.50, 60]", "[50, -40, 60]", "'starting_stacks' must have amounts from 0 on"),
    ("[50, 40.50, 60]", "[50, 1e400, 60]", "is no PHH"),
    ("[50, 40.50, 60]", "[50]", "for 2 to 6 players"),
    ("[50, 40.50, 60]", "50", "'starting_stacks' must be a list"),
    ("AsKs", "????", "cards that nobody knows"),
    ("AsKs", "AsKx", "'Kx' in 'AsKx' is no card"),
    ("AsKs", "As2c", "2c is dealt already"),
    ('"d dh p1 AsKs", ', "", "p1 must be dealt two cards, and gets 0"),
    ("p3 cbr 1.5", "p1 cbr 1.5", "it is not the turn of p1: p3 is to act"),
    ("p3 cbr 1.5", "p3 cbr 0.6", "a raise comes to 1 at least and 60 at most"),
    ("p3 cbr 1.5", "p3 cbr nan", "'nan' is no amount"),
    ("p3 cbr 1.5", "p9 f", "there is no player 'p9'"),
    ("p3 cbr 1.5", "p3 sd", "it is no action of Hold'em"),
    ("p3 cbr 1.5", "d db AcAdAh", "no cards are dealt here: p3 is to act"),
    ("Qs Jh 2h", "QsJh", "the flop has 3 cards, not 2"),
    ("Qs Jh 2h", "QsJhAs", "As is dealt already"),
    ("Qs Jh 2h", 'QsJh2h", "p2 f', "there is nothing to call"),
    ("Qs Jh 2h", 'QsJh2h", "p1 sm AsKd', "p1 was dealt As Ks"),
    ("actions = [", "action = [", "'actions' is missing"),
    ("variant", "variant = variant", "is no PHH"),
]


@pytest.mark.parametrize(("old", "new", "words"), WRONG)
def test_broken_hands_are_refused_in_one_sentence(old: str, new: str, words: str) -> None:
    assert old in HAND
    with pytest.raises(FileTrouble) as told:
        list(read(HAND.replace(old, new), "hand.phh", None))
    assert words in str(told.value)
    assert str(told.value).startswith("hand.phh")
    assert "\n" not in str(told.value)


def test_a_game_that_does_not_fit_is_refused() -> None:
    text = HAND.replace("Qs Jh 2h", "QsJh2h")
    with pytest.raises(FileTrouble, match="players 3, and the game that was named has 2"):
        list(read(text, "hand", Holdem()))
    with pytest.raises(FileTrouble, match="offers no bet of 150 chips"):
        list(read(text, "hand", Holdem(players=3, stacks=stacks("120/100/81"), chips=50, open=menu("min"))))


def test_an_end_that_the_actions_do_not_lead_to_is_refused() -> None:
    hand = played(GAMES[0], 0)
    text, ends = write([hand]), stacks_after(hand)
    other = text.replace(f"finishing_stacks = {ends}", f"finishing_stacks = {[1] * len(ends)}")
    assert other != text
    with pytest.raises(FileTrouble, match="'finishing_stacks' says 1, 1, and the actions lead to"):
        list(read(other, "hand.phh", None))
