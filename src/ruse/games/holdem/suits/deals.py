"""The numbers of deals in Python: from cards and back, and the 169 starting hands by name."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from ruse.compile import compiled_function
from ruse.errors import RuseError
from ruse.games.cards import RANKS
from ruse.games.holdem.cards import CARDS, NAMES, names_of
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.suits.index import suit_index

STARTING_HANDS = 169


@compiled_function
def bit_of(card):
    """A card's bit in a word of 13 ranks for each suit."""
    return 1 << (len(RANKS) * (card % 4) + card // 4)


def word_of(cards: Sequence[int]) -> int:
    """Cards as a word of 13 ranks for each suit."""
    word = 0
    for card in cards:
        word |= bit_of(int(card))
    return word


def cards_of(word: int) -> list[int]:
    """The cards of a word, the highest first."""
    return [card for card in reversed(range(CARDS)) if word & bit_of(card)]


def deal_number(hidden: Sequence[int], board: Sequence[int] = ()) -> int:
    """The number of a deal among all that have as many cards (`suit_index`), the same whatever the suits are called."""
    cards = [*hidden, *board]
    for k, card in enumerate(cards):
        if card in cards[:k]:
            raise RuseError(f"{NAMES[card]} is twice in {names_of(cards)}; each card is in the deck once")
    return int(suit_index(len(hidden), len(board)).canonical_index(word_of(hidden), word_of(board)))


def deal_of(number: int, hidden: int, board: int) -> tuple[list[int], list[int]]:
    """The deal of a number: its hidden cards and its board, in suits of our choice."""
    index = suit_index(hidden, board)
    if not 0 <= number < index.size:
        raise RuseError(f"deals of {hidden} hidden cards and {board} have numbers below {index.size:,}, not {number}")
    hole, lies = index.canonical_cards(number)
    return cards_of(int(hole)), cards_of(int(lies))


def canonical(hidden: Sequence[int], board: Sequence[int] = ()) -> tuple[list[int], list[int]]:
    """The one deal that stands for all that differ from this one in the names of suits alone."""
    return deal_of(deal_number(hidden, board), len(hidden), len(board))


@cache
def starting_hands() -> np.ndarray:
    """[holding] which of the 169 starting hands it is."""
    return np.array([deal_number(cards) for cards in holding_cards().tolist()], np.int16)


@cache
def starting_names() -> tuple[str, ...]:
    """[starting hand] its name: a pair such as 77, suited as AKs or not as T9o."""
    names = [""] * STARTING_HANDS
    for (high, low), number in zip(holding_cards().tolist(), starting_hands().tolist(), strict=True):
        ranks = RANKS[high // 4] + RANKS[low // 4]
        names[number] = ranks if ranks[0] == ranks[1] else ranks + "os"[high % 4 == low % 4]
    return tuple(names)
