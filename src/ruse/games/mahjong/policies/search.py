"""How a policy plays: the action that leaves the hand nearest to a pattern, from what a player sees alone.

| phase | what is done |
|---|---|
| any | win, if it can be done |
| 0, a discard may be claimed | the claim after which the hand is nearest, if it is nearer than after a pass |
| 1, a tile was drawn | the kong after which the hand is nearest, if it is not farther than without |
| 2, a tile is to be discarded | the discard after which the hand is nearest |

Among those that are equally near: the one after which more unseen tiles bring the hand nearer still; of discards then
the one that keeps more pairs and melds in the hand; then the lowest code (`actions.py`): a pong before a kong before a
chow, the lowest kind.

A claim is followed by a discard, and a kong by a draw. The hand is judged before either: as one tile of a hand that is
not complete is always spare, the best discard leaves the distance as it is.
"""

from ruse.compile import compiled_function
from ruse.games.mahjong.actions import ADDED, CHOW, CONCEALED, DISCARD, KONG, PASS, PONG, WIN
from ruse.games.mahjong.distances.distance import IMPOSSIBLE, copies_in
from ruse.games.mahjong.row import CLAIM
from ruse.games.mahjong.telling.observation import LEGAL, OWN_DECLARED, OWN_HAND, SEEN_PHASE, SEEN_TILE, UNSEEN
from ruse.games.mahjong.telling.visible import put_back
from ruse.games.mahjong.tiles import KINDS, LOWS

NO_MELDS, PONGS, ALL_MELDS = 0, 1, 2  # what a policy lays down: nothing, pongs and kongs, chows as well


@compiled_function
def seek(pattern, takes, use_visible, seen, count):
    """The same as `search`, by what lies on the table, or by nothing but one's own tiles."""
    if use_visible:
        return search(pattern, takes, seen, count)
    put_back(seen, 1)
    a = search(pattern, takes, seen, count)
    put_back(seen, -1)
    return a


@compiled_function
def search(pattern, takes, seen, count):
    """The action, of so many, by which a pattern is sought."""
    if seen[LEGAL + 1] == WIN:  # after the pass, if at all
        return 1
    hand, unseen = seen[OWN_HAND : OWN_HAND + KINDS], seen[UNSEEN : UNSEEN + KINDS]
    tied = spare_discards(pattern, seen, hand, unseen, count) if seen[LEGAL] >= DISCARD else 0
    nearest, is_known = IMPOSSIBLE + 1, tied != 0
    for a in range(count):
        code = seen[LEGAL + a]
        if not is_known and is_sought(code, takes):
            lay(hand, code, seen[SEEN_TILE], 1)
            distance = pattern.distance(hand, seen[OWN_DECLARED] + is_meld(code), unseen)
            lay(hand, code, seen[SEEN_TILE], -1)
            if distance < nearest:
                nearest, tied = distance, 0
            if distance == nearest:
                tied |= 1 << a
    if seen[LEGAL] == PASS and tied & 1:
        if seen[SEEN_PHASE] == CLAIM or tied == 1:
            return 0
        tied ^= 1
    if tied & (tied - 1) == 0:
        return lowest(tied, count)
    best, most, kept = 0, -1, 0
    for a in range(count):
        if tied >> a & 1:
            code = seen[LEGAL + a]
            lay(hand, code, seen[SEEN_TILE], 1)
            _, mask = pattern.useful(hand, seen[OWN_DECLARED] + is_meld(code), unseen)
            tiles = copies_in(mask, unseen)
            if tiles >= most:
                keeps = groups_in(hand) if code >= DISCARD else 0
                if tiles > most or keeps > kept:
                    best, most, kept = a, tiles, keeps
            lay(hand, code, seen[SEEN_TILE], -1)
    return best


@compiled_function
def spare_discards(pattern, seen, hand, unseen, count):
    """The discards that leave the hand as near as it is; none if it is complete, or if the pattern cannot be had."""
    _, kinds = pattern.spare(hand, seen[OWN_DECLARED], unseen)
    tied = 0
    for a in range(count):
        tied |= (kinds >> (seen[LEGAL + a] - DISCARD) & 1) << a
    return tied


@compiled_function
def is_sought(code, takes):
    """Whether a policy thinks of this at all."""
    if code == PASS or code >= DISCARD:
        return True
    return takes == ALL_MELDS or (takes == PONGS and (code < CHOW or code >= CONCEALED))


@compiled_function
def is_meld(code):
    """How many melds more are declared after an action: 0 or 1. A tile that is added to a pong makes none."""
    return 1 if PONG <= code < ADDED else 0


@compiled_function
def lay(hand, code, tile, n):
    """Take n times out of a hand what an action lays down; -1 puts it back. `tile` is the one that is claimed."""
    if code >= DISCARD:
        hand[code - DISCARD] -= n
    elif code >= ADDED:
        hand[code - ADDED] -= n
    elif code >= CONCEALED:
        hand[code - CONCEALED] -= 4 * n
    elif code >= CHOW:
        for kind in range(code - CHOW, code - CHOW + 3):
            hand[kind] -= n
        hand[tile] += n
    elif code == KONG:
        hand[tile] -= 3 * n
    elif code == PONG:
        hand[tile] -= 2 * n


@compiled_function
def groups_in(hand):
    """Kinds that are held twice or more, and chows that can be laid: the pairs and melds in a hand, counted apart."""
    groups = 0
    for kind in range(KINDS):
        groups += hand[kind] >= 2
    for low in range(LOWS):
        groups += hand[low] > 0 and hand[low + 1] > 0 and hand[low + 2] > 0
    return groups


@compiled_function
def lowest(tied, count):
    """The first action of a set."""
    for a in range(count):
        if tied >> a & 1:
            return a
    return 0
