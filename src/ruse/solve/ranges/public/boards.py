"""The boards below a board, one for each card; those that differ in suits alone are solved once.

If both ranges look the same after suits have been exchanged, and so does the board, then so does all that follows. Of
the cards that become each other one is dealt, and what a hand is worth on the board of another is what the hand with
its suits exchanged back is worth on this one.
"""

import math
from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.games.holdem.hands.holdings import HOLDINGS, blocked_by, holding_cards, holding_numbers
from ruse.games.holdem.hands.strengths import strengths_on

Suits = tuple[int, ...]  # what each suit becomes
Hands = NDArray[np.int64]  # numbers of two cards
IDENTITY: Suits = (0, 1, 2, 3)
CARDS, RIVER = 52, 5
HELD = 4  # cards in the players' hands


class SolvedBoard(NamedTuple):
    """A board that is solved."""

    cards: tuple[int, ...]
    hands: tuple[Hands, Hands]  # [player] those that can be held: on the river the weakest first
    strength: NDArray[np.int16]  # by number of the hand; all the same before the river
    above: int  # the number of the board before; -1 for the first
    exchanges: tuple[Suits, ...]  # the boards that it stands for, itself first
    symmetries: tuple[Suits, ...]  # exchanges of suits that change nothing


def boards_from(cards: tuple[int, ...], ranges: Sequence[NDArray[np.float64]]) -> list[SolvedBoard]:
    """The board and all that are solved below it, each before those below it."""
    symmetries = tuple(
        suits for suits in permutations(range(4))
        if sorted(exchanged(c, suits) for c in cards) == sorted(cards)
        and all(np.array_equal(each[exchanged_hands(suits)], each) for each in ranges)
    )  # fmt: skip
    found: list[SolvedBoard] = []

    def visit(board: tuple[int, ...], above: int, exchanges: tuple[Suits, ...], symmetries: tuple[Suits, ...]) -> None:
        number = len(found)
        is_free = ~blocked_by(board)
        strength = strengths_on(board) if len(board) == RIVER else np.zeros(HOLDINGS, np.int16)
        numbers = [np.flatnonzero((each > 0.0) & is_free) for each in ranges]
        by_strength = [each[np.argsort(strength[each], kind="stable")] for each in numbers]
        found.append(SolvedBoard(board, (by_strength[0], by_strength[1]), strength, above, exchanges, symmetries))
        if len(board) < RIVER:
            for card, same in suit_classes([c for c in range(CARDS) if c not in board], symmetries):
                kept = tuple(suits for suits in symmetries if exchanged(card, suits) == card)
                visit((*board, card), number, same, kept)

    visit(cards, -1, (IDENTITY,), symmetries)
    return found


def chance_of(first: int, cards: int) -> float:
    """The probability of any one way from a board of `first` cards to one of `cards`, given both hands."""
    return math.prod(1.0 / (CARDS - HELD - dealt) for dealt in range(first, cards))


def suit_classes(cards: list[int], symmetries: Sequence[Suits]) -> list[tuple[int, tuple[Suits, ...]]]:
    """Cards, one of each class; with the exchanges that make the others of it."""
    found: list[tuple[int, tuple[Suits, ...]]] = []
    seen: set[int] = set()
    for card in cards:
        if card in seen:
            continue
        ways = {card: IDENTITY}
        for suits in symmetries:
            ways.setdefault(exchanged(card, suits), suits)
        seen |= ways.keys()
        found.append((card, tuple(ways.values())))
    return found


def exchanged(card: int, suits: Suits) -> int:
    return card // 4 * 4 + suits[card % 4]


def exchanged_hands(suits: Suits) -> Hands:
    """What each hand becomes."""
    table = np.array([exchanged(card, suits) for card in range(CARDS)])
    cards = table[holding_cards()]
    return np.asarray(holding_numbers(cards[:, 0], cards[:, 1]), np.int64)


def located(boards: Sequence[SolvedBoard], cards: Sequence[int]) -> tuple[int, Suits]:
    """The number of the board that stands for the first one with these cards, and how its suits are to be exchanged."""
    number, suits = 0, IDENTITY
    for card in cards:
        back = tuple(suits.index(s) for s in range(4))
        wanted = exchanged(card, back) if 0 <= card < CARDS else -1
        found = [
            (below, way) for below, board in enumerate(boards) if board.above == number
            for way in board.exchanges if exchanged(board.cards[-1], way) == wanted
        ]  # fmt: skip
        if not found:
            raise RuseError(f"card {card} cannot be dealt after {list(boards[number].cards)}")
        number, way = found[0]
        suits = tuple(suits[s] for s in way)
    return number, suits
