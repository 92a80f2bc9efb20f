"""How far a hand is from a winning pattern, and which tiles bring it nearer: what all patterns share.

The distance is the least number of tiles that are still to be drawn, each with any discard, until the concealed tiles
have the pattern in them: 0 for a complete hand, 1 for one that waits. It is exact: no pattern needs a fifth copy, nor
more copies than are unseen. If too many are gone for that it is IMPOSSIBLE.

`hand` and `unseen` count copies by kind (0-8 characters, 9-15 honours); `declared` is how many own melds lie on the
table. To count as if nothing were visible, hand over 4 minus the own tiles as unseen.

A pattern is a part (`four_melds.py`, `four_pongs.py`, `seven_pairs.py`) with four methods:

    distance(hand, declared, unseen)   the distance
    distances(hands, declared, unseen, result)   those of many hands at once, which is quicker; result is of 64 bits
    useful(hand, declared, unseen)     the distance, and a mask of the kinds whose draw lowers it
    spare(hand, declared, unseen)      the distance, and a mask of the kinds of which a discard does not raise it

A discard is gone: it is neither held nor unseen. Every hand that is not complete and has a tile more than it can keep
has a spare kind.
"""

from ruse.compile import compiled_function
from ruse.games.mahjong.tiles import KINDS

IMPOSSIBLE = 99  # further than any hand can be
MELDS = 4  # of a whole hand


@compiled_function
def one_by_one(pattern, hands, declared, unseen, result):
    """The distances of many hands, for patterns that gain nothing by looking ahead."""
    for i in range(len(hands)):
        result[i] = pattern.distance(hands[i], declared[i], unseen[i])


@compiled_function
def copies_in(mask, unseen):
    """How many unseen tiles are of the kinds in a mask."""
    total = 0
    for kind in range(KINDS):
        if mask >> kind & 1:
            total += unseen[kind]
    return total


@compiled_function
def after_discards(pattern, hand, declared, unseen, distances, masks):
    """The distance and the useful kinds after the discard of each kind that is held, which is then visible and gone.

    A kind that is not held gets IMPOSSIBLE and no useful kinds. Returns the least distance. `hand` is lent, and comes
    back as it was.
    """
    nearest = IMPOSSIBLE
    for kind in range(KINDS):
        distances[kind], masks[kind] = IMPOSSIBLE, 0
        if hand[kind] > 0:
            hand[kind] -= 1
            distances[kind], masks[kind] = pattern.useful(hand, declared, unseen)
            hand[kind] += 1
            nearest = min(nearest, distances[kind])
    return nearest


@compiled_function
def best_discards(pattern, hand, declared, unseen, masks):
    """The least distance after a discard, a mask of the kinds that lead to it, and for each of these the useful kinds.

    `masks` of other kinds are left as they are. `hand` is lent, and comes back as it was.
    """
    nearest, kinds = pattern.spare(hand, declared, unseen)
    if kinds == 0:  # complete, or every discard costs something
        nearest = IMPOSSIBLE
        for kind in range(KINDS):
            if hand[kind] > 0:
                hand[kind] -= 1
                distance = pattern.distance(hand, declared, unseen)
                hand[kind] += 1
                if distance < nearest:
                    nearest, kinds = distance, 0
                kinds |= (distance == nearest) << kind
    for kind in range(KINDS):
        if kinds >> kind & 1:
            hand[kind] -= 1
            masks[kind] = pattern.useful(hand, declared, unseen)[1]
            hand[kind] += 1
    return nearest, kinds
