"""What a player of Cheat sees, as numbers: for bots, which may be told after every event and keep a memory."""

from ruse.compile import compiled_function
from ruse.games.cheat.cards import (
    CLAIM,
    DISCARDER,
    EVENT,
    HANDS,
    LAST,
    PILED,
    RANK,
    TURN,
    WHO,
    count_of,
    read_turn,
    width,
)
from ruse.protocol.game import OVER

# Columns of an observation. The last discard is the one on the table, if there is one; -1 where nothing is to be told.
# Four blocks follow: own hand by rank; the cards of the last discard by rank, if this player has seen them; sizes of
# the hands by seat; Health Points by seat.
PHASE, SEEN_TURN, SEEN_RANK, ACTING, SEEN_PILE, LAID_BY, LAID, LAID_AS, DOUBTER, WAS_LIE, TAKER, BLOCKS = range(12)
DEALING, DISCARDING, CHALLENGING, ENDED = range(4)  # in PHASE


@compiled_function
def see_table(game, s, out):
    """The part of an observation that is the same for everybody."""
    players, ranks = game.players, game.ranks
    out[PHASE] = CHALLENGING if s[CLAIM] > 0 else DISCARDING
    if s[WHO] < 0:
        out[PHASE] = ENDED if s[WHO] == OVER else DEALING
    out[SEEN_TURN], out[SEEN_RANK], out[ACTING], out[SEEN_PILE] = max(s[TURN], 0), s[RANK], s[WHO], s[PILED]
    out[LAID_BY], out[LAID], out[LAID_AS], out[DOUBTER], out[WAS_LIE], out[TAKER] = -1, 0, -1, -1, -1, -1
    if s[CLAIM] > 0:
        out[LAID_BY], out[LAID], out[LAID_AS] = s[DISCARDER], s[CLAIM], s[RANK]
    elif s[TURN] > 0:
        claim, doubter, lie = read_turn(game, s, 0)
        out[LAID_BY], out[LAID], out[LAID_AS] = s[EVENT] % players, claim, s[EVENT] // players
        if doubter > 0:
            out[DOUBTER], out[WAS_LIE] = (out[LAID_BY] + doubter) % players, lie
            out[TAKER] = out[LAID_BY] if lie else out[DOUBTER]
    for p in range(players):
        out[BLOCKS + 2 * ranks + p] = s[HANDS + players + p] if s[TURN] >= 0 else 0
        out[BLOCKS + 2 * ranks + players + p] = s[HANDS + 2 * players + p]


@compiled_function
def see_cards(game, s, player, out):
    """Own hand once it is dealt, and the last cards laid: one's own, or those that a challenge has turned up."""
    ranks, bits = game.ranks, width(game.copies)
    has_seen = s[CLAIM] == 0 or player == s[DISCARDER]
    for r in range(ranks):
        out[BLOCKS + r] = count_of(s[HANDS + player], r, bits) if s[TURN] >= 0 else 0
        out[BLOCKS + ranks + r] = count_of(s[LAST], r, bits) if has_seen else 0
