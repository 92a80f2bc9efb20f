"""The row of a game of Cheat, the cards in it, and the numbering of discards."""

from ruse.compile import compiled_function
from ruse.compile.hashing import mix

# Columns. Cards are packed into one integer, a few bits a rank. TURN counts the turns that are over; while the cards
# are dealt it is below zero and counts the steps to go. CLAIM is 0 while a discard is due; LAST are the cards that were
# laid, as long as somebody may still see them; PILED is the size of the pile. EVENT tells who made the last discard,
# and of what rank it was said to be. COUNTS: see `count_discards`. Four columns remember the public past: hashes of all
# claims and challenges (PLAIN), of their outcomes, and of the cards that were turned up; and the latest turns, packed
# (WINDOW). For each player follow the hand, its size, the Health Points and a hash of what only this player knows, each
# as one block.
WHO, DISCARDER, EVENT, RANK, CLAIM, LAST, PILE, PILED, TURN, WINNER = range(10)
COUNTS, PLAIN, OUTCOMES, REVEALS, WINDOW, HANDS = range(10, 16)
WINDOW_BITS = 62


# ---- packing ---------------------------------------------------------------------------------------------------------


@compiled_function
def width(n):
    """How many bits hold the numbers 0 to n, for n below 8,192."""
    few = 0 + (n > 0) + (n > 1) + (n > 3) + (n > 7) + (n > 15) + (n > 31)
    return few + (n > 63) + (n > 127) + (n > 255) + (n > 511) + (n > 1023) + (n > 2047) + (n > 4095)


@compiled_function
def count_of(cards, rank, bits):
    """How many cards of a rank, given how many bits a rank has."""
    return cards >> bits * rank & ((1 << bits) - 1)


@compiled_function
def join(key, value, bits, fits):
    """The key with another value in its lowest bits; hashed into it if there is no room for all."""
    return key << bits | value if fits else mix(key, value)


@compiled_function
def turn_bits(game):
    """Bits of one turn in WINDOW: the number of cards, who challenged, and whether it was a lie."""
    return width(most_cards(game) - 1 + game.allow_pass) + width(game.players - 1) + 1


@compiled_function
def add_turn(game, s, claim, doubter, lie):
    """Put a turn into WINDOW; the challenger is given by how many seats on he sits, 0 if nobody challenged."""
    code = claim - 1 if claim > 0 else most_cards(game)  # one more than all claims: a pass
    code = (code << width(game.players - 1) | doubter) << 1 | lie
    s[WINDOW] = (s[WINDOW] << turn_bits(game) | code) & ((1 << WINDOW_BITS) - 1)


@compiled_function
def read_turn(game, s, k):
    """Claim (0: a pass), seats to the challenger and lie of a turn in WINDOW; k = 0 is the last that is over."""
    seats, bits = width(game.players - 1), turn_bits(game)
    code = s[WINDOW] >> k * bits & ((1 << bits) - 1)
    claim = (code >> seats + 1) + 1
    return claim if claim <= most_cards(game) else 0, code >> 1 & ((1 << seats) - 1), code & 1


# ---- discards --------------------------------------------------------------------------------------------------------
# A discard is a number of cards of each rank. They are ordered like numbers whose lowest digit is the current rank, so
# that an action means the same wherever a hand looks the same from the current rank on.


@compiled_function
def cards_in_play(game):
    if game.deal == 0 or game.undealt == 1:  # all are dealt, or in the first pile
        return game.ranks * game.copies
    return game.deal * game.players


@compiled_function
def most_cards(game):
    """How many cards one discard may have."""
    return min(game.max_discard if game.max_discard > 0 else game.copies, cards_in_play(game))


@compiled_function
def count_discards(game, hand):
    """How many parts of a hand have at most k cards, the empty one too, for each k up to the most, packed.

    It is a polynomial in 2^w: the product over the ranks of 1 + x + ... + x^n, times 1 + x + x^2 + ... to sum up.
    Without a limit on the cards one number is enough.
    """
    bits, most = width(game.copies), most_cards(game)
    if most == cards_in_play(game):
        product = 1
        for r in range(game.ranks):
            product *= 1 + count_of(hand, r, bits)
        return product
    w = 63 // (most + 1)
    mask = (1 << (most + 1) * w) - 1
    total = 1
    for _ in range(most):
        total = total << w | 1
    for r in range(game.ranks):
        factor = total
        for _ in range(count_of(hand, r, bits)):
            total = ((total << w) & mask) + factor
    return total


@compiled_function
def num_discards(game, s):
    """How many discards the player to act may choose from."""
    most = most_cards(game)
    if most == cards_in_play(game):
        return s[COUNTS] - 1
    w = 63 // (most + 1)
    return (s[COUNTS] >> most * w & ((1 << w) - 1)) - 1


@compiled_function
def nth_discard(game, s, a):
    """The cards of the a-th discard, and how many they are."""
    bits, most, ranks = width(game.copies), most_cards(game), game.ranks
    hand, r = s[HANDS + s[WHO]], s[RANK]
    index, cards = int(a) + 1, 0  # the first is the empty one, which is no discard
    if most == cards_in_play(game):
        laid = 0
        for _ in range(ranks):
            n = count_of(hand, r, bits) + 1
            cards += index % n << bits * r
            laid += index % n
            index //= n
            r = r + 1 if r + 1 < ranks else 0
        return cards, laid
    w = 63 // (most + 1)
    mask, low = (1 << (most + 1) * w) - 1, (1 << w) - 1
    room, total = most, int(s[COUNTS])
    for _ in range(ranks):
        r = r - 1 if r > 0 else ranks - 1
        n = int(count_of(hand, r, bits))
        if n > 0:
            total = without_rank(total, n, most, w, mask)
            ways = total >> room * w & low
            while index >= ways:
                index -= ways
                cards += 1 << bits * r
                room -= 1
                ways = total >> room * w & low
    return cards, most - room


@compiled_function
def discard_number(game, hand, rank, cards):
    """The number of a discard, given its cards, the hand and the current rank: the inverse of `nth_discard`."""
    bits, most, ranks = width(game.copies), most_cards(game), game.ranks
    total, index, r = count_discards(game, hand), 0, rank
    if most == cards_in_play(game):
        for _ in range(ranks):
            r = r - 1 if r > 0 else ranks - 1
            index = index * (count_of(hand, r, bits) + 1) + count_of(cards, r, bits)
        return index - 1
    w = 63 // (most + 1)
    mask, low, room = (1 << (most + 1) * w) - 1, (1 << w) - 1, most
    for _ in range(ranks):
        r = r - 1 if r > 0 else ranks - 1
        n = int(count_of(hand, r, bits))
        if n > 0:
            total = without_rank(total, n, most, w, mask)
            for _ in range(count_of(cards, r, bits)):
                index += total >> room * w & low
                room -= 1
    return index - 1


@compiled_function
def without_rank(total, n, most, w, mask):
    """Divide by 1 + x + ... + x^n, which is (1 - x^(n + 1)) / (1 - x): what the other ranks allow is left."""
    total = (total - (total << w)) & mask
    step = (n + 1) * w
    while step <= most * w:
        total = (total + (total << step)) & mask
        step *= 2
    return total


# ---- bounds ----------------------------------------------------------------------------------------------------------


def most_actions(game) -> int:
    """No decision offers more actions than this: a hand offers most when its ranks are as even as can be."""
    left = cards_in_play(game)
    counts = [1] + [0] * most_cards(game)  # by number of cards
    for r in range(game.ranks):
        n = -(-left // (game.ranks - r))
        left -= n
        counts = [sum(counts[max(0, k - n) : k + 1]) for k in range(len(counts))]
    return int(max(2, sum(counts) - 1 + game.allow_pass))
