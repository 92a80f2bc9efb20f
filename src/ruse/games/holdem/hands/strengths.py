"""The strength of hands in Python: many at once, and all holdings on a board."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ruse.compile import compiled_function, kernel
from ruse.errors import RuseError
from ruse.games.holdem.cards import CARDS, NAMES, names_of
from ruse.games.holdem.hands.holdings import HOLDINGS
from ruse.games.holdem.hands.tables import FEWEST, MOST, NO_CARDS, hand_ranks

BLOCKED = -1  # in place of a strength: one of the two cards lies on the board


def strengths(cards: Any) -> np.ndarray:
    """How strong hands of five to seven cards are, of an array [..., card]: from 0 to 7461 for a royal flush."""
    array = np.asarray(cards)
    if array.ndim < 1 or not FEWEST <= array.shape[-1] <= MOST or array.dtype.kind not in "iu":
        raise RuseError(
            f"a hand has {FEWEST} to {MOST} cards, each a number, not an array of {array.dtype} {array.shape}"
        )
    rows = array.reshape(-1, array.shape[-1])
    if array.size and (array.min() < 0 or array.max() >= CARDS):
        raise RuseError(f"cards are numbers from 0 to {CARDS - 1}, not from {array.min()} to {array.max()}")
    found = np.empty(len(rows), np.int16)
    twice = _fill_rows(hand_ranks(), rows.astype(np.uint8), found)
    if twice >= 0:
        raise RuseError(f"{names_of(rows[twice].tolist())} has a card twice; each card is in the deck once")
    return found.reshape(array.shape[:-1])


def strengths_on(board: Sequence[int]) -> np.ndarray:
    """[holding] how strong its two cards are with a board of three to five; BLOCKED where the board has one of them."""
    cards = np.array(refused(board, 3, 5), np.uint8)
    found = np.empty(HOLDINGS, np.int16)
    _fill_board(hand_ranks(), cards, found)
    return found


def refused(board: Sequence[int], fewest: int, most: int) -> list[int]:
    """The cards of a board, which must be so many and all different."""
    cards = [int(card) for card in board]
    if wrong := [card for card in cards if not 0 <= card < CARDS]:
        raise RuseError(f"{wrong[0]} on the board is no card; they are numbers from 0 to {CARDS - 1}")
    for k, card in enumerate(cards):
        if card in cards[:k]:
            raise RuseError(f"{NAMES[card]} is twice on the board {names_of(cards)}; each card is in the deck once")
    if not fewest <= len(cards) <= most:
        raise RuseError(f"the board must have {fewest} to {most} cards; {names_of(cards) or 'none'} has {len(cards)}")
    return cards


@compiled_function
def fill_board(ranks, board, out):
    """Write the strength of every holding on a board of three to five cards; the board is added once."""
    key, suits = NO_CARDS, 0
    for k in range(len(board)):
        key += ranks.keys[board[k]]
        suits |= ranks.suits[board[k]]
    place = 0
    for high in range(CARDS):
        taken = ranks.suits[high] & suits != 0
        with_high, suits_with = key + ranks.keys[high], suits | ranks.suits[high]
        for low in range(high):
            if taken or ranks.suits[low] & suits != 0:
                out[place] = BLOCKED
            else:
                out[place] = ranks.strength(with_high + ranks.keys[low], suits_with | ranks.suits[low])
            place += 1


@kernel
def _fill_rows(ranks, cards, out):
    """The strength of each row of cards; returns a row that has a card twice, or -1."""
    for i in range(len(cards)):
        key, suits = NO_CARDS, 0
        for k in range(cards.shape[1]):
            if suits & ranks.suits[cards[i, k]]:
                return i
            key += ranks.keys[cards[i, k]]
            suits |= ranks.suits[cards[i, k]]
        out[i] = ranks.strength(key, suits)
    return -1


@kernel
def _fill_board(ranks, board, out):
    fill_board(ranks, board, out)
