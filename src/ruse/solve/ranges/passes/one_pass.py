"""One pass for one player: the other's reach down, values up, in steps that are the same for every pass.

A pass updates, responds or evaluates: what is done at a decision is a part (`rows.py`), and so is what an end is worth
(`matrices.py`, `showdowns.py`). The steps of a spot go through all its boards (`schedule.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled_function
from ruse.compile.lanes import LANES, lanes, lanes_to_rows, put_lanes, rows_to_lanes, same
from ruse.solve.ranges.passes.rows import add_up
from ruse.solve.ranges.public.forest import Forest

# Steps: down through a block; its ends; up through it; and between blocks, by the gate of the lower one: open it,
# bring reach down to one board, bring values of that board up, and close it.
DOWN, ENDS, UP, OPEN, ENTER, LEAVE, CLOSE = range(7)
KIND, BLOCK, BOARD, ROWS = 0, 1, 2, 3  # columns of a step; where its rows start in the tables of both players


class Boards(NamedTuple):
    """Which hands there are on each board, and where they were on the board before."""

    hands: np.ndarray  # [player, board] how many
    width: np.ndarray  # [player, board] the same as a multiple of LANES: the length of rows in the tables
    lift: np.ndarray  # [board + 1] the boards that are solved together: the same but for suits, itself first
    above: np.ndarray  # [player, lift] where the next list starts
    origin: np.ndarray  # the place of each hand, with its suits changed, among the hands of the board before


class Gates(NamedTuple):
    """From the street above into a block: one lane for each tree of it."""

    reach_above: np.ndarray  # [player, block * LANES] the place of reach at the deal
    reach_root: np.ndarray  # [player, block * LANES] at the root below
    value_above: np.ndarray  # [block * LANES] of values at the deal
    value_root: np.ndarray  # [block * LANES] at the root below


class Work(NamedTuple):
    """Scratch memory of one thread."""

    reach: np.ndarray
    value: np.ndarray
    gate_reach: np.ndarray  # [block, hand * LANES]
    gate_value: np.ndarray  # [block, hand * LANES]
    lanes: np.ndarray  # [hand * LANES]
    more_lanes: np.ndarray  # [hand * LANES]
    sums: np.ndarray  # [(3 * hand + 53) * LANES] of the cards that are held
    totals: np.ndarray  # [53 * LANES]


class Field(NamedTuple):
    """All that a pass walks over, and nothing that it changes."""

    forest: Forest
    boards: Boards
    gates: Gates
    ends: Any
    steps: np.ndarray  # [step, column]


@compiled_function
def take_steps(field, work, player, down, up, first, last):
    """Steps first .. last of a pass that updates the player."""
    other = 1 - player
    for k in range(first, last):
        kind, block, board = field.steps[k, KIND], field.steps[k, BLOCK], field.steps[k, BOARD]
        if kind == DOWN:
            go_down(field.forest, work.reach, down, player, block, field.steps[k, ROWS + other],
                    field.boards.width[other, board])  # fmt: skip
        elif kind == ENDS:
            field.ends.fill(work, player, block, board)
        elif kind == UP:
            go_up(field.forest, work.value, up, player, block, field.steps[k, ROWS + player],
                  field.boards.width[player, board])  # fmt: skip
        elif kind == OPEN:
            open_gate(field, work, player, block, board)
        elif kind == ENTER:
            enter(field, work, player, block, board)
        elif kind == LEAVE:
            leave(field, work, player, block, board)
        else:
            close_gate(field, work, player, block, board)


# ---- in a block ------------------------------------------------------------------------------------------------------


@compiled_function
def go_down(forest, reach, down, player, block, rows, width):
    """Fill the other's reach everywhere in a block, from that at its roots."""
    other, below = 1 - player, forest.reach_below
    for d in range(forest.decider_start[other, block], forest.decider_start[other, block + 1]):
        n = forest.decider[d]
        source, edge, row, count = forest.reach_at[player, n], forest.edge[n], forest.row[n], forest.actions[n]
        row = rows + row * width
        if count == 2:  # a number that is known as the kernel is compiled
            down.split(reach, source, below, edge, row, width, 2)
        elif count == 3:
            down.split(reach, source, below, edge, row, width, 3)
        elif count == 4:
            down.split(reach, source, below, edge, row, width, 4)
        else:
            down.split(reach, source, below, edge, row, width, count)


@compiled_function
def go_up(forest, value, up, player, block, rows, width):
    """Fill the values of all nodes of a block, from those of its ends."""
    below, first = forest.value_below, forest.block[block]
    for back in range(forest.block[block + 1] - first):
        n = forest.block[block + 1] - 1 - back
        at, edge, count, row = forest.value_at[n], forest.edge[n], forest.actions[n], rows + forest.row[n] * width
        if count == 0:
            continue
        if forest.player[n] != player:
            add_up(value, at, below, edge, width, count)
        elif count == 2:
            up.settle(value, at, below, edge, row, width, 2, n)
        elif count == 3:
            up.settle(value, at, below, edge, row, width, 3, n)
        elif count == 4:
            up.settle(value, at, below, edge, row, width, 4, n)
        else:
            up.settle(value, at, below, edge, row, width, count, n)


# ---- from street to street -------------------------------------------------------------------------------------------


@compiled_function
def open_gate(field, work, player, block, board):
    """The other's reach at the deals above a block, a lane for each; `board` is the one above."""
    for j in range(0, field.boards.hands[1 - player, board], LANES):
        rows_to_lanes(work.reach, field.gates.reach_above[player], block * LANES, j, work.gate_reach[block])
    zero = same(work.value, 0.0)
    for i in range(field.boards.width[player, board]):
        put_lanes(work.gate_value[block], i * LANES, zero)


@compiled_function
def enter(field, work, player, block, board):
    """Reach at the roots of a block on a board: of the hands that are left, in this board's order."""
    other, boards = 1 - player, field.boards
    origin = boards.above[other, boards.lift[board]]
    count, x = boards.hands[other, board], work.lanes
    for j in range(count):
        put_lanes(x, j * LANES, lanes(work.gate_reach[block], boards.origin[origin + j] * LANES))
    zero = same(x, 0.0)
    for j in range(count, boards.width[other, board]):
        put_lanes(x, j * LANES, zero)
    for j in range(0, count, LANES):
        lanes_to_rows(x, work.reach, field.gates.reach_root[player], block * LANES, j)


@compiled_function
def leave(field, work, player, block, board):
    """Add the values of a board to those at the deals above; and of all boards that differ in suits alone."""
    boards, x, total = field.boards, work.lanes, work.gate_value[block]
    count = boards.hands[player, board]
    for i in range(0, count, LANES):
        rows_to_lanes(work.value, field.gates.value_root, block * LANES, i, x)
    for lift in range(boards.lift[board], boards.lift[board + 1]):
        origin = boards.above[player, lift]
        for i in range(count):
            k = boards.origin[origin + i] * LANES
            put_lanes(total, k, lanes(total, k) + lanes(x, i * LANES))


@compiled_function
def close_gate(field, work, player, block, board):
    """The values at the deals above a block; `board` is the one above."""
    for i in range(0, field.boards.hands[player, board], LANES):
        lanes_to_rows(work.gate_value[block], work.value, field.gates.value_above, block * LANES, i)
