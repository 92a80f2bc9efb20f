"""Which round it is: how many tiles have been drawn from the wall, by both players or by one."""

from ruse.compile import compiled_function
from ruse.games.mahjong.row import HIDDEN, PONG_MELD
from ruse.games.mahjong.telling.observation import (
    OTHER_CHOWS,
    OTHER_MELDS,
    OWN_CHOWS,
    OWN_HAND,
    OWN_MELDS,
    OWN_RIVER,
    ROUND,
)
from ruse.games.mahjong.tiles import KINDS, LOWS

DEALT = 13  # tiles of a player before the first draw


@compiled_function
def round_of(seen, own):
    """The round; if it is to be the player's own, from the tiles that he alone has drawn."""
    return own_draws(seen) if own else seen[ROUND]


@compiled_function
def own_draws(seen):
    """How many tiles a player has drawn, counted from where they are now.

    What he holds, declared or discarded was dealt, drawn or claimed. A chow, a pong and an exposed kong have one
    claimed tile each, if it was a pong first or not: his own melds one of the other's, the other's one of his.
    """
    tiles = 0
    for kind in range(KINDS):
        mine, theirs = seen[OWN_MELDS + kind], seen[OTHER_MELDS + kind]
        tiles += seen[OWN_HAND + kind] + seen[OWN_RIVER + kind]
        if mine > 0:
            tiles += 3 if mine == PONG_MELD else 4
            tiles -= mine != HIDDEN
        tiles += theirs > 0 and theirs != HIDDEN
    for low in range(LOWS):
        tiles += 2 * seen[OWN_CHOWS + low] + seen[OTHER_CHOWS + low]
    return tiles - DEALT
