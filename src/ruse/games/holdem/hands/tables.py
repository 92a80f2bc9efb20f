"""Tables for the strength of five to seven cards, made here in some tenths of a second.

A strength is the number of the best five cards' class among the 7,462, weakest first: 0 for 7-5-4-3-2, 7461 for a royal
flush, on one scale for five, six and seven cards. Cards are added one by one:

    key, suits = NO_CARDS, 0
    for card in cards:
        key += ranks.keys[card]
        suits |= ranks.suits[card]
    ranks.strength(key, suits)

A key has one sum for the ranks two to eight and one for nine to ace, in which each rank has a digit to base 5, and four
counters of suits that begin at 3, so that the fifth card of a suit sets their highest bit.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.classes import BASE, MASKS, of_masks, suited, unsuited
from ruse.protocol.guards.frozen import frozen

FEWEST, MOST = 5, 7  # cards of a hand
LOWER, UPPER = 7, 6  # ranks in the two sums
FIELD = 20  # bits of a sum
SUM = (1 << FIELD) - 1
COUNTERS = 2 * FIELD  # where the suits are counted, four bits each
NO_CARDS = 0x3333 << COUNTERS  # the key of no cards
FIVE_SUITED = 0x8888
CLASSES = 7462


@compiled("strength")
class HandRanks(NamedTuple):
    """Tables for kernels and Python alike. Made by `hand_ranks`."""

    keys: np.ndarray  # [card] what it adds to a key
    suits: np.ndarray  # [card] its bit in a mask of 13 ranks for each suit
    low: np.ndarray  # [sum of the ranks two to eight] where its classes begin
    high: np.ndarray  # [sum of the ranks nine to ace] where they are after that
    unsuited: np.ndarray  # [low + high] strengths
    suited: np.ndarray  # [mask of ranks, at least five] strengths
    written: np.ndarray  # [strength] the class in digits

    def __repr__(self) -> str:
        return "hand_ranks()"

    def __eq__(self, other: object) -> bool:
        return type(other) is HandRanks  # they are all made alike

    def __hash__(self) -> int:
        return hash(HandRanks)

    def strength(self, key, suits):
        """How strong the cards with this key and these suits are, five to seven of them."""
        flush = key >> COUNTERS & FIVE_SUITED
        if flush:
            while flush > 0x8:
                flush >>= 4
                suits >>= BASE
            return np.int64(self.suited[suits & (MASKS - 1)])
        return np.int64(self.unsuited[self.low[key & SUM] + self.high[key >> FIELD & SUM]])


@compiled_function
def strength_of(ranks, cards):
    """How strong five to seven cards are."""
    key = NO_CARDS
    for k in range(len(cards)):
        key += ranks.keys[cards[k]]
    suits = 0
    if key >> COUNTERS & FIVE_SUITED:  # else nobody asks for them
        for k in range(len(cards)):
            suits |= ranks.suits[cards[k]]
    return ranks.strength(key, suits)


@cache
def hand_ranks() -> HandRanks:
    """The tables, made once; nobody can write into them."""
    rank, suit = np.arange(CARDS) // 4, np.arange(CARDS) % 4
    digit = np.where(rank < LOWER, 5**rank, 5 ** np.maximum(rank - LOWER, 0) << FIELD)
    keys, suits = digit + (1 << (COUNTERS + 4 * suit)), 1 << (BASE * suit + rank)

    low_cards, low_masks = _multisets(LOWER)
    high_cards, high_masks = _multisets(UPPER)
    high_masks = high_masks << LOWER
    order = np.argsort(high_cards, kind="stable")
    order = order[high_cards[order] <= MOST]
    first = np.searchsorted(high_cards[order], np.arange(MOST + 2))  # where sums of so many cards begin
    high = np.zeros(len(high_cards), np.int32)
    high[order] = np.arange(len(order))

    low = np.zeros(len(low_cards), np.int32)
    classes, cards, size = [], [], 0
    for count in range(MOST + 1):  # of the lower ranks
        sums = np.flatnonzero(low_cards == count)
        begin, end = first[max(0, FEWEST - count)], first[MOST - count + 1]
        low[sums] = size + np.arange(len(sums)) * (end - begin) - begin
        masks = low_masks[:, sums, None] | high_masks[:, None, order[begin:end]]
        classes.append(unsuited(*masks).ravel())
        cards.append(np.broadcast_to(count + high_cards[order[begin:end]], masks.shape[1:]).ravel())
        size += classes[-1].size
    of_one_suit = np.flatnonzero(of_masks().size >= FEWEST)
    best = suited(of_one_suit)

    fives = np.concatenate(classes)[np.concatenate(cards) == FEWEST]
    written = np.unique(np.concatenate([fives, best]))
    flushes = np.zeros(MASKS, np.uint16)
    flushes[of_one_suit] = np.searchsorted(written, best)
    strengths = np.searchsorted(written, np.concatenate(classes)).astype(np.uint16)
    return frozen(HandRanks(keys, suits, low, high, strengths, flushes, written))  # a bot is handed them with the game


def _multisets(ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """How many cards each sum stands for, and the masks of the ranks that it has once, twice, three and four times."""
    copies = np.arange(5**ranks)[:, None] // 5 ** np.arange(ranks) % 5
    often = copies >= np.arange(1, 5)[:, None, None]
    return copies.sum(axis=1), (often << np.arange(ranks)).sum(axis=2)
