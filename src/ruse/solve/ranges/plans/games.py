"""The plan of a small game: one block, one board, and a matrix of payoffs at each end."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.solve.ranges.ends.matrices import Matrices
from ruse.solve.ranges.passes.one_pass import DOWN, ENDS, UP, Boards, Field, Gates
from ruse.solve.ranges.plans.plan import RangePlan, padded
from ruse.solve.ranges.public.betting import END, PublicTree
from ruse.solve.ranges.public.forest import Block, Forest, RangeScratch, plant
from ruse.solve.ranges.public.walked import Walked

Matrix = NDArray[np.float64]


class Entry(NamedTuple):
    """A matrix, and where its rows are."""

    reach_at: int
    value_at: int
    payoff: Matrix  # [the other's hand, own hand]


Entries = tuple[list[Entry], list[Entry]]  # [player]


def game_plan(walked: Walked, visits: Iterable[int] = ()) -> RangePlan:
    """The plan of a game; `visits` are decisions at which the reach of chance and the other is asked for.

    Tree and forest are both in preorder, and there is one block: their nodes have the same numbers.
    """
    tree, hands = walked.tree, [int(each.max()) + 1 for each in walked.hand]
    width = padded(max(hands))
    forest, scratch = plant(tree, [Block(0, [0])], width, cut=False)
    entries: Entries = ([], [])
    sums = set()
    for n in np.flatnonzero(tree.player == END).tolist():
        payoffs = {deal.number: [float(walked.game.payoff(deal.row, p)) for p in range(2)] for deal in walked.deals[n]}
        sums |= {sum(both) for both in payoffs.values()}
        for p in range(2):
            paid = {deal: both[p] for deal, both in payoffs.items()}
            entries[p].append(entry(walked, forest, n, p, width, paid, int(forest.value_at[n])))
    places = {}
    for k, n in enumerate(sorted(visits)):  # a visit is like an end that pays one
        owner, places[n] = int(tree.player[n]), scratch.value + k * width
        paid = {deal.number: 1.0 for deal in walked.deals[n]}
        entries[owner].append(entry(walked, forest, n, owner, width, paid, places[n]))
    met = np.zeros((2, width))
    for deal in walked.dealt:
        for p in range(2):
            met[p, walked.hand[p][deal.number]] += deal.chance
    return matrix_plan(tree, forest, scratch, hands, entries, places, met, sums.pop() if len(sums) == 1 else None)


def matrix_plan(
    tree: PublicTree, forest: Forest, scratch: RangeScratch, hands: list[int], entries: Entries,
    visits: dict[int, int], met: Matrix, payoff_sum: float | None,
) -> RangePlan:  # fmt: skip
    """A plan whose ends are matrices; visits have their places behind all other values."""
    width, both = scratch.width, entries[0] + entries[1]
    length = np.array([len(one.payoff) for one in both])
    matrices = Matrices(
        np.array([0, len(entries[0]), len(both)]), np.array([one.reach_at for one in both]),
        np.array([one.value_at for one in both]), length, np.cumsum(length * width) - length * width,
        np.concatenate([one.payoff.ravel() for one in both]), width,
    )  # fmt: skip
    rows = [int(count) * width for count in forest.rows[:, 0]]
    steps = np.array([[kind, 0, 0, 0, rows[0]] for kind in (DOWN, ENDS, UP)])
    none = np.zeros((2, 1), np.int64)
    boards = Boards(np.array(hands).reshape(2, 1), none + width, none[:, 0], none, none[0])
    weights = np.array([[float(h < count) for h in range(width)] for count in hands])
    return RangePlan(
        tree, Field(forest, boards, Gates(none, none, none[0], none[0]), matrices, steps),
        scratch._replace(value=scratch.value + len(visits) * width), weights, np.array([0, len(steps)]), 0, met,
        payoff_sum, {(0, 0): (0, rows[0])}, sum(rows), visits,
    )  # fmt: skip


def entry(
    walked: Walked, forest: Forest, n: int, player: int, width: int, paid: dict[int, float], value_at: int
) -> Entry:
    """The matrix of a node for a player, by what each deal pays."""
    payoff = np.zeros((width, width))
    for deal in walked.deals[n]:
        other, own = walked.hand[1 - player][deal.number], walked.hand[player][deal.number]
        payoff[other, own] += deal.chance * paid[deal.number]
    return Entry(int(forest.reach_at[player, n]), value_at, payoff)
