"""All pairs of two ranges on one whole board in linear time: both are sorted by strength, and what shares a card with a
holding is taken out of the running sums.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled_function
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.hands.tables import HandRanks

LOW_BITS, HIGH_BITS = 7, 6  # of a strength: 7,462 are less than 2 ** 13
WIN, TIE, ALL = range(3)  # columns of what is counted


class Side(NamedTuple):
    """The holdings of a range that have weight, and room to sort them. Made by `side_of`."""

    number: np.ndarray  # [k] which holding it is
    cards: np.ndarray  # [k, 2]
    keys: np.ndarray  # [k] of both cards
    suits: np.ndarray  # [k]
    weight: np.ndarray  # [holding] of all 1,326
    strength: np.ndarray  # [k] on this board
    order: np.ndarray  # those that the board does not block, weakest first
    spare: np.ndarray  # room


class Sums(NamedTuple):
    """Weights that are weaker than a strength, and those that are no stronger. Made by `sums`."""

    below: np.ndarray  # [card] of the holdings with it; the last is of all
    upto: np.ndarray
    whole: np.ndarray
    places: np.ndarray  # room to sort


def side_of(ranks: HandRanks, weights: np.ndarray) -> Side:
    number = np.flatnonzero(weights > 0)
    cards = holding_cards()[number]
    keys, suits = ranks.keys[cards].sum(axis=1), np.bitwise_or.reduce(ranks.suits[cards], axis=1)
    strength, order, spare = np.zeros((3, len(number)), np.int64)
    return Side(number, cards, keys, suits, weights.astype(np.float64), strength, order, spare)


def sums() -> Sums:
    below, upto, whole = np.zeros((3, CARDS + 1))
    return Sums(below, upto, whole, np.zeros(1 << LOW_BITS, np.int64))


@compiled_function
def sort_side(ranks, key, suits, side, places):
    """Sort the holdings of a side by strength on a board; returns how many it does not block."""
    count = 0
    for k in range(len(side.number)):
        if side.suits[k] & suits == 0:
            side.strength[k] = ranks.strength(key + side.keys[k], suits | side.suits[k])
            side.spare[count] = k
            count += 1
    _sort_by(side.strength, 0, LOW_BITS, side.spare, side.order, count, places)
    _sort_by(side.strength, LOW_BITS, HIGH_BITS, side.order, side.spare, count, places)
    for k in range(count):
        side.order[k] = side.spare[k]
    return count


@compiled_function
def _sort_by(strength, first, bits, source, target, count, places):
    """Sort by some bits of the strength; what is equal there keeps its order."""
    places[:] = 0
    digits = (1 << bits) - 1
    for i in range(count):
        places[strength[source[i]] >> first & digits] += 1
    begin = 0
    for digit in range(digits + 1):
        places[digit], begin = begin, begin + places[digit]
    for i in range(count):
        digit = strength[source[i]] >> first & digits
        target[places[digit]] = source[i]
        places[digit] += 1


@compiled_function
def _add(total, side, k):
    weight = side.weight[side.number[k]]
    total[side.cards[k, 0]] += weight
    total[side.cards[k, 1]] += weight
    total[CARDS] += weight


@compiled_function
def _without(total, high, low):
    """The weight of what has neither card; what has both is taken out twice."""
    return total[CARDS] - total[high] - total[low]


@compiled_function
def settle(ranks, key, suits, hero, villain, sums, found):
    """Add the weights of the villain that each holding of the hero beats, ties and meets on this board of five to
    found[k]; returns those of all of them together, each by the holding's own weight.
    """
    ours = sort_side(ranks, key, suits, hero, sums.places)
    theirs = sort_side(ranks, key, suits, villain, sums.places)
    sums.below[:], sums.upto[:], sums.whole[:] = 0.0, 0.0, 0.0
    for i in range(theirs):
        _add(sums.whole, villain, villain.order[i])
    below, upto = 0, 0
    wins, ties, pairs = 0.0, 0.0, 0.0
    for i in range(ours):
        k = hero.order[i]
        high, low, strength = hero.cards[k, 0], hero.cards[k, 1], hero.strength[k]
        while below < theirs and villain.strength[villain.order[below]] < strength:
            _add(sums.below, villain, villain.order[below])
            below += 1
        while upto < theirs and villain.strength[villain.order[upto]] <= strength:
            _add(sums.upto, villain, villain.order[upto])
            upto += 1
        same = villain.weight[hero.number[k]]  # it ties with itself
        beaten = _without(sums.below, high, low)
        tied = _without(sums.upto, high, low) + same - beaten
        met = _without(sums.whole, high, low) + same
        found[k, WIN] += beaten
        found[k, TIE] += tied
        found[k, ALL] += met
        own = hero.weight[hero.number[k]]
        wins += own * beaten
        ties += own * tied
        pairs += own * met
    return wins, ties, pairs


def weightless(weights: np.ndarray) -> np.ndarray:
    """[card] whether every holding with weight has this card, so that no board can."""
    numbers = np.flatnonzero(weights > 0)
    held = np.zeros(CARDS, np.int64)
    for column in holding_cards()[numbers].T:
        np.add.at(held, column, 1)
    return np.asarray(held == len(numbers))
