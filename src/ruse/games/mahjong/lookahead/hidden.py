"""Rows from what a player sees: the known columns as they are, and hidden tiles that are drawn at random.

The other's tiles and the wall are any of those that are unseen. A player who has discarded for some turns holds better
tiles than the first that came: his are drawn as he would have them, by a draw for each of his turns and the discard of
a tile that a hand of four melds can spare. What he did discard tells nothing more here than that it is gone.
"""

from ruse.compile import compiled_function
from ruse.compile.hashing import mix
from ruse.games.bits import nth_one, ones_in
from ruse.games.mahjong.row import (
    A_COLUMN,
    CHOW_BIT,
    DREW,
    EXPOSED,
    FRONT,
    HANDS,
    MELDS,
    OPTIONS,
    PHASE,
    PONG_MELD,
    RIVERS,
    TILE,
    WALL,
    WHO,
    WIDTH,
)
from ruse.games.mahjong.telling.observation import (
    LEGAL,
    OTHER_CHOWS,
    OTHER_DECLARED,
    OTHER_MELDS,
    OTHER_RIVER,
    OTHER_SIZE,
    OWN_CHOWS,
    OWN_HAND,
    OWN_MELDS,
    OWN_RIVER,
    ROUND,
    SEEN_DREW,
    SEEN_PHASE,
    SEEN_TILE,
    UNSEEN,
)
from ruse.games.mahjong.tiles import KINDS, LOWS, TILES, some

# What is needed to draw hidden tiles: all of them in their order, and of each kind those that the other holds and those
# that he does not see.
POOL, HELD, AWAY = 0, TILES, TILES + KINDS
ROOM = AWAY + KINDS


@compiled_function
def lay_known(seen, me, count, s):
    """Write all that the player to act knows into a row. Which tiles came from the back of the wall makes no odds."""
    other = 1 - me
    for c in range(WIDTH):
        s[c] = 0
    s[WHO], s[PHASE], s[TILE], s[DREW], s[FRONT] = me, seen[SEEN_PHASE], seen[SEEN_TILE], seen[SEEN_DREW], seen[ROUND]
    for a in range(count):
        s[OPTIONS] |= 1 << seen[LEGAL + a]
    for kind in range(KINDS):
        s[HANDS + me] += some(kind, seen[OWN_HAND + kind])
        s[RIVERS + me] += some(kind, seen[OWN_RIVER + kind])
        s[RIVERS + other] += some(kind, seen[OTHER_RIVER + kind])
        s[MELDS + me] |= seen[OWN_MELDS + kind] << 2 * kind
        s[MELDS + other] |= seen[OTHER_MELDS + kind] << 2 * kind
    for low in range(LOWS):
        s[MELDS + me] |= seen[OWN_CHOWS + low] << CHOW_BIT + 3 * low
        s[MELDS + other] |= seen[OTHER_CHOWS + low] << CHOW_BIT + 3 * low


@compiled_function
def lay_hidden(pattern, seen, me, turns, key, room, s):
    """Draw the other's tiles and the wall into a row. `turns` is how often he has chosen what to keep."""
    pool, held, away = room[POOL:HELD], room[HELD:AWAY], room[AWAY:ROOM]
    size, n = seen[OTHER_SIZE], shuffled(seen, key, pool)
    for kind in range(KINDS):
        held[kind], away[kind] = 0, seen[UNSEEN + kind] + seen[OWN_HAND + kind]
    for i in range(size):
        held[pool[i]] += 1
        away[pool[i]] -= 1
    for turn in range(turns if n > size else 0):
        exchange(pattern, seen[OTHER_DECLARED], mix(key, -1 - turn), pool[size:n], held, away)
    tiles = 0
    for kind in range(KINDS):
        tiles += some(kind, held[kind])
    s[HANDS + 1 - me] = tiles
    for c in range(WALL, WIDTH):
        s[c] = 0
    for i in range(size, n):
        place = seen[ROUND] + i - size
        s[WALL + place // A_COLUMN] |= pool[i] << 4 * (place % A_COLUMN)


@compiled_function
def shuffled(seen, key, pool):
    """Put the unseen tiles into the pool in any order; how many they are."""
    n = 0
    for kind in range(KINDS):
        for _ in range(seen[UNSEEN + kind]):
            other = any_of(key, n, n + 1)
            pool[n] = pool[other]
            pool[other] = kind
            n += 1
    return n


@compiled_function
def exchange(pattern, declared, key, wall, held, away):
    """Let the other draw from the wall, and lay a tile there that he can spare; none if the draw completes his hand."""
    place = any_of(key, 0, len(wall))
    kind = wall[place]
    held[kind] += 1
    away[kind] -= 1
    _, kinds = pattern.spare(held, declared, away)
    back = nth_one(kinds, any_of(key, 1, ones_in(kinds))) if kinds != 0 else kind
    held[back] -= 1
    away[back] += 1
    wall[place] = back


@compiled_function
def turns_of_other(seen):
    """How many tiles the other has discarded: those that lie there, and those that this player has claimed."""
    turns = 0
    for kind in range(KINDS):
        turns += seen[OTHER_RIVER + kind]
        turns += seen[OWN_MELDS + kind] == PONG_MELD or seen[OWN_MELDS + kind] == EXPOSED
    for low in range(LOWS):
        turns += seen[OWN_CHOWS + low]
    return turns


@compiled_function
def any_of(key, number, n):
    """One of 0 to n - 1, with equal chances: the random number of this place in the key's row of them."""
    return (mix(key, number) >> 33 & 0x7FFFFFFF) * n >> 31
