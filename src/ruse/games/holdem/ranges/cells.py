"""The 169 kinds of hands, and the cells of the grid that people draw them in."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.games.cards import RANKS
from ruse.games.holdem.cards import SUITS, cards_named
from ruse.games.holdem.hands.holdings import HOLDINGS, holding, holding_name

PAIR, SUITED, OFFSUIT = "", "s", "o"  # what a kind of hand is called behind its ranks
DOWN = RANKS[::-1]  # in the order of the grid, from the ace
SIDE = len(DOWN)
CELLS = SIDE * SIDE


def hand_name(number: int) -> str:
    """`AhKh`: the higher card first."""
    return holding_name(number).replace(" ", "")


def hand_named(text: str) -> int:
    """The number of the hand that a text names, such as AhKh."""
    cards = cards_named(text)
    if len(cards) != 2:
        raise RuseError(f"a hand has two cards, such as AhKh, got {text!r}")
    return int(holding(*cards))


class Class(NamedTuple):
    """Hands that differ in their suits alone: 77, AKs, T9o."""

    high: int  # rank, 0 for a two
    low: int
    kind: str  # PAIR, SUITED or OFFSUIT

    @property
    def name(self) -> str:
        return RANKS[self.high] + RANKS[self.low] + self.kind

    @property
    def cell(self) -> int:
        """Its place in the grid, row by row: pairs on the diagonal, suited hands above it."""
        high, low = SIDE - 1 - self.high, SIDE - 1 - self.low
        return low * SIDE + high if self.kind == OFFSUIT else high * SIDE + low

    def hands(self) -> list[int]:
        return list(self._hands())

    def _hands(self) -> Iterator[int]:
        suits = len(SUITS)
        for one in range(suits):
            for other in range(suits):
                is_there = {PAIR: one > other, SUITED: one == other, OFFSUIT: one != other}[self.kind]
                if is_there:
                    yield holding(self.high * suits + one, self.low * suits + other)


def class_at(cell: int) -> Class:
    """What stands at a place of the grid."""
    row, column = SIDE - 1 - cell // SIDE, SIDE - 1 - cell % SIDE
    if row == column:
        return Class(row, column, PAIR)
    return Class(row, column, SUITED) if row > column else Class(column, row, OFFSUIT)


CLASSES = tuple(class_at(cell) for cell in range(CELLS))
CELL_OF = np.zeros(HOLDINGS, np.int64)  # [holding] the cell that it is in
for _class in CLASSES:
    CELL_OF[_class.hands()] = _class.cell
