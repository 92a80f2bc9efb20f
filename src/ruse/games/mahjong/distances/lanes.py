"""Ten small costs in one word, and sums and minima of all ten at once.

The lane of m melds and e eyes holds the least number of tiles that are missing for them. A lane has six bits: five for
the cost, one that keeps lanes apart in a comparison. Two costs may be added and still fit, and two be taken from what
`slack` leaves of a goal. Sixty bits are used, so that plain signed integers will do.
"""

from ruse.compile import compiled_function

BITS, MELDS = 6, 5  # bits of a lane; lanes of 0 to 4 melds, first without an eye, then with one
EYES = BITS * MELDS
LANES = 2 * MELDS
NEVER = 15  # the cost of what cannot be had: a whole hand has one tile less

ONES = sum(1 << BITS * i for i in range(LANES))
GUARDS = ONES << (BITS - 1)
ALL = (1 << BITS * LANES) - 1
MOST = 31 * ONES  # the highest cost that a lane can hold, in each
NOTHING = NEVER * ONES  # nothing can be had
EMPTY = NOTHING - NEVER  # no meld and no eye cost nothing
NO_MELDS = 63 | 63 << EYES  # the lanes of no meld
NO_EYES = (1 << EYES) - 1


@compiled_function
def least(x, y):
    """The smaller of two words, lane by lane; their costs are below 32."""
    guards = ((x | GUARDS) - y) & GUARDS
    larger = guards - (guards >> (BITS - 1))  # the lanes in which x is the larger, or equal
    return (y & larger) | (x & ~larger)


@compiled_function
def within(x, cost):
    """A one in each lane of at most this cost."""
    return ((cost * ONES | GUARDS) - x) >> (BITS - 1) & ONES


@compiled_function
def slack(x, cost):
    """What is left of a cost, with a guard, in the lanes that are within it; in others no guard, and too little.

    Two more costs may be taken from it. A guard that stays says that all three are within the cost.
    """
    left = (cost * ONES | GUARDS) - x
    short = (left & GUARDS) ^ GUARDS
    return left | (short - (short >> (BITS - 1)))


@compiled_function
def dearer(x, cost):
    """A word with a cost added to each lane."""
    return least(x + cost * ONES, NOTHING)


@compiled_function
def with_meld(x):
    """A word with one more meld."""
    return ((x << BITS) & ALL & ~NO_MELDS) | (NOTHING & NO_MELDS)


@compiled_function
def with_eye(x):
    """A word with an eye, for those without."""
    return ((x & NO_EYES) << EYES) | (NOTHING & NO_EYES)


@compiled_function
def turned(x):
    """A word with its lanes in the opposite order: four melds and an eye come first."""
    result = 0
    for i in range(LANES):
        result |= ((x >> (BITS * i)) & 63) << (BITS * (LANES - 1 - i))
    return result


@compiled_function
def smallest(x):
    """The least cost of a word; its costs are below 32."""
    x = least(x, (x >> EYES) | (NOTHING & ~NO_EYES))
    result = x & 63
    for i in range(1, MELDS):
        result = min(result, (x >> (BITS * i)) & 63)
    return result
