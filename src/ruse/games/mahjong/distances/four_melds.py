"""Four melds and an eye: the ordinary hand, Normal. The declared melds are among the four.

Nine tiles are enough for any hand while nothing is gone. One that would need more counts as IMPOSSIBLE.
"""

from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.games.mahjong.distances.distance import CHARACTERS, IMPOSSIBLE, KINDS, MELDS
from ruse.games.mahjong.distances.lanes import (
    BITS,
    EYES,
    GUARDS,
    NEVER,
    NO_EYES,
    NOTHING,
    ONES,
    least,
    smallest,
    within,
)
from ruse.games.mahjong.distances.tables import (
    CHOWS,
    FIRST,
    LOW,
    ROW,
    SYMBOLS,
    TUCKED,
    MeldCosts,
    honour_class,
    symbol,
    tables,
)


@compiled("distance", "useful", "spare")
class FourMelds(NamedTuple):
    """Chows, pongs and an eye. Made by `four_melds`."""

    tables: MeldCosts

    def distance(self, hand, declared, unseen):
        low, high = self.tables.low[low_key(hand, unseen)], self.tables.high[high_key(hand, unseen)]
        honours = self.tables.honours[honour_key(self.tables, hand, unseen)]
        return missing(low, high, others(honours, MELDS - declared))

    def useful(self, hand, declared, unseen):
        return improving(self.tables, hand, declared, unseen, True)

    def spare(self, hand, declared, unseen):
        return improving(self.tables, hand, declared, unseen, False)


def four_melds() -> FourMelds:
    """The pattern with its tables, which are made once."""
    return FourMelds(tables())


# ---- where a hand stands in the tables -------------------------------------------------------------------------------


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
    return words.first[first] + words.second[second]


# ---- the distance ----------------------------------------------------------------------------------------------------
# Melds and the eye are shared among the low characters, the high ones, the honours, and the chows over the cut. For
# each number of chows there and each lane of the low part one sum has the costs of all ways to share the rest.


@compiled_function
def others(honours, melds):
    """What honours cost, in the lane of what the high part has of these melds and an eye."""
    reach = (1 << (BITS * (melds + 1))) - 1
    lanes = reach | reach << EYES
    return (honours >> (BITS * (MELDS - melds)) & lanes) | (NOTHING & ~lanes)


@compiled_function
def eyeless(rest):
    """The same where the eye is in the low part."""
    return rest >> EYES | (NOTHING & ~NO_EYES)


@compiled_function
def missing(low, high, rest):
    """How many tiles are missing for the best way to share. `rest` is that of all the melds that are not declared."""
    best = NOTHING
    for melds in range(MELDS + 1):  # those in the high part and in honours, without a chow over the cut
        lane, side = low[0] >> (BITS * (MELDS - melds)), others(rest, melds)
        best = least(best, high[0] + side + (lane & 31) * ONES)
        best = least(best, high[0] + eyeless(side) + (lane >> EYES & 31) * ONES)
    found = smallest(best)
    while found > 0 and nearer(low, high, rest, found - 1):
        found -= 1
    return found if found < NEVER else IMPOSSIBLE


@compiled_function
def nearer(low, high, rest, cost):
    """Whether a chow over the cut is in some way of at most this cost. No loops: this is where the time goes."""
    goal = cost * ONES | GUARDS
    rest3, rest2, rest1, rest0 = others(rest, 3), others(rest, 2), others(rest, 1), others(rest, 0)
    plain3, plain2, plain1, plain0 = goal - rest3, goal - rest2, goal - rest1, goal - rest0
    eyed3, eyed2 = goal - eyeless(rest3), goal - eyeless(rest2)
    eyed1, eyed0 = goal - eyeless(rest1), goal - eyeless(rest0)
    hits = ways(low[1], high[3], plain3, eyed3)
    hits |= ways(low[1] >> BITS, high[3], plain2, eyed2)
    hits |= ways(low[1] >> 2 * BITS, high[3], plain1, eyed1)
    hits |= ways(low[1] >> 3 * BITS, high[3], plain0, eyed0)
    hits |= ways(low[3], high[1], plain3, eyed3)
    hits |= ways(low[3] >> BITS, high[1], plain2, eyed2)
    hits |= ways(low[3] >> 2 * BITS, high[1], plain1, eyed1)
    hits |= ways(low[3] >> 3 * BITS, high[1], plain0, eyed0)
    hits |= ways(low[4], high[4], plain2, eyed2)
    hits |= ways(low[4] >> BITS, high[4], plain1, eyed1)
    hits |= ways(low[4] >> 2 * BITS, high[4], plain0, eyed0)
    hits |= ways(low[2], high[6], plain2, eyed2)
    hits |= ways(low[2] >> BITS, high[6], plain1, eyed1)
    hits |= ways(low[2] >> 2 * BITS, high[6], plain0, eyed0)
    hits |= ways(low[6], high[2], plain2, eyed2)
    hits |= ways(low[6] >> BITS, high[2], plain1, eyed1)
    hits |= ways(low[6] >> 2 * BITS, high[2], plain0, eyed0)
    hits |= ways(low[5], high[7], plain1, eyed1)
    hits |= ways(low[5] >> BITS, high[7], plain0, eyed0)
    hits |= ways(low[7], high[5], plain1, eyed1)
    hits |= ways(low[7] >> BITS, high[5], plain0, eyed0)
    hits |= ways(low[7] >> TUCKED, high[7] >> TUCKED, plain0, eyed0)
    return hits & GUARDS != 0


@compiled_function
def ways(low, high, plain, eyed):
    """Guards in the lanes that stay within the goal: the low part's first lane, without an eye and with one."""
    return (plain - high - (low & 31) * ONES) | (eyed - high - (low >> EYES & 31) * ONES)


# ---- the kinds that matter -------------------------------------------------------------------------------------------


@compiled_function
def improving(words, hand, declared, unseen, draws):
    """The distance, and the kinds whose draw lowers it; or with no draws those whose discard does not raise it.

    It is enough to ask which lanes the best ways use, and which kinds make one of those cheaper, or not dearer.
    """
    low, high = low_key(hand, unseen), high_key(hand, unseen)
    honours = words.honours[honour_key(words, hand, unseen)]
    rest = others(honours, MELDS - declared)
    distance = missing(words.low[low], words.high[high], rest)
    if distance == IMPOSSIBLE:
        return distance, 0
    goal = distance * ONES | GUARDS
    rests = (others(rest, 0), others(rest, 1), others(rest, 2), others(rest, 3), rest)
    mask, used_honours = 0, 0
    for early in range(CHOWS):
        for late in range(CHOWS):
            low_crossing, high_crossing = CHOWS * late + early, CHOWS * early + late
            ours, theirs = word(words.low, low, low_crossing), goal - word(words.high, high, high_crossing)
            used_low, used_high = 0, 0
            for melds in range(MELDS - early - late + 1):
                place, shift = BITS * (MELDS - early - late - melds), BITS * (MELDS - melds)
                side, lane = rests[melds], ours >> place
                used = (theirs - side - (lane & 31) * ONES) >> (BITS - 1) & ONES
                used_low |= (used != 0) << place
                used_high |= used
                used_honours |= used << shift
                used = (theirs - eyeless(side) - (lane >> EYES & 31) * ONES) >> (BITS - 1) & ONES
                used_low |= (used != 0) << (place + EYES)
                used_high |= used
                used_honours |= used << (shift + EYES)
            if used_high:
                step = 1
                for kind in range(LOW):
                    change = changed(hand[kind], unseen[kind], draws)
                    if change:
                        after = word(words.low, low + change * step, low_crossing)
                        mask |= matters(ours, after, used_low, draws) << kind
                    step *= SYMBOLS
                theirs, step = goal - theirs, 1
                for kind in range(CHARACTERS - 1, LOW - 1, -1):
                    change = changed(hand[kind], unseen[kind], draws)
                    if change:
                        after = word(words.high, high + change * step, high_crossing)
                        mask |= matters(theirs, after, used_high, draws) << kind
                    step *= SYMBOLS
    used_honours <<= BITS * declared
    return distance, mask | improving_honours(words, hand, unseen, honours, used_honours, draws)


@compiled_function
def word(rows, key, crossing):
    """The word of a crossing, the last of which is tucked away."""
    return rows[key, crossing] if crossing < ROW else rows[key, ROW - 1] >> TUCKED


@compiled_function
def changed(held, unseen, draws):
    """How a kind's symbol changes by a draw or a discard; 0 if there is none to draw, or to discard."""
    if draws:
        return 1 if unseen > 0 else 0
    return symbol(held - 1, unseen) - symbol(held, unseen) if held > 0 else 0


@compiled_function
def matters(before, after, used, draws):
    """Whether a used lane is cheaper after a draw, or no dearer after a discard."""
    if draws:
        return (before - after) & used != 0
    return within(after - before, 0) & used != 0


@compiled_function
def improving_honours(words, hand, unseen, honours, used, draws):
    """The honours that matter to these lanes."""
    mask = 0
    first = class_key(hand, unseen, CHARACTERS, CHARACTERS + FIRST)
    second = class_key(hand, unseen, CHARACTERS + FIRST, KINDS)
    for kind in range(CHARACTERS, KINDS):
        if unseen[kind] > 0 if draws else hand[kind] > 0:
            by = 1 if draws else -1
            left = unseen[kind] - (1 if draws else 0)
            change = honour_class(hand[kind] + by, left) - honour_class(hand[kind], unseen[kind])
            if kind < CHARACTERS + FIRST:
                first_then, second_then = first + (change << (3 * (CHARACTERS + FIRST - 1 - kind))), second
            else:
                first_then, second_then = first, second + (change << (3 * (KINDS - 1 - kind)))
            after = words.honours[words.first[first_then] + words.second[second_then]]
            if matters(honours, after, used, draws):
                mask |= 1 << kind
    return mask
