"""Phantom tic-tac-toe: three in a row without seeing the other's marks."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.games.board.cells import MOST, board_words, cell_name, free_cell, tried_cells
from ruse.protocol.game import EVERYTHING, OVER, Row

# Columns. For each player a mask of marks, a mask of the other's marks that were bumped into, and the cells that were
# tried, as digits of four bits (cell + 1), in this order.
WHO, MARKS, BUMPED, TRIED = 0, 1, 3, 5


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class PhantomTicTacToe(NamedTuple):
    """The first with so many marks in a line wins. Who tries a cell that is taken sees it, and tries another."""

    rows: int = 3
    cols: int = 3
    line: int = 3  # marks in a row, a column or a diagonal that win
    abrupt: bool = False  # who bumps into a mark loses the turn

    # Together, because type checkers would take one alone for a field without a default.
    players, payoff_sum = 2, 0

    def start(self) -> Row:
        if min(self.rows, self.cols) < 1 or not 2 <= self.rows * self.cols <= MOST:
            raise ValueError(f"a board of phantom tic-tac-toe has 2 to {MOST} cells, got {self.rows} by {self.cols}")
        if not 2 <= self.line <= max(self.rows, self.cols):
            raise ValueError(f"line must be 2 to {max(self.rows, self.cols)} on this board, got {self.line}")
        return np.zeros(7, np.int64)

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        known, count = s[MARKS + s[WHO]] | s[BUMPED + s[WHO]], 0
        for cell in range(self.rows * self.cols):
            count += 1 - (known >> cell & 1)
        return count

    def chance(self, s, a):
        return 0.0

    def apply(self, s, a):
        me = s[WHO]
        cell = free_cell(s[MARKS + me] | s[BUMPED + me], a)
        s[TRIED + me] = s[TRIED + me] * 16 + cell + 1
        if s[MARKS + 1 - me] >> cell & 1:
            s[BUMPED + me] |= 1 << cell
            if self.abrupt:
                s[WHO] = 1 - me
            return
        s[MARKS + me] |= 1 << cell
        is_full = s[MARKS] | s[MARKS + 1] == (1 << self.rows * self.cols) - 1
        s[WHO] = OVER if is_full or has_line(self, s[MARKS + me]) else 1 - me

    def infoset(self, s):
        return mix(s[TRIED + s[WHO]], s[BUMPED + s[WHO]])

    def payoff(self, s, player):
        if has_line(self, s[MARKS + player]):
            return 1.0
        return -1.0 if has_line(self, s[MARKS + 1 - player]) else 0.0

    def action_name(self, s, a):
        return cell_name(int(free_cell(s[MARKS + s[WHO]] | s[BUMPED + s[WHO]], a)), self.cols)

    def describe(self, s, viewer):
        """The board as the viewer knows it, and the cells tried: x.o/.x./... tried a1 b2 c1."""
        marks = (int(s[MARKS]), int(s[MARKS + 1]))
        if viewer == EVERYTHING:
            return board_words(marks, self.rows, self.cols)
        bumped = int(s[BUMPED + viewer])
        known = (marks[0], bumped) if viewer == 0 else (bumped, marks[1])
        tried = " ".join(tried_cells(int(s[TRIED + viewer]), self.cols))
        return board_words(known, self.rows, self.cols) + (f" tried {tried}" if tried else "")


@compiled_function
def has_line(game, marks):
    """Whether so many marks stand side by side in one of four directions."""
    for cell in range(game.rows * game.cols):
        if marks >> cell & 1 and (
            reaches(game, marks, cell, 0, 1) or reaches(game, marks, cell, 1, 0)
            or reaches(game, marks, cell, 1, 1) or reaches(game, marks, cell, 1, -1)
        ):  # fmt: skip
            return True
    return False


@compiled_function
def reaches(game, marks, cell, down, right):
    """Whether marks go on from a cell in one direction for as long as a line is."""
    r, c = cell // game.cols, cell % game.cols
    for _ in range(game.line):
        if r >= game.rows or c < 0 or c >= game.cols or not marks >> (r * game.cols + c) & 1:
            return False
        r += down
        c += right
    return True
