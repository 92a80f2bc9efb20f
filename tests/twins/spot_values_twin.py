"""A slow, obvious twin: what hands are worth when both go on as a strategy says; every card and end is counted.

Values are chips above half of the first pot, as payoffs are.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by, holding_cards
from ruse.games.holdem.hands.strengths import strengths_on
from ruse.games.holdem.spots.betting import DEAL, FOLD, SHOWDOWN
from ruse.spots.places import Here, Playing

HELD = 4  # cards in two hands


# ---- every hand against a range at once ----


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


# ---- what follows ----


class Below(NamedTuple):
    """What follows a place, for one player."""

    plays: Playing
    player: int
    children: list[list[int]]  # [node]
    asked: np.ndarray  # [holding] whether it may be held by one of them
    orders: dict[tuple[int, ...], Order]  # by board

    def values(self, node: int, cards: tuple[int, ...], reach: np.ndarray) -> np.ndarray:
        """[holding] what it is worth against the other's hands with these weights, added up over them."""
        game = self.plays.game
        who = int(game.who[node])
        if who == DEAL:
            return self._dealt(node, cards, reach)
        if who in (FOLD, SHOWDOWN):
            return self._ended(node, cards, reach, is_fold=who == FOLD)
        rows, children = self.plays.rows(node, cards), self.children[node]
        if who == self.player:
            below = [self.values(child, cards, reach) for child in children]
            return np.asarray(sum(rows[:, a] * worth for a, worth in enumerate(below)))
        return np.asarray(sum(self.values(child, cards, reach * rows[:, a]) for a, child in enumerate(children)))

    def _dealt(self, node: int, cards: tuple[int, ...], reach: np.ndarray) -> np.ndarray:
        game = self.plays.game
        child, board = self.children[node][0], (*map(int, game.board), *cards)
        total = np.zeros(HOLDINGS)
        for card in range(CARDS):
            if card not in board:
                hit = blocked_by([card])
                worth = self.values(child, (*cards, card), np.where(hit, 0.0, reach))
                total += np.where(hit, 0.0, worth)
        return total / (CARDS - len(board) - HELD)

    def _ended(self, node: int, cards: tuple[int, ...], reach: np.ndarray, *, is_fold: bool) -> np.ndarray:
        game = self.plays.game
        put = game.put[node]
        at_stake = float(game.pot[0]) / 2.0 + float(put.min())
        if is_fold:
            has_folded = put[self.player] < put[1 - self.player]
            return met(reach) * (-at_stake if has_folded else at_stake)
        if cards not in self.orders:
            self.orders[cards] = Order.on((*map(int, game.board), *cards), self.asked)
        order = self.orders[cards]
        lower, upto = beaten(order, reach)
        total = np.zeros(HOLDINGS)
        total[order.held] = at_stake * (lower + upto - met(reach)[order.held])
        return total


def counted_values(plays: Playing, at: Here) -> np.ndarray:
    """[holding, action] what each action is worth to a hand of the player who acts; nan for one that meets nobody."""
    game, (node, cards, *_) = plays.game, at.place
    other = at.reach[1 - at.player]
    own, others = (game.spot.weights(player) > 0.0 for player in (at.player, 1 - at.player))
    children = [game.betting.children(n) for n in range(len(game.who))]
    below = Below(plays, at.player, children, own | others, {})
    faced = met(other)
    worth = np.stack([below.values(child, cards, other) for child in children[node]], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.where(faced[:, None] > 1e-12, worth / faced[:, None], np.nan)
    found[~own | blocked_by(at.place.cards)] = np.nan
    return found
