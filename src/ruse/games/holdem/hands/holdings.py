"""Two cards as one number: the 1,326 holdings. hi * (hi - 1) // 2 + lo for cards hi > lo, as ranges are stored."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from ruse.compile import compiled_function
from ruse.games.holdem.cards import CARDS, names_of

HOLDINGS = CARDS * (CARDS - 1) // 2


@compiled_function
def holding(a, b):
    """The number of two cards, in any order."""
    return a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a


@cache
def holding_cards() -> np.ndarray:
    """[holding] its two cards, the higher number first."""
    low, high = np.triu_indices(CARDS, 1)
    cards = np.zeros((HOLDINGS, 2), np.int64)
    cards[holding_numbers(high, low)] = np.stack([high, low], axis=1)
    cards.flags.writeable = False
    return cards


def holding_numbers(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The numbers of many pairs of cards."""
    high, low = np.maximum(a, b), np.minimum(a, b)
    numbers: np.ndarray = high * (high - 1) // 2 + low
    return numbers


def holding_name(number: int) -> str:
    """Such as `As Kd`."""
    return names_of(holding_cards()[number].tolist())


def blocked_by(cards: Sequence[int]) -> np.ndarray:
    """[holding] whether it needs one of these cards, which lie elsewhere."""
    return np.asarray(np.isin(holding_cards(), list(cards)).any(axis=1))
