"""What a player of Mahjong sees, as numbers: for bots and policies.

| offset | how many | what |
|---|---|---|
| OWN_HAND | 16 | own concealed tiles of each kind, the drawn one too |
| OWN_MELDS | 16 | of each kind: 0, or 1 for a declared pong, 2 for an exposed kong, 3 for a concealed one |
| OWN_CHOWS | 7 | declared chows by lowest kind |
| OTHER_MELDS, OTHER_CHOWS | 16, 7 | those of the other player |
| OWN_RIVER, OTHER_RIVER | 16, 16 | discards that lie there, of each kind |
| UNSEEN | 16 | of each kind: four less all that this player sees |
| SEEN_PHASE | 1 | 0 to answer a discard (or an added kong), 1 just drawn, 2 to discard; -1 if it is not one's turn |
| SEEN_TILE | 1 | the tile that this player may claim, or -1 |
| SEEN_DREW | 1 | the tile that this player has drawn in this turn, or -1 |
| SEEN_LEFT, ROUND | 1, 1 | tiles that may still be drawn; tiles drawn from the wall so far, by both |
| OWN_HAS_CHOW, OWN_HAS_PONG | 1, 1 | whether a chow is declared, and whether a pong or a kong is |
| OWN_DECLARED, OTHER_DECLARED | 1, 1 | how many melds are |
| OTHER_SIZE | 1 | concealed tiles of the other player |
| ACTING | 1 | who is to act: 0, 1, or -2 at the end |
| LEGAL | 14 | the codes (`actions.py`) of what this player may do now, action by action; -1 where there is none |

A phase in which nothing but a pass is possible is passed over by the rules, so a turn may begin with phase 2: SEEN_DREW
tells whether a tile was drawn. While the other thinks, nobody is told whether he has drawn by now: that he has not
would mean that he may claim the last discard. His draw is seen with what he does next.
"""

from ruse.compile import compiled_function
from ruse.games.bits import ones_in
from ruse.games.mahjong.actions import MOST_ACTIONS
from ruse.games.mahjong.row import (
    BACK,
    CLAIM,
    DREW,
    FRONT,
    HANDS,
    MELDS,
    OPTIONS,
    PHASE,
    RIVERS,
    ROB,
    TILE,
    WHO,
    chows_from,
    has_chow,
    has_pong,
    meld_of,
    melds_in,
    tiles_in,
    wall_left,
)
from ruse.games.mahjong.tiles import ALL_TILES, KINDS, LOWS, count_of, size_of

OWN_HAND = 0
OWN_MELDS = OWN_HAND + KINDS
OWN_CHOWS = OWN_MELDS + KINDS
OTHER_MELDS = OWN_CHOWS + LOWS
OTHER_CHOWS = OTHER_MELDS + KINDS
OWN_RIVER = OTHER_CHOWS + LOWS
OTHER_RIVER = OWN_RIVER + KINDS
UNSEEN = OTHER_RIVER + KINDS
SEEN_PHASE = UNSEEN + KINDS
SEEN_TILE, SEEN_DREW, SEEN_LEFT, ROUND, OWN_HAS_CHOW, OWN_HAS_PONG = range(SEEN_PHASE + 1, SEEN_PHASE + 7)
OWN_DECLARED, OTHER_DECLARED, OTHER_SIZE, ACTING, LEGAL = range(SEEN_PHASE + 7, SEEN_PHASE + 12)
SIZE = LEGAL + MOST_ACTIONS


@compiled_function
def see_tiles(s, me, out):
    """Hands, melds and rivers, and what of each kind is left to be seen."""
    hand, mine, theirs = s[HANDS + me], s[MELDS + me], s[MELDS + 1 - me]
    own, other = s[RIVERS + me], s[RIVERS + 1 - me]
    unseen = ALL_TILES - hand - own - other - tiles_in(mine) - tiles_in(theirs)
    for kind in range(KINDS):
        out[OWN_HAND + kind] = count_of(hand, kind)
        out[OWN_MELDS + kind], out[OTHER_MELDS + kind] = meld_of(mine, kind), meld_of(theirs, kind)
        out[OWN_RIVER + kind], out[OTHER_RIVER + kind] = count_of(own, kind), count_of(other, kind)
        out[UNSEEN + kind] = count_of(unseen, kind)
    for low in range(LOWS):
        out[OWN_CHOWS + low], out[OTHER_CHOWS + low] = chows_from(mine, low), chows_from(theirs, low)


@compiled_function
def see_turn(game, s, me, out):
    """Whose turn it is and what may be done; of the other's turn nothing but that it is his."""
    is_mine = s[WHO] == me
    in_flight = 1 if s[DREW] >= 0 and s[WHO] == 1 - me else 0
    out[SEEN_PHASE] = -1
    if is_mine:
        out[SEEN_PHASE] = s[PHASE] if s[PHASE] != ROB else CLAIM
    out[SEEN_TILE], out[SEEN_DREW] = s[TILE] if is_mine else -1, s[DREW] if is_mine else -1
    out[SEEN_LEFT], out[ROUND] = wall_left(game, s) + in_flight, s[FRONT] + s[BACK] - in_flight
    out[OWN_HAS_CHOW], out[OWN_HAS_PONG] = has_chow(s[MELDS + me]), has_pong(s[MELDS + me])
    out[OWN_DECLARED], out[OTHER_DECLARED] = melds_in(s[MELDS + me]), melds_in(s[MELDS + 1 - me])
    out[OTHER_SIZE] = size_of(s[HANDS + 1 - me]) - in_flight
    out[ACTING] = s[WHO]
    options = s[OPTIONS] if is_mine else 0
    for a in range(MOST_ACTIONS):
        out[LEGAL + a] = -1
        if options != 0:
            out[LEGAL + a] = ones_in((options & -options) - 1)
            options &= options - 1
