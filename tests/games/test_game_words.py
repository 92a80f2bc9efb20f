"""What is particular to a game: its words, its mistakes; and that random games are varied."""

from typing import Any

import numpy as np
import pytest
from random_games import random_game

from ruse.games.board.dark_hex import DarkHex
from ruse.games.explicit import Builder, Explicit
from ruse.games.goofspiel import TOTAL_POINTS, Goofspiel
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.matrix import matching_pennies, matrix, rock_paper_scissors
from ruse.games.oshi_zumo import OshiZumo
from ruse.play.session import Person, Session
from ruse.protocol.game import CHANCE, EVERYTHING
from ruse.protocol.scene import scene_of
from ruse.protocol.state import State

# ---- each game's own words -------------------------------------------------------------------------------------------


def test_liars_dice() -> None:
    state = State.of(LiarsDice()).after("5", "2", "1x3", "2x4")
    assert state.describe(0) == "5, 1x3 2x4"
    assert state.describe() == "5 | 2, 1x3 2x4"
    assert state.actions == ["2x5", "2x6", "liar"]
    assert state.after("liar").payoffs == [1, -1]  # there is no four and no wild six
    assert State.of(LiarsDice()).after("6", "4", "2x4", "liar").payoffs == [1, -1]
    assert State.of(LiarsDice(dice=2)).after("5", "1", "6", "3").describe(0) == "1 5"
    assert State.of(LiarsDice(players=3)).after("1", "2", "3", "1x1", "1x6", "liar").payoffs == [0, -1, 1]


def test_order_of_own_dice_does_not_matter() -> None:
    game = LiarsDice(dice=2)
    assert State.of(game).after("5", "1", "6", "3").infoset == State.of(game).after("1", "5", "2", "2").infoset


def test_goofspiel() -> None:
    state = State.of(Goofspiel()).after("2", "3", "4")
    assert [state.describe(p) for p in (0, 1, EVERYTHING)] == ["4:2 lost, 3:4", "4:3 won, 3", "4:2-3 won by 1, 3:4-?"]
    assert state.after("4", "1").player == 1
    over = state.after("4", "1", "1")  # the last card plays itself: 3 for player 0, 2 for player 1
    assert over.is_over
    assert over.payoffs == [-1, 1]
    assert State.of(Goofspiel(players=3)).after("1", "1", "2").describe(0) == "4:1 won by 2, 3"
    assert not hasattr(Goofspiel(returns=TOTAL_POINTS), "payoff_sum")


@pytest.mark.parametrize(
    ("game", "moves", "seen"),
    [
        (Kuhn(), ["K", "Q", "pass", "bet", "bet"], ("Q",)),
        (Kuhn(), ["K", "Q", "pass", "bet", "pass"], ()),  # who folds sees nothing
        (Leduc(), ["Ks", "Qh", "call", "call", "Kh", "call", "call"], ("Qh",)),
        (Leduc(), ["Ks", "Qh", "raise", "fold"], ()),
        (LiarsDice(), ["5", "2", "1x3", "liar"], ("2",)),
        (LiarsDice(), ["5", "2", "1x3"], ()),
    ],
)
def test_a_showdown_is_seen_by_all(game: Any, moves: list[str], seen: tuple[str, ...]) -> None:
    state = State.of(game).after(*moves)
    (other,) = [zone for zone in scene_of(state, 0).zones if zone.owner == 1]
    assert (other.shown, other.hidden) == (seen, 1 - len(seen))
    assert scene_of(state, 0).words == state.describe(0)


def test_dark_hex_at_the_table() -> None:
    state = State.of(DarkHex()).after("b1", "b1", "a2")
    assert [zone.shown for zone in scene_of(state, 0).zones] == [("a1", "x", "c1"), ("a2", "b2", "c2")]
    assert [zone.shown for zone in scene_of(state, 1).zones] == [("a1", "x", "c1"), ("o", "b2", "c2")]
    over = state.after("b2")
    assert [zone.shown for zone in scene_of(over, 1).zones] == [("a1", "x", "c1"), ("o", "x", "c2")]
    session = Session.start(DarkHex(), [Person(), Person()])
    for seat, cell in ((0, "b1"), (1, "b1"), (1, "a2"), (0, "b2")):
        session.act(seat, cell)
    tries = [line for heard in session.events(1) for line in heard.words]
    assert tries == [
        "player 0 tries a cell", "you try b1: it is taken", "you try a2: it is yours", "player 0 tries a cell",
        "player 0 has joined top and bottom",
    ]  # fmt: skip


def test_oshi_zumo_tells_bids_when_both_are_made() -> None:
    session = Session.start(OshiZumo(), [Person(), Person()])
    session.act(0, "2")
    assert [heard.words for heard in session.events(1)] == [("player 0 has bid",)]
    session.act(1, "1")
    assert session.events(1)[-1].words == ("you bid 1", "player 0 has bid 2", "the wrestler goes up")
    assert session.events(0)[-1].words == ("player 1 bids 1", "the wrestler goes up")


def test_matrix() -> None:
    state = State.of(rock_paper_scissors()).after("rock")
    assert [state.describe(p) for p in (0, 1, EVERYTHING)] == ["rock", "to move", "rock"]
    over = state.after("paper")
    assert over.payoffs == [-1, 1]
    assert [over.describe(p) for p in (0, 1)] == ["rock against paper", "paper against rock"]
    assert repr(matching_pennies()) == "Matrix('matching_pennies', 2x2)"
    dilemma = matrix([[[3, 0], [5, 1]], [[3, 5], [0, 1]]], ["cooperate", "defect"])
    assert not hasattr(dilemma, "payoff_sum")
    assert State.of(dilemma).after("defect", "cooperate").payoffs == [5, 0]
    three = matrix(np.arange(36.0).reshape(3, 2, 3, 2), [["up", "down"], ["l", "m", "r"], ["0", "1"]])
    assert State.of(three).after("down", "m", "1").payoffs == [9, 21, 33]
    assert three == matrix(np.arange(36).reshape(3, 2, 3, 2), [["up", "down"], ["l", "m", "r"], ["0", "1"]])
    assert three != dilemma
    assert len({three, dilemma, rock_paper_scissors(), rock_paper_scissors()}) == 3


@pytest.mark.parametrize("payoffs", [[1, 2], [[[1, 2], [3, 4]]], [[np.nan, 1], [0, 1]], [[]]])
def test_bad_payoffs_are_refused(payoffs: Any) -> None:
    with pytest.raises(ValueError, match="payoffs must be"):
        matrix(payoffs)


def test_names_must_fit() -> None:
    with pytest.raises(ValueError, match="names must give"):
        matrix([[1, 2], [3, 4]], ["a", "b", "c"])


def coin(*, forget: bool = False, tails: float = -1) -> Explicit:
    """Player 0 sees a coin and may say so twice."""
    tree = Builder("coin", 2)
    tossed = tree.chance(0, outcomes=["heads", "tails"], probabilities=[0.5, 0.5])
    for k, side in enumerate(("heads", "tails")):
        say = tree.decide(tossed + k, player=0, infoset=side, actions=["speak", "wait"])
        tree.end(say, [1, -1])
        guess = tree.decide(say + 1, player=1, infoset="guess", actions=["heads", "tails"])
        for call in range(2):
            last = tree.decide(guess + call, player=0, infoset="again" if forget else f"again {side}", actions=["end"])
            tree.end(last, [1.0, -1.0] if k == call else [tails, 1.0])
    return tree.game()


def test_explicit() -> None:
    game = coin()
    assert repr(game) == "Explicit('coin', 2 players, 15 histories, 5 infosets)"
    assert game.perfect_recall
    assert game.payoff_sum == 0
    assert not coin(forget=True).perfect_recall
    assert not hasattr(coin(tails=-2), "payoff_sum")
    state = State.of(game).after("tails", "wait")
    assert [state.describe(p) for p in (0, 1, EVERYTHING)] == ["tails, wait", "guess", "tails, wait"]
    assert State.of(game).after("tails").describe(1) == ""
    assert game == coin()
    assert game != coin(forget=True)
    assert len({game, coin()}) == 1


def test_builder_refuses_mistakes() -> None:
    tree = Builder("bad", 2)
    with pytest.raises(ValueError, match="node 0 is neither"):
        tree.game()
    with pytest.raises(ValueError, match="sum to 1"):
        tree.chance(0, outcomes=["a", "b"], probabilities=[0.5, 0.6])
    with pytest.raises(ValueError, match="player must be 0 to 1"):
        tree.decide(0, player=2, infoset="x", actions=["a"])
    with pytest.raises(ValueError, match="at least one action"):
        tree.decide(0, player=0, infoset="x", actions=[])
    child = tree.decide(0, player=0, infoset="y", actions=["a", "b"])
    with pytest.raises(ValueError, match="settled already"):
        tree.end(0, [0, 0])
    with pytest.raises(ValueError, match="must have the actions"):
        tree.decide(child, player=0, infoset="y", actions=["a"])
    with pytest.raises(ValueError, match="one for each of 2"):
        tree.end(child, [0])
    with pytest.raises(ValueError, match="does not exist"):
        tree.end(9, [0, 0])


# ---- random games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_random_games_vary_and_keep_their_promises(players: int) -> None:
    games = [random_game(seed, players) for seed in range(20)]
    sizes = [len(game.actor) for game in games]
    assert min(sizes) >= 20
    assert max(sizes) <= 400
    assert len(set(sizes)) > 10
    assert all(game.perfect_recall and game.payoff_sum == 0 for game in games)
    assert sum(bool((game.actor == CHANCE).any()) for game in games) > 15
    assert any(not hasattr(random_game(seed, players, zero_sum=False), "payoff_sum") for seed in range(3))
    assert random_game(5, players) == games[5]


def test_random_games_have_hidden_moves() -> None:
    nodes = [np.bincount(game.infoset_of[game.actor >= 0]) for game in map(random_game, range(20))]
    assert sum(n.max() > 1 for n in nodes) > 15
