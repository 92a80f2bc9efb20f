"""Every hand against a range at once: how much of it a hand meets, beats and does not lose to."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import blocked_by, holding_cards
from ruse.games.holdem.hands.strengths import strengths_on


def met(weights: np.ndarray) -> np.ndarray:
    """[holding] how much of a range it can meet: all of it, less the hands that share a card with it."""
    cards = holding_cards()
    by_card = np.zeros(CARDS)
    for k in range(2):
        np.add.at(by_card, cards[:, k], weights)
    # The same hand was taken away with each of its cards.
    found: np.ndarray = weights.sum() - by_card[cards].sum(axis=1) + weights
    return np.asarray(np.maximum(found, 0.0))


class Order(NamedTuple):
    """The hands of a board in the order of their strength."""

    held: np.ndarray  # [place] hands that the board leaves, weakest first
    below: np.ndarray  # [place] how many are weaker,
    upto: np.ndarray  # [place] and how many are not stronger
    cards: np.ndarray  # [place, 2] their cards

    @classmethod
    def on(cls, board: Sequence[int], among: np.ndarray) -> "Order":
        """Of the hands `among` (whether, by holding) on five cards."""
        strength = strengths_on(board)
        held = np.flatnonzero(among & ~blocked_by(board))
        held = held[np.argsort(strength[held], kind="stable")]
        ranked = strength[held]
        below, upto = (np.searchsorted(ranked, ranked, side) for side in ("left", "right"))
        return cls(held, below, upto, holding_cards()[held])


def beaten(order: Order, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[place] how much of a range, by holding, each hand beats, and how much it does not lose to."""
    own = weights[order.held]
    every = np.concatenate([[0.0], np.cumsum(own)])
    by_card = np.zeros((len(own) + 1, CARDS))
    places = np.arange(1, len(own) + 1)
    for k in range(2):
        by_card[places, order.cards[:, k]] = own
    by_card = np.cumsum(by_card, axis=0)
    rows = [every[upto] - by_card[upto[:, None], order.cards].sum(axis=1) for upto in (order.below, order.upto)]
    # Its own cards were taken away twice from what is as strong.
    return rows[0], rows[1] + own
