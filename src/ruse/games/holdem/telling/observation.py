"""What a player of Hold'em sees, as numbers: for bots. Amounts are in chips, bets are those of this street.

| offset | how many | what |
|---|---|---|
| OWN | 2 | own cards, the higher first; -1 before they are dealt |
| SEEN_BOARD | 5 | the board; -1 for cards to come |
| SEEN_STREET | 1 | 0 before the flop, 1 on it, 2 on the turn, 3 on the river |
| ACTING | 1 | who is to act, -1 while cards are dealt, -2 at the end |
| POT | 1 | all that is in the middle |
| CALL | 1 | what a call would cost this player |
| SEEN_RAISES | 1 | bets and raises on this street |
| SEEN_BETS | 6 | what each seat has bet; 0 where nobody sits |
| SEEN_LEFT | 6 | what each seat has left |
| SEEN_IN | 6 | 1 for a seat that is in, 0 for one that has folded or is not there |
| COUNT | 1 | how many actions this player has now; 0 if it is not his turn |
| LEGAL | 12 | what the bet comes to by each action, a fold being FOLDS; NONE where there is none; the first 12 |
"""

from ruse.compile import compiled_function
from ruse.games.holdem.betting.menus import nth_raise, raises_in
from ruse.games.holdem.betting.paying import bet_of, pot_of, to_call
from ruse.games.holdem.row import (
    BOARD,
    BOARD_CARDS,
    HANDS,
    MOST,
    RAISES,
    WHO,
    board_size,
    card_at,
    has_folded,
    left,
    street_of,
)

OWN, SEEN_BOARD, SEEN_STREET, ACTING, POT, CALL, SEEN_RAISES, SEEN_BETS = 0, 2, 7, 8, 9, 10, 11, 12
SEEN_LEFT, SEEN_IN, COUNT, LEGAL = (
    SEEN_BETS + MOST,
    SEEN_BETS + 2 * MOST,
    SEEN_BETS + 3 * MOST,
    SEEN_BETS + 3 * MOST + 1,
)
MOST_SHOWN, FLOP = 12, 3
FOLDS, NONE = -1, -2  # in LEGAL


@compiled_function
def see_cards(game, s, me, out):
    """Own cards and the board. Hands and the flop are seen when all of it is dealt: the order means nothing."""
    size = board_size(game, s)
    has_hand, size = size >= 0, size if size >= FLOP else 0
    out[OWN] = card_at(s[HANDS + me], 0) if has_hand else -1
    out[OWN + 1] = card_at(s[HANDS + me], 1) if has_hand else -1
    for b in range(BOARD_CARDS):
        out[SEEN_BOARD + b] = card_at(s[BOARD], b) if b < size else -1


@compiled_function
def see_table(game, s, me, out):
    """Chips, who is in, and what may be done."""
    out[SEEN_STREET], out[ACTING], out[POT] = street_of(game, s), s[WHO], pot_of(game, s)
    out[CALL], out[SEEN_RAISES] = min(to_call(game, s, me), s[left(game) + me]), s[RAISES]
    for p in range(MOST):
        is_there = p < game.players
        out[SEEN_BETS + p] = bet_of(game, s, p) if is_there else 0
        out[SEEN_LEFT + p] = s[left(game) + p] if is_there else 0
        out[SEEN_IN + p] = 1 - has_folded(s, p) if is_there else 0
    raises = raises_in(game, s) if s[WHO] == me else 0
    folds = 1 if s[WHO] == me and to_call(game, s, me) > 0 else 0
    out[COUNT] = folds + 1 + raises if s[WHO] == me else 0
    for a in range(MOST_SHOWN):
        out[LEGAL + a] = NONE
        if s[WHO] == me and a < folds:
            out[LEGAL + a] = FOLDS
        elif s[WHO] == me and a == folds:
            out[LEGAL + a] = bet_of(game, s, me) + out[CALL]
        elif a - folds - 1 < raises:
            out[LEGAL + a] = nth_raise(game, s, a - folds - 1)
