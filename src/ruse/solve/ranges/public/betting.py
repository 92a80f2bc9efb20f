"""Public trees: what all can see of a game whose private cards are dealt first.

A tree is three arrays, nodes in preorder. In that of a spot, chance has one child: betting is the same after any card,
so the cards are no part of it, and a node stands for itself on every board.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError

DEAL = -1  # a public card, or another public event of chance
FOLD, SHOWDOWN, END = -2, -3, -4  # how a game ends: END is where each pair of hands has payoffs of its own

Whole = NDArray[np.int32]
Chips = NDArray[np.float64]


class PublicTree(NamedTuple):
    """Nodes in preorder, the root first."""

    player: NDArray[np.int8]  # [node] who decides, 0 or 1; or DEAL, FOLD, SHOWDOWN, END
    start: Whole  # [node + 1] where its edges start
    child: Whole  # [edge] the node below, in the order of actions

    @classmethod
    def of(cls, player: list[int], children: list[list[int]]) -> "PublicTree":
        """From a list of children for each node."""
        edges = [c for below in children for c in below]
        start = np.cumsum([0, *(len(below) for below in children)])
        return cls(np.array(player, np.int8), start.astype(np.int32), np.array(edges, np.int32))

    def children(self, n: int) -> list[int]:
        return [int(below) for below in self.child[self.start[n] : self.start[n + 1]]]


class Betting(NamedTuple):
    """The betting of a spot: a public tree, and what its ends pay."""

    player: NDArray[np.int8]  # as in PublicTree: 0 is out of position, 1 in position
    start: Whole
    child: Whole
    wins: Chips  # [node, player] what a player gets at an end if he wins it,
    loses: Chips  # or loses it; at a fold the player who has just acted does
    ties: Chips

    @property
    def tree(self) -> PublicTree:
        return PublicTree(self.player, self.start, self.child)

    def checked(self) -> "Betting":
        """The same, if kernels may trust it."""
        nodes, edges = len(self.player), np.diff(self.start)
        parents = np.repeat(np.arange(nodes), np.maximum(edges, 0))
        is_end = self.player <= FOLD
        well_made = (
            len(self.start) == nodes + 1
            and self.start[0] == 0
            and len(self.child) == self.start[-1] == nodes - 1
            and np.array_equal(np.sort(self.child), np.arange(1, nodes))
            and bool(np.all(self.child > parents))
            and bool(np.all((self.player >= SHOWDOWN) & (self.player <= 1)))
            and bool(np.all((edges == 0) == is_end))
            and bool(np.all(edges[self.player == DEAL] == 1))
            and all(array.shape == (nodes, 2) for array in (self.wins, self.loses, self.ties))
        )
        if not well_made:
            raise RuseError("this is no betting tree: nodes must be in preorder, each but the first the child of one")
        return self
