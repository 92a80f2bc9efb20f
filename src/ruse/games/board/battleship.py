"""Battleship: place ships in secret, then shoot at the other's in turns (Farina et al. 2019)."""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.games.board.cells import cell_name, free_cell
from ruse.protocol.game import EVERYTHING, OVER, Row
from ruse.protocol.scene import Event, Scene
from ruse.protocol.state import State

MOST_CELLS, MOST_SHIPS, MOST_SHOTS = 60, 4, 30
WATER, HIT, SUNK = 0, 1, 2
WORDS = ("water", "hit", "sunk")
# Columns. For each player a mask of the cells that were shot at him, then a mask for each ship; after the ships of both
# there is a column for each shot, with its cell and what it met.
WHO, MOVES, SHOT_AT, SHIPS = 0, 1, 2, 4
DIGIT = 4  # the cell of a shot is above this


class Fleet(NamedTuple):
    """The lengths of the ships; 0 where there is none."""

    first: int = 2
    second: int = 0
    third: int = 0
    fourth: int = 0

    def __str__(self) -> str:
        """As it stands among the fields of a game: without commas."""
        return "/".join(str(length) for length in self if length)

    def __repr__(self) -> str:
        return f"fleet({str(self)!r})"


def fleet(text: Any) -> Fleet:
    """The ships of a text such as `1/2`: one of a single cell, and one of two."""
    if isinstance(text, Fleet):
        return text
    try:
        lengths = [int(word) for word in str(text).split("/")]
    except ValueError:
        lengths = []
    if not 1 <= len(lengths) <= MOST_SHIPS or min(lengths) < 1:
        raise RuseError(f"ships are the lengths of one to {MOST_SHIPS} of them, as in 1/2, got {text!r}")
    return Fleet(*lengths, *[0] * (MOST_SHIPS - len(lengths)))


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Battleship(NamedTuple):
    """Both place the same ships, then shoot in turns. A ship that was sunk is a point for who sank it."""

    rows: int = 2
    cols: int = 3
    ships: Fleet = Fleet()
    shots: int = 2  # of each player
    repeats: bool = False  # one may shoot at a cell again
    loss: float = 1.0  # what a ship of one's own costs, where one of the other's is worth 1

    # Together, because type checkers would take one alone for a field without a default.
    players, READ = 2, {"ships": fleet}

    @property
    def payoff_sum(self) -> int:
        if self.loss != 1.0:
            raise AttributeError("losses that weigh more or less than gains have no fixed sum")
        return 0

    def start(self) -> Row:
        cells, count = self.rows * self.cols, num_ships(self)
        if min(self.rows, self.cols) < 1 or not 2 <= cells <= MOST_CELLS:
            raise ValueError(f"a board of Battleship has 2 to {MOST_CELLS} cells, got {self.rows} by {self.cols}")
        if not isinstance(self.ships, Fleet) or self.ships != fleet(str(self.ships)):
            raise ValueError(f"ships of Battleship are a fleet, as in fleet('1/2'), got {self.ships!r}")
        if not can_place(self, 0, 0):
            raise ValueError(f"ships of {self.ships} cells have no room on {self.rows} by {self.cols}")
        most = MOST_SHOTS if self.repeats else min(cells, MOST_SHOTS)
        if not 1 <= self.shots <= most:
            raise ValueError(f"shots must be 1 to {most} on this board, got {self.shots}")
        if not 0 <= self.loss < 1e9:
            raise ValueError(f"loss must be 0 to 1e9, got {self.loss}")
        return np.zeros(SHIPS + 2 * count + 2 * self.shots, np.int64)

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        ship = s[MOVES] // 2
        if ship >= num_ships(self):
            return self.rows * self.cols - (0 if self.repeats else s[MOVES] // 2 - num_ships(self))
        count, taken = 0, cells_taken(self, s, s[WHO])
        for spot in range(num_spots(self, self.ships[ship])):
            count += fits(self, taken, ship, spot)
        return count

    def chance(self, s, a):
        return 0.0

    def apply(self, s, a):
        me, count = s[WHO], num_ships(self)
        ship = s[MOVES] // 2
        if ship < count:
            s[SHIPS + me * count + ship] = spot_mask(self, self.ships[ship], nth_spot(self, s, ship, a))
        else:
            cell = a if self.repeats else free_cell(s[SHOT_AT + 1 - me], a)
            s[SHOT_AT + 1 - me] |= 1 << cell
            s[SHIPS + s[MOVES]] = cell * DIGIT + met(self, s, 1 - me, cell)
        s[MOVES] += 1
        s[WHO] = 1 - me
        is_sunk = ship >= count and num_sunk(self, s, 1 - me) == count
        if is_sunk or s[MOVES] == 2 * (count + self.shots):
            s[WHO] = OVER

    def infoset(self, s):
        me, count = s[WHO], num_ships(self)
        key = s[MOVES]
        for k in range(min(s[MOVES] // 2, count)):
            key = mix(key, s[SHIPS + me * count + k])
        for k in range(s[MOVES] - 2 * count):  # of the other's shots the cells alone say what they met
            key = mix(key, s[SHIPS + 2 * count + k])
        return key

    def payoff(self, s, player):
        return float(num_sunk(self, s, 1 - player)) - self.loss * num_sunk(self, s, player)

    def action_name(self, s, a):
        ship = int(s[MOVES]) // 2
        if ship < num_ships(self):
            return self.spot_name(int(spot_mask(self, self.ships[ship], nth_spot(self, s, ship, a))))
        cell = a if self.repeats else free_cell(s[SHOT_AT + 1 - s[WHO]], a)
        return cell_name(int(cell), self.cols)

    def spot_name(self, mask: int) -> str:
        """Where a ship lies, by its first cell and its last: a1-b1."""
        cells = [cell for cell in range(self.rows * self.cols) if mask >> cell & 1]
        ends = dict.fromkeys((cell_name(cells[0], self.cols), cell_name(cells[-1], self.cols)))
        return "-".join(ends)

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words  # type: ignore[arg-type]

    def scene(self, state: State, viewer: int) -> Scene:
        """Own ships and the shots of both; in words: ships a1-b1, 0: a2 water, 1: b1 hit."""
        s, count = state.row, num_ships(self)
        masks = [[int(m) for m in s[SHIPS + p * count : SHIPS + (p + 1) * count] if m] for p in range(2)]
        seen = [[self.spot_name(m) for m in masks[p]] if viewer in (p, EVERYTHING) else [] for p in range(2)]
        shots = s[SHIPS + 2 * count : SHIPS + 2 * count + max(0, int(s[MOVES]) - 2 * count)]
        events = [
            Event(k % 2, f"{cell_name(int(x) // DIGIT, self.cols)} {WORDS[int(x) % DIGIT]}")
            for k, x in enumerate(shots)
        ]
        told = [f"ships {' '.join(ships)}" for ships in seen if ships]
        told += [f"{event.player}: {event.what}" for event in events]
        sunk = tuple(float(num_sunk(self, s, p)) for p in (1, 0))
        words = ", ".join(told) or "to place"
        return Scene(viewer, state.player, words, numbers={"sunk": sunk}, events=tuple(events))


# ---- ships -----------------------------------------------------------------------------------------------------------


@compiled_function
def num_ships(game):
    count = 0
    for k in range(MOST_SHIPS):
        count += game.ships[k] > 0
    return count


@compiled_function
def num_spots(game, length):
    """In how many ways a ship lies on an empty board: along the rows, then, if it is longer than a cell, across."""
    along = game.rows * max(0, game.cols - length + 1)
    return along + (max(0, game.rows - length + 1) * game.cols if length > 1 else 0)


@compiled_function
def spot_mask(game, length, spot):
    """The cells of a ship at its spot."""
    wide = max(0, game.cols - length + 1)
    mask = 0
    if spot < game.rows * wide:
        first, step = spot // wide * game.cols + spot % wide, 1
    else:
        first, step = spot - game.rows * wide, game.cols
    for k in range(length):
        mask |= 1 << (first + k * step)
    return mask


@compiled_function
def cells_taken(game, s, player):
    """The cells under the ships of a player."""
    count, mask = num_ships(game), 0
    for k in range(count):
        mask |= s[SHIPS + player * count + k]
    return mask


@compiled_function
def fits(game, taken, ship, spot):
    """Whether a ship may lie there: on free cells, with room left for the ships that are still to come."""
    mask = spot_mask(game, game.ships[ship], spot)
    return taken & mask == 0 and can_place(game, taken | mask, ship + 1)


@compiled_function
def nth_spot(game, s, ship, a):
    """The a-th spot that the ship in turn may take."""
    taken, spot = cells_taken(game, s, s[WHO]), 0
    while True:
        if fits(game, taken, ship, spot):
            if a == 0:
                return spot
            a -= 1
        spot += 1


@compiled_function
def can_place(game, taken, ship):
    """Whether this ship and all after it have room: each tries its spots in turn, the last that found one goes on."""
    at, spot, path = ship, 0, 0  # the spots that were found lie in `path`, digits of eight bits
    while at < num_ships(game):
        spots = num_spots(game, game.ships[at])
        while spot < spots and spot_mask(game, game.ships[at], spot) & taken:
            spot += 1
        if spot < spots:
            taken |= spot_mask(game, game.ships[at], spot)
            path, at, spot = path * 256 + spot, at + 1, 0
        elif at == ship:
            return False
        else:
            at -= 1
            path, spot = path // 256, path % 256
            taken ^= spot_mask(game, game.ships[at], spot)
            spot += 1
    return True


@compiled_function
def met(game, s, player, cell):
    """What a shot at a player's cell has met, with all the shots before it."""
    count = num_ships(game)
    for k in range(count):
        mask = s[SHIPS + player * count + k]
        if mask >> cell & 1:
            return SUNK if mask & ~s[SHOT_AT + player] == 0 else HIT
    return WATER


@compiled_function
def num_sunk(game, s, player):
    """How many ships of a player have been sunk."""
    count, sunk = num_ships(game), 0
    for k in range(count):
        mask = s[SHIPS + player * count + k]
        sunk += mask != 0 and mask & ~s[SHOT_AT + player] == 0  # there is no mask before it is placed
    return sunk
