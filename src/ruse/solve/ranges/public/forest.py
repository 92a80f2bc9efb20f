"""The public tree as kernels walk it: blocks of nodes whose rows of hands lie in scratch memory, side by side.

A block is one or more trees of one street. It is small enough for the processor's cache, and is walked again for each
board. While player p is updated, the other's reach changes at the other's decisions only: below a decision of p, or an
event of chance, all children share one row of it.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile.lanes import LANES
from ruse.solve.ranges.public.betting import DEAL, PublicTree

Array = NDArray[np.int64]
NOBODY = 2  # who decides at an event of chance: values of its children are added up, as at the other's decisions


class Forest(NamedTuple):
    """All blocks, one after the other. Places are numbers of elements in the scratch arrays `reach` and `value`."""

    block: Array  # [block + 1] where its nodes start
    tree_node: Array  # [node] which node of the public tree it is
    player: Array  # [node] 0, 1 or NOBODY
    actions: Array  # [node] how many children; 0 at ends and where the next street begins
    row: Array  # [node] its first row among those of its player in this block
    edge: Array  # [node] where its children start in the next two
    value_below: Array  # [edge] the place of the child's values
    reach_below: Array  # [edge] the place of the child's reach while the other player is updated
    value_at: Array  # [node] the place of its values
    reach_at: Array  # [player, node] the place of the other's reach while the player is updated
    decider: Array  # [decision] nodes, first all of player 0, then of player 1, block by block
    decider_start: Array  # [player, block + 1]
    rows: Array  # [player, block] how many rows of a table a board takes

    def nodes_of(self, block: int) -> range:
        return range(int(self.block[block]), int(self.block[block + 1]))


class Block(NamedTuple):
    """What a forest is made of: some nodes of a public tree with all below them, as far as the street goes."""

    street: int
    roots: Sequence[int]


class RangeScratch(NamedTuple):
    """How much scratch memory the walk takes, in elements, and two places in it that mean nothing."""

    width: int  # hands of a row, a multiple of LANES
    reach: int
    value: int
    nothing: int  # a row of reach that stays zero
    waste: int  # a row of values that nobody reads


class Forester:
    """Writes blocks down, node by node."""

    def __init__(self, tree: PublicTree, width: int, *, cut: bool) -> None:
        self.tree, self.width, self.cut = tree, width, cut
        self.nodes: dict[str, list[int]] = {
            name: [] for name in ("tree_node", "player", "actions", "row", "edge", "value_at")
        }
        self.value_below: list[int] = []
        self.reach_below: list[int] = []
        self.reach_at: tuple[list[int], list[int]] = ([], [])
        self.block = [0]
        self.decider: tuple[list[int], list[int]] = ([], [])
        self.decider_start: tuple[list[int], list[int]] = ([0], [0])
        self.rows: tuple[list[int], list[int]] = ([], [])

    def lay(self, roots: Sequence[int], reach: int, value: int) -> tuple[int, int]:
        """Write a block down whose scratch memory starts at these rows; how many rows it takes of both."""
        self.first, self.first_reach, self.first_value = self.block[-1], reach, value
        self.reach_rows, self.own_rows = [0, 0], [0, 0]
        for root in roots:
            self._node(root, (self._new_reach(0), self._new_reach(1)))
        for p in range(2):
            self.decider_start[p].append(len(self.decider[p]))
            self.rows[p].append(self.own_rows[p])
        self.block.append(len(self.nodes["player"]))
        return max(self.reach_rows), self.block[-1] - self.first

    def _new_reach(self, player: int) -> int:
        """The place of a row of reach that is used while the player is updated."""
        self.reach_rows[player] += 1
        return (self.first_reach + self.reach_rows[player] - 1) * self.width

    def _node(self, n: int, reach: tuple[int, int]) -> int:
        """Write a node and all below it down; the place of its values."""
        who, number = int(self.tree.player[n]), len(self.nodes["player"])
        below = self.tree.children(n) if who >= 0 or (who == DEAL and not self.cut) else []
        player = who if who >= 0 else NOBODY
        place, edge = (self.first_value + number - self.first) * self.width, len(self.value_below)
        row = self.own_rows[player] if who >= 0 else 0
        for name, entry in zip(self.nodes, (n, player, len(below), row, edge, place), strict=True):
            self.nodes[name].append(entry)
        for p in range(2):
            self.reach_at[p].append(reach[p])
        self.value_below += [0] * len(below)
        self.reach_below += [0] * len(below)
        if who >= 0:
            self.decider[who].append(number)
            self.own_rows[who] += len(below)
        for a, child in enumerate(below):
            there = list(reach)
            if who >= 0:
                there[1 - who] = self.reach_below[edge + a] = self._new_reach(1 - who)
            self.value_below[edge + a] = self._node(child, (there[0], there[1]))
        return place

    def forest(self) -> Forest:
        nodes = {name: np.array(entries, np.int64) for name, entries in self.nodes.items()}
        later = np.array([[0], [len(self.decider[0])]])
        return Forest(
            block=np.array(self.block), **nodes, value_below=np.array(self.value_below, np.int64),
            reach_below=np.array(self.reach_below, np.int64), reach_at=np.array(self.reach_at),
            decider=np.array([*self.decider[0], *self.decider[1]], np.int64),
            decider_start=np.array(self.decider_start) + later, rows=np.array(self.rows),
        )  # fmt: skip


def plant(tree: PublicTree, blocks: Sequence[Block], width: int, *, cut: bool) -> tuple[Forest, RangeScratch]:
    """Lay out blocks, given street by street; those of one street use the same scratch memory.

    Deals are events inside a block, unless they cut the tree into streets.
    """
    assert width % LANES == 0
    planter, reach, value = Forester(tree, width, cut=cut), 0, 0
    for _, together in groupby(blocks, key=lambda block: block.street):
        took = [planter.lay(block.roots, reach, value) for block in together]
        reach, value = reach + max(r for r, _ in took), value + max(v for _, v in took)
    return planter.forest(), RangeScratch(width, (reach + 1) * width, (value + 1) * width, reach * width, value * width)
