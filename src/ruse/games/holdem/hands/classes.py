"""The 7,462 classes of five cards, weakest first: which ranks make them, and what the best five of more cards are.

A class is written as six digits to base 13: its kind (`KINDS`), then the ranks that decide, the most important first.
Cards without a flush are four masks of ranks: those that occur at all, twice, three times and four times.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ruse.games.cards import RANKS

KINDS = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(len(KINDS))
BASE, DIGITS = len(RANKS), 5
MASKS = 1 << BASE
WHEEL = 1 << 12 | 0b1111  # ace to five, of which the five is the highest


class OfMasks(NamedTuple):
    """What there is to know about each mask of ranks."""

    highest: np.ndarray  # the highest rank in it, 0 if it is empty
    straight: np.ndarray  # the highest rank of the best straight in it, -1 if there is none
    size: np.ndarray  # how many ranks are in it


@cache
def of_masks() -> OfMasks:
    masks = np.arange(MASKS)
    highest, straight = np.zeros(MASKS, np.int64), np.full(MASKS, -1)
    for rank in range(BASE):
        highest[masks >> rank & 1 == 1] = rank
    straight[masks & WHEEL == WHEEL] = 3
    for rank in range(4, BASE):
        needed = 0b11111 << (rank - 4)
        straight[masks & needed == needed] = rank
    return OfMasks(highest, straight, (masks[:, None] >> np.arange(BASE) & 1).sum(axis=1))


def written(kind: int, ranks: list[np.ndarray]) -> np.ndarray:
    """The number of a class whose kind and deciding ranks are given."""
    number = np.full(np.shape(ranks[0]), kind, np.int64)
    for k in range(DIGITS):
        number = number * BASE + (ranks[k] if k < len(ranks) else 0)
    return number


def leading(mask: np.ndarray, count: int) -> list[np.ndarray]:
    """The highest ranks of a mask, in order."""
    found = []
    for _ in range(count):
        found.append(of_masks().highest[mask])
        mask = mask & ~(1 << found[-1])
    return found


def unsuited(once: np.ndarray, twice: np.ndarray, thrice: np.ndarray, four: np.ndarray) -> np.ndarray:
    """The classes of the best five cards where there is no flush, by masks of the ranks that occur so often."""
    highest, straight, size = of_masks()
    quads, trips, pair = highest[four], highest[thrice], highest[twice]
    beside = twice & ~(1 << trips)  # what can fill up a full house
    second = highest[twice & ~(1 << pair)]
    pairless = once & ~(1 << pair)
    return np.select(
        [four > 0, (thrice > 0) & (beside > 0), straight[once] >= 0, thrice > 0, size[twice] > 1, twice > 0],
        [
            written(FOUR, [quads, highest[once & ~(1 << quads)]]),
            written(FULL_HOUSE, [trips, highest[beside]]),
            written(STRAIGHT, [straight[once]]),
            written(THREE, [trips, *leading(once & ~(1 << trips), 2)]),
            written(TWO_PAIR, [pair, second, highest[pairless & ~(1 << second)]]),
            written(PAIR, [pair, *leading(pairless, 3)]),
        ],
        written(HIGH_CARD, leading(once, 5)),
    )


def suited(mask: np.ndarray) -> np.ndarray:
    """The classes of the best five cards of one suit, by the mask of its ranks, five of them or more."""
    straight = of_masks().straight[mask]
    return np.where(straight >= 0, written(STRAIGHT_FLUSH, [straight]), written(FLUSH, leading(mask, 5)))


def digits(number: int) -> tuple[int, list[int]]:
    """The kind of a class and its ranks."""
    ranks = [number // BASE**k % BASE for k in reversed(range(DIGITS))]
    return number // BASE**DIGITS, ranks
