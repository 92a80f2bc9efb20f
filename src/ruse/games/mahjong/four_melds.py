"""Four melds and an eye: the ordinary hand, Normal. The declared melds are among the four."""

from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.games.mahjong.distance import CHARACTERS, IMPOSSIBLE, KINDS, MELDS
from ruse.games.mahjong.lanes import (
    ALL,
    BITS,
    EYES,
    GUARDS,
    NEVER,
    NOTHING,
    ONES,
    capped,
    least,
    smallest,
)
from ruse.games.mahjong.tables import CHOWS, FIRST, LOW, SECONDS, SYMBOLS, Tables, honour_class, symbol, tables


@compiled("distance", "useful")
class FourMelds(NamedTuple):
    """Chows, pongs and an eye. Made by `four_melds`."""

    tables: Tables

    def distance(self, hand, declared, unseen):
        low, high = low_key(hand, unseen), high_key(hand, unseen)
        honours = self.tables.honours[honour_key(self.tables, hand, unseen)]
        return missing(self.tables.low[low], self.tables.high[high], honours, MELDS - declared)

    def useful(self, hand, declared, unseen):
        low, high = low_key(hand, unseen), high_key(hand, unseen)
        honours = self.tables.honours[honour_key(self.tables, hand, unseen)]
        distance = missing(self.tables.low[low], self.tables.high[high], honours, MELDS - declared)
        if distance == 0 or distance == IMPOSSIBLE:
            return distance, 0
        return distance, improving(self.tables, hand, unseen, low, high, honours, MELDS - declared, distance)


def four_melds() -> FourMelds:
    """The pattern with its tables, which are made once."""
    return FourMelds(tables())


@compiled_function
def low_key(hand, unseen):
    """The row of characters four to one, the nearest to the cut in front."""
    key = 0
    for i in range(LOW):
        key = key * SYMBOLS + symbol(hand[LOW - 1 - i], unseen[LOW - 1 - i])
    return key


@compiled_function
def high_key(hand, unseen):
    """The row of characters five to nine."""
    key = 0
    for kind in range(LOW, CHARACTERS):
        key = key * SYMBOLS + symbol(hand[kind], unseen[kind])
    return key


@compiled_function
def class_key(hand, unseen, begin, end):
    """The classes of some honours, the first in front."""
    key = 0
    for kind in range(begin, end):
        key = key << 3 | honour_class(hand[kind], unseen[kind])
    return key


@compiled_function
def honour_key(words, hand, unseen):
    """The row of all honours."""
    first = class_key(hand, unseen, CHARACTERS, CHARACTERS + FIRST)
    second = class_key(hand, unseen, CHARACTERS + FIRST, KINDS)
    return words.first[first] * SECONDS + words.second[second]


@compiled_function
def missing(low, high, honours, melds):
    """How many tiles are missing for the best way to share melds and eye among the parts."""
    best = NOTHING
    for early in range(CHOWS):  # three-four-five
        for late in range(CHOWS):  # four-five-six
            ours, theirs = low[CHOWS * late + early], high[CHOWS * early + late]
            for others in range(melds - early - late + 1):  # melds that are not in the low part, nor over the cut
                place = BITS * (melds - early - late - others)
                plain, eyed = ours >> place & 31, ours >> (place + EYES) & 31
                best = least(best, capped(theirs + rest_without_eye(honours, others) + plain * ONES))
                best = least(best, capped(theirs + rest_with_eye(honours, others) + eyed * ONES))
    found = smallest(best)
    return found if found < NEVER else IMPOSSIBLE


@compiled_function
def reach(melds):
    """The cost bits of the lanes of at most so many melds, without an eye."""
    return (1 << (BITS * (melds + 1))) - 1


@compiled_function
def rest_without_eye(honours, melds):
    """What honours cost, in the lane of that which the high part has of these melds and an eye."""
    lanes = reach(melds) | reach(melds) << EYES
    return (honours >> (BITS * (MELDS - melds)) & lanes) | (NOTHING & ~lanes)


@compiled_function
def rest_with_eye(honours, melds):
    """The same where the eye is in the low part."""
    lanes = reach(melds)
    return (honours >> (BITS * (MELDS - melds) + EYES) & lanes) | (NOTHING & ~lanes)


@compiled_function
def at(word, cost):
    """A one in each lane of this cost."""
    return ~((word ^ cost * ONES | GUARDS) - ONES) >> (BITS - 1) & ONES


@compiled_function
def improving(words, hand, unseen, low, high, honours, melds, distance):
    """The kinds that some best way lacks: those whose draw makes a lane cheaper that a best way uses."""
    mask, used_honours = 0, 0
    for early in range(CHOWS):
        for late in range(CHOWS):
            low_crossing, high_crossing = CHOWS * late + early, CHOWS * early + late
            ours, theirs = words.low[low, low_crossing], words.high[high, high_crossing]
            used_low, used_high = 0, 0
            for others in range(melds - early - late + 1):
                place = BITS * (melds - early - late - others)
                plain, eyed = ours >> place & 31, ours >> (place + EYES) & 31
                shift = BITS * (MELDS - others)
                used = at(capped(theirs + rest_without_eye(honours, others) + plain * ONES), distance)
                if used:
                    used_low |= 1 << place
                    used_high |= used
                    used_honours |= used << shift
                used = at(capped(theirs + rest_with_eye(honours, others) + eyed * ONES), distance)
                if used:
                    used_low |= 1 << (place + EYES)
                    used_high |= used
                    used_honours |= used << (shift + EYES)
            if used_high:
                step = 1  # a draw is the next symbol
                for kind in range(LOW):
                    if unseen[kind] > 0 and (ours - words.low[low + step, low_crossing]) & used_low:
                        mask |= 1 << kind
                    step *= SYMBOLS
                step = 1
                for kind in range(CHARACTERS - 1, LOW - 1, -1):
                    if unseen[kind] > 0 and (theirs - words.high[high + step, high_crossing]) & used_high:
                        mask |= 1 << kind
                    step *= SYMBOLS
    return mask | improving_honours(words, hand, unseen, honours, used_honours & ALL)


@compiled_function
def improving_honours(words, hand, unseen, honours, used):
    """The honours whose draw makes one of these lanes cheaper."""
    mask = 0
    first = class_key(hand, unseen, CHARACTERS, CHARACTERS + FIRST)
    second = class_key(hand, unseen, CHARACTERS + FIRST, KINDS)
    for kind in range(CHARACTERS, KINDS):
        if unseen[kind] > 0 and hand[kind] + unseen[kind] >= 2 and hand[kind] < 3:
            if kind < CHARACTERS + FIRST:
                drawn = (
                    words.first[first + (1 << (3 * (CHARACTERS + FIRST - 1 - kind)))] * SECONDS + words.second[second]
                )
            else:
                drawn = words.first[first] * SECONDS + words.second[second + (1 << (3 * (KINDS - 1 - kind)))]
            if (honours - words.honours[drawn]) & used:
                mask |= 1 << kind
    return mask
