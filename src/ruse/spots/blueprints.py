"""Places of a blueprint: where bets and cards lead that are typed by hand, and how each hand is played there."""

import re
from typing import NamedTuple

import numpy as np

from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.games.holdem.betting.menus import nth_raise, raises_in
from ruse.games.holdem.betting.paying import highest_to, least_to, may_raise, most_to, pot_of, to_call
from ruse.games.holdem.cards import cards_named, names_of
from ruse.games.holdem.fields import NAMED
from ruse.games.holdem.hands.holdings import blocked_by, holding_cards
from ruse.games.holdem.row import HIGH, LEVEL, PAST, WHO, board_size, street_of
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import starting_hands, word_of
from ruse.games.holdem.telling.words import STREETS, blinds_text
from ruse.games.holdem.translating import pot_share, raise_shares, taken_for
from ruse.games.holdem.turn import next_card
from ruse.games.holdem.views import Buckets
from ruse.protocol.game import CHANCE, OVER, Row
from ruse.spots.places import Here
from ruse.strategy import Strategy

CARDS = re.compile(r"(?:(?:flop|turn|river|card)s?\s+)?(?P<cards>(?:[2-9TJQKA][cdhs]\s*)+)", re.IGNORECASE)
BET = re.compile(r"(?P<verb>bet|raise) (?P<amount>\d+(?:\.\d*)?|\.\d+)\s*(?:bb)?", re.IGNORECASE)
DUE = {0: 3, 3: 1, 4: 1}  # cards, by how many lie on the board


class BlueprintPlace(NamedTuple):
    """Where a line of bets and cards has led."""

    row: Row
    board: tuple[int, ...]
    line: tuple[str, ...]

    def words(self, game: Holdem) -> str:
        """Such as: after raise 2bb, call (flop Qs Jh 2h, pot 4bb)."""
        begins = f"after {', '.join(self.line)}" if self.line else "at the start"
        street = STREETS[int(street_of(game, self.row))]
        cards = f"{street} {names_of(self.board)}" if self.board else street
        return f"{begins} ({cards}, pot {blinds_text(game, pot_of(game, self.row))})"


def blueprint_here(strategy: Strategy, line: str) -> Here:
    """How a blueprint is played after bets and cards such as `raise 2bb, call, Qs Jh 2h, check`."""
    game, view = strategy.game, strategy.view
    assert isinstance(game, Holdem)
    assert isinstance(view, Buckets)
    words = [word.strip() for word in line.split(",") if word.strip()]
    board = _cards_in(words)
    loose = game._replace(**NAMED["any"])  # as the hand really goes, whatever is bet
    s, real = _with_hands(game, board), _with_hands(loose, board)
    reach = [np.where(blocked_by(board), 0.0, 1.0) if board else np.ones(len(holding_cards()))
             for _ in range(game.players)]  # fmt: skip
    said: list[str] = []
    for word in words:
        after = f"after {', '.join(said)}" if said else "at the start"
        who = int(game.player(s))
        if who == OVER:
            raise RuseError(f"the hand is over {after}; leave {word!r} out")
        if who == CHANCE:
            due, cards = DUE[int(board_size(game, s))], _cards(word)
            if cards is None or len(cards) != due:
                raise RuseError(f"{due} card{'s' * (due > 1)} must be dealt {after}, as in {'Qs Jh 2h'[:3 * due - 1]}; "
                                f"got {word!r}")  # fmt: skip
            for card in cards:
                _deal(game, s, card)
                if int(loose.player(real)) == CHANCE:
                    _deal(loose, real, card)
        else:
            names = [game.action_name(s, a) for a in range(game.num_actions(s))]
            to = _bet(loose, real, word)
            if to is None or (to in _offered(game, s) and s[PAST] == real[PAST]):
                a = _action(names, word, after)
                word = names[a]
            else:
                a = _taken_for(game, s, to, loose, real)
                word = f"{word} as {names[a]}"
            reach[who] = reach[who] * _rows(strategy, view, game, s, board)[:, a]
            _go_on(loose, real, to, game, s, a)
            game.apply(s, a)
        said.append(word)
    place = BlueprintPlace(s, tuple(board[: max(int(board_size(game, s)), 0)]), tuple(said))
    who = int(game.player(s))
    names = [game.action_name(s, a) for a in range(game.num_actions(s))] if who >= 0 else []
    rows = _rows(strategy, view, game, s, board) if who >= 0 else np.zeros((len(reach[0]), 0))
    return Here(place, who, tuple(names), tuple(reach), rows)


def due_words(here: Here, game: Holdem) -> str:
    """What to say where nobody acts."""
    place: BlueprintPlace = here.place
    if here.player == OVER:
        return "the hand is over"
    due = DUE[int(board_size(game, place.row))]
    return f"{due} card{'s' * (due > 1)} must be dealt; add them to --history, as in {'Qs Jh 2h'[: 3 * due - 1]}"


def call_words(here: Here, game: Holdem) -> str:
    """Who acts, and what a call costs."""
    place: BlueprintPlace = here.place
    owed = to_call(game, place.row, here.player)
    return f"seat {here.player} to act" + (f", {blinds_text(game, owed)} to call" if owed > 0 else "")


# ---- cards and actions -----------------------------------------------------------------------------------------------


def _cards(word: str) -> list[int] | None:
    """The cards that a word names, as in `Qs Jh 2h` or `turn 3c`; None if it names none."""
    found = CARDS.fullmatch(word)
    return None if found is None else list(cards_named(found["cards"]))


def _cards_in(words: list[str]) -> list[int]:
    """The board of a line, which must have no card twice."""
    board = [card for word in words for card in _cards(word) or []]
    for k, card in enumerate(board):
        if card in board[:k]:
            raise RuseError(
                f"{names_of([card])} is twice on the board {names_of(board)}; each card is in the deck once"
            )
    return board


def _with_hands(game: Holdem, board: list[int]) -> Row:
    """The row at the first decision, with hands that leave the board alone; which they are does not matter."""
    s, free = game.start(), (card for card in range(52) if card not in board)
    while int(game.player(s)) == CHANCE and board_size(game, s) < 0:
        _deal(game, s, next(free))
    return s


def _deal(game: Holdem, s: Row, card: int) -> None:
    outcomes = [int(next_card(s, a)) for a in range(game.num_actions(s))]
    game.apply(s, outcomes.index(card))


def _action(names: list[str], word: str, after: str) -> int:
    """The action that a word means: its name, or so much of it that no other begins so."""
    wanted = word.casefold().replace("allin", "all-in").replace("all in", "all-in")
    close = [k for k, name in enumerate(names) if name == wanted] or [
        k for k, name in enumerate(names) if name.startswith(wanted)
    ]
    if len(close) > 1:
        raise RuseError(f"{word!r} {after} may be {' or '.join(names[k] for k in close)}; say which")
    if not close:
        raise RuseError(f"there is no {word!r} {after}; there is {', '.join(names)}")
    return close[0]


def _offered(game: Holdem, s: Row) -> list[int]:
    """What the bet of who acts may come to, in chips."""
    return [int(nth_raise(game, s, k)) for k in range(raises_in(game, s))]


def _bet(loose: Holdem, real: Row, word: str) -> int | None:
    """The chips that a bet of so many big blinds comes to, as in `raise 2.6bb`, if the rules allow it."""
    found = BET.fullmatch(word)
    if found is None or real[WHO] < 0 or not may_raise(loose, real):
        return None
    to = round(float(found["amount"]) * loose.chips)
    is_raise = real[HIGH] > real[LEVEL]
    fits = found["verb"].casefold() == ("raise" if is_raise else "bet")
    return to if fits and least_to(loose, real) <= to <= highest_to(loose, real) else None


def _taken_for(game: Holdem, s: Row, to: int, loose: Holdem, real: Row) -> int:
    """The action of the menu that a bet is taken for: of two, the likelier."""
    first = 2 if to_call(game, s, s[WHO]) > 0 else 1
    shares = raise_shares(game, s)
    if not shares:
        return first - 1
    me = real[WHO]
    share = pot_share(to, real[HIGH] - real[LEVEL], pot_of(loose, real), to_call(loose, real, me))
    odds = taken_for(share, shares)
    return first + max(odds, key=lambda k: odds[k])


def _go_on(loose: Holdem, real: Row, to: int | None, game: Holdem, s: Row, a: int) -> None:
    """Do in the hand as it really goes what was said, or else what is done by the menu."""
    if real[WHO] < 0:
        return
    faces, first = to_call(loose, real, real[WHO]) > 0, 2 if to_call(game, s, s[WHO]) > 0 else 1
    if a < first and to is None:
        move = a - (first - 1) + faces
    elif not may_raise(loose, real):
        move = int(faces)
    else:
        if to is None:
            share = raise_shares(game, s)[a - first]
            to = int(real[HIGH] - real[LEVEL] + share * (pot_of(loose, real) + to_call(loose, real, real[WHO])) + 0.5)
            if nth_raise(game, s, a - first) == most_to(game, s):
                to = int(most_to(loose, real))
        least = int(least_to(loose, real))
        move = 1 + faces + min(max(to, least), int(highest_to(loose, real))) - least
    loose.apply(real, max(move, 0))


def _rows(strategy: Strategy, view: Buckets, game: Holdem, s: Row, board: list[int]) -> np.ndarray:
    """[holding, action] how the player to act plays each hand; hands that the board blocks are played as bucket 0."""
    count, who, lies = int(game.num_actions(s)), int(game.player(s)), board[: max(int(board_size(game, s)), 0)]
    if not lies:
        bucket = starting_hands().astype(np.int64)
    else:
        word, free = word_of(lies), ~blocked_by(lies)
        bucket = np.zeros(len(free), np.int64)
        for number in np.flatnonzero(free):
            bucket[number] = view.cards.bucket(word_of(holding_cards()[number].tolist()), word)
    found, place = np.unique(bucket, return_inverse=True)
    rows = np.full((len(found), count), 1.0 / count)
    for k, one in enumerate(found.tolist()):
        key = np.uint64(int(view.key_of(int(s[PAST]), one, who)) & MASK)
        at = int(np.searchsorted(strategy.keys, key))
        if at < len(strategy.keys) and strategy.keys[at] == key:
            rows[k] = strategy.probability[strategy.start[at] : strategy.start[at + 1]]
    return np.asarray(rows[place])
