"""Hands as PHH has them: TOML, with actions such as `p1 cbr 300`. Players are counted from the left of the button."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ruse.errors import RuseError
from ruse.games.holdem.betting.menus import nth_raise
from ruse.games.holdem.betting.paying import to_call
from ruse.games.holdem.betting.pots import chips_won
from ruse.games.holdem.cards import NAMES
from ruse.games.holdem.row import WHO, active, board_size, has_folded, left
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.telling.words import hand_names
from ruse.games.holdem.turn import next_card
from ruse.protocol.game import CHANCE, Row
from ruse.protocol.played import Played
from ruse.protocol.state import State


def seats_in_order(game: Holdem) -> list[int]:
    """Seats from the left of the button on: p1, p2, ..."""
    return [*range(1, game.players), 0]


def write(hands: Sequence[Played]) -> str:
    """One hand, or several of them under their numbers."""
    texts = ["".join(f"{key} = {value}\n" for key, value in phh_fields(hand)) for hand in hands]
    if len(texts) == 1:
        return texts[0]
    return "\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts, 1))


def phh_fields(hand: Played) -> Iterator[tuple[str, str]]:
    game: Any = hand.game
    if game.streets < 4:
        raise RuseError(f"a hand with bets on {game.streets} streets cannot be told in PHH, which has bets on all four")
    order, chips = seats_in_order(game), game.chips
    yield "variant", toml("FT" if game.limit else "NT")
    yield "ante_trimming_status", toml(not game.big_ante)
    # With two players PHH lists what the button pays first, although it is the last to sit there.
    big = 1  # the place of the big blind in these lists
    antes = [round(game.big_ante * chips) * (k == big) for k in range(game.players)]
    yield "antes", toml(antes if game.big_ante else [round(game.ante * chips)] * game.players)
    yield "blinds_or_straddles", toml([round(game.small * chips), chips] + [0] * (game.players - 2))
    if game.limit:
        yield "small_bet", toml(chips)
        yield "big_bet", toml(2 * chips)
    else:
        yield "min_bet", toml(chips)
    yield "starting_stacks", toml([round((game.stacks[p] or game.stack) * chips) for p in order])
    actions, end = actions_of(hand)
    yield "actions", toml(actions)
    yield "players", toml([hand.names[p] for p in order])
    if end.is_over:
        yield "finishing_stacks", toml(stacks_after(game, end.row))


def stacks_after(game: Any, s: Row) -> list[int]:
    """What each has in the end, in chips, in the order of a hand history."""
    return [int(s[left(game) + p] + chips_won(game, s, p)) for p in seats_in_order(game)]


def actions_of(hand: Played) -> tuple[list[str], State]:
    """What was done, in PHH's words, and the state that it led to. Who is all-in shows before the board is dealt."""
    game: Any = hand.game
    place = {p: f"p{k}" for k, p in enumerate(seats_in_order(game), 1)}
    state, told, cards, has_shown = State.of(game), list[str](), list[str](), False  # cards not told yet
    for a in hand.history:
        s = state.row
        if s[WHO] != CHANCE:
            told.append(f"{place[int(s[WHO])]} {move_words(game, s, a)}")
            state = state.child(a)
            continue
        size = board_size(game, s)
        if size >= 0 and not has_shown and sum(s[left(game) + p] > 0 and not has_folded(s, p) for p in place) <= 1:
            told += shown(s, place)
            has_shown = True
        cards.append(NAMES[next_card(s, a)])
        state = state.child(a)
        if size == -1:
            told += [f"d dh {name} {''.join(cards[2 * p : 2 * p + 2])}" for p, name in place.items()]
            cards = []
        if size >= 2:
            told.append(f"d db {''.join(cards)}")
            cards = []
    if state.is_over and active(game, state.row) > 1 and not has_shown:
        told += shown(state.row, place)
    return told, state


def shown(s: Row, place: dict[int, str]) -> list[str]:
    return [f"{name} sm {''.join(hand_names(s, p))}" for p, name in place.items() if not has_folded(s, p)]


def move_words(game: Holdem, s: Row, a: int) -> str:
    to = raise_of(game, s, a)
    return ("f", "cc")[a + (to_call(game, s, s[WHO]) <= 0)] if to is None else f"cbr {to}"


def raise_of(game: Holdem, s: Row, a: int) -> int | None:
    """What the bet comes to by an action, if that is a raise."""
    if s[WHO] == CHANCE:
        return None
    move = a + (to_call(game, s, s[WHO]) <= 0)
    return int(nth_raise(game, s, move - 2)) if move >= 2 else None


def toml(value: Any) -> str:
    """A value as TOML writes it, which for these kinds is as JSON does."""
    return json.dumps(value)
