"""Hands from PHH: each is played again by the rules, and what they do not allow is refused with its place.

Amounts may have a point; a chip is 1, or the last place behind the point. The menus of the game have the bets that were
made where any were, or bets of any size where those are too many.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from ruse.errors import FileTrouble, RuseError
from ruse.games.holdem.betting.menus import menu, nth_raise, raises_in
from ruse.games.holdem.betting.paying import highest_to, least_to, may_raise, to_call
from ruse.games.holdem.cards import NAMES, cards_named
from ruse.games.holdem.fields import NAMED, Stacks
from ruse.games.holdem.records.writing import raise_of, seats_in_order, stacks_after
from ruse.games.holdem.row import FEWEST, MOST, OUT, RAISES, WHO, board_size, street_of
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.telling.words import STREETS, hand_names
from ruse.protocol.game import CHANCE, Game
from ruse.protocol.played import Played
from ruse.protocol.state import State

MENUS = tuple(name for name, value in NAMED["any"].items() if name != "all_in_from")
VARIANTS = {"NT": "no-limit Texas Hold'em", "FT": "limit Texas Hold'em"}
LONGEST_ACTION = 200  # characters


def begins(head: str) -> bool:
    """Whether a text that starts like this is in PHH."""
    return re.search(r"^\s*variant\s*=\s*[\"']", head, re.MULTILINE) is not None


def read(text: str, source: str, game: Game | None) -> Iterator[Played]:
    """The hands of a text; if a game is named, its menus must have their bets."""
    try:
        found = tomllib.loads(text, parse_float=number)
    except (RecursionError, ValueError) as error:
        raise FileTrouble(f"{source} is no PHH: {str(error) or 'it is too deep'}") from error
    hands = {"": found} if "variant" in found else {f", hand {name}": hand for name, hand in found.items()}
    for where, hand in hands.items():
        try:
            yield hand_from(hand, game)
        except (RuseError, ValueError, OverflowError) as error:
            raise FileTrouble(f"{source}{where}: {error}") from error


def hand_from(hand: Any, asked: Game | None) -> Played:
    if not isinstance(hand, dict):
        raise RuseError(f"a hand is a table of fields, got {hand!r:.80}")
    game, unit = game_from(hand)
    names = field(hand, "players", list, [f"p{k}" for k in range(1, game.players + 1)])
    if len(names) != game.players:
        raise RuseError(f"'players' must have {game.players} names, and has {len(names)}")
    by_seat = dict(zip(seats_in_order(game), map(str, names), strict=True))
    state = State.of(game)
    cards, moves = sorted_actions(field(hand, "actions", list), game)
    for held in cards:
        for card in held:
            state = state.child(outcome(state, card))
    for place, words in moves:
        try:
            state = followed(state, words, unit)
        except RuseError as error:
            raise RuseError(f"action {place}, {' '.join(words)!r}: {error}") from error
    refuse_other_end(hand, state, unit)
    kept = with_bets(game, state.history) if asked is None else fitting(asked, game)
    return Played(kept, translated(game, state.history, kept), tuple(by_seat[p] for p in range(game.players)))


def refuse_other_end(hand: Mapping[str, Any], state: State, unit: Fraction) -> None:
    """Raise if the stacks that a hand says it ended with are not those that it leads to."""
    if "finishing_stacks" not in hand or not state.is_over:
        return
    game: Any = state.game
    told = amounts(hand, "finishing_stacks", game.players)
    found = [stack * unit for stack in stacks_after(game, state.row)]
    if any(abs(a - b) > unit for a, b in zip(told, found, strict=True)):  # others may split a pot into smaller chips
        raise RuseError(f"'finishing_stacks' says {as_text(told)}, and the actions lead to {as_text(found)}")


def as_text(values: Iterable[Fraction]) -> str:
    return ", ".join(f"{float(value):g}" for value in values)


# ---- menus -----------------------------------------------------------------------------------------------------------


def with_bets(game: Holdem, history: tuple[int, ...]) -> Holdem:
    """The same game with menus of the bets that were made, if menus can hold them."""
    made: dict[str, list[str]] = {}
    state = State.of(game)
    for a in history:
        if (to := raise_of(game, state.row, a)) is not None:
            street, is_first = int(street_of(game, state.row)), state.row[RAISES] == 0
            name = ("open" if is_first else "reraise") if street == 0 else STREETS[street]
            name += ("_bets" if is_first else "_raises") if street > 0 else ""
            sizes = made.setdefault(name, [])
            sizes += [f"{to}c"] if f"{to}c" not in sizes else []
        state = state.child(a)
    try:
        menus = {name: menu("/".join(sizes)) for name, sizes in made.items()}
    except RuseError:  # too many, or too large
        return game
    usual = {name: Holdem._field_defaults[name] for name in MENUS}
    return game if game.limit else game._replace(**(usual | menus))


def translated(game: Holdem, history: tuple[int, ...], other: Holdem) -> tuple[int, ...]:
    """The same actions in a game with other menus."""
    if other == game:
        return history
    here, there = State.of(game), State.of(other)
    for a in history:
        to, b = raise_of(game, here.row, a), a
        if to is not None:
            offers = [nth_raise(other, there.row, k) for k in range(raises_in(other, there.row))]
            if to not in offers:
                raise RuseError(
                    f"the game that was named offers no bet of {to} chips; leave it out for bets of any size"
                )
            b = there.num_actions - len(offers) + offers.index(to)
        here, there = here.child(a), there.child(b)
    return there.history


# ---- fields ----------------------------------------------------------------------------------------------------------


def field(hand: Mapping[str, Any], name: str, kind: type, default: Any = ...) -> Any:
    value = hand.get(name, default)
    if value is ...:
        raise RuseError(f"{name!r} is missing")
    if not isinstance(value, kind):
        what = {list: "a list", str: "a text", bool: "true or false"}[kind]
        raise RuseError(f"{name!r} must be {what}, got {value!r:.80}")
    return value


def amount(value: Any, name: str) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or value < 0:
        raise RuseError(f"{name!r} must have amounts from 0 on, got {value!r:.80}")
    return Fraction(value)


def amounts(hand: Mapping[str, Any], name: str, count: int | None = None) -> list[Fraction]:
    values = [amount(value, name) for value in field(hand, name, list)]
    if count is not None and len(values) != count:
        raise RuseError(f"{name!r} must have {count} amounts, one for each stack, and has {len(values)}")
    return values


def number(text: str) -> Fraction:
    """A number with a point, exactly."""
    if not re.fullmatch(r"\+?\d{1,20}(\.\d{1,10})?", text):
        raise ValueError(f"{text[:80]!r} is no amount")
    return Fraction(text)


def game_from(hand: Mapping[str, Any]) -> tuple[Holdem, Fraction]:
    """The game, with bets of any size, and what a chip of it is worth in the hand's amounts."""
    if (variant := field(hand, "variant", str)) not in VARIANTS:
        known = " and ".join(f"{name} ({words})" for name, words in VARIANTS.items())
        raise RuseError(f"variant {variant!r} is not among those that can be read, {known}")
    stacks = amounts(hand, "starting_stacks")
    players, limit = len(stacks), variant == "FT"
    if not FEWEST <= players <= MOST:
        raise RuseError(f"a hand for {FEWEST} to {MOST} players can be read, and this has {players}")
    antes, blinds = amounts(hand, "antes", players), amounts(hand, "blinds_or_straddles", players)
    small, big = blinds[:2]
    if any(blinds[2:]):
        raise RuseError("'blinds_or_straddles' has more than two blinds; straddles cannot be read")
    if not 0 <= small <= big or big == 0:
        raise RuseError(f"the small blind must be at most the big blind, got {float(small):g} and {float(big):g}")
    for name, expected in (("small_bet", big), ("big_bet", 2 * big)) if limit else (("min_bet", big),):
        if amount(hand.get(name, expected), name) != expected:
            raise RuseError(f"{name!r} must be {float(expected):g} where the big blind is {float(big):g}")
    for_all = antes[1] if players > 1 and not any(antes[:1] + antes[2:]) else Fraction(0)
    if not for_all and len(set(antes)) > 1:
        raise RuseError("'antes' must be the same for all, or of the big blind alone")
    refuse_other_antes(hand, stacks, antes, for_all)
    bets = re.findall(r"\bcbr\s+(\d+\.\d{1,10})\b", " ".join(map(str, field(hand, "actions", list))))
    unit = chip_of([*stacks, *antes, *blinds, *map(number, bets)])
    same = len(set(stacks)) == 1
    game = Holdem(
        players=players, stack=float(stacks[0] / big), small=float(small / big),
        stacks=Stacks() if same else Stacks(*(float(stacks[p - 1] / big) for p in range(players))),
        ante=0.0 if for_all else float(antes[0] / big), big_ante=float(for_all / big),
        chips=int(big / unit), limit=limit, **({} if limit else NAMED["any"]),
    )  # fmt: skip
    game.start()
    return game, unit


def chip_of(values: list[Fraction]) -> Fraction:
    """1, or the last place behind the point that any of these has."""
    unit = Fraction(1)
    while any((value / unit).denominator > 1 for value in values):
        unit /= 10
    return unit


def refuse_other_antes(
    hand: Mapping[str, Any], stacks: list[Fraction], antes: list[Fraction], for_all: Fraction
) -> None:
    """Raise if antes that are not paid in full would be divided otherwise than here."""
    trims = field(hand, "ante_trimming_status", bool, False)
    if for_all and trims:
        raise RuseError("'ante_trimming_status' must be false where the big blind pays the ante for all")
    if not for_all and not trims and any(stack < ante for stack, ante in zip(stacks, antes, strict=True)):
        raise RuseError("'ante_trimming_status' must be true where a stack is smaller than the ante")


def fitting(asked: Any, game: Holdem) -> Holdem:
    """The game that a person has named, if its blinds and stacks are those of the hand."""
    if not isinstance(asked, Holdem):
        raise RuseError(f"the hand is of Holdem, not of {type(asked).__name__}")
    for name in ("players", "chips", "small", "ante", "big_ante", "limit"):
        if getattr(asked, name) != getattr(game, name):
            told = f"{getattr(game, name)}, and the game that was named has {getattr(asked, name)}"
            raise RuseError(f"the hand has {name} {told}; name another, or none")
    if stacks_of(asked) != stacks_of(game):
        raise RuseError("the hand has other stacks than the game that was named; name another, or none")
    return asked


def stacks_of(game: Holdem) -> list[float]:
    return [game.stacks[p] or game.stack for p in range(game.players)]


# ---- actions ---------------------------------------------------------------------------------------------------------


def sorted_actions(actions: list[Any], game: Holdem) -> tuple[list[list[int]], list[tuple[int, list[str]]]]:
    """The cards of each seat, and all other actions in words with their places, from 1 on."""
    hands: list[list[int]] = [[] for _ in range(game.players)]
    moves = []
    for place, action in enumerate(actions, 1):
        if not isinstance(action, str):
            raise RuseError(f"action {place} must be a text, got {action!r:.80}")
        words = action[:LONGEST_ACTION].split("#")[0].split()
        if words[:2] == ["d", "dh"] and len(words) == 4:
            try:
                hands[seat(words[2], game)] += known_cards(words[3])
            except RuseError as error:
                raise RuseError(f"action {place}, {' '.join(words)!r}: {error}") from error
        elif words:
            moves.append((place, words))
    for k, p in enumerate(seats_in_order(game), 1):
        if len(hands[p]) != 2:
            raise RuseError(f"p{k} must be dealt two cards, and gets {len(hands[p])}")
    return hands, moves


def seat(word: str, game: Holdem) -> int:
    if not re.fullmatch(r"p[1-9]", word) or int(word[1:]) > game.players:
        raise RuseError(f"there is no player {word!r}; there is p1 to p{game.players}")
    return seats_in_order(game)[int(word[1:]) - 1]


def known_cards(text: str) -> list[int]:
    if "?" in text:
        raise RuseError("cards that nobody knows cannot be read; all must be told")
    return cards_named(text)


def followed(state: State, words: list[str], unit: Fraction) -> State:
    """The state after an action, in PHH's words."""
    game: Any = state.game
    s, what = state.row, words[1] if len(words) > 1 else ""
    if words[:2] == ["d", "db"] and len(words) == 3:
        return dealt(state, known_cards(words[2]))
    if what == "sm" and len(words) <= 3:
        p = seat(words[0], game)
        if len(words) == 3 and words[2] != "-" and sorted(cards_named(words[2])) != sorted(cards_of(s, p)):
            raise RuseError(f"{words[0]} was dealt {' '.join(hand_names(s, p))}")
        return state
    if what not in ("f", "cc", "cbr") or len(words) != (3 if what == "cbr" else 2):
        raise RuseError("it is no action of Hold'em; there is d dh, d db, f, cc, cbr and sm")
    p = seat(words[0], game)
    if s[WHO] != p:
        raise RuseError(f"it is not the turn of {words[0]}: {turn_words(game, s)}")
    call = int(to_call(game, s, p))
    if what == "f":
        if call <= 0:
            raise RuseError("there is nothing to call, so that nobody folds")
        return state.child(0)
    return state.child(int(call > 0) + (0 if what == "cc" else 1 + raise_number(game, s, words[2], unit)))


def cards_of(s: Any, p: int) -> list[int]:
    return [NAMES.index(name) for name in hand_names(s, p)]


def turn_words(game: Holdem, s: Any) -> str:
    if s[WHO] == CHANCE:
        return f"the {STREETS[min(int(street_of(game, s)) + 1, 3)]} is to be dealt"
    return f"p{seats_in_order(game).index(int(s[WHO])) + 1} is to act" if s[WHO] >= 0 else "the hand is over"


def dealt(state: State, cards: list[int]) -> State:
    """The state after cards of the board, a street at a time."""
    game: Any = state.game
    if not state.is_chance:
        raise RuseError(f"no cards are dealt here: {turn_words(game, state.row)}")
    if len(cards) != (due := 3 if board_size(game, state.row) == 0 else 1):
        raise RuseError(f"the {STREETS[min(int(street_of(game, state.row)) + 1, 3)]} has {due} cards, not {len(cards)}")
    for card in cards:
        state = state.child(outcome(state, card))
    return state


def outcome(state: State, card: int) -> int:
    """The number of a card among those that are left."""
    out = int(state.row[OUT])
    if out >> card & 1:
        raise RuseError(f"{NAMES[card]} is dealt already; each card is in the deck once")
    return card - (out & ((1 << card) - 1)).bit_count()


def raise_number(game: Holdem, s: Any, text: str, unit: Fraction) -> int:
    """Which of the raises that are offered comes to an amount."""
    to = number(text) / unit
    if not may_raise(game, s):
        raise RuseError("no raise is allowed here")
    least, most = int(least_to(game, s)), int(highest_to(game, s))
    if not least <= to <= most:
        raise RuseError(f"a raise comes to {float(least * unit):g} at least and {float(most * unit):g} at most")
    return int(to) - least
