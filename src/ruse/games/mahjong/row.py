"""The row of a game: what its columns mean, and what is packed into them.

| column | what it holds |
|---|---|
| WHO | what `player()` answers |
| PHASE | of the player to act: CLAIM, DRAWN, DISCARD, or ROB |
| OPTIONS | a bit for each code (`actions.py`) of what may be done; while the wall is dealt one for each kind left |
| TILE | the kind that lies there to be claimed: the last discard, or the tile of an added kong; else -1 |
| DREW | the kind that the player to act has drawn in this turn; else -1 |
| FRONT, BACK | how many tiles were drawn from either end of the wall; FRONT is -64 to -1 while the wall is dealt |
| LEFT | tiles not yet dealt, three bits for each kind of OPTIONS; 0 once all are dealt |
| PATTERN, SCORE | how it was won (`wins.py`), and what player 0 gets |
| PUBLIC | a hash of all that both players have seen |
| HANDS + p | concealed tiles, packed (`tiles.py`), the drawn one too |
| MELDS + p | what is declared: two bits a kind (0, PONG_MELD, EXPOSED, HIDDEN); from CHOW_BIT on chows, packed |
| RIVERS + p | discards that lie there, packed; one that was claimed or won is no longer there |
| KNOWN + p | a hash of what only this player has seen: the first hand, and every tile drawn |
| WALL, + 1, + 2 | 38 tiles in the order in which they are drawn from the front, four bits a tile, 15 tiles a column |
"""

from ruse.compile import compiled_function
from ruse.games.bits import ones_in
from ruse.games.mahjong.tiles import BITS, size_of, some

SEATS = 2
WHO, PHASE, OPTIONS, TILE, DREW, FRONT, BACK, LEFT, PATTERN, SCORE, PUBLIC = range(11)
HANDS, MELDS, RIVERS, KNOWN, WALL = 11, 13, 15, 17, 19
WIDTH = 22

CLAIM, DRAWN, DISCARDING, ROB = 0, 1, 2, 3  # PHASE: phases 0 to 2, and whether to rob a kong
HAND = 13  # tiles for each player
WALL_TILES = 38
A_COLUMN = 15  # tiles of the wall in one column

PONG_MELD, EXPOSED, HIDDEN = 1, 2, 3  # what is declared of a kind: a pong; a kong, exposed or concealed
CHOW_BIT = 32


@compiled_function
def meld_of(melds, kind):
    """What is declared of a kind: 0, PONG_MELD, EXPOSED or HIDDEN."""
    return melds >> 2 * kind & 3


@compiled_function
def chows_from(melds, low):
    """How many chows are declared that begin with this kind."""
    return melds >> CHOW_BIT + 3 * low & 7


@compiled_function
def has_chow(melds):
    return melds >> CHOW_BIT != 0


@compiled_function
def has_pong(melds):
    """Whether a pong or a kong is declared."""
    return melds & ((1 << CHOW_BIT) - 1) != 0


@compiled_function
def melds_in(melds):
    """How many are declared."""
    return ones_in((melds | melds >> 1) & 0x55555555) + size_of(melds >> CHOW_BIT)


@compiled_function
def tiles_in(melds):
    """All tiles that are declared, packed."""
    chows = melds >> CHOW_BIT
    tiles = chows + (chows << BITS) + (chows << 2 * BITS)
    pongs = melds & ((1 << CHOW_BIT) - 1)
    while pongs != 0:
        kind = ones_in((pongs & -pongs) - 1) // 2
        tiles += some(kind, 3 if meld_of(pongs, kind) == PONG_MELD else 4)
        pongs &= ~(3 << 2 * kind)
    return tiles


@compiled_function
def wall_tile(s, place):
    """The kind at a place of the wall, counted from the front of the full wall."""
    return s[WALL + place // A_COLUMN] >> 4 * (place % A_COLUMN) & 15


@compiled_function
def wall_left(game, s):
    """How many tiles may still be drawn."""
    return WALL_TILES - game.dead_wall - s[FRONT] - s[BACK]
