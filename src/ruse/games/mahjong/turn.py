"""A turn: draws, claims, kongs, discards and the end, each of which changes the row."""

from ruse.compile import compiled_function
from ruse.compile.hashing import mix
from ruse.games.bits import nth_one
from ruse.games.mahjong.actions import ADDED, CHOW, CONCEALED, DISCARD, KONG, PASS, PONG, WIN, code_of
from ruse.games.mahjong.offers import after_draw, to_claim, to_discard, to_rob
from ruse.games.mahjong.row import (
    A_COLUMN,
    BACK,
    CHOW_BIT,
    CLAIM,
    DISCARDING,
    DRAWN,
    DREW,
    EXPOSED,
    FRONT,
    HAND,
    HANDS,
    HIDDEN,
    KNOWN,
    LEFT,
    MELDS,
    OPTIONS,
    PATTERN,
    PHASE,
    PONG_MELD,
    PUBLIC,
    RIVERS,
    ROB,
    SCORE,
    TILE,
    WALL,
    WALL_TILES,
    WHO,
    wall_left,
    wall_tile,
)
from ruse.games.mahjong.tiles import BITS, TILES, count_of, some
from ruse.games.mahjong.wins import pattern_of, points_of
from ruse.protocol.game import CHANCE, OVER

NOBODY, FROM_FRONT, FROM_BACK = -1, 0, 1


@compiled_function
def step(game, s, a):
    """Carry out an outcome or an action, and all that leaves no choice up to the next one."""
    if s[WHO] == CHANCE:
        drawer, end, wins = deal_tile(s, a), FROM_FRONT, False
    else:
        drawer, end, wins = move(game, s, a)
    if drawer != NOBODY:
        draw(game, s, drawer, end)
    if wins or (game.must_win and s[WHO] >= 0 and s[OPTIONS] >> WIN & 1):
        win(game, s)


@compiled_function
def deal_tile(s, a):
    """Lay the next tile: 13 for player 0, 13 for player 1, and then the wall. The answer is who draws: 0 at the end."""
    kind, place = nth_one(s[OPTIONS], a), TILES + s[FRONT]
    if count_of(s[LEFT], a) > 1:
        s[LEFT] -= some(a, 1)
    else:  # the kind is no longer offered, and those above it move down
        above = s[LEFT] >> BITS * (a + 1)
        s[LEFT] = s[LEFT] & some(a, 1) - 1 | above << BITS * a
        s[OPTIONS] ^= 1 << kind
    s[FRONT] += 1
    if place < 2 * HAND:
        s[HANDS + place // HAND] += some(kind, 1)
        return NOBODY
    place -= 2 * HAND
    s[WALL + place // A_COLUMN] |= kind << 4 * (place % A_COLUMN)
    if place < WALL_TILES - 1:
        return NOBODY
    for p in range(2):
        s[KNOWN + p] = mix(0, s[HANDS + p])
    return 0


@compiled_function
def move(game, s, a):
    """Carry out an action. The answer is who draws next, if anybody does, from which end, and whether it is a win."""
    me, code = s[WHO], code_of(s, a)
    if code == WIN:
        return NOBODY, FROM_FRONT, True
    if code == PASS and s[PHASE] == CLAIM:
        return me, FROM_FRONT, False
    if code == PASS and s[PHASE] == ROB:
        return 1 - me, FROM_BACK, False
    drawer, end = NOBODY, FROM_BACK
    if code != PASS:
        s[PUBLIC] = mix(s[PUBLIC], code)
    if code >= DISCARD:
        drawer, end = discard(game, s, me, code - DISCARD), FROM_FRONT
    elif code >= CONCEALED:
        drawer = declare_kong(game, s, me, code)
    else:
        if code != PASS:
            claim(s, me, code)
        if code == KONG:
            drawer = me
        else:
            begin_discard(s, me)
    return drawer, end, False


@compiled_function
def draw(game, s, me, end):
    """Phase 1: take a tile from either end of the wall; if there is none left, nobody has won."""
    s[TILE] = -1
    if wall_left(game, s) <= 0:
        s[WHO], s[OPTIONS], s[DREW] = OVER, 0, -1
        return
    if end == FROM_FRONT:
        kind = wall_tile(s, s[FRONT])
        s[FRONT] += 1
    else:
        s[BACK] += 1
        kind = wall_tile(s, WALL_TILES - s[BACK])
    s[HANDS + me] += some(kind, 1)
    s[KNOWN + me] = mix(s[KNOWN + me], kind)
    s[WHO], s[DREW], s[PHASE] = me, kind, DRAWN
    s[OPTIONS] = after_draw(game, s, me)
    if s[OPTIONS] == 1 << PASS:
        begin_discard(s, me)


@compiled_function
def begin_discard(s, me):
    """Phase 2."""
    s[PHASE] = DISCARDING
    s[OPTIONS] = to_discard(s, me)


@compiled_function
def discard(game, s, me, kind):
    """Lay a tile down; the answer is who draws, if the other cannot claim it."""
    other = 1 - me
    s[HANDS + me] -= some(kind, 1)
    s[RIVERS + me] += some(kind, 1)
    s[TILE], s[DREW] = kind, -1
    s[WHO], s[PHASE] = other, CLAIM
    s[OPTIONS] = to_claim(game, s, other, kind)
    return other if s[OPTIONS] == 1 << PASS else NOBODY


@compiled_function
def claim(s, me, code):
    """Take the other's discard for a meld, and lay that down."""
    kind = s[TILE]
    s[RIVERS + 1 - me] -= some(kind, 1)
    s[TILE] = -1
    if code == PONG:
        s[HANDS + me] -= some(kind, 2)
        s[MELDS + me] |= PONG_MELD << 2 * kind
    elif code == KONG:
        s[HANDS + me] -= some(kind, 3)
        s[MELDS + me] |= EXPOSED << 2 * kind
    else:
        low = code - CHOW
        s[HANDS + me] -= some(low, 0o111) - some(kind, 1)
        s[MELDS + me] += 1 << CHOW_BIT + 3 * low


@compiled_function
def declare_kong(game, s, me, code):
    """Lay down a kong in one's own turn; the answer is who draws, if the other is not asked whether to rob it."""
    if code < ADDED:
        kind = code - CONCEALED
        s[HANDS + me] -= some(kind, 4)
        s[MELDS + me] |= HIDDEN << 2 * kind
        return me
    kind = code - ADDED
    s[HANDS + me] -= some(kind, 1)
    s[MELDS + me] += EXPOSED - PONG_MELD << 2 * kind
    if not game.rob_kong:
        return me
    # The other is asked even if he cannot win: else who is asked would tell the first what the other holds.
    other = 1 - me
    s[TILE], s[DREW] = kind, -1
    s[WHO], s[PHASE] = other, ROB
    s[OPTIONS] = to_rob(game, s, other, kind)
    return NOBODY


@compiled_function
def win(game, s):
    """The player to act wins: with the tile that was discarded or added to a kong, or else with the one drawn."""
    me, kind, points = s[WHO], s[TILE], game.selfdraw_factor
    if kind >= 0:
        other, points = 1 - me, 1
        s[HANDS + me] += some(kind, 1)
        if s[PHASE] == ROB:
            s[MELDS + other] -= EXPOSED - PONG_MELD << 2 * kind
        else:
            s[RIVERS + other] -= some(kind, 1)
    s[PATTERN] = pattern_of(s[HANDS + me], s[MELDS + me], game.four_is_two_pairs)
    points *= points_of(s[PATTERN])
    s[SCORE] = points if me == 0 else -points
    s[WHO], s[OPTIONS] = OVER, 0
