"""The order of a pass through a spot: streets, cut into blocks that fit the processor's cache, and all their boards."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile.lanes import LANES
from ruse.solve.ranges.passes.one_pass import CLOSE, DOWN, ENDS, ENTER, LEAVE, OPEN, UP, Gates
from ruse.solve.ranges.public.betting import DEAL, PublicTree
from ruse.solve.ranges.public.forest import Block, Forest, RangeScratch

CROWD = 3 * LANES  # lanes of ends and deals that a block has at most, unless one tree has more
STRETCHES = 8  # of steps that may run alone, each in a thread

Array = NDArray[np.int64]


class Streets(NamedTuple):
    """A betting tree cut into blocks where cards are dealt."""

    blocks: list[Block]  # street by street
    deals: list[list[int]]  # [block] the deals above its roots
    below: list[list[int]]  # [block] the blocks of the next street that follow it

    @property
    def seconds(self) -> int:
        """How many blocks the second street has: they are 1, 2, ..."""
        return sum(block.street == 1 for block in self.blocks)


def streets_of(tree: PublicTree) -> Streets:
    streets = Streets([Block(0, [0])], [[]], [])
    for block in streets.blocks:  # which grows meanwhile
        deals = [n for root in block.roots for n in of_street(tree, root) if tree.player[n] == DEAL]
        streets.below.append([])
        for group in grouped(tree, deals):
            streets.below[-1].append(len(streets.blocks))
            streets.blocks.append(Block(block.street + 1, [tree.children(n)[0] for n in group]))
            streets.deals.append(group)
    return streets


def of_street(tree: PublicTree, root: int) -> list[int]:
    """A node and all below it, as far as the next deals."""
    found, waiting = [], [root]
    while waiting:
        n = waiting.pop()
        found.append(n)
        if tree.player[n] >= 0:
            waiting.extend(reversed(tree.children(n)))
    return found


def grouped(tree: PublicTree, deals: list[int]) -> list[list[int]]:
    """Deals whose trees share a block: as many as fit, large ones first."""
    crowd = {n: max(lanes_of(tree, tree.children(n)[0], p) for p in range(2)) for n in deals}
    groups: list[list[int]] = []
    for n in sorted(deals, key=lambda n: -crowd[n]):
        for group in groups:
            if len(group) < LANES and sum(crowd[k] for k in group) + crowd[n] <= CROWD:
                group.append(n)
                break
        else:
            groups.append([n])
    return groups


def lanes_of(tree: PublicTree, root: int, player: int) -> int:
    """How many rows of the other's reach there are at ends and deals of a street, while the player is updated."""
    found, waiting, rows = set(), [(root, 0)], 0
    while waiting:
        n, row = waiting.pop()
        if tree.player[n] < 0:
            found.add(row)
            continue
        for child in tree.children(n):
            rows += tree.player[n] != player
            waiting.append((child, row if tree.player[n] == player else rows))
    return len(found)


def gates_of(tree: PublicTree, forest: Forest, streets: Streets, scratch: RangeScratch) -> Gates:
    """A lane for each root of a block. Lanes that are left over carry nothing, from and to rows that mean nothing."""
    count = len(streets.blocks) * LANES
    reach_above, reach_root = (np.full((2, count), scratch.nothing) for _ in range(2))
    value_above, value_root = (np.full(count, scratch.waste) for _ in range(2))
    place = np.zeros(len(tree.player), np.int64)
    place[forest.tree_node] = np.arange(len(forest.tree_node))
    for number, (block, deals) in enumerate(zip(streets.blocks, streets.deals, strict=True)):
        for t, (deal, root) in enumerate(zip(place[deals], place[list(block.roots)], strict=False)):
            lane = number * LANES + t
            reach_above[:, lane], reach_root[:, lane] = forest.reach_at[:, deal], forest.reach_at[:, root]
            value_above[lane], value_root[lane] = forest.value_at[deal], forest.value_at[root]
    return Gates(reach_above, reach_root, value_above, value_root)


class Schedule(NamedTuple):
    """The steps of a pass."""

    steps: Array  # [step, column]
    cuts: Array
    first_row: dict[tuple[int, int], tuple[int, int]]
    size: int


def scheduled(forest: Forest, streets: Streets, widths: Array, above: list[int]) -> Schedule:
    """All blocks on all boards; `above` tells the board before each, and `widths` how long rows are on it."""
    steps: list[tuple[int, int, int, int, int]] = []
    first_row: dict[tuple[int, int], tuple[int, int]] = {}
    below: list[list[int]] = [[] for _ in above]
    for board, before in enumerate(above):
        if before >= 0:
            below[before].append(board)
    marks: list[int] = []
    size = 0

    def visit(block: int, board: int) -> None:
        nonlocal size
        rows = [int(forest.rows[p, block]) * int(widths[p, board]) for p in range(2)]
        first_row[block, board] = at = (size, size + rows[0])
        size += sum(rows)
        steps.append((DOWN, block, board, *at))
        under = streets.below[block]
        steps.extend((OPEN, gate, board, 0, 0) for gate in under)
        for there in below[board] if under else ():
            if block == 0:
                marks.append(len(steps))
            for gate in under:
                steps.append((ENTER, gate, there, 0, 0))
                visit(gate, there)
                steps.append((LEAVE, gate, there, 0, 0))
        if block == 0:
            marks.append(len(steps))
        steps.extend((CLOSE, gate, board, 0, 0) for gate in under)
        steps.extend(((ENDS, block, board, *at), (UP, block, board, *at)))

    visit(0, 0)
    return Schedule(np.array(steps), cut(marks, len(steps)), first_row, size)


def cut(marks: list[int], steps: int) -> Array:
    """Stretches of about the same length between the marks; all in one if there is nothing to deal."""
    if len(marks) < 2:
        return np.array([0, steps])
    wished = np.linspace(marks[0], marks[-1], min(STRETCHES, len(marks) - 1) + 1)
    nearest = [min(marks, key=lambda mark: abs(mark - wish)) for wish in wished]
    return np.array([0, *sorted(set(nearest)), steps])
