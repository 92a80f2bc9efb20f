"""Dark Hex: connect two sides of the board without seeing the other's stones."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.games.board.cells import MOST, board_rows, cell_name, free_cell, tried_cells
from ruse.protocol.game import EVERYTHING, OVER, Row
from ruse.protocol.scene import Scene, Zone
from ruse.protocol.state import State

# Columns. For each player a mask of stones, a mask of the other's stones that were bumped into, and the cells that were
# tried, as digits of four bits (cell + 1), in this order.
WHO, MOVES, STONES, BUMPED, TRIED = 0, 1, 2, 4, 6
SIDES = ("top and bottom", "left and right")
HELP = """\
Player 0, with the stones x, joins top and bottom; player 1, with o, left and right. A cell touches those beside it, the
two above and the two below. You do not see the other's stones: who tries a cell that is taken sees it, and tries
another one (in the abrupt version the turn is lost)."""


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class DarkHex(NamedTuple):
    """Player 0 joins top and bottom, player 1 left and right. Who tries a cell that is taken sees it, and goes on."""

    rows: int = 2
    cols: int = 3
    abrupt: bool = False  # who bumps into a stone loses the turn

    # Together, because type checkers would take one alone for a field without a default.
    players, payoff_sum, table = 2, 0, "ruse.games.board.dark_hex"

    @property
    def perfect_recall(self) -> bool:
        """Where bumping costs no turn, players know how many moves were made, but not how many when they last moved."""
        return self.abrupt

    def start(self) -> Row:
        if min(self.rows, self.cols) < 2 or self.rows * self.cols > MOST:
            raise ValueError(f"a board of Dark Hex is 2 by 2 to {MOST} cells, got {self.rows} by {self.cols}")
        return np.zeros(8, np.int64)

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        known, count = s[STONES + s[WHO]] | s[BUMPED + s[WHO]], 0
        for cell in range(self.rows * self.cols):
            count += 1 - (known >> cell & 1)
        return count

    def chance(self, s, a):
        return 0.0

    def apply(self, s, a):
        me = s[WHO]
        cell = free_cell(s[STONES + me] | s[BUMPED + me], a)
        s[TRIED + me] = s[TRIED + me] * 16 + cell + 1
        s[MOVES] += 1
        if s[STONES + 1 - me] >> cell & 1:
            s[BUMPED + me] |= 1 << cell
            if self.abrupt:
                s[WHO] = 1 - me
            return
        s[STONES + me] |= 1 << cell
        s[WHO] = OVER if is_joined(self, s[STONES + me], me) else 1 - me

    def infoset(self, s):
        return mix(mix(s[TRIED + s[WHO]], s[BUMPED + s[WHO]]), s[MOVES])

    def payoff(self, s, player):
        return 1.0 if is_joined(self, s[STONES + player], player) else -1.0

    def action_name(self, s, a):
        return cell_name(int(free_cell(s[STONES + s[WHO]] | s[BUMPED + s[WHO]], a)), self.cols)

    def describe(self, s, viewer):
        """The board as the viewer knows it, the cells tried, and the moves of both: x.o/.x. tried a1 b2, move 5."""
        board = "/".join("".join(row) for row in self.board(s, viewer))
        tried = "" if viewer == EVERYTHING else " ".join(tried_cells(int(s[TRIED + viewer]), self.cols))
        return f"{board}{f' tried {tried}' if tried else ''}, move {s[MOVES]}"

    def board(self, s, viewer):
        """The cells as the viewer knows them, row by row; all is seen in the end."""
        masks = [int(s[STONES]), int(s[STONES + 1])]
        if viewer != EVERYTHING and s[WHO] != OVER:
            masks[1 - viewer] = int(s[BUMPED + viewer])
        return board_rows((masks[0], masks[1]), self.rows, self.cols)

    def scene(self, state: State, viewer: int) -> Scene:
        """The board, row by row: a stone, or the name of a cell that is free as far as the viewer knows."""
        s = state.row
        rows = tuple(
            Zone(f"row {r + 1}", shown=tuple(
                cell_name(r * self.cols + c, self.cols) if cell == "." else cell for c, cell in enumerate(row)
            ))
            for r, row in enumerate(self.board(s, viewer))
        )  # fmt: skip
        words, moves = self.describe(s, viewer), (float(s[MOVES]),)
        return Scene(viewer, state.player, words, zones=rows, numbers={"moves": moves}, facts={"board": "hex"})


# ---- as it is told at the table --------------------------------------------------------------------------------------


def told(game: DarkHex, before: Row, a: int, after: Row, viewer: int | None) -> list[str]:
    """What the viewer hears of a try; None: what everybody may hear."""
    who = int(before[WHO])
    lines = [f"player {who} tries a cell"]
    if viewer == who:
        cell = int(free_cell(before[STONES + who] | before[BUMPED + who], a))
        is_taken = bool(int(after[BUMPED + who]) >> cell & 1)
        lines = [f"you try {cell_name(cell, game.cols)}: {'it is taken' if is_taken else 'it is yours'}"]
    if after[WHO] == OVER:
        lines.append(f"{'you have' if viewer == who else f'player {who} has'} joined {SIDES[who]}")
    return lines


def shown(state: State, seat: int) -> list[str]:
    """The board as a seat knows it; a row stands half a cell to the right of the one above."""
    rows = state.game.board(state.row, seat)  # type: ignore[attr-defined]
    return [" " * r + " ".join(row) for r, row in enumerate(rows)]


@compiled_function
def is_joined(game, stones, player):
    """Whether stones reach from one side of a player to the other: what is reached grows until it does not."""
    rows, cols = game.rows, game.cols
    reached, before = 0, -1
    for cell in range(rows * cols):
        if stones >> cell & 1 and (cell // cols == 0 if player == 0 else cell % cols == 0):
            reached |= 1 << cell
    while reached != before:
        before = reached
        for cell in range(rows * cols):
            if stones >> cell & 1 and not reached >> cell & 1 and touches(rows, cols, reached, cell):
                reached |= 1 << cell
    for cell in range(rows * cols):
        if reached >> cell & 1 and (cell // cols == rows - 1 if player == 0 else cell % cols == cols - 1):
            return True
    return False


@compiled_function
def touches(rows, cols, mask, cell):
    """Whether a cell lies beside one of a mask; in hex it has six neighbours."""
    r, c = cell // cols, cell % cols
    for dr in range(-1, 2):
        for dc in range(-1, 2):
            beside = dr != dc and 0 <= r + dr < rows and 0 <= c + dc < cols
            if beside and mask >> ((r + dr) * cols + c + dc) & 1:
                return True
    return False
