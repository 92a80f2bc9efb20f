"""Cells of a board as games store them: one bit each, row by row; and what was tried, as digits of four bits."""

from ruse.compile import compiled_function

MOST = 15  # cells that four bits can tell apart
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def cell_name(cell: int, cols: int) -> str:
    """Columns have letters, rows have numbers."""
    return f"{LETTERS[cell % cols]}{cell // cols + 1}"


def board_rows(masks: tuple[int, int], rows: int, cols: int) -> list[list[str]]:
    """Stones of player 0, x, and of player 1, o, on the board, row by row."""
    cells = ["x" if masks[0] >> k & 1 else "o" if masks[1] >> k & 1 else "." for k in range(rows * cols)]
    return [cells[r * cols : (r + 1) * cols] for r in range(rows)]


def board_words(masks: tuple[int, int], rows: int, cols: int) -> str:
    """The same as text: x.o/.x."""
    return "/".join("".join(row) for row in board_rows(masks, rows, cols))


def tried_cells(digits: int, cols: int) -> list[str]:
    """The cells that were tried, first to last."""
    return [cell_name(int(digit, 16) - 1, cols) for digit in f"{digits:x}"] if digits else []


@compiled_function
def free_cell(known, a):
    """The a-th cell that is not in a mask."""
    cell = 0
    while True:
        if not known >> cell & 1:
            if a == 0:
                return cell
            a -= 1
        cell += 1
