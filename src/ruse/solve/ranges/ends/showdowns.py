"""Ends of a spot: folds and showdowns in time that grows with the hands, not with the pairs of hands.

Sixteen ends are worked on at once. A lane is a row of the other's reach, with a showdown below it, a fold, or both.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.lanes import LANES, lanes, lanes_to_rows, put_lanes, rows_to_lanes, same
from ruse.solve.ranges.ends.removal import ALL, LISTS, Removal


class EndLanes(NamedTuple):
    """Where the lanes of each player and block have their rows, and what they pay. Chance is in what is paid."""

    first: np.ndarray  # [player, block + 1] where its lanes start; a multiple of LANES
    reach_at: np.ndarray  # [lane] the place of the other's reach
    showdown_at: np.ndarray  # [lane] the place of values at its showdown
    showdown_pays: np.ndarray  # [lane] what is won, or lost
    fold_at: np.ndarray  # [lane]
    fold_pays: np.ndarray  # [lane] what is won; negative if it is lost
    has_showdown: np.ndarray  # [lane // LANES]
    has_fold: np.ndarray  # [lane // LANES]
    adds: np.ndarray  # [lane // LANES] what its folds pay is added to what is there: what a house takes


@compiled("fill")
class Showdowns(NamedTuple):
    """Folds and showdowns, with card removal."""

    ends: EndLanes
    hands: np.ndarray  # [player, board] how many
    removal: Removal

    def fill(self, work, player, block, board):
        ends, other = self.ends, 1 - player
        for lane in range(ends.first[player, block], ends.first[player, block + 1], LANES):
            x = work.lanes
            for j in range(0, self.hands[other, board], LANES):
                rows_to_lanes(work.reach, ends.reach_at, lane, j, x)
            if ends.has_showdown[lane // LANES]:
                add_up_kept(self.removal, other, board, x, work.totals, work.sums)
                showdowns(self.removal, self.hands[player, board], player, board, work,
                          lanes(ends.showdown_pays, lane))  # fmt: skip
                bring_out(work, self.hands[player, board], ends.showdown_at, lane)
            else:
                add_up(self.removal, other, board, x, work.totals)
            if ends.has_fold[lane // LANES]:
                folds(self.removal, self.hands[player, board], player, board, work, lanes(ends.fold_pays, lane))
                if ends.adds[lane // LANES]:
                    add_to(work, self.hands[player, board], ends.fold_at, lane)
                bring_out(work, self.hands[player, board], ends.fold_at, lane)


@compiled_function
def bring_out(work, hands, at, lane):
    zero = same(work.value, 0.0)
    for i in range(hands, -(-hands // LANES) * LANES):
        put_lanes(work.more_lanes, i * LANES, zero)
    for i in range(0, hands, LANES):
        lanes_to_rows(work.more_lanes, work.value, at, lane, i)


@compiled_function
def add_to(work, hands, at, lane):
    """Add the values that are there to those that are to be brought out."""
    for i in range(0, hands, LANES):
        rows_to_lanes(work.value, at, lane, i, work.sums)
    for i in range(hands):
        put_lanes(work.more_lanes, i * LANES, lanes(work.more_lanes, i * LANES) + lanes(work.sums, i * LANES))


@compiled_function
def add_up(removal, other, board, x, totals):
    """The other's reach: of all hands, and of all with each card."""
    start, at = removal.list_start[other, board], 3 * removal.first[other, board]
    for card in range(LISTS):
        total = same(x, 0.0)
        for k in range(start[card], start[card + 1]):
            total = total + lanes(x, np.int64(removal.listed[at + k]) * LANES)
        put_lanes(totals, card * LANES, total)


@compiled_function
def add_up_kept(removal, other, board, x, totals, sums):
    """The same, the weakest hands first, and every sum on the way is kept."""
    start, at, place = removal.list_start[other, board], 3 * removal.first[other, board], 0
    for card in range(LISTS):
        total = same(x, 0.0)
        put_lanes(sums, place, total)
        place += LANES
        for k in range(start[card], start[card + 1]):
            total = total + lanes(x, np.int64(removal.listed[at + k]) * LANES)
            put_lanes(sums, place, total)
            place += LANES
        put_lanes(totals, card * LANES, total)


@compiled_function
def sum_at(sums, place, i, e):
    """What is weaker and what is not stronger, together: twice what is beaten, once what is equal."""
    return lanes(sums, np.int64(place[i, e]) * LANES) + lanes(sums, np.int64(place[i, e + 1]) * LANES)


@compiled_function
def showdowns(removal, hands, player, board, work, pays):
    """Beaten less lost to: weaker + not stronger - all, of the hands that can be met."""
    first, sums, totals, place = removal.first[player, board], work.sums, work.totals, removal.place
    every = lanes(totals, ALL * LANES)
    for h in range(hands):
        i = first + h
        high, low = np.int64(removal.high[i]) * LANES, np.int64(removal.low[i]) * LANES
        mine = (sum_at(sums, place, i, 2) - lanes(totals, high)) + (sum_at(sums, place, i, 4) - lanes(totals, low))
        put_lanes(work.more_lanes, h * LANES, (sum_at(sums, place, i, 0) - every - mine) * pays)


@compiled_function
def folds(removal, hands, player, board, work, pays):
    """All hands that can be met."""
    first, totals = removal.first[player, board], work.totals
    every = lanes(totals, ALL * LANES)
    for h in range(hands):
        i = first + h
        high, low = np.int64(removal.high[i]) * LANES, np.int64(removal.low[i]) * LANES
        met = every - lanes(totals, high) - lanes(totals, low) + lanes(work.lanes, np.int64(removal.same[i]) * LANES)
        put_lanes(work.more_lanes, h * LANES, met * pays)
