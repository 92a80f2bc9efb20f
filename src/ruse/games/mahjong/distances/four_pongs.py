"""Four pongs or kongs and an eye: PongPongHu. The declared ones are among the four; no chow may be."""

from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.games.mahjong.distances.distance import IMPOSSIBLE, MELDS, one_by_one
from ruse.games.mahjong.distances.tables import CLASSES, honour_class
from ruse.games.mahjong.tiles import KINDS

BITS = 5  # for how many of the 16 kinds are of a class
PAIR_HELD = 3  # the class of a pair that can be no pong


@compiled("distance", "distances", "useful", "spare")
class FourPongs(NamedTuple):
    """Pongs and an eye; characters are as honours here."""

    nothing: int = 0

    def distance(self, hand, declared, unseen):
        return cheapest(classes_of(hand, unseen), MELDS - declared)

    def distances(self, hands, declared, unseen, result):
        one_by_one(self, hands, declared, unseen, result)

    def useful(self, hand, declared, unseen):
        classes = classes_of(hand, unseen)
        distance = cheapest(classes, MELDS - declared)
        if distance == IMPOSSIBLE:
            return distance, 0
        better = 0  # the classes of which a draw helps
        for each in range(1, CLASSES - 1):
            if each != PAIR_HELD and classes >> BITS * each & 31:
                drawn = classes + (1 << BITS * (each + 1)) - (1 << BITS * each)
                better |= (cheapest(drawn, MELDS - declared) < distance) << each
        mask = 0
        for kind in range(KINDS):
            mask |= (better >> honour_class(hand[kind], unseen[kind]) & 1) << kind
        return distance, mask

    def spare(self, hand, declared, unseen):
        classes = classes_of(hand, unseen)
        distance = cheapest(classes, MELDS - declared)
        if distance == IMPOSSIBLE:
            return distance, 0
        mask = 0
        for kind in range(KINDS):
            if hand[kind] > 0:
                now, then = honour_class(hand[kind], unseen[kind]), honour_class(hand[kind] - 1, unseen[kind])
                left = classes + (1 << BITS * then) - (1 << BITS * now)
                mask |= (cheapest(left, MELDS - declared) == distance) << kind
        return distance, mask


@compiled_function
def classes_of(hand, unseen):
    """How many kinds are of each class."""
    classes = 0
    for kind in range(KINDS):
        classes += 1 << BITS * honour_class(hand[kind], unseen[kind])
    return classes


@compiled_function
def cheapest(classes, pongs):
    """The least number of tiles that are missing.

    The pongs are the cheapest ones. The eye is the cheapest kind that can be no pong, or the next kind that could be
    one, which lacks one tile less as an eye. No other kind is better: one that lacks a tile for a pong saves that tile
    as an eye, but then the next kind has to be a whole pong.
    """
    total, left, next_pong = 0, pongs, IMPOSSIBLE + 1
    for cost in range(4):
        kinds = classes >> BITS * (CLASSES - 1 - cost) & 31
        taken = min(left, kinds)
        total += taken * cost
        left -= taken
        if kinds > taken:
            next_pong = min(next_pong, cost)
    if left > 0:
        return IMPOSSIBLE
    eye = max(0, next_pong - 1)
    for held in range(3):
        if classes >> BITS * (PAIR_HELD - 2 + held) & 31:
            eye = min(eye, 2 - held)
    return min(total + eye, IMPOSSIBLE)
