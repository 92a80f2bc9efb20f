"""All that the kernels of ranges.cu work on, made from a plan: the same nodes, boards and ends.

On the processor a block of nodes is walked board after board in the same scratch memory; here each pair of a block and
a board has scratch memory of its own. The tables lie as they do there, so a checkpoint of one is one of the other.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile.lanes import LANES
from ruse.errors import RuseError
from ruse.solve.ranges.ends.showdowns import EndLanes, Showdowns
from ruse.solve.ranges.passes.one_pass import BOARD, ENTER, KIND
from ruse.solve.ranges.plans.plan import RangePlan
from ruse.solve.ranges.public.betting import DEAL

NONE = 0xFFFFFFFF  # as in ranges.cu
MOST = (1 << 32) - 1  # threads that a launch can number
SCRATCH = ("reach", "value")
TABLES = ("regret", "average", "plays", "then")

Array = NDArray[Any]


class BlocksOnBoards(NamedTuple):
    """Blocks on boards, in the order of their rows in the tables."""

    block: Array
    board: Array
    of: Array  # [block, board] NONE where there is none
    length: Array  # [pair] of a row of scratch memory
    value_base: Array
    reach_base: Array
    value_size: int
    reach_size: int

    @classmethod
    def of_plan(cls, plan: RangePlan, local: "LocalRows") -> "BlocksOnBoards":
        block, board = (np.array(each, np.int64) for each in zip(*plan.first_row, strict=True))
        of = np.full((len(plan.forest.block) - 1, len(plan.boards)), NONE)
        of[block, board] = np.arange(len(block))
        length = plan.field.boards.width.max(axis=0)[board]
        sizes = [np.asarray(rows)[block] * length for rows in (local.values, local.reaches)]
        bases = [np.cumsum(each) - each for each in sizes]
        return cls(block, board, of, length, bases[0], bases[1], int(sizes[0].sum()), int(sizes[1].sum()))


class LocalRows(NamedTuple):
    """Rows of scratch memory, counted from the first one of their block."""

    value_row: Array  # [node]
    reach_row: Array  # [player, node]
    value_below: Array  # [edge]
    reach_below: Array  # [edge]
    value_first: Array  # [block] the first row on the processor
    reach_first: Array  # [block]
    values: list[int]  # [block] how many there are
    reaches: list[int]  # [block]
    block_of: Array  # [node]

    @classmethod
    def of_plan(cls, plan: RangePlan) -> "LocalRows":
        forest, width = plan.forest, plan.scratch.width
        block_of = np.repeat(np.arange(len(forest.block) - 1), np.diff(forest.block))
        edge_block = np.repeat(block_of, forest.actions)
        first = forest.block[:-1]
        value_first, reach_first = forest.value_at[first] // width, forest.reach_at[0, first] // width
        reach_row = forest.reach_at // width - reach_first[block_of]
        decides = np.repeat(forest.player, forest.actions) < 2
        reach_below = np.where(decides, forest.reach_below // width - reach_first[edge_block], 0)
        blocks = range(len(first))
        values = [len(forest.nodes_of(b)) for b in blocks]
        reaches = [int(reach_row[:, forest.block[b] : forest.block[b + 1]].max()) + 1 for b in blocks]
        return cls(
            forest.value_at // width - value_first[block_of], reach_row,
            forest.value_below // width - value_first[edge_block], reach_below, value_first, reach_first, values,
            reaches, block_of,
        )  # fmt: skip


class EndRows(NamedTuple):
    """Ends with their rows of scratch memory, those of player 0 first."""

    player: Array  # [end]
    block: Array
    reach: Array
    showdown: Array  # NONE for none
    fold: Array
    showdown_pays: Array
    house_pays: Array
    fold_pays: Array

    @classmethod
    def of_plan(cls, plan: RangePlan, local: LocalRows) -> "EndRows":
        """From the lanes of the processor; what a house takes at a showdown has a lane of its own there."""
        lanes: EndLanes = plan.field.ends.ends
        width, waste = plan.scratch.width, plan.scratch.waste
        rows: list[tuple[float, ...]] = []
        for p, block in np.ndindex(lanes.first.shape[0], lanes.first.shape[1] - 1):
            every = range(int(lanes.first[p, block]), int(lanes.first[p, block + 1]))
            house = {int(lanes.fold_at[k]): float(lanes.fold_pays[k]) for k in every if lanes.adds[k // LANES]}
            house.pop(waste, None)
            first = int(local.value_first[block])
            for k in every:
                showdown, fold = int(lanes.showdown_at[k]), int(lanes.fold_at[k])
                if lanes.adds[k // LANES] or showdown == fold == waste:
                    continue
                places = [NONE if at == waste else at // width - first for at in (showdown, fold)]
                reach = int(lanes.reach_at[k]) // width - int(local.reach_first[block])
                pays = float(lanes.showdown_pays[k]), house.pop(showdown, 0.0), float(lanes.fold_pays[k])
                rows.append((p, block, reach, *places, *pays))
            assert not house
        return cls(*(np.array(column) for column in zip(*rows, strict=True)))


class Layout(NamedTuple):
    """Arrays by the name of their field in `World` of ranges.cu, but for tables and scratch memory; and their sizes."""

    parts: dict[str, Array | int | float]
    pairs: BlocksOnBoards
    local: LocalRows
    ends: EndRows
    sizes: dict[str, int]  # of what is changed
    deals: Array  # [node] whether cards are dealt there

    @classmethod
    def of(cls, plan: RangePlan) -> "Layout":
        if not isinstance(plan.field.ends, Showdowns):
            raise RuseError("a card takes spots of Hold'em; use on='cpu'")
        local = LocalRows.of_plan(plan)
        pairs, ends = BlocksOnBoards.of_plan(plan, local), EndRows.of_plan(plan, local)
        deals = plan.tree.player[plan.forest.tree_node] == DEAL
        parts = node_parts(plan, local, deals) | pair_parts(plan, pairs) | board_parts(plan) | end_parts(plan, ends)
        sizes = {"value": pairs.value_size, "reach": pairs.reach_size, **dict.fromkeys(TABLES, plan.size)}
        return cls(parts, pairs, local, ends, sizes, deals)


def whole(array: Any) -> Array:
    return np.ascontiguousarray(array, np.uint32)


def long(array: Any) -> Array:
    return np.ascontiguousarray(array, np.uint64)


def node_parts(plan: RangePlan, local: LocalRows, deals: Array) -> dict[str, Array | int | float]:
    forest = plan.forest
    place = np.zeros(len(plan.tree.player), np.int64)
    place[forest.tree_node] = np.arange(len(forest.tree_node))
    deal, root = np.full(len(forest.player), NONE), np.full(len(forest.player), NONE)
    for n in np.flatnonzero(deals).tolist():
        root[n] = place[plan.tree.children(int(forest.tree_node[n]))[0]]
        deal[root[n]] = n
    root_block = np.where(deals, local.block_of[np.where(deals, root, 0)], NONE)
    return {
        "player": whole(forest.player), "actions": whole(forest.actions), "table_row": whole(forest.row),
        "value_row": whole(local.value_row), "reach_row": whole(local.reach_row), "edge": whole(forest.edge),
        "value_below": whole(local.value_below), "reach_below": whole(local.reach_below), "deal": whole(deal),
        "root": whole(root), "root_block": whole(root_block), "nodes": len(forest.player),
    }  # fmt: skip


def pair_parts(plan: RangePlan, pairs: BlocksOnBoards) -> dict[str, Array | int | float]:
    above = np.full(len(pairs.block), NONE)
    street_above = blocks_above(plan)
    board_above = np.array([board.above for board in plan.boards])
    for k, (block, board) in enumerate(zip(pairs.block.tolist(), pairs.board.tolist(), strict=True)):
        if block > 0:
            above[k] = pairs.of[street_above[block], board_above[board]]
    rows = np.array([plan.first_row[int(b), int(c)] for b, c in zip(pairs.block, pairs.board, strict=True)]).T
    return {
        "value_base": long(pairs.value_base), "reach_base": long(pairs.reach_base), "rows": long(rows),
        "length": whole(pairs.length), "pair_board": whole(pairs.board), "pair_above": whole(above),
        "pair_of": whole(pairs.of), "pairs": len(pairs.block),
    }  # fmt: skip


def blocks_above(plan: RangePlan) -> list[int]:
    """[block] the block in which its deals are; itself for the first."""
    forest, place = plan.forest, np.zeros(len(plan.tree.player), np.int64)
    place[forest.tree_node] = np.arange(len(forest.tree_node))
    found = [0] * (len(forest.block) - 1)
    for n in np.flatnonzero(plan.tree.player[forest.tree_node] == DEAL).tolist():
        root = place[plan.tree.children(int(forest.tree_node[n]))[0]]
        here, there = (int(np.searchsorted(forest.block, k, side="right")) - 1 for k in (n, root))
        found[there] = here
    return found


def board_parts(plan: RangePlan) -> dict[str, Array | int | float]:
    boards, where = plan.boards, plan.field.boards
    below: list[list[int]] = [[] for _ in boards]
    for number, board in enumerate(boards):
        if board.above >= 0:
            below[board.above].append(number)
    inverse_at, inverses, length = np.zeros_like(where.above), list[Array](), 0
    for p, (number, board) in ((p, each) for p in range(2) for each in enumerate(boards)):
        if board.above < 0:
            continue
        for lift in range(int(where.lift[number]), int(where.lift[number + 1])):
            here, before = int(where.hands[p, number]), int(where.hands[p, board.above])
            origin = where.origin[int(where.above[p, lift]) :][:here]
            inverse = np.full(before, NONE, np.uint32)
            inverse[origin] = np.arange(here)
            inverse_at[p, lift] = length
            inverses.append(inverse)
            length += before
    return {
        "hands": whole(where.hands), "width": whole(where.width), "lift": whole(where.lift),
        "below": whole(np.cumsum([0, *map(len, below)])), "board_below": whole([c for each in below for c in each]),
        "stretch": whole(stretches(plan)), "origin_at": long(where.above),
        "origin": np.ascontiguousarray(where.origin, np.uint16),
        "inverse_at": long(inverse_at), "inverse": np.concatenate([whole([]), *inverses]), "boards": len(boards),
        "lifts": int(where.lift[-1]),
    }  # fmt: skip


def stretches(plan: RangePlan) -> Array:
    """[board] on the second street the stretch of the processor's steps that it is in; else 0."""
    found = np.zeros(len(plan.boards), np.int64)
    steps = plan.field.steps
    for k in np.flatnonzero(steps[:, KIND] == ENTER).tolist():
        board = int(steps[k, BOARD])
        if plan.boards[board].above == 0:
            found[board] = np.searchsorted(plan.cuts, k, side="right")
    return found


def end_parts(plan: RangePlan, ends: EndRows) -> dict[str, Array | int | float]:
    removal = plan.field.ends.removal
    return {
        "end_reach": whole(ends.reach), "end_showdown": whole(ends.showdown), "end_fold": whole(ends.fold),
        "showdown_pays": ends.showdown_pays, "house_pays": ends.house_pays, "fold_pays": ends.fold_pays,
        "removal_at": long(removal.first), "high": removal.high, "low": removal.low, "same": removal.same,
        "place": removal.place, "list_start": removal.list_start, "listed": removal.listed,
    }  # fmt: skip


def spread_over_boards(numbers: Iterable[int], blocks: Array, pairs_of_block: list[Array]) -> tuple[Array, Array]:
    """Some nodes or ends, each on all boards of its block: their numbers, and the pairs, a board's side by side."""
    found: list[tuple[Array, Array]] = []
    each = np.array(list(numbers), np.int64)
    for block in np.unique(blocks[each]).tolist() if len(each) else []:
        mine, pairs = each[blocks[each] == block], pairs_of_block[block]
        found.append((np.tile(mine, len(pairs)), np.repeat(pairs, len(mine))))
    none = np.zeros(0, np.int64)
    return tuple(np.concatenate([none, *part]) for part in (zip(*found, strict=True) if found else ((), ())))  # type: ignore[return-value]
