"""Hold'em as it is told at the table: each event as it happens, and what lies there when it is one's turn.

`viewer` is a seat, or None for what everybody may hear. A seat is told what it sees, and nothing else.
"""

from typing import TYPE_CHECKING

from ruse.games.holdem.betting.paying import bet_of, pot_of, to_call
from ruse.games.holdem.cards import NAMES
from ruse.games.holdem.hands.tables import hand_ranks, strength_of
from ruse.games.holdem.hands.words import words_of
from ruse.games.holdem.row import (
    BOARD,
    DEALT,
    HANDS,
    LEVEL,
    WHO,
    active,
    big_blind_seat,
    board_size,
    card_at,
    has_folded,
    left,
    paid,
)
from ruse.games.holdem.telling.words import STREETS, blinds_text, ending, hand_names, move_name, turned_up
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Row
from ruse.protocol.scene import Scene
from ruse.protocol.state import State

if TYPE_CHECKING:
    from ruse.games.holdem.rules import Holdem

HELP = """\
Each player has two cards of his own, and five lie on the board for all: three at once (the flop), then one (the turn),
then one more (the river). Before each of them and at the end you may check, bet, call, raise or fold. The best five of
your seven cards win. Amounts are in big blinds (bb), and a raise is told by what your bet comes to on this street."""

# What a terminal may show in place of a name: a symbol, and a colour.
SUITS = {"c": ("\N{BLACK CLUB SUIT}", "green"), "d": ("\N{BLACK DIAMOND SUIT}", "cyan"),
         "h": ("\N{BLACK HEART SUIT}", "red"), "s": ("\N{BLACK SPADE SUIT}", "bold")}  # fmt: skip
FACES = {name: (name[0] + SUITS[name[1]][0], SUITS[name[1]][1]) for name in NAMES}


def told(game: "Holdem", before: Row, a: int, after: Row, viewer: int | None) -> list[str]:
    """What the viewer hears when action or outcome a has led from one state to the next."""
    if before[WHO] == CHANCE:
        lines = told_of_deal(game, after, viewer)
    else:
        lines = [told_of_move(game, before, a, after, viewer)]
    return lines + (told_of_end(game, after, viewer) if after[WHO] == OVER else [])


def told_of_deal(game: "Holdem", s: Row, viewer: int | None) -> list[str]:
    size = board_size(game, s)
    if size == 0:
        cards = "the cards are dealt" if viewer is None else f"you are dealt {' '.join(hand_names(s, viewer))}"
        return [f"{blinds_words(game, s, viewer)}; {cards}"]
    if size < 3:
        return []
    board = turned_up(game, s)
    return [f"the {STREETS[size - 2]}: {' '.join(board[0 if size == 3 else -1 :])}"]


def blinds_words(game: "Holdem", s: Row, viewer: int | None) -> str:
    """Who has paid what before the cards."""
    big = big_blind_seat(game)
    blinds = [(p, blinds_text(game, bet_of(game, s, p))) for p in (big - 1, big) if bet_of(game, s, p) > 0]
    posts = " and ".join(f"{verb(p, viewer, 'post', 'posts')} {amount}" for p, amount in blinds)
    antes = f"antes of {game.ante:g}bb, " * (game.ante > 0) + f"an ante of {game.big_ante:g}bb, " * (game.big_ante > 0)
    return f"{antes}{posts or 'no blinds'}"


def told_of_move(game: "Holdem", before: Row, a: int, after: Row, viewer: int | None) -> str:
    who, name = int(before[WHO]), move_name(game, before, a)
    what, _, amount = name.partition(" ")
    if what == "all-in":
        bet = blinds_text(game, after[paid(game) + who] - before[LEVEL])
        return f"{verb(who, viewer, 'go', 'goes')} all-in for {bet}"
    if what == "raise":
        return f"{verb(who, viewer, 'raise', 'raises')} to {amount}"
    if what == "call":
        cost = blinds_text(game, after[paid(game) + who] - before[paid(game) + who])
        return f"{verb(who, viewer, 'call', 'calls')} {cost}{', all-in' if after[left(game) + who] == 0 else ''}"
    return f"{verb(who, viewer, what, what + 's')}{' ' * bool(amount)}{amount}"


def told_of_end(game: "Holdem", s: Row, viewer: int | None) -> list[str]:
    shows = []
    if active(game, s) > 1:
        shows = [
            f"player {p} shows {' '.join(hand_names(s, p))}: {words_of(int(s[HANDS + p]) >> 12)}"
            for p in range(game.players)
            if not has_folded(s, p) and p != viewer
        ]
    return [*shows, ending(game, s, -1 if viewer is None else viewer)]


# ---- what lies there -------------------------------------------------------------------------------------------------


def shown(state: State, viewer: int) -> list[str]:
    """What lies on the table when it is the viewer's turn, and what is asked."""
    game: Holdem = state.game  # type: ignore[assignment]
    s, scene = state.row, game.scene(state, viewer)
    cost = min(to_call(game, s, viewer), s[left(game) + viewer])
    asks = "Check or raise?" if bet_of(game, s, viewer) > 0 else "Check or bet?"  # the big blind is a bet
    asks = f"It costs {blinds_text(game, cost)} to call. What do you do?" if cost > 0 else asks
    return [*laid(game, s, scene), asks]


def everything(state: State) -> list[str]:
    """All that lies anywhere, for those from whom nothing is hidden."""
    game: Holdem = state.game  # type: ignore[assignment]
    scene = game.scene(state, EVERYTHING)
    return laid(game, state.row, scene) if state.row[DEALT] >= 2 * game.players else [scene.words]


def laid(game: "Holdem", s: Row, scene: Scene) -> list[str]:
    """The board and the pot, then a line for each seat; a viewer's own comes last."""
    board = " ".join(scene.zones[-1].shown) or "no cards yet"
    seats = [p for p in range(game.players) if p != scene.viewer] + [scene.viewer] * (scene.viewer >= 0)
    lines = [f"  {'board':<9}  {board}   pot {blinds_text(game, pot_of(game, s))}"]
    for p in seats:
        cards = " ".join(scene.zones[p].shown) or "two cards"
        bet = bet_of(game, s, p)
        notes = [f"{blinds_text(game, s[left(game) + p])} left"]
        notes += [f"bet {blinds_text(game, bet)}"] if bet > 0 and s[WHO] != OVER else []
        notes += ["folded"] if has_folded(s, p) else ["all-in"] if s[left(game) + p] == 0 else []
        made = f"   ({made_words(game, s, p)})" if p == scene.viewer and board_size(game, s) >= 3 else ""
        head = ("you" if p == scene.viewer else f"player {p}") + " *" * (p == 0)
        lines.append(f"  {head:<10} {cards:<9}  {', '.join(notes)}{made}")
    return [*lines, "  (* the button)"]


def made_words(game: "Holdem", s: Row, p: int) -> str:
    """What a seat's cards make with the board so far."""
    cards = [card_at(s[HANDS + p], k) for k in range(2)] + [card_at(s[BOARD], k) for k in range(board_size(game, s))]
    return words_of(int(strength_of(hand_ranks(), cards)))


# ---- words -----------------------------------------------------------------------------------------------------------


def seat_name(seat: int, viewer: int | None) -> str:
    return "you" if seat == viewer else f"player {seat}"


def verb(seat: int, viewer: int | None, mine: str, others: str) -> str:
    return f"{seat_name(seat, viewer)} {mine if seat == viewer else others}"
