"""A button that answers an opponent's mistakes before the flop, and gives no more away than was said.

The best response to what the opponent does wins most, and loses most to one who does something else. So its plan is
mixed with a normal one: what a mixture of plans gives away to the best opponent is convex in the share, and the largest
share is taken whose price is still allowed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.horizon.continuations import Continuation
from ruse.horizon.preflop import Preflop, Rows, duel
from ruse.solve.ranges.betting import END
from ruse.solve.ranges.leaves import CutTree

Array = NDArray[np.float64]
STEPS = 20  # of halving the share


class Adapted(NamedTuple):
    """What is played, and what it wins and costs; big blinds a hand."""

    rows: dict[int, Array]  # of player 0
    share: float  # of the best response in it
    gain: float  # against this opponent, more than the normal plan
    price: float  # to the best opponent, more than the normal plan gives away


def leaning_rows(game: Preflop, rows: Rows, way: Continuation) -> dict[int, Array]:
    """A strategy with a mistake: some actions are so many times as likely at every decision before the flop."""
    return {n: way.of(np.asarray(rows[n]), game.names(n)) for n in game.decisions}


def best_rows(cut: CutTree, others: Rows) -> dict[int, Array]:
    """Player 0's best response to rows of player 1, if both go on as the blueprint does."""
    found: dict[int, Array] = {}

    def visit(n: int, reach: Array) -> Array:
        who = int(cut.tree.player[n])
        if who == END:
            worth: Array = cut.worth[n][0, 0] @ reach
            return worth
        below = cut.tree.children(n)
        if who == 1:
            total: Array = np.sum([visit(c, reach * others[n][:, a]) for a, c in enumerate(below)], axis=0)
            return total
        each = np.stack([visit(c, reach) for c in below], axis=1)
        found[n] = np.eye(len(below))[each.argmax(axis=1)]
        best: Array = each.max(axis=1)
        return best

    visit(0, np.ones(cut.pairs.shape[1]))
    return found


def given_away(cut: CutTree, rows: Rows) -> float:
    """What the best opponent wins from player 0, who goes on as the blueprint does; he himself chooses how."""

    def visit(n: int, reach: Array) -> Array:
        who = int(cut.tree.player[n])
        if who == END:
            return np.max([-(reach @ worth) for worth in cut.worth[n][0]], axis=0)  # type: ignore[no-any-return]
        below = cut.tree.children(n)
        if who == 0:
            total: Array = np.sum([visit(c, reach * rows[n][:, a]) for a, c in enumerate(below)], axis=0)
            return total
        best: Array = np.max([visit(c, reach) for c in below], axis=0)
        return best

    return float(visit(0, np.ones(cut.pairs.shape[0])).sum())


def mixed_plans(cut: CutTree, one: Rows, other: Rows, share: float) -> dict[int, Array]:
    """Player 0's rows if he follows the other plan so often, and the first one else, from the first decision on."""
    found: dict[int, Array] = {}

    def visit(n: int, reach: tuple[Array, Array]) -> None:
        who = int(cut.tree.player[n])
        if who == END:
            return
        for a, c in enumerate(cut.tree.children(n)):
            after = reach
            if who == 0:
                if a == 0:
                    both = (1.0 - share) * reach[0][:, None] * one[n], share * reach[1][:, None] * other[n]
                    total = (both[0] + both[1]).sum(axis=1, keepdims=True)
                    found[n] = np.where(total > 0.0, (both[0] + both[1]) / np.where(total > 0.0, total, 1.0), one[n])
                after = (reach[0] * one[n][:, a], reach[1] * other[n][:, a])
            visit(c, after)

    visit(0, (np.ones(cut.pairs.shape[0]), np.ones(cut.pairs.shape[0])))
    return found


def adapted(cut: CutTree, normal: Rows, opponent: Rows, *, price: float) -> Adapted:
    """The best answer to an opponent that gives no more away than `price`, of those between normal and the best."""
    if not price >= 0.0:
        raise RuseError(f"the price of adapting is at least 0 big blinds a hand, got {price:g}")
    best, base, before = best_rows(cut, opponent), given_away(cut, normal), duel(cut, normal, opponent)

    def at(share: float) -> Adapted:
        rows = mixed_plans(cut, normal, best, share)
        return Adapted(rows, share, duel(cut, rows, opponent) - before, given_away(cut, rows) - base)

    low, high = at(0.0), at(1.0)
    if high.price <= price:
        return high
    for _ in range(STEPS):
        middle = at((low.share + high.share) / 2.0)
        low, high = (middle, high) if middle.price <= price else (low, middle)
    return low
