"""The strength of a hand in words."""

from ruse.games.holdem.hands.classes import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    KINDS,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    digits,
)
from ruse.games.holdem.hands.tables import hand_ranks

SINGLE = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
PLURAL = tuple("sixes" if name == "six" else name + "s" for name in SINGLE)


def kind_of(strength: int) -> int:
    """The kind of hand, from 0 for a high card to 8 for a straight flush, as in `KINDS`."""
    return digits(int(hand_ranks().written[strength]))[0]


def words_of(strength: int) -> str:
    """Such as `two pair, queens and jacks`; cards that only break ties are left out."""
    kind, (first, second, *_) = digits(int(hand_ranks().written[strength]))
    if kind == STRAIGHT_FLUSH and first == len(SINGLE) - 1:
        return "royal flush"
    if kind == HIGH_CARD:
        return f"{SINGLE[first]} high"
    ranks = {
        PAIR: PLURAL[first],
        TWO_PAIR: f"{PLURAL[first]} and {PLURAL[second]}",
        THREE: PLURAL[first],
        STRAIGHT: f"{SINGLE[first]} high",
        FLUSH: f"{SINGLE[first]} high",
        FULL_HOUSE: f"{PLURAL[first]} over {PLURAL[second]}",
        FOUR: PLURAL[first],
        STRAIGHT_FLUSH: f"{SINGLE[first]} high",
    }
    return f"pair of {ranks[PAIR]}" if kind == PAIR else f"{KINDS[kind]}, {ranks[kind]}"
