"""Four melds and an eye: the ordinary hand, Normal. The declared melds are among the four."""

from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.compile.machine import prefetch
from ruse.games.mahjong.distances.distance import IMPOSSIBLE, MELDS
from ruse.games.mahjong.distances.lanes import (
    BITS,
    EYES,
    GUARDS,
    MOST,
    NEVER,
    NO_EYES,
    NOTHING,
    ONES,
    least,
    slack,
    smallest,
    within,
)
from ruse.games.mahjong.distances.tables import (
    CHOWS,
    CLASS_BITS,
    CROSSINGS,
    EXTRAS,
    FIRST,
    FIRST_AT,
    FULL,
    HIGH_AT,
    HIGH_BITS,
    LOW,
    LOW_BITS,
    SECOND,
    SECOND_AT,
    MeldCosts,
    place_of,
    seen_of,
    tables,
)
from ruse.games.mahjong.tiles import CHARACTERS, KINDS

AHEAD = 8  # hands whose rows are on their way while one is measured
GUARD = 1 << (BITS - 1)  # of one lane
FIRSTS, SECONDS = 1 << CLASS_BITS * FIRST, 1 << CLASS_BITS * SECOND
OVER = [c // CHOWS + c % CHOWS for c in range(CROSSINGS)]  # chows over the cut
ONE_OVER = sum(1 << BITS * (c - 1) for c in range(1, CROSSINGS) if OVER[c] == 1)  # in a word of extras
TWO_OVER = sum(1 << BITS * (c - 1) for c in range(1, CROSSINGS) if OVER[c] == 2)
MORE_OVER = sum(1 << BITS * (c - 1) for c in range(1, CROSSINGS) if OVER[c] > 2)


@compiled("distance", "distances", "useful", "spare")
class FourMelds(NamedTuple):
    """Chows, pongs and an eye. Made by `four_melds`."""

    tables: MeldCosts

    def distance(self, hand, declared, unseen):
        return missing_at(self.tables, places_of(self.tables, hand, unseen), declared)

    def distances(self, hands, declared, unseen, result):
        for i in range(min(AHEAD, len(hands))):
            result[i] = places_of(self.tables, hands[i], unseen[i])
        for i in range(len(hands)):
            if i + AHEAD < len(hands):  # until its turn comes, a hand's places stand where its distance will
                result[i + AHEAD] = places_of(self.tables, hands[i + AHEAD], unseen[i + AHEAD])
                ask_for(self.tables, result[i + AHEAD])
            result[i] = missing_at(self.tables, result[i], declared[i])

    def useful(self, hand, declared, unseen):
        return improving(self.tables, hand, declared, unseen, True)

    def spare(self, hand, declared, unseen):
        return improving(self.tables, hand, declared, unseen, False)


def four_melds() -> FourMelds:
    """The pattern with its tables, which are made once."""
    return FourMelds(tables())


# ---- where a hand stands in the tables -------------------------------------------------------------------------------


@compiled_function
def places_of(words, hand, unseen):
    """The place in each table, in one integer."""
    places = 0
    for kind in range(KINDS):
        places += words.places[kind, seen_of(hand[kind], unseen[kind])]
    return places


@compiled_function
def low_at(places):
    """The row of the low characters."""
    return places & (1 << LOW_BITS) - 1


@compiled_function
def high_at(places):
    """The row of the high ones."""
    return places >> HIGH_AT & (1 << HIGH_BITS) - 1


@compiled_function
def honours_at(words, places):
    """The word of the honours."""
    first, second = places >> FIRST_AT & FIRSTS - 1, places >> SECOND_AT & SECONDS - 1
    return words.honours[words.first[first] + words.second[second]]


@compiled_function
def ask_for(words, places):
    """Have the rows brought near before they are needed: half of a distance's time is a wait for them."""
    prefetch(words.low, low_at(places))
    prefetch(words.high, high_at(places))


# ---- the distance ----------------------------------------------------------------------------------------------------
# Melds and the eye are shared among the low characters, the high ones, the honours, and the chows over the cut. For
# each number of chows there and each lane of the low part one sum has the costs of all ways to share the rest.


@compiled_function
def others(honours, melds, fill):
    """What honours cost, in the lane of what the high part has of these melds and an eye; else what is filled in."""
    reach = (1 << (BITS * (melds + 1))) - 1
    lanes = reach | reach << EYES
    return (honours >> (BITS * (MELDS - melds)) & lanes) | (fill & ~lanes)


@compiled_function
def eyeless(rest, fill):
    """The same where the eye is in the low part."""
    return rest >> EYES | (fill & ~NO_EYES)


@compiled_function
def joined(low, high):
    """What two parts cost together."""
    best = NOTHING
    for melds in range(MELDS + 1):  # those in the low part
        reach = (1 << (BITS * (MELDS - melds + 1))) - 1  # the lanes of the high part that may be added to
        plain = (high & reach) << BITS * melds
        eyed = (high >> EYES & reach) << BITS * melds
        lane, none = low >> BITS * melds, NOTHING & ((1 << BITS * melds) - 1)
        best = least(best, (plain | none | (eyed | none) << EYES) + (lane & 31) * ONES)
        best = least(best, ((plain | none) << EYES | NOTHING & NO_EYES) + (lane >> EYES & 31) * ONES)
    return best


@compiled_function
def missing_at(words, places, declared):
    """How many tiles are missing to a hand whose rows are at these places."""
    rest = others(honours_at(words, places), MELDS - declared, NOTHING)
    return missing(words.low[low_at(places)], words.high[high_at(places)], rest)


@compiled_function
def missing(low, high, rest):
    """How many tiles are missing for the best way to share. `rest` is that of all the melds that are not declared.

    Chows over the cut are looked at only where they may help. They make both parts dearer by what the rows say at
    least, and save no more than the melds cost that they stand for.
    """
    parts = joined(low[0], high[0])
    found = min(smallest(parts + rest), NEVER)
    one = max(GUARD - 1, GUARD + found - 1 - smallest(parts + others(rest, 3, NOTHING)))
    two = max(GUARD - 1, GUARD + found - 1 - smallest(parts + others(rest, 2, NOTHING)))
    more = GUARD + found - 1
    room = one * ONE_OVER + two * TWO_OVER + more * MORE_OVER - low[EXTRAS] - high[EXTRAS]
    while room & GUARDS and nearer(low, high, rest, found - 1, room):
        found -= 1
        room -= (room & GUARDS) >> (BITS - 1)
    return found if found < NEVER else IMPOSSIBLE


@compiled_function
def nearer(low, high, rest, cost, room):
    """Whether some way with chows over the cut, of those that have room for it, is within a cost.

    No loops: this is where the time goes.
    """
    left = slack(rest, cost)
    rest3, rest2 = others(left, 3, MOST), others(left, 2, MOST)
    rest1, rest0 = others(left, 1, MOST), others(left, 0, MOST)
    eyed3, eyed2, eyed1, eyed0 = eyeless(rest3, MOST), eyeless(rest2, MOST), eyeless(rest1, MOST), eyeless(rest0, MOST)
    found = ways(low[1], high[3], rest3, eyed3)  # one chow over the cut: hardly ever is there room for others alone
    found |= ways(low[1] >> BITS, high[3], rest2, eyed2)
    found |= ways(low[1] >> 2 * BITS, high[3], rest1, eyed1)
    found |= ways(low[1] >> 3 * BITS, high[3], rest0, eyed0)
    found |= ways(low[3], high[1], rest3, eyed3)
    found |= ways(low[3] >> BITS, high[1], rest2, eyed2)
    found |= ways(low[3] >> 2 * BITS, high[1], rest1, eyed1)
    found |= ways(low[3] >> 3 * BITS, high[1], rest0, eyed0)
    if room & TWO_OVER * GUARD:
        found |= ways(low[4], high[4], rest2, eyed2)
        found |= ways(low[4] >> BITS, high[4], rest1, eyed1)
        found |= ways(low[4] >> 2 * BITS, high[4], rest0, eyed0)
        found |= ways(low[2], high[6], rest2, eyed2)
        found |= ways(low[2] >> BITS, high[6], rest1, eyed1)
        found |= ways(low[2] >> 2 * BITS, high[6], rest0, eyed0)
        found |= ways(low[6], high[2], rest2, eyed2)
        found |= ways(low[6] >> BITS, high[2], rest1, eyed1)
        found |= ways(low[6] >> 2 * BITS, high[2], rest0, eyed0)
    if room & MORE_OVER * GUARD:
        found |= ways(low[FULL] >> 2 * BITS, high[FULL], rest1, eyed1)
        found |= ways(low[FULL] >> 3 * BITS, high[FULL], rest0, eyed0)
        found |= ways(low[FULL], high[FULL] >> 2 * BITS, rest1, eyed1)
        found |= ways(low[FULL] >> BITS, high[FULL] >> 2 * BITS, rest0, eyed0)
        found |= ways(low[FULL] >> 4 * BITS, high[FULL] >> 4 * BITS, rest0, eyed0)
    return found & GUARDS != 0


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
    places = places_of(words, hand, unseen)
    low, high, honours = low_at(places), high_at(places), honours_at(words, places)
    ask_for_changed(words, places, hand, unseen, draws)
    rest = others(honours, MELDS - declared, NOTHING)
    distance = missing(words.low[low], words.high[high], rest)
    if distance == IMPOSSIBLE:
        return distance, 0
    left = slack(rest, distance)
    rests = (others(left, 0, MOST), others(left, 1, MOST), others(left, 2, MOST), others(left, 3, MOST), left)
    mask, used_honours = 0, 0
    for early in range(CHOWS):
        for late in range(CHOWS):
            low_crossing, high_crossing = CHOWS * late + early, CHOWS * early + late
            ours, theirs = word(words.low, low, low_crossing), word(words.high, high, high_crossing)
            used_low, used_high = 0, 0
            for melds in range(MELDS - early - late + 1):
                place, shift = BITS * (MELDS - early - late - melds), BITS * (MELDS - melds)
                side, lane = rests[melds], ours >> place
                used = (side - theirs - (lane & 31) * ONES) >> (BITS - 1) & ONES
                used_low |= (used != 0) << place
                used_high |= used
                used_honours |= used << shift
                used = (eyeless(side, MOST) - theirs - (lane >> EYES & 31) * ONES) >> (BITS - 1) & ONES
                used_low |= (used != 0) << (place + EYES)
                used_high |= used
                used_honours |= used << (shift + EYES)
            if used_high:
                for kind in range(LOW):
                    if (unseen if draws else hand)[kind] > 0:
                        then = low_at(places + change(words, kind, hand[kind], unseen[kind], draws))
                        mask |= matters(ours, word(words.low, then, low_crossing), used_low, draws) << kind
                for kind in range(LOW, CHARACTERS):
                    if (unseen if draws else hand)[kind] > 0:
                        then = high_at(places + change(words, kind, hand[kind], unseen[kind], draws))
                        mask |= matters(theirs, word(words.high, then, high_crossing), used_high, draws) << kind
    used_honours <<= BITS * declared
    for kind in range(CHARACTERS, KINDS):
        if (unseen if draws else hand)[kind] > 0:
            then = honours_at(words, places + change(words, kind, hand[kind], unseen[kind], draws))
            mask |= matters(honours, then, used_honours, draws) << kind
    return distance, mask


@compiled_function
def ask_for_changed(words, places, hand, unseen, draws):
    """Have the rows after each draw or discard of a character brought near, while the distance is measured."""
    for kind in range(CHARACTERS):
        if (unseen if draws else hand)[kind] > 0:
            ask_for(words, places + change(words, kind, hand[kind], unseen[kind], draws))


@compiled_function
def word(rows, key, crossing):
    """The word of a crossing, of which no more lanes than it has may be used."""
    at, shift = place_of(crossing)
    return rows[key, at] >> shift


@compiled_function
def change(words, kind, held, unseen, draws):
    """How the place changes by a draw of a kind, or by a discard, after which the tile is neither held nor unseen."""
    then = seen_of(held + 1, unseen - 1) if draws else seen_of(held - 1, unseen)
    return words.places[kind, then] - words.places[kind, seen_of(held, unseen)]


@compiled_function
def matters(before, after, used, draws):
    """Whether a used lane is cheaper after a draw, or no dearer after a discard."""
    if draws:
        return (before - after) & used != 0
    return within(after - before, 0) & used != 0
