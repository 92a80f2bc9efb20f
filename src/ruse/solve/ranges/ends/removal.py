"""Card removal: two hands with a card in common cannot meet.

What a hand meets is the other's whole range, less all hands with its first card, less all with its second; where the
other may hold the same two cards, that has been taken off twice. So the range is summed up once for all hands and once
for each card, in order of strength, and a hand needs no more than its places in three such sums.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled_function, kernel
from ruse.games.holdem.hands.holdings import HOLDINGS, holding_cards
from ruse.solve.ranges.public.boards import CARDS, SolvedBoard

ALL = CARDS  # in place of a card: every hand
LISTS = CARDS + 1
PLACES = 6  # weaker hands, and those not stronger: of all, of those with the first card, with the second


class Removal(NamedTuple):
    """Of each player's hands on each board: their cards, and their places in the other's sums."""

    first: NDArray[np.int64]  # [player, board] where its hands start in the next four
    high: NDArray[np.uint8]
    low: NDArray[np.uint8]
    same: NDArray[np.uint16]  # the same hand among the other's; a hand that nobody has, if there is none
    place: NDArray[np.uint16]  # [hand, PLACES] in the other's sums
    list_start: NDArray[np.uint16]  # [player, board, LISTS + 1] where the hands with a card start in the list
    listed: NDArray[np.uint16]  # hands by card, the weakest first; three entries a hand


def removal_of(boards: list[SolvedBoard], nobody: int) -> Removal:
    """The tables of all boards; `nobody` is the number of a hand that nobody has."""
    counts = np.array([[len(board.hands[p]) for board in boards] for p in range(2)])
    first = np.concatenate([[0], np.cumsum(counts.ravel())[:-1]]).reshape(2, -1)
    total = int(counts.sum())
    cards = holding_cards()
    numbers = np.concatenate([board.hands[p] for p in range(2) for board in boards])
    tables = Removal(
        first, cards[numbers, 0].astype(np.uint8), cards[numbers, 1].astype(np.uint8), np.zeros(total, np.uint16),
        np.zeros((total, PLACES), np.uint16), np.zeros((2, len(boards), LISTS + 1), np.uint16),
        np.zeros(3 * total, np.uint16),
    )  # fmt: skip
    strength = np.concatenate([board.strength[board.hands[p]] for p in range(2) for board in boards])
    fill_removal(tables, counts, numbers, strength, np.zeros(HOLDINGS, np.int64), nobody)
    return tables


def met_by(own: NDArray[np.int64], others: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of all of the other's hands that each hand can meet."""
    cards = holding_cards()
    whole, with_card = np.zeros(HOLDINGS), np.zeros(CARDS)
    whole[others] = weights
    for column in range(2):
        np.add.at(with_card, cards[others, column], weights)
    return np.asarray(weights.sum() - with_card[cards[own]].sum(axis=1) + whole[own])


@compiled_function
def weaker_in(strength, other, listed, first, last, mine):
    """How many hands of a list are weaker: those before the first that is not."""
    low, high = np.int64(first), np.int64(last)
    while low < high:
        middle = (low + high) // 2
        if strength[other + listed[middle]] < mine:
            low = middle + 1
        else:
            high = middle
    return low - np.int64(first)


@kernel
def fill_removal(tables, counts, numbers, strength, where, nobody):
    for board in range(counts.shape[1]):
        for p in range(2):
            first, count = tables.first[p, board], counts[p, board]
            start, listed = tables.list_start[p, board], tables.listed[3 * first :]
            for card in range(LISTS):
                entries = start[card]
                for i in range(count):
                    if card == ALL or card == tables.high[first + i] or card == tables.low[first + i]:
                        listed[entries] = i
                        entries += np.uint16(1)
                start[card + 1] = entries
        for p in range(2):
            own, other = tables.first[p, board], tables.first[1 - p, board]
            start, listed = tables.list_start[1 - p, board], tables.listed[3 * other :]
            where[:] = nobody
            for i in range(counts[1 - p, board]):
                where[numbers[other + i]] = i
            for i in range(counts[p, board]):
                tables.same[own + i] = where[numbers[own + i]]
                cards = (np.int64(ALL), np.int64(tables.high[own + i]), np.int64(tables.low[own + i]))
                for e in range(3):
                    held, mine = cards[e], np.int64(strength[own + i])
                    weaker = weaker_in(strength, other, listed, start[held], start[held + 1], mine)
                    not_stronger = weaker_in(strength, other, listed, start[held], start[held + 1], mine + 1)
                    # Each list has a sum more than it has hands: that of none.
                    tables.place[own + i, 2 * e] = start[held] + held + weaker
                    tables.place[own + i, 2 * e + 1] = start[held] + held + not_stronger
