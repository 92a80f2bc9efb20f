"""Seven pairs: QiDui. No meld may be declared."""

from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.games.mahjong.distances.distance import IMPOSSIBLE, one_by_one
from ruse.games.mahjong.tiles import KINDS

PAIRS = 7


@compiled("distance", "distances", "useful", "spare")
class SevenPairs(NamedTuple):
    """Seven pairs; four equal tiles are two of them, or one only."""

    four_is_two_pairs: bool = True

    def distance(self, hand, declared, unseen):
        whole, halves, others = pairs_of(hand, unseen, self.four_is_two_pairs)
        return pairs_missing(whole, halves, others, declared)

    def distances(self, hands, declared, unseen, result):
        one_by_one(self, hands, declared, unseen, result)

    def useful(self, hand, declared, unseen):
        whole, halves, others = pairs_of(hand, unseen, self.four_is_two_pairs)
        distance = pairs_missing(whole, halves, others, declared)
        if distance == 0 or distance == IMPOSSIBLE:
            return distance, 0
        mask = 0
        for kind in range(KINDS):
            held, most = hand[kind], most_pairs(hand[kind] + unseen[kind], self.four_is_two_pairs)
            # The other half of a single tile always helps; a new single does where pairs of two new tiles are needed.
            if held < 2 * most and unseen[kind] > 0 and (held & 1 or whole + halves < PAIRS):
                mask |= 1 << kind
        return distance, mask

    def spare(self, hand, declared, unseen):
        whole, halves, others = pairs_of(hand, unseen, self.four_is_two_pairs)
        distance = pairs_missing(whole, halves, others, declared)
        if distance == IMPOSSIBLE:
            return distance, 0
        mask = 0
        for kind in range(KINDS):
            if hand[kind] > 0:
                now = pairs_in(hand[kind], unseen[kind], self.four_is_two_pairs)
                then = pairs_in(hand[kind] - 1, unseen[kind], self.four_is_two_pairs)
                left = whole + then[0] - now[0], halves + then[1] - now[1], others + then[2] - now[2]
                mask |= (pairs_missing(left[0], left[1], left[2], declared) == distance) << kind
        return distance, mask


@compiled_function
def most_pairs(room, four_is_two_pairs):
    """How many pairs a kind can be, of which so many copies can be had."""
    if room < 2:
        return 0
    return 2 if room >= 4 and four_is_two_pairs else 1


@compiled_function
def pairs_in(held, unseen, four_is_two_pairs):
    """Of one kind: the pairs that are held, those of which one half is, and those that could be drawn whole."""
    most = most_pairs(held + unseen, four_is_two_pairs)
    whole = min(held >> 1, most)
    half = 1 if whole < most and held & 1 else 0
    return whole, half, most - whole - half


@compiled_function
def pairs_of(hand, unseen, four_is_two_pairs):
    """The same of all kinds."""
    whole = halves = others = 0
    for kind in range(KINDS):
        pairs, half, new = pairs_in(hand[kind], unseen[kind], four_is_two_pairs)
        whole += pairs
        halves += half
        others += new
    return whole, halves, others


@compiled_function
def pairs_missing(whole, halves, others, declared):
    """How many tiles are missing for seven pairs."""
    if declared > 0 or whole + halves + others < PAIRS:
        return IMPOSSIBLE
    return max(0, 2 * PAIRS - 2 * min(whole, PAIRS) - min(halves, PAIRS - min(whole, PAIRS)))
