"""Winning hands: four melds and an eye, four pongs and an eye, seven pairs; on packed tiles, without a search."""

from ruse.compile import compiled_function
from ruse.games.mahjong.row import has_chow
from ruse.games.mahjong.tiles import BITS, CHARACTERS, LOW_BITS

NO_WIN, NORMAL, PONGPONGHU, SEVEN_PAIRS = range(4)
PATTERNS = ("none", "normal", "pongponghu", "qidui")
PONG_POINTS, PAIRS_POINTS = 2, 2  # all else is worth one point

HONOUR_BITS = LOW_BITS >> BITS * CHARACTERS << BITS * CHARACTERS


@compiled_function
def pattern_of(hand, melds, four_is_two_pairs):
    """How a hand wins with what is declared, the pattern that is worth most; NO_WIN if it does not.

    The concealed tiles must be as many as a hand has after a draw: 14, less three for each meld.
    """
    if melds == 0 and hand & LOW_BITS == 0 and (four_is_two_pairs or hand >> 2 & LOW_BITS == 0):
        return SEVEN_PAIRS
    alone = (hand & ~(hand >> 1) | hand >> 2) & LOW_BITS  # kinds with one or four: no pong, no eye
    pairs = hand >> 1 & ~hand & LOW_BITS
    if alone == 0 and pairs & (pairs - 1) == 0 and pairs != 0 and not has_chow(melds):
        return PONGPONGHU
    eyes = pairs & HONOUR_BITS
    if alone & HONOUR_BITS != 0 or eyes & (eyes - 1) != 0:
        return NO_WIN
    if eyes != 0:
        return NORMAL if all_melds(hand) else NO_WIN
    return NORMAL if has_eye_and_melds(hand) else NO_WIN


@compiled_function
def points_of(pattern):
    if pattern == SEVEN_PAIRS:
        return PAIRS_POINTS
    return PONG_POINTS if pattern == PONGPONGHU else 1


@compiled_function
def all_melds(hand):
    """Whether the characters of a hand are chows and pongs and nothing else.

    From the lowest on: what is left of a kind after pongs must begin chows, as three equal chows are three pongs.
    """
    here, after, ok = 0, 0, True  # chows that reach this kind and the next
    for kind in range(CHARACTERS):
        n = (hand >> BITS * kind & 7) - here
        if n < 0:
            ok = False
        begin = n - 3 if n > 2 else n
        here, after = after + begin, begin
    return ok and here == 0 and after == 0


@compiled_function
def has_eye_and_melds(hand):
    """The same with a pair left over. As the numbers of a meld add up to a multiple of three, three kinds may be it."""
    total = 0
    for kind in range(CHARACTERS):
        total += (hand >> BITS * kind & 7) * kind
    for kind in range(2 * total % 3, CHARACTERS, 3):
        if hand >> BITS * kind & 7 >= 2 and all_melds(hand - (2 << BITS * kind)):
            return True
    return False
