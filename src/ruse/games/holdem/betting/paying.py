"""What the player to act may pay: what a call costs, whether a raise is allowed, and how much it may come to.

Bets are what a player has put in on this street: a raise is told by what the bet comes to. An all-in that raises by
less than a full raise does not open the betting again: who has acted on this street may raise only if it is at least a
full raise that is to be called, in one piece or in several.
"""

from ruse.compile import compiled_function
from ruse.games.holdem.row import (
    ACTED,
    FOLDED,
    HIGH,
    LEVEL,
    RAISE,
    RAISES,
    STATUS,
    WHO,
    has_folded,
    left,
    paid,
)

LIMIT_CAP = 4  # raises on a street in limit games, if the game says nothing else


@compiled_function
def to_call(game, s, p):
    """What a player has to pay to stay in, even if there is not so much."""
    return s[HIGH] - s[paid(game) + p]


@compiled_function
def bet_of(game, s, p):
    """What a player has put in on this street."""
    return max(s[paid(game) + p] - s[LEVEL], 0)


@compiled_function
def pot_of(game, s):
    """All that is in the middle, the bets of this street too."""
    pot = dead_ante(game, s)
    for p in range(game.players):
        pot += s[paid(game) + p]
    return pot


@compiled_function
def dead_ante(game, s):
    """What the big blind has paid as an ante for all: it belongs to nobody's bets."""
    if game.big_ante == 0.0:
        return 0
    first = game.stacks.seat_1 if game.players == 2 else game.stacks.seat_2
    return min(whole_chips(game, first if first > 0.0 else game.stack), whole_chips(game, game.big_ante))


@compiled_function
def whole_chips(game, blinds):
    """So many big blinds in chips."""
    return int(blinds * game.chips + 0.5)


@compiled_function
def full_bet(game, street):
    """The least bet on a street, and the least raise; in limit games the only one."""
    return 2 * game.chips if game.limit and street >= 2 else game.chips


@compiled_function
def may_raise(game, s):
    """Whether the player to act may bet or raise."""
    me, cap = s[WHO], game.cap if game.cap > 0 or not game.limit else LIMIT_CAP
    call = to_call(game, s, me)
    if s[left(game) + me] <= call or (cap > 0 and s[RAISES] >= cap):
        return False
    if s[STATUS] >> ACTED + me & 1 and call < s[RAISE]:
        return False
    return can_answer(game, s, me, s[HIGH])


@compiled_function
def can_answer(game, s, me, high):
    """Whether anybody else who is in could pay more than this in all."""
    for p in range(game.players):
        if p != me and not has_folded(s, p) and s[paid(game) + p] + s[left(game) + p] > high:
            return True
    return False


@compiled_function
def most_to(game, s):
    """What the bet of the player to act comes to with all that he has."""
    return s[left(game) + s[WHO]] + s[paid(game) + s[WHO]] - s[LEVEL]


@compiled_function
def least_to(game, s):
    """What it comes to by the least raise, or all-in for less."""
    return min(most_to(game, s), s[HIGH] - s[LEVEL] + s[RAISE])


@compiled_function
def highest_to(game, s):
    """What it may come to at most."""
    return least_to(game, s) if game.limit else most_to(game, s)


@compiled_function
def seats_waiting(game, s):
    """Who is asked when the betting begins: those with chips that somebody else could still win or lose."""
    waiting, count, last = 0, 0, 0
    for p in range(game.players):
        has_chips = not has_folded(s, p) and s[left(game) + p] > 0
        if has_chips and can_answer(game, s, p, s[paid(game) + p]):
            waiting |= 1 << p
            count += 1
            last = p
    if count == 1 and s[paid(game) + last] >= s[HIGH]:
        return 0
    return waiting


@compiled_function
def seats_to_answer(game, s, me):
    """Who is asked after a raise: all others who are in and have chips."""
    waiting = 0
    for p in range(game.players):
        if p != me and not s[STATUS] >> FOLDED + p & 1 and s[left(game) + p] > 0:
            waiting |= 1 << p
    return waiting


@compiled_function
def next_waiting(game, waiting, seat):
    """The next of these seats after one."""
    p = seat
    while True:
        p = p + 1 if p + 1 < game.players else 0
        if waiting >> p & 1:
            return p
