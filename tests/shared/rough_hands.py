"""Starting hands against each other on some boards only, which nobody has to wait for, and buckets ready made."""

from functools import cache

import numpy as np

from ruse.games.holdem.buckets import cards, starting
from ruse.games.holdem.buckets.building import street_index, street_starts
from ruse.games.holdem.buckets.cards import CardBuckets, Kept
from ruse.games.holdem.buckets.equities import room
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.tables import hand_ranks
from ruse.games.holdem.suits.deals import STARTING_HANDS, starting_hands
from ruse.games.holdem.suits.index import suit_index
from ruse.games.holdem.views import Buckets

SOME = range(0, 130_000, 650)  # boards


def points_on(numbers: range) -> np.ndarray:
    """What starting hands win of each other on these boards."""
    points = np.zeros((STARTING_HANDS, STARTING_HANDS), np.int32)
    weaker, hands = np.zeros((CARDS + 1, STARTING_HANDS), np.int32), starting_hands().astype(np.int32)
    for number in numbers:
        starting.add_boards(hand_ranks(), suit_index(0, 5), number, number + 1, room(), hands, weaker, points)
    return points


@cache
def rough_table() -> starting.Starting:
    points = points_on(SOME).astype(float)
    return starting.Starting(starting.disjoint_pairs(), points / np.maximum(points + points.T, 1))


@cache
def few_buckets() -> Buckets:
    """Starting hands one by one, and one bucket on each street. Untouched zeros take no memory."""
    table = np.zeros(street_starts()[-1], np.uint8)
    table[:STARTING_HANDS] = np.arange(STARTING_HANDS)
    made = CardBuckets(1, 1, 1, 0, street_index(), table)
    cards._here[1, 1, 1, 0] = Kept(made, (np.full(1, 0.5),) * 3)  # whoever describes them would build them
    return Buckets(made)
