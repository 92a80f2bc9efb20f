"""Mahjong for two with 64 tiles: three phases a turn, and a hand of four melds and an eye, or of seven pairs."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.games.bits import ones_in
from ruse.games.mahjong.actions import code_name, code_of
from ruse.games.mahjong.row import (
    DREW,
    FRONT,
    KNOWN,
    LEFT,
    OPTIONS,
    PHASE,
    PUBLIC,
    SCORE,
    SEATS,
    TILE,
    WALL_TILES,
    WHO,
    WIDTH,
)
from ruse.games.mahjong.telling.observation import SIZE, see_tiles, see_turn
from ruse.games.mahjong.telling.words import seen
from ruse.games.mahjong.tiles import ALL_TILES, KINDS, NAMES, TILES, count_of
from ruse.games.mahjong.turn import step
from ruse.protocol.game import CHANCE, Row
from ruse.protocol.scene import Scene
from ruse.protocol.state import State


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff", "observe")
class Mahjong(NamedTuple):
    """Draw and discard, claim what the other discards, and be the first with a winning hand."""

    rob_kong: bool = False  # whether the other may win with the tile of an added kong
    kong_needs_tile: bool = True  # no kong when the wall is empty; else such a kong ends the game in a draw
    dead_wall: int = 0  # so many tiles of the wall are never drawn
    last_discard_win_only: bool = True  # what is discarded when the wall is empty may not be claimed for a meld
    four_is_two_pairs: bool = True  # in seven pairs
    selfdraw_factor: int = 1  # what a win with a drawn tile is worth, in wins with a discard
    must_win: bool = False  # whoever can win does, without being asked
    # Two at a time: what stands alone, type checkers take for a field.
    bots, views = "ruse.games.mahjong.bots", "ruse.games.mahjong.views"
    table, forms = "ruse.games.mahjong.table", "ruse.games.mahjong.records"
    # Usual is how it is solved if nothing else is asked for.
    usual, payoff_sum = {"rule": "mccfr", "walk": "external", "view": "cfr_p"}, 0

    @property
    def players(self) -> int:
        return SEATS

    @property
    def needs_history(self) -> bool:
        """A row keeps neither the order of the discards nor who claimed what."""
        return True

    def start(self) -> Row:
        refuse_bad_fields(self)
        s = np.zeros(WIDTH, np.int64)
        s[WHO], s[TILE], s[DREW], s[FRONT] = CHANCE, -1, -1, -TILES
        s[LEFT], s[OPTIONS] = ALL_TILES, (1 << KINDS) - 1
        return s

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        return ones_in(s[OPTIONS])

    def chance(self, s, a):
        return count_of(s[LEFT], a) / -s[FRONT]

    def apply(self, s, a):
        step(self, s, a)

    def infoset(self, s):
        return mix(mix(s[PUBLIC], s[KNOWN + s[WHO]]), s[PHASE])

    def payoff(self, s, player):
        return float(s[SCORE] if player == 0 else -s[SCORE])

    def observe(self, s, player, out):
        """Fill `out` with all that this player may see now; `observation.py` has the names of its columns."""
        see_tiles(s, player, out)
        see_turn(self, s, player, out)

    def observation_size(self) -> int:
        """How long the array must be that `observe` fills."""
        return SIZE

    def action_name(self, s, a):
        code = int(code_of(s, a))
        return NAMES[code] if s[WHO] == CHANCE else code_name(code, int(s[TILE]))

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words

    def scene(self, state: State, viewer: int) -> Scene:
        return seen(self, state, viewer)


def refuse_bad_fields(game: Mahjong) -> None:
    """Raise with one sentence that names the value and the fix."""
    most = WALL_TILES - 1
    if not 0 <= game.dead_wall <= most:
        raise ValueError(f"dead_wall must be 0 to {most} in Mahjong, so that a tile can be drawn, got {game.dead_wall}")
    if not 1 <= game.selfdraw_factor <= 100:
        raise ValueError(f"selfdraw_factor must be 1 to 100 in Mahjong, got {game.selfdraw_factor}")
