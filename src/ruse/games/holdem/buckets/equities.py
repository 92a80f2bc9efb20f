"""How often each holding wins on a whole board against all others alike, and how that spreads over the boards to come.

On five cards a holding meets 990 others; it has two points for each that it beats and one for each that it ties, so
its equity is points / 1980. What it can still become on fewer cards is a histogram of that over all whole boards.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled_function, lean_kernel
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import HOLDINGS, holding_cards
from ruse.games.holdem.hands.strengths import BLOCKED
from ruse.games.holdem.hands.tables import NO_CARDS

OTHERS = (CARDS - 7) * (CARDS - 8) // 2
POINTS = 2 * OTHERS  # of a holding that always wins
LOW_BITS, HIGH_BITS = 7, 6  # of a strength: 7,462 are less than 2 ** 13
BINS = 32  # of a histogram


class Room(NamedTuple):
    """Where a board is worked out. Made by `room`, one for each thread."""

    cards: np.ndarray  # [holding, 2]
    strength: np.ndarray  # [holding]
    live: np.ndarray  # holdings that the board does not block
    order: np.ndarray  # the same, weakest first
    low: np.ndarray  # how many holdings have each value of the low bits of their strength
    high: np.ndarray
    weaker: np.ndarray  # [card] how many of the holdings counted so far have it; the last is of all
    points: np.ndarray  # [holding] what it has on the board; BLOCKED where it cannot be
    counts: np.ndarray  # [holding, bin] on how many whole boards its points are there
    point: np.ndarray  # [bin] for a cumulative histogram


def room() -> Room:
    live, order = np.zeros((2, HOLDINGS), np.int32)
    low, high = np.zeros(1 << LOW_BITS, np.int32), np.zeros(1 << HIGH_BITS, np.int32)
    points, strength = np.zeros((2, HOLDINGS), np.int32)
    counts = np.zeros((HOLDINGS, BINS), np.int32)
    cards = holding_cards().astype(np.int32)
    weaker, point = np.zeros(CARDS + 1, np.int32), np.zeros(BINS, np.float32)
    return Room(cards, strength, live, order, low, high, weaker, points, counts, point)


@compiled_function
def fill_points(ranks, key, suits, room):
    """Write the points of every holding on a whole board, given as its key and its suits."""
    room.low[:], room.high[:], room.weaker[:] = 0, 0, 0
    count, number = 0, 0
    for high in range(CARDS):
        free = ranks.suits[high] & suits == 0
        with_high, suits_with = key + ranks.keys[high], suits | ranks.suits[high]
        for low in range(high):
            if free and ranks.suits[low] & suits == 0:
                strength = ranks.strength(with_high + ranks.keys[low], suits_with | ranks.suits[low])
                room.strength[number] = strength
                room.low[strength & ((1 << LOW_BITS) - 1)] += 1
                room.high[strength >> LOW_BITS] += 1
                room.live[count] = number
                count += 1
            else:
                room.points[number] = BLOCKED
            number += 1
    _sort(room, count)
    _compare(room, count)


@compiled_function
def _sort(room, count):
    """Put the live holdings in order of strength: by the low bits, then by the high ones."""
    low, high = 0, 0
    for k in range(1 << LOW_BITS):
        room.low[k], low = low, low + room.low[k]
    for k in range(1 << HIGH_BITS):
        room.high[k], high = high, high + room.high[k]
    for i in range(count):
        number = room.live[i]
        digit = room.strength[number] & ((1 << LOW_BITS) - 1)
        room.order[room.low[digit]] = number
        room.low[digit] += 1
    for i in range(count):
        number = room.order[i]
        digit = room.strength[number] >> LOW_BITS
        room.live[room.high[digit]] = number
        room.high[digit] += 1


@compiled_function
def _compare(room, count):
    """Points from the weakest on: twice those below that share no card, and once the equal ones."""
    weaker, begin = room.weaker, 0
    while begin < count:
        strength, end = room.strength[room.live[begin]], begin
        while end < count and room.strength[room.live[end]] == strength:
            number = room.live[end]
            high, low = room.cards[number, 0], room.cards[number, 1]
            room.points[number] = weaker[CARDS] - weaker[high] - weaker[low]
            end += 1
        for i in range(begin, end):
            number = room.live[i]
            weaker[room.cards[number, 0]] += 1
            weaker[room.cards[number, 1]] += 1
        weaker[CARDS] += end - begin
        for i in range(begin, end):
            number = room.live[i]
            high, low = room.cards[number, 0], room.cards[number, 1]
            room.points[number] += weaker[CARDS] - weaker[high] - weaker[low] + 1  # itself was taken out twice
        begin = end


@compiled_function
def add_points(room):
    """Count the points on one more board."""
    for number in range(HOLDINGS):
        if room.points[number] >= 0:
            room.counts[number, room.points[number] * BINS // (POINTS + 1)] += 1


@compiled_function
def fill_counts(ranks, board, missing, room):
    """Histograms of every holding over all boards of five that have this one in them, which lacks 0, 1 or 2 cards."""
    room.counts[:] = 0
    if missing == 0:
        fill_points(ranks, key_of(ranks, board), board, room)
        add_points(room)
        return
    key = key_of(ranks, board)
    for first in range(CARDS):
        if ranks.suits[first] & board:
            continue
        if missing == 1:
            fill_points(ranks, key + ranks.keys[first], board | ranks.suits[first], room)
            add_points(room)
            continue
        for second in range(first):
            if ranks.suits[second] & board == 0:
                both = ranks.suits[first] | ranks.suits[second]
                fill_points(ranks, key + ranks.keys[first] + ranks.keys[second], board | both, room)
                add_points(room)


@compiled_function
def key_of(ranks, board):
    """The key of a board that is given as a word."""
    key = NO_CARDS
    for card in range(CARDS):
        if ranks.suits[card] & board:
            key += ranks.keys[card]
    return key


@lean_kernel
def work_out(ranks, board, missing, room):
    """Fill a room for one board."""
    fill_counts(ranks, board, missing, room)
