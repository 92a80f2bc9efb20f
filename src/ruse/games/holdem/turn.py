"""How a hand goes on: cards are dealt, players act, streets begin and end."""

from ruse.compile import compiled_function
from ruse.compile.hashing import mix
from ruse.games.bits import nth_one
from ruse.games.holdem.betting.menus import nth_raise
from ruse.games.holdem.betting.paying import (
    bet_of,
    full_bet,
    next_waiting,
    seats_to_answer,
    seats_waiting,
    to_call,
)
from ruse.games.holdem.hands.tables import NO_CARDS
from ruse.games.holdem.row import (
    ACTED,
    BOARD,
    BOARD_CARDS,
    CARD,
    DEALT,
    DECK,
    FOLDED,
    HANDS,
    HIGH,
    LEVEL,
    OUT,
    PAST,
    RAISE,
    RAISES,
    SEATS,
    STATUS,
    WAITING,
    WHO,
    active,
    big_blind_seat,
    board_size,
    card_at,
    has_folded,
    left,
    paid,
    street_of,
)
from ruse.protocol.game import CHANCE, OVER

FOLD, CALL, RAISED = 1, 2, 3  # what PAST is mixed with; a raise with what it comes to above it


# ---- cards -----------------------------------------------------------------------------------------------------------


@compiled_function
def next_card(s, a):
    """The a-th of the cards that are not dealt."""
    return nth_one(DECK & ~s[OUT], a)


@compiled_function
def deal(game, s, a):
    """Deal a card; where it completes all hands or a street, the betting begins."""
    card, k = next_card(s, a), s[DEALT]
    s[OUT] |= 1 << card
    s[DEALT] += 1
    b = k - 2 * game.players
    if b < 0:
        seat = HANDS + k // 2
        s[seat] = card if k % 2 == 0 else min(card, s[seat]) << CARD | max(card, s[seat])
    else:
        s[BOARD] |= card << CARD * b
    if b == 2:
        s[BOARD] = ordered_flop(s[BOARD])
    if b == BOARD_CARDS - 1:
        note_strengths(game, s)
    if b == -1 or b >= 2:
        begin_street(game, s)


@compiled_function
def ordered_flop(board):
    """Three packed cards from the highest on: in which order they came does not matter."""
    x, y, z = card_at(board, 0), card_at(board, 1), card_at(board, 2)
    low, high = min(x, min(y, z)), max(x, max(y, z))
    return high | (x + y + z - low - high) << CARD | low << 2 * CARD


@compiled_function
def note_strengths(game, s):
    """Put the strengths of those who are in above their cards."""
    ranks = game.ranks
    key, suits = NO_CARDS, 0
    for b in range(BOARD_CARDS):
        card = card_at(s[BOARD], b)
        key += ranks.keys[card]
        suits |= ranks.suits[card]
    for p in range(game.players):
        if not has_folded(s, p):
            high, low = card_at(s[HANDS + p], 0), card_at(s[HANDS + p], 1)
            strength = ranks.strength(
                key + ranks.keys[high] + ranks.keys[low], suits | ranks.suits[high] | ranks.suits[low]
            )
            s[HANDS + p] |= strength << 2 * CARD


# ---- streets ---------------------------------------------------------------------------------------------------------


@compiled_function
def begin_street(game, s):
    """Ask the first player who has something to decide; if there is none the next card is dealt, or it is over."""
    street = street_of(game, s)
    s[RAISES], s[RAISE] = 0, full_bet(game, street)
    s[STATUS] &= SEATS
    if street > 0:
        s[LEVEL] = s[HIGH]
    waiting = seats_waiting(game, s) if street < game.streets else 0
    if waiting == 0:
        end_street(game, s)
        return
    s[STATUS] |= waiting << WAITING
    # Before the flop the first to act is on the left of the big blind, later on the left of the button.
    s[WHO] = next_waiting(game, waiting, big_blind_seat(game) if street == 0 else 0)


@compiled_function
def end_street(game, s):
    s[WHO] = CHANCE if board_size(game, s) < BOARD_CARDS else OVER


# ---- actions ---------------------------------------------------------------------------------------------------------


@compiled_function
def act(game, s, a):
    """Carry out an action: fold if there is something to call, then check or call, then the raises."""
    me = s[WHO]
    call = to_call(game, s, me)
    move = a if call > 0 else a + 1
    if move == 0:
        s[PAST] = mix(s[PAST], FOLD)
        s[STATUS] |= 1 << FOLDED + me
    elif move == 1:
        s[PAST] = mix(s[PAST], CALL)
        pay(game, s, min(call, s[left(game) + me]))
    else:
        raise_to(game, s, nth_raise(game, s, move - 2))
    go_on(game, s)


@compiled_function
def raise_to(game, s, to):
    """Bet or raise to so much; whoever is in and has chips must answer."""
    me = s[WHO]
    s[PAST] = mix(s[PAST], RAISED + to)
    pay(game, s, to - bet_of(game, s, me))
    s[RAISE] = max(s[RAISE], s[paid(game) + me] - s[HIGH])
    s[HIGH] = s[paid(game) + me]
    s[RAISES] += 1
    s[STATUS] = s[STATUS] & ~(SEATS << WAITING) | seats_to_answer(game, s, me) << WAITING


@compiled_function
def pay(game, s, chips):
    s[paid(game) + s[WHO]] += chips
    s[left(game) + s[WHO]] -= chips


@compiled_function
def go_on(game, s):
    """Ask the next player; after the last one the street is over, and with one player left the hand."""
    me = s[WHO]
    s[STATUS] = (s[STATUS] | 1 << ACTED + me) & ~(1 << WAITING + me)
    waiting = s[STATUS] >> WAITING & SEATS
    if active(game, s) == 1:
        s[WHO] = OVER
    elif waiting == 0:
        end_street(game, s)
    else:
        s[WHO] = next_waiting(game, waiting, me)
