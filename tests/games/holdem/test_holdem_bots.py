"""The bots of Hold'em: what they do, in plain Python, and that they win from those whom they should."""

import itertools

import numpy as np
import pytest

import ruse
from ruse.games.holdem.bots import BOTS, chen_score, share_beaten
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.hands.tables import hand_ranks, strength_of
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.telling.observation import OWN, SEEN_BOARD
from ruse.play.bots.names import bots_of
from ruse.protocol.state import State

GAME = Holdem()


def chosen(bot: str, state: State) -> str:
    """What a bot does when it is its turn."""
    seen = np.zeros(GAME.observation_size(), np.int64)
    GAME.observe(state.row, state.player, seen)
    made = BOTS[bot]
    a = made.decide(GAME, seen, state.player, np.zeros(1, np.int64), state.num_actions, 0.5)
    return state.actions[a]


def at(hands: str, *moves: str) -> State:
    state = State.of(GAME)
    for name in (*hands.split(), *moves):
        state = state.after(name)
    return state


def test_their_names() -> None:
    assert set(bots_of(GAME)) == {"random", "call", "fold", "tight"}


@pytest.mark.parametrize("bot", ["call", "fold"])
def test_simple_bots(bot: str) -> None:
    state = at("As Ks 2c 2d")
    assert chosen(bot, state) == bot
    assert chosen(bot, state.after("call")) == "check"
    assert chosen(bot, state.after("all-in")) == bot


def test_tight_before_the_flop() -> None:
    assert chosen("tight", at("As Ks 7c 2d")) == "raise 3bb"
    assert chosen("tight", at("7c 2d As Ks")) == "fold"
    assert chosen("tight", at("7c 2d As Ad", "all-in")) == "call"
    assert chosen("tight", at("As Ks 7c 2d", "raise 3bb")) == "fold"
    assert chosen("tight", at("As Ad Kc Kd", "raise 3bb")) == "raise 9bb"


def test_tight_after_the_flop() -> None:
    flop = at("As Ks 7c 2d", "call", "check", "Ah", "Kd", "3c")
    assert chosen("tight", flop) == "check"
    assert chosen("tight", flop.after("check")) == "bet 1.5bb"
    assert chosen("tight", flop.after("check", "bet 1.5bb")) == "fold"


@pytest.mark.parametrize(
    ("cards", "score"), [("As Ad", 20), ("As Ks", 12), ("Ts Td", 10), ("7s 5s", 5.5), ("2c 2d", 5), ("7c 2d", -1.5)]
)
def test_chens_formula(cards: str, score: float) -> None:
    """The examples of its author, before they are rounded up."""
    high, low = sorted(cards_named(cards), reverse=True)
    assert chen_score(high, low) == score


def test_the_share_of_hands_that_are_beaten() -> None:
    """The same by a list of all hands."""
    hand, board = cards_named("Qs Qd"), cards_named("Qh 7c 7d 2s")
    seen = np.full(GAME.observation_size(), -1)
    seen[OWN : OWN + 2], seen[SEEN_BOARD : SEEN_BOARD + 4] = sorted(hand, reverse=True), board
    ranks = hand_ranks()
    mine = strength_of(ranks, [*hand, *board])
    others = itertools.combinations([card for card in range(52) if card not in hand + board], 2)
    theirs = np.array([strength_of(ranks, [*two, *board]) for two in others])
    expected = ((theirs < mine).sum() + 0.5 * (theirs == mine).sum()) / len(theirs)
    assert share_beaten(ranks, seen) == pytest.approx(expected)
    assert share_beaten(ranks, seen) > 0.99


@pytest.mark.parametrize("other", ["call", "fold"])
def test_tight_wins(other: str) -> None:
    result = ruse.match(GAME, [BOTS["tight"], BOTS[other]], deals=3_000)
    assert result.mean[0] > 0.2
