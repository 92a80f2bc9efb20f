"""Two hidden cards and a board, numbered without gaps, the same for all deals that differ only in the names of suits.

After Waugh, "A fast and optimal hand isomorphism algorithm" (2013). A suit has a *shape*, how many hidden and how many
board cards it has, and a number among all ways to have them. The suits are put in order of both; suits of one shape are
a multiset of numbers, and the number of the deal is made of those of its multisets, behind the deals of other shapes.

Cards are words of 52 bits, 13 ranks for each suit: `HandRanks.suits` has the bit of each card.
"""

from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.errors import RuseError
from ruse.games.holdem.suits.sets import MASKS, RANKS, RankSets, choose, rank_sets, spread, squeezed

SUITS = 4
HIDDEN, BOARD = 2, 5  # at most
SHAPES = (HIDDEN + 1) * (BOARD + 1)  # of a suit: hidden cards * 6 + board cards
FIELD = 20  # bits of a suit's number among those of its shape


@compiled("canonical_index", "canonical_cards", "arrangements")
class SuitIndex(NamedTuple):
    """The numbers of deals of so many hidden and board cards. Made by `suit_index`."""

    size: int  # how many numbers there are
    sets: RankSets
    ways: np.ndarray  # [shape] how many ways a suit has to be of it
    boards: np.ndarray  # [shape] how many of these for the same hidden cards
    shapes: np.ndarray  # [pattern, suit] shapes in order, the smallest first
    first: np.ndarray  # [pattern] where its deals begin
    place: np.ndarray  # [shapes in order, to base SHAPES] where their deals begin

    def __repr__(self) -> str:
        return f"SuitIndex(size={self.size})"

    def canonical_index(self, hole, board):
        """The number of a deal."""
        a, b = _suit(self, hole, board, 0), _suit(self, hole, board, 1)
        c, d = _suit(self, hole, board, 2), _suit(self, hole, board, 3)
        a, b, c, d = in_order(a, b, c, d)
        pattern = ((a >> FIELD) * SHAPES + (b >> FIELD)) * SHAPES
        pattern = (pattern + (c >> FIELD)) * SHAPES + (d >> FIELD)
        number, step, before, run = np.int64(self.place[pattern]), 1, a >> FIELD, 0
        for suit in (a, b, c, d):
            shape = suit >> FIELD
            if shape != before:
                step *= choose(self.ways[before] + run - 1, run)
                before, run = shape, 0
            run += 1
            number += step * choose((suit & ((1 << FIELD) - 1)) + run - 1, run)
        return number

    def canonical_cards(self, number):
        """The deal of a number, with its suits in order: the hidden cards and the board."""
        pattern = np.searchsorted(self.first, number, side="right") - 1
        left, hole, board, suit = number - self.first[pattern], 0, 0, 0
        while suit < SUITS:
            shape, run = self.shapes[pattern, suit], 1
            while suit + run < SUITS and self.shapes[pattern, suit + run] == shape:
                run += 1
            ways = choose(self.ways[shape] + run - 1, run)
            rest = left % ways
            left //= ways
            for k in range(run, 0, -1):  # the largest of the multiset first
                top = _largest(rest, k, self.ways[shape] + k - 1)
                rest -= choose(top, k)
                cards = _suit_cards(self, shape, top - k + 1)
                hole |= (cards // MASKS) << (RANKS * (suit + k - 1))
                board |= cards % MASKS << (RANKS * (suit + k - 1))
            suit += run
        return hole, board

    def arrangements(self, number):
        """How many deals have this number."""
        hole, board = self.canonical_cards(number)
        a, b = _suit(self, hole, board, 0), _suit(self, hole, board, 1)
        c, d = _suit(self, hole, board, 2), _suit(self, hole, board, 3)
        different, run = 24, 1
        run = run + 1 if a == b else 1
        different //= run
        run = run + 1 if b == c else 1
        different //= run
        run = run + 1 if c == d else 1
        return different // run


@compiled_function
def _suit(index, hole, board, suit):
    """A suit's shape and its number among those of the shape, in one."""
    held, lies = hole >> (RANKS * suit) & (MASKS - 1), board >> (RANKS * suit) & (MASKS - 1)
    sets = index.sets
    h, b = np.int64(sets.size[held]), np.int64(sets.size[lies])
    shape = h * (BOARD + 1) + b
    return shape << FIELD | sets.number[held] * index.boards[shape] + sets.number[squeezed(lies, held)]


@compiled_function
def _suit_cards(index, shape, number):
    """The hidden cards and the board of a suit, in one: hidden * MASKS + board."""
    h, b = shape // (BOARD + 1), shape % (BOARD + 1)
    sets, ways = index.sets, index.boards[shape]
    held = np.int64(sets.masks[sets.first[h] + number // ways])
    return held * MASKS + spread(np.int64(sets.masks[sets.first[b] + number % ways]), held)


@compiled_function
def _largest(rest, k, limit):
    """The largest n below a limit of which k can be chosen in no more than `rest` ways."""
    low, high = k - 1, limit  # choose(low, k) is 0
    while high - low > 1:
        middle = (low + high) // 2
        if choose(middle, k) <= rest:
            low = middle
        else:
            high = middle
    return low


@compiled_function
def in_order(a, b, c, d):
    """Four numbers, the smallest first."""
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    if b > c:
        b, c = c, b
    return a, b, c, d


@cache
def suit_index(hidden: int, *boards: int) -> SuitIndex:
    """The numbers of deals of up to two hidden cards and a board of up to five; first those of the first board's size,
    then those of the next.
    """
    every = np.array([comb(RANKS - h, b) for h in range(HIDDEN + 1) for b in range(BOARD + 1)])
    ways = np.repeat([comb(RANKS, h) for h in range(HIDDEN + 1)], BOARD + 1) * every
    patterns, first, size = [], [], 0
    place = np.zeros(SHAPES**SUITS, np.int32)
    for board in boards:
        if not (0 <= hidden <= HIDDEN and 0 <= board <= BOARD):
            told = f"0 to {HIDDEN} hidden cards and 0 to {BOARD} on the board"
            raise RuseError(f"deals have {told}, not {hidden} and {board}")
        for shapes in combinations_with_replacement(range(SHAPES), SUITS):
            if sum(s // (BOARD + 1) for s in shapes) == hidden and sum(s % (BOARD + 1) for s in shapes) == board:
                patterns.append(shapes)
                first.append(size)
                place[np.dot(shapes, SHAPES ** np.arange(SUITS)[::-1])] = size
                each = [comb(int(ways[shape]) + shapes.count(shape) - 1, shapes.count(shape)) for shape in set(shapes)]
                size += prod(each)
    return SuitIndex(size, rank_sets(), ways, every, np.array(patterns), np.array(first), place)
