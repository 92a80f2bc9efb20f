"""A hand of Hold'em as a viewer sees it: the facts, and the words that are made of them."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from ruse.games.holdem.betting.menus import nth_raise
from ruse.games.holdem.betting.paying import bet_of, most_to, pot_of, to_call
from ruse.games.holdem.betting.pots import chips_won, strength_in
from ruse.games.holdem.cards import NAMES
from ruse.games.holdem.hands.words import words_of
from ruse.games.holdem.row import (
    BOARD,
    BOARD_CARDS,
    DEALT,
    HANDS,
    HIGH,
    LEVEL,
    PAST,
    WHO,
    active,
    board_size,
    card_at,
    has_folded,
    left,
    street_of,
)
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Game, Row
from ruse.protocol.scene import Event, Scene, Zone
from ruse.protocol.state import State

Columns: TypeAlias = Row | Sequence[int]  # a row, or the same as a list
STREETS = ("preflop", "flop", "turn", "river")


def seen(game: Game, state: State, viewer: int) -> Scene:
    """Own cards, the board, chips and bets, and what was done street by street.

    The cards of the others are seen at a showdown. Without the history a number stands for the bets that were made.
    """
    s, seats = state.row.tolist(), range(game.players)  # plain numbers are quicker
    if s[DEALT] < 2 * game.players:
        return dealing(game, s, viewer)
    zones = [hand(game, s, p, viewer) for p in seats]
    numbers: dict[str, tuple[float, ...]] = {
        "pot": (in_blinds(game, pot_of(game, s)),),
        "bets": tuple(in_blinds(game, bet_of(game, s, p)) for p in seats),
        "stacks": tuple(in_blinds(game, s[left(game) + p]) for p in seats),
    }
    facts = {"street": STREETS[street_of(game, s)]}
    if s[WHO] >= 0 and viewer in (EVERYTHING, s[WHO]):
        cost = min(to_call(game, s, s[WHO]), s[left(game) + s[WHO]])
        numbers["to call"] = (in_blinds(game, cost),)
    if s[WHO] == OVER:
        facts["end"] = ending(game, s, viewer)
    past = streets_of(game, state.history)
    events = tuple(event for street in past for event in street)
    if not state.history and s[PAST] != 0:
        facts["past"] = f"#{int(s[PAST]) & 0xFFFFFFFFFFFFFFFF:x}"
    board = board_names(game, s) if viewer == EVERYTHING else turned_up(game, s)
    zones.append(Zone("board", shown=tuple(board)))
    scene = Scene(viewer, s[WHO], "", tuple(zones), numbers, events, facts=facts)
    return scene._replace(words=" | ".join(words(past, scene)))


def dealing(game: Game, s: Columns, viewer: int) -> Scene:
    """Nothing is seen while hands are dealt: which of two cards came first means nothing."""
    if viewer != EVERYTHING:
        return Scene(viewer, CHANCE, "dealing")
    hands = tuple(Zone("hand", p, tuple(hand_names(s, p))) for p in range(game.players))
    cards = " / ".join(" ".join(zone.shown) or "no cards" for zone in hands)
    return Scene(viewer, CHANCE, f"dealing: {cards}", hands)


def hand(game: Game, s: Columns, p: int, viewer: int) -> Zone:
    names = hand_names(s, p)
    is_shown = s[WHO] == OVER and active(game, s) > 1 and not has_folded(s, p)
    return (
        Zone("hand", p, tuple(names)) if viewer in (p, EVERYTHING) or is_shown else Zone("hand", p, hidden=len(names))
    )


def hand_names(s: Columns, p: int) -> list[str]:
    """A seat's cards, as far as they are dealt."""
    count = min(max(int(s[DEALT]) - 2 * p, 0), 2)
    return [NAMES[card_at(s[HANDS + p], k)] for k in range(count)]


def board_names(game: Game, s: Columns) -> list[str]:
    return [NAMES[card_at(s[BOARD], k)] for k in range(board_size(game, s))]


def turned_up(game: Game, s: Columns) -> list[str]:
    """The board as players see it: three cards of the flop at once."""
    return board_names(game, s) if board_size(game, s) >= 3 else []


# ---- what has happened -----------------------------------------------------------------------------------------------


def streets_of(game: Game, history: Sequence[int]) -> list[list[Event]]:
    """What was done, street by street, told from the way to a state."""
    found: list[list[Event]] = [[]]
    now = game.start().tolist()
    for a in history:
        who, street = now[WHO], street_of(game, now)
        if who != CHANCE:
            found[-1].append(Event(who, move_name(game, now, a)))
        game.apply(now, a)
        if street_of(game, now) > street:
            cards = turned_up(game, now)
            found.append([Event(CHANCE, f"{STREETS[len(found)]} {' '.join(cards[0 if len(cards) == 3 else -1 :])}")])
    return found


def move_name(game: Game, s: Columns, a: int) -> str:
    """An action: fold, check, call, bet 3bb, raise 6bb, all-in."""
    faces_bet = to_call(game, s, s[WHO]) > 0
    move = int(a) + (not faces_bet)
    if move < 2:
        return ("fold", "call" if faces_bet else "check")[move]
    to = nth_raise(game, s, move - 2)
    if to == most_to(game, s):
        return "all-in"
    return f"{'raise' if s[HIGH] > s[LEVEL] else 'bet'} {blinds_text(game, to)}"


def in_blinds(game: Any, chips: int) -> float:
    of_one: int = game.chips
    return int(chips) / of_one


def blinds_text(game: Game, chips: int) -> str:
    return f"{in_blinds(game, chips):.10g}bb"


# ---- words -----------------------------------------------------------------------------------------------------------


def words(past: list[list[Event]], scene: Scene) -> list[str]:
    """The parts of a line: As Kd | Qs Jh 2h | raise 3bb, call / check."""
    hands = scene.zones[:-1] if scene.viewer == EVERYTHING else scene.zones[scene.viewer : scene.viewer + 1]
    moves = [[event.what for event in street if event.player != CHANCE] for street in past]
    while moves and not moves[-1]:
        moves.pop()
    told = " / ".join(", ".join(street) or "-" for street in moves)
    bets = [f"... {scene.facts['past']}"] if "past" in scene.facts else [told] if told else []
    end = [scene.facts["end"]] if "end" in scene.facts else []
    cards = " / ".join(" ".join(zone.shown) for zone in hands)
    return [cards, " ".join(scene.zones[-1].shown) or "no board", *bets, *end]


def ending(game: Game, s: Columns, viewer: int) -> str:
    """As in: player 1 wins 4bb with a pair of queens."""
    told = []
    for p in range(game.players):
        won = chips_won(game, s, p)
        if won > 0:
            shows = board_size(game, s) == BOARD_CARDS and active(game, s) > 1
            what = f" with {words_of(int(strength_in(s, p)))}" if shows else ""
            who = "you win" if p == viewer else f"player {p} wins"
            told.append(f"{who} {blinds_text(game, won)}{what}")
    return "; ".join(told)
