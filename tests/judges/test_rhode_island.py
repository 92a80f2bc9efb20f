"""Rhode Island Hold'em against PokerKit, which has the game, and against what was published of the whole of it."""

import itertools
import random
from collections import Counter

import pytest
from limit_bets import rhode_island
from pokerkit import Automation, RhodeIslandHoldem, RhodeIslandHoldemHand
from programs import value_of

import ruse
from ruse.games.rhode_island import CARDS, DEALT, HIGH_CARD, STRAIGHT_FLUSH, RhodeIsland, hand_strength
from ruse.protocol.game import CHANCE
from ruse.protocol.state import State

GAME = RhodeIsland()
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
DEEP = 155  # what three raises in every round and the ante take


def one_hand(dice: random.Random) -> int:
    """The same random hand in both; returns how many decisions it had."""
    ours, theirs = State.of(GAME), RhodeIslandHoldem.create_state(AUTOMATIC)
    decisions = 0
    while not ours.is_over:
        a = dice.randrange(len(ours.actions))
        word = ours.actions[a]
        if ours.player == CHANCE:
            if ours.row[DEALT] < 2:
                theirs.deal_hole(word)
            else:
                theirs.burn_card("??")
                theirs.deal_board(word)
        else:
            decisions += 1
            assert theirs.actor_index == ours.player
            assert theirs.can_fold() == ("fold" in ours.actions) or theirs.checking_or_calling_amount == 0
            assert theirs.can_complete_bet_or_raise_to() == ("raise" in ours.actions)
            if word == "fold":
                theirs.fold()
            elif word == "call":
                theirs.check_or_call()
            else:
                theirs.complete_bet_or_raise_to()
        ours = ours.child(a)
    assert not theirs.status
    assert ours.payoffs == [stack - DEEP for stack in theirs.stacks]
    return decisions


def test_hands_end_as_in_pokerkit() -> None:
    dice = random.Random(0)
    decisions = [one_hand(dice) for _ in range(150)]
    assert max(decisions) > 8


def test_three_cards_rank_as_in_pokerkit() -> None:
    """All hands of the deck, by a card of each player and the same board; and how many there are of each kind."""
    names = [GAME.action_name(GAME.start(), card) for card in range(52)]
    row = GAME.start()
    kinds: Counter[int] = Counter()
    strengths: dict[int, object] = {}
    for cards in itertools.combinations(range(52), 3):
        row[CARDS], row[CARDS + 2 :][:2] = cards[0], cards[1:]
        strength = int(hand_strength(GAME, row, 0))
        kinds[strength // 4096] += 1
        theirs = RhodeIslandHoldemHand("".join(names[card] for card in cards))
        assert strengths.setdefault(strength, theirs) == theirs
    ordered = [strengths[strength] for strength in sorted(strengths)]
    assert all(low < high for low, high in itertools.pairwise(ordered))  # type: ignore[operator]
    # The table of Gilpin and Sandholm (2005): 0.74389, 0.16941, 0.04959, 0.03258, 0.00235, 0.00217.
    assert [kinds[k] for k in range(HIGH_CARD, STRAIGHT_FLUSH + 1)] == [16440, 3744, 1096, 720, 52, 48]


def test_the_whole_game_is_as_large_as_was_published() -> None:
    """Its linear program has 91,224,226 rows and as many columns (Gilpin and Sandholm 2007).

    Bets do not depend on cards, so that one card stands for all that may come. A row is an infoset of one player or a
    sequence of the other, and one more for each; a node is counted as often as there are cards for it.
    """
    infosets, sequences, histories = Counter[int](), Counter[int](), 0
    waiting = [(State.of(GAME), 1)]
    while waiting:
        state, times = waiting.pop()
        histories += times
        if state.player == CHANCE:
            waiting.append((state.child(0), times * len(state.actions)))
        elif not state.is_over:
            unseen = 52 - 1 - (int(state.row[DEALT]) - 2)  # cards that the other may have
            infosets[state.player] += times // unseen
            sequences[state.player] += times // unseen * len(state.actions)
            waiting += [(child, times) for child in state.children()]
    assert infosets[0] + 1 + sequences[1] + 1 == 91_224_226
    assert infosets[1] + 1 + sequences[0] + 1 == 91_224_226
    assert histories == 6_705_372_545


@pytest.mark.parametrize(
    ("deck", "spec"),
    [
        (["Qs", "Qh", "Ks", "Kh"], "rhode_island:ranks=2,suits=2,max_raises=1"),
        pytest.param(["Js", "Qs", "Ks", "Jh", "Qh", "Kh"], "rhode_island:small,max_raises=1", marks=pytest.mark.slow),
    ],
)
def test_small_decks_are_worth_what_a_tree_not_ours_says(deck: list[str], spec: str) -> None:
    value = value_of(rhode_island(deck, ruse.make_game(spec)._asdict()["max_raises"]))  # type: ignore[attr-defined]
    assert ruse.find_equilibrium(spec).value == pytest.approx(value, abs=1e-7)
