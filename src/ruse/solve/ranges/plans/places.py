"""A place of a plan: a node of the public tree, on the board that was solved for the cards that were dealt."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.solve.ranges.plans.plan import RangePlan
from ruse.solve.ranges.public.boards import IDENTITY, Suits, exchanged_hands, located


class ForestPlace(NamedTuple):
    """Where a node lies in the forest, and how suits are to be exchanged in what was solved."""

    node: int
    block: int
    board: int
    suits: Suits

    def hands(self, plan: RangePlan, player: int) -> NDArray[Any]:
        """A player's hands there, by number, in the order of the rows."""
        if not plan.boards:
            return plan.hands[player]
        hands = plan.boards[self.board].hands[player]
        return hands if self.suits == IDENTITY else exchanged_hands(self.suits)[hands]


def forest_place(plan: RangePlan, node: int, cards: Sequence[int]) -> ForestPlace:
    """The place of a node of the public tree, after these cards of a spot."""
    found = np.flatnonzero(plan.forest.tree_node == node)
    if not len(found):
        raise RuseError(f"there is no node {node}: the public tree has {len(plan.tree.player)}, from 0 on")
    block = int(np.searchsorted(plan.forest.block, found[0], side="right")) - 1
    board, suits = located(plan.boards, cards) if plan.boards else (0, IDENTITY)
    if (block, board) not in plan.first_row:
        raise RuseError(f"{len(cards)} cards are not what is dealt before node {node}")
    return ForestPlace(int(found[0]), block, board, suits)
