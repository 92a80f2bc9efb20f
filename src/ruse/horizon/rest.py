"""The rest of a game after a leaf, for all pairs of hands at once, on one board.

How often a pair of hands comes to an end is a product: how often the one's hand goes there, times how often the
other's does. So what a leaf is worth to all pairs is a sum of products of two vectors, which is a product of matrices.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]


class Branching(Protocol):
    """A tree of bets: `player` below 0 are ends and deals."""

    def children(self, node: int) -> list[int]: ...


class Reached(NamedTuple):
    """The ends below a leaf that are reached by going on in one of several ways."""

    ends: list[int]
    first: list[Array]  # [end] of player 0: [way, hand] how often he goes there
    second: list[Array]  # [end] of player 1


def ends_reached(
    tree: Branching, player: Sequence[int] | NDArray[Any], leaf: int,
    rows: Callable[[int], Sequence[Array]], hands: Sequence[int], ways: Sequence[int], dtype: Any = np.float64,
) -> Reached:  # fmt: skip
    """All ends below a leaf. `rows` has the probabilities [hand, action] of a decision for each way of its player."""
    found = Reached([], [], [])

    def visit(n: int, reach: tuple[Array, Array]) -> None:
        who, below = int(player[n]), tree.children(n)
        if not below:
            found.ends.append(n)
            found.first.append(reach[0])
            found.second.append(reach[1])
        elif who < 0:
            for c in below:
                visit(c, reach)
        else:
            shares: NDArray[Any] = np.stack([np.asarray(way, dtype) for way in rows(n)])
            for a, c in enumerate(below):
                own = reach[who] * shares[:, :, a]
                visit(c, (own, reach[1]) if who == 0 else (reach[0], own))

    start: list[NDArray[Any]] = [np.ones((count, hand), dtype) for count, hand in zip(ways, hands, strict=True)]
    visit(leaf, (start[0], start[1]))
    return found


def summed(ends: Reached, pays: Array, which: NDArray[np.bool_], *, grid: float | None = None) -> Array:
    """[way of 0, way of 1, hand of 0, hand of 1] the sum over some ends of what they pay, times how often.

    On a grid both factors are rounded to its multiples, of which products and sums are exact: then the sum has the same
    bits in whatever order the processor at hand, and its threads, add up.
    """
    chosen = np.flatnonzero(which & (pays != 0.0))
    ways = len(ends.first[0]), len(ends.second[0])
    hands = ends.first[0].shape[1], ends.second[0].shape[1]
    if not len(chosen):
        return np.zeros((*ways, *hands), ends.first[0].dtype)
    left = np.stack([ends.first[z] * ends.first[0].dtype.type(pays[z]) for z in chosen])  # [end, way, hand]
    right = np.stack([ends.second[z] for z in chosen])
    if grid is None:
        product = left.reshape(len(chosen), -1).T @ right.reshape(len(chosen), -1)
    else:
        first, second = (np.rint(x.reshape(len(chosen), -1).astype(np.float64) / grid) for x in (left, right))
        product = ((first.T @ second) * grid**2).astype(left.dtype)
    return product.reshape(ways[0], hands[0], ways[1], hands[1]).transpose(0, 2, 1, 3)
