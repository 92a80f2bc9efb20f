"""The 169 kinds of hands as a square: how often each comes to a place, and what it does there."""

from typing import Any, NamedTuple

import numpy as np

from ruse.games.holdem.ranges.cells import CELL_OF, CELLS, CLASSES, SIDE
from ruse.games.holdem.spots.betting import ALL_INS, CALL, CHECK, FOLDS
from ruse.spots.places import Here

WIDTH = 6  # characters of a cell, the last one left free
COLOURS = {FOLDS: 67, CHECK: 71, CALL: 71}  # of 256
BETS = (216, 209, 202, 196, 160, 124, 88)  # from small to large
ALL_IN_COLOUR = 53
EMPTY = 236
DIGITS = "123456789"


class Grid(NamedTuple):
    """One number an action for each cell of the square, row by row from the aces."""

    actions: tuple[str, ...]
    weight: np.ndarray  # [cell] how many hands come here, of those that there are
    mix: np.ndarray  # [cell, action] what they do; zeros where none comes

    @classmethod
    def of(cls, at: Here) -> "Grid":
        weights = at.reach[at.player]
        weight = np.bincount(CELL_OF, weights, CELLS)
        columns = [np.bincount(CELL_OF, weights * at.rows[:, a], CELLS) for a in range(len(at.actions))]
        with np.errstate(invalid="ignore", divide="ignore"):
            mix = np.where(weight[:, None] > 1e-9, np.stack(columns, axis=1) / weight[:, None], 0.0)
        return cls(at.actions, weight, mix)

    def as_dict(self) -> dict[str, Any]:
        """Cells by name, those that come here."""
        return {
            CLASSES[cell].name: {
                "weight": float(self.weight[cell]),
                "strategy": dict(zip(self.actions, map(float, self.mix[cell]), strict=True)),
            }
            for cell in np.flatnonzero(self.weight > 1e-9)
        }


def letters(actions: tuple[str, ...]) -> list[str]:
    """A sign for each action: x check, c call, f fold, a all-in, b or r; a number where there are several bets."""
    own = {CHECK: "x", CALL: "c", FOLDS: "f"}
    bets = [name for name in actions if name not in own and not name.startswith(ALL_INS)]
    found = []
    for name in actions:
        letter = own.get(name) or ("a" if name.startswith(ALL_INS) else name[0])
        found.append(DIGITS[min(bets.index(name), len(DIGITS) - 1)] if name in bets and len(bets) > 1 else letter)
    return found


def colours(actions: tuple[str, ...]) -> list[int]:
    """A colour for each action: blue to fold, green to check or call, redder the more is bet."""
    bets = [name for name in actions if name not in COLOURS and not name.startswith(ALL_INS)]
    return [
        ALL_IN_COLOUR
        if name.startswith(ALL_INS)
        else COLOURS.get(name) or BETS[min(bets.index(name) * (len(BETS) // max(len(bets), 1)), len(BETS) - 1)]
        for name in actions
    ]


def plain_lines(grid: Grid) -> list[str]:
    """Two lines a row: the hands, and under each what it does most, in percent."""
    marks, lines = letters(grid.actions), []
    for row in range(SIDE):
        names, doing = [], []
        for cell in range(row * SIDE, (row + 1) * SIDE):
            names.append(CLASSES[cell].name.ljust(WIDTH))
            doing.append(main_action(grid, cell, marks).ljust(WIDTH))
        lines += ["".join(names).rstrip(), "".join(doing).rstrip()]
    return lines


def coloured_lines(grid: Grid) -> list[str]:
    """The same on backgrounds that are mixed as the hands are, for a terminal."""
    marks, paints, lines = letters(grid.actions), colours(grid.actions), []
    for row in range(SIDE):
        names, doing = [], []
        for cell in range(row * SIDE, (row + 1) * SIDE):
            backs = painted(grid.mix[cell], paints) if grid.weight[cell] > 1e-9 else [EMPTY] * (WIDTH - 1)
            names.append(on(CLASSES[cell].name.ljust(WIDTH - 1), backs))
            doing.append(on(main_action(grid, cell, marks).ljust(WIDTH - 1), backs))
        lines += [" ".join(names), " ".join(doing)]
    return lines


def main_action(grid: Grid, cell: int, marks: list[str]) -> str:
    if grid.weight[cell] <= 1e-9:
        return "."
    best = int(np.argmax(grid.mix[cell]))
    return f"{marks[best]} {100 * grid.mix[cell, best]:.0f}"


def painted(mix: np.ndarray, paints: list[int]) -> list[int]:
    """A colour for each character of a cell, in proportion to the mix."""
    edges = np.cumsum(mix) / max(float(mix.sum()), 1e-9)
    middles = (np.arange(WIDTH - 1) + 0.5) / (WIDTH - 1)
    return [paints[min(int(k), len(paints) - 1)] for k in np.searchsorted(edges, middles)]


def on(text: str, backs: list[int]) -> str:
    """A text on these backgrounds."""
    dark = "\033[38;5;16m"
    inked = "".join(f"\033[48;5;{back}m{letter}" for letter, back in zip(text, backs, strict=True))
    return f"{dark}{inked}\033[0m"


def legend(at: Here) -> list[tuple[str, str, int, float]]:
    """Each action with its letter, its colour and how often it is taken."""
    rows = zip(letters(at.actions), at.actions, colours(at.actions), map(float, at.overall), strict=True)
    return list(rows)
