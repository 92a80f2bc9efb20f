"""Who gets the chips: the main pot, side pots, split pots, and what nobody has called.

Chips lie in layers, one for each amount that somebody has paid. A layer goes to the best hand of those who have paid it
and have not folded. Hands that win nothing are put aside; then layers that the same hands play for are one pot. What
cannot be divided evenly goes to the first winner from the left of the button on. The top layer of one who was not
called in full is his alone, and so comes back.
"""

from ruse.compile import compiled_function
from ruse.games.bits import ones_in
from ruse.games.holdem.betting.paying import dead_ante, pot_of
from ruse.games.holdem.row import CARD, HANDS, HIGH, SEATS, STATUS, has_folded, paid


@compiled_function
def chips_won(game, s, player):
    """What a player takes out of the middle at the end."""
    if has_folded(s, player):
        return 0
    if paid_up_to(game, s, s[HIGH]) == ~s[STATUS] & ((1 << game.players) - 1):  # nobody is in for less: one pot
        return share_of(game, s, player, pot_of(game, s), paid_up_to(game, s, 0))
    dead = dead_ante(game, s)  # lies below all layers: whoever is in plays for it
    winners, level = best_of(game, s, paid_up_to(game, s, 0)) if dead > 0 else 0, 0
    while level < s[HIGH]:
        level = next_level(game, s, level)
        winners |= best_of(game, s, paid_up_to(game, s, level))
    won, pot, level, rivals = 0, dead, 0, paid_up_to(game, s, 0) & winners if dead > 0 else 0
    while level < s[HIGH]:
        above = next_level(game, s, level)
        playing = paid_up_to(game, s, above) & winners
        if playing != rivals and rivals != 0:
            won += share_of(game, s, player, pot, rivals)
            pot = 0
        for p in range(game.players):
            pot += above - level if s[paid(game) + p] >= above else 0
        level, rivals = above, playing
    return won + share_of(game, s, player, pot, rivals)


@compiled_function
def next_level(game, s, level):
    """The least that anybody has paid above a level."""
    above = s[HIGH]
    for p in range(game.players):
        amount = s[paid(game) + p]
        if level < amount < above:
            above = amount
    return above


@compiled_function
def paid_up_to(game, s, level):
    """The seats of those who are in and have paid so much, a bit each."""
    seats = ~s[STATUS] & SEATS
    for p in range(game.players):
        if s[paid(game) + p] < level:
            seats &= ~(1 << p)
    return seats & ((1 << game.players) - 1)


@compiled_function
def share_of(game, s, player, pot, rivals):
    """What a player wins of a pot that these seats play for."""
    winners = best_of(game, s, rivals)
    if not winners >> player & 1:
        return 0
    count = ones_in(winners)
    share = pot // count
    return share + pot % count if first_left(game, winners) == player else share


@compiled_function
def best_of(game, s, seats):
    """Those of these seats that have the best hand, a bit each; all of them while nothing is turned up."""
    best, winners = -1, 0
    for p in range(game.players):
        if seats >> p & 1:
            strength = strength_in(s, p)
            if strength > best:
                best, winners = strength, 0
            if strength == best:
                winners |= 1 << p
    return winners


@compiled_function
def first_left(game, seats):
    """The first of these seats from the left of the button on."""
    for p in range(1, game.players):
        if seats >> p & 1:
            return p
    return 0


@compiled_function
def strength_in(s, p):
    """The strength of a seat's hand, once the board is full."""
    return s[HANDS + p] >> 2 * CARD
