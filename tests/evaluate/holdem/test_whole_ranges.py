"""Whole ranges on a board, beside one holding at a time (`local.py`, `rooms.py`)."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from rough_hands import few_buckets, rough_table

from ruse.evaluate.holdem import pairs, rooms
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.evaluate.holdem.local import Local, OnLines, walk
from ruse.evaluate.holdem.pairs import HoldingPairs
from ruse.evaluate.holdem.rooms import fill_hand, hand_room
from ruse.evaluate.holdem.whole_ranges import LinesPart, respond, won_in_part
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by, holding, holding_cards
from ruse.games.holdem.hands.tables import hand_ranks
from ruse.games.holdem.rules import Holdem
from ruse.strategy import Strategy

BOARD = list(cards_named("Ts 9s 2d 2c Ah"))
OWN = list(cards_named("As Kd")), list(cards_named("9h 8h")), list(cards_named("5c 4d"))


@pytest.fixture(autouse=True)
def rough(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (pairs, rooms):
        monkeypatch.setattr(module, "starting_equities", rough_table)


def nobodys() -> Strategy:
    """A strategy that knows nothing, in a game of few lines."""
    nothing: Any = np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0)
    return Strategy(Holdem(stack=8.0), *nothing, view=few_buckets())


def dealt(own: list[int]) -> rooms.Hand:
    """A deal of these cards, worked out as `local.py` has it."""
    hand = hand_room()
    hand.deal[:] = [*own, *BOARD]
    fill_hand(hand_ranks(), few_buckets().cards, hand)
    return hand


@cache
def streets() -> dict[int, HoldingPairs]:
    return {0: HoldingPairs.before_the_flop()} | {street: HoldingPairs.on(BOARD[: street + 2]) for street in (1, 2, 3)}


def uneven(bucketed: Bucketed) -> Bucketed:
    """Something else at every decision, so that nothing is right by symmetry."""
    rng = np.random.default_rng(5)
    sigma = np.zeros_like(bucketed.sigma)
    for n in np.flatnonzero(bucketed.lines.who >= 0).tolist():
        rows = bucketed._replace(sigma=sigma).rows(n)
        rows[:] = rng.dirichlet(np.ones(rows.shape[1]), len(rows))
    return bucketed._replace(sigma=sigma)


def test_pairs_are_those_of_one_holding_after_the_other() -> None:
    every = streets()
    for own in OWN:
        hand, h = dealt(own), int(holding(*own))
        for street, pair in every.items():
            np.testing.assert_allclose(pair.equity[h], hand.equity[street], atol=1e-12)
            np.testing.assert_array_equal(pair.apart[h] > 0, hand.live[street] > 0)
    for street, pair in every.items():
        assert pair.apart.sum() == pair.dealt
        np.testing.assert_allclose(pair.equity + pair.equity.T, pair.apart, atol=1e-12)
        blocked = blocked_by(BOARD[: street + 2] if street else [])
        assert not pair.apart[blocked].any()


def test_responses_of_all_holdings_are_those_of_each() -> None:
    """By the walk of `local.py`, with one holding after the other, from the first decision to the end."""
    bucketed = uneven(Bucketed.of(nobodys()))
    played, every, kinds = OnLines.of(bucketed), streets(), hand_room().starting
    reach, stack = np.zeros((played.deepest + 1, HOLDINGS)), np.zeros((len(played.who), 4), np.int64)

    def rows(n: int) -> np.ndarray:
        bucket = kinds if bucketed.lines.street[n] == 0 else np.zeros(HOLDINGS, np.int64)
        return bucketed.rows(n)[bucket]

    for own in OWN:
        h, hand, firsts = int(holding(*own)), dealt(own), (0, 2)
        start = np.zeros((len(firsts), HOLDINGS))
        start[:, h] = 1.0
        # Who holds it for certain meets so many others, and not one of all pairs.
        met = {street: pair._replace(dealt=int(pair.apart[h].sum())) for street, pair in every.items()}
        part = LinesPart.below(bucketed.lines, 0, met)
        for seat in range(2):
            found = respond(part, seat, rows, np.ones(HOLDINGS), start, firsts).won
            expected = [walk(played, hand, Local(first), reach, stack, seat) for first in firsts]
            np.testing.assert_allclose(found, expected, atol=1e-9)


def test_what_is_won_is_the_sum_over_pairs() -> None:
    """Two strategies that play differently, pair by pair and line by line."""
    lines = Bucketed.of(nobodys()).lines
    root = next(n for n in range(len(lines.who)) if lines.street[n] == 3 and lines.who[n] >= 0)
    pair = HoldingPairs.on(BOARD)
    part, rng = LinesPart.below(lines, root, {3: pair}), np.random.default_rng(3)
    told = [{n: rng.dirichlet(np.ones(len(lines.children(n))), HOLDINGS) for n in part.decisions} for _ in range(2)]
    few = [int(holding(*own)) for own in (*OWN, list(cards_named("As Qs")))]
    start = np.zeros((2, HOLDINGS))
    start[0, few[:2]], start[1, few[1:]] = (0.5, 0.25), (1.0, 0.5, 0.125)

    def worth(n: int, one: int, other: int) -> float:
        if lines.who[n] < 0:
            ahead, payoff = pair.equity[one, other], lines.payoff[n]
            return float(ahead * payoff[0, 0] + (1.0 - ahead) * payoff[1, 0])
        row = told[lines.who[n]][n][(one, other)[lines.who[n]]]
        return sum(share * worth(c, one, other) for share, c in zip(row, lines.children(n), strict=True))

    expected = sum(
        start[0, one] * start[1, other] * worth(root, one, other) / pair.dealt
        for one in few for other in few
        if not set(holding_cards()[one].tolist()) & set(holding_cards()[other].tolist())
    )  # fmt: skip
    found = won_in_part(part, (told[0].__getitem__, told[1].__getitem__), start)
    assert found == pytest.approx(expected, abs=1e-15)
    assert found != 0.0
