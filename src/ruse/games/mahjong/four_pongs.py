"""Four pongs or kongs and an eye: PongPongHu. The declared ones are among the four; no chow may be."""

from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.games.mahjong.distance import IMPOSSIBLE, KINDS, MELDS
from ruse.games.mahjong.tables import CLASSES, honour_class

BITS = 5  # for how many of the 16 kinds are of a class


@compiled("distance", "useful")
class FourPongs(NamedTuple):
    """Pongs and an eye; characters are as honours here."""

    nothing: int = 0

    def distance(self, hand, declared, unseen):
        return cheapest(classes_of(hand, unseen), MELDS - declared)

    def useful(self, hand, declared, unseen):
        classes = classes_of(hand, unseen)
        distance = cheapest(classes, MELDS - declared)
        if distance == 0 or distance == IMPOSSIBLE:
            return distance, 0
        better = 0  # the classes of which a draw helps
        for each in range(1, CLASSES - 1):
            if each != 3 and classes >> BITS * each & 31:
                drawn = classes + (1 << BITS * (each + 1)) - (1 << BITS * each)
                if cheapest(drawn, MELDS - declared) < distance:
                    better |= 1 << each
        mask = 0
        for kind in range(KINDS):
            if better >> honour_class(hand[kind], unseen[kind]) & 1:
                mask |= 1 << kind
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
    """The least number of tiles that are missing: the eye is tried in each class, the pongs are the cheapest others."""
    best = IMPOSSIBLE
    for eye in range(1, CLASSES):
        if classes >> BITS * eye & 31:
            held = eye - 1 if eye < 4 else eye - 4
            best = min(best, max(0, 2 - held) + cheapest_pongs(classes - (1 << BITS * eye), pongs))
    return best


@compiled_function
def cheapest_pongs(classes, pongs):
    """What pongs alone cost."""
    total, left = 0, pongs
    for cost in range(4):
        taken = min(left, classes >> BITS * (CLASSES - 1 - cost) & 31)
        total += taken * cost
        left -= taken
    return total if left == 0 else IMPOSSIBLE
