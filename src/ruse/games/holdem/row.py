"""The row of a hand: what its columns mean, and what is packed into them.

| column | what it holds |
|---|---|
| WHO | what `player()` answers |
| OUT | the cards that are dealt, a bit each |
| DEALT | how many they are: two for each seat, seat by seat, then the board |
| BOARD | six bits a card, the flop from its highest card on, then turn and river |
| HIGH | the most that anybody has paid, which is what a call comes to |
| LEVEL | the same when this street began: what a player has paid above it is the bet on this street |
| RAISE | the least by which a bet may be raised, but for a player who goes all-in |
| RAISES | bets and raises on this street; blinds are none |
| STATUS | a bit for each seat, in three blocks: who has folded, who is still to act, who has acted on this street |
| OPTIONS | which sizes of the menu may be bet, a bit each (`menus.py`) |
| PAST | a hash of all bets, calls and folds |
| HANDS + p | two cards, six bits each, the higher first; above them the strength, once the board is full |
| PAID + p | chips in the pot, antes too, but for the ante that the big blind pays for all |
| LEFT + p | chips that are not |

Seat 0 is the button. The blinds sit on its left, seats 1 and 2; of two players the button is the small blind.
"""

from ruse.compile import compiled_function
from ruse.games.bits import ones_in

WHO, OUT, DEALT, BOARD, HIGH, LEVEL, RAISE, RAISES, STATUS, OPTIONS, PAST, HANDS = range(12)
FEWEST, MOST = 2, 6  # seats
FOLDED, WAITING, ACTED = 0, MOST, 2 * MOST  # blocks of STATUS
SEATS = (1 << MOST) - 1
CARD = 6  # bits
DECK = (1 << 52) - 1
BOARD_CARDS = 5


@compiled_function
def paid(game):
    """The first of the columns PAID."""
    return HANDS + game.players


@compiled_function
def left(game):
    """The first of the columns LEFT."""
    return HANDS + 2 * game.players


@compiled_function
def board_size(game, s):
    """How many cards lie on the board; negative while hands are dealt."""
    return s[DEALT] - 2 * game.players


@compiled_function
def street_of(game, s):
    """0 before the flop, 1 on it, 2 on the turn, 3 on the river."""
    return max(board_size(game, s) - 2, 0)


@compiled_function
def has_folded(s, p):
    return s[STATUS] >> p & 1


@compiled_function
def active(game, s):
    """How many have not folded."""
    return game.players - ones_in(s[STATUS] & SEATS)


@compiled_function
def big_blind_seat(game):
    return 1 if game.players == 2 else 2


@compiled_function
def card_at(cards, k):
    """The k-th of packed cards."""
    return cards >> CARD * k & ((1 << CARD) - 1)
