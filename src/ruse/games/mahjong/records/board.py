"""A game that is played by a record: the tiles lie as it says, and each move is tested against the rules.

Where whoever can win must, the rules win without asking. A record has that win as a move, so the board asks.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ruse.errors import FileTrouble, RuseError
from ruse.games.bits import ones_in
from ruse.games.mahjong.actions import KONG, PASS, PONG, WIN, code_name, code_of
from ruse.games.mahjong.positions import outcomes_of
from ruse.games.mahjong.row import BACK, FRONT, HAND, OPTIONS, SEATS, TILE, WHO
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling.past import DRAW, Columns, Happened, Past, events_of, replayed
from ruse.games.mahjong.tiles import COPIES, KINDS, NAMES, TILES
from ruse.protocol.game import OVER

WORD = 1 << 63  # whole numbers are smaller
CALLS = {PASS: "pass", WIN: "win", PONG: "pong", KONG: "kong"}


class Board:
    """The state of a game with its past, from all tiles in the order in which they are dealt."""

    def __init__(self, game: Mahjong, tiles: Sequence[int]) -> None:
        self.game, self._asks = game, game._replace(must_win=False)
        self.history: list[int] = outcomes_of(tiles)
        self.past = replayed(self._asks, self.history)
        self.happened = [Happened(0, DRAW, tiles[2 * HAND])]  # draws too

    @property
    def row(self) -> list[int]:
        return self.past.row

    @property
    def who(self) -> int:
        """The player to act, or OVER."""
        return int(self.row[WHO])

    @property
    def is_over(self) -> bool:
        return self.who == OVER

    @property
    def draws(self) -> int:
        """Tiles drawn so far."""
        return int(self.row[FRONT] + self.row[BACK])

    def take(self, player: int, code: int) -> None:
        """A player does what a code says; raises RuseError, in a sentence that begins small, if the rules forbid it."""
        codes = codes_in(self.row)
        if self.is_over:
            raise RuseError("the game is over, and something follows")
        if player != self.who or code not in codes:
            can = [code_name(known, self.row[TILE]) for known in codes]
            what = CALLS.get(code) or code_name(code, -1)  # what lies there may be another tile
            raise RuseError(f"player {player} cannot {what} here: player {self.who} can {' or '.join(can)}")
        if self.game.must_win and WIN in codes:
            if code != WIN:
                raise RuseError(f"player {player} can win, and by these rules must")
        else:
            self.history.append(codes.index(code))
        before, a = self.past, codes.index(code)
        self.past = before.then(self._asks, a)
        self.happened += events_of(before.row, a, self.past.row)

    def follow(self, history: Sequence[int]) -> Iterator[tuple[Past, int, int | None]]:
        """Make the moves behind the deal: each with what was before, its code, and its place in the history, if it is
        there.
        """
        moves = iter(range(TILES, len(history)))
        while not self.is_over:
            codes, before = codes_in(self.row), self.past
            is_taken = self.game.must_win and WIN in codes
            k = None if is_taken else next(moves, None)
            if k is None and not is_taken:
                return
            code = WIN if k is None else codes[history[k]]
            self.take(self.who, code)
            yield before, code, k


def codes_in(row: Columns) -> list[int]:
    """What may be done, action by action."""
    return [int(code_of(row, a)) for a in range(ones_in(row[OPTIONS]))]


# ---- tiles -----------------------------------------------------------------------------------------------------------


def tiles_of(history: Sequence[int]) -> list[int]:
    """The tiles that moves of chance have dealt, in order."""
    left, tiles = [COPIES] * KINDS, []
    for a in history[:TILES]:
        kind = [kind for kind in range(KINDS) if left[kind]][a]
        left[kind] -= 1
        tiles.append(kind)
    return tiles


def hands_of(tiles: Sequence[int]) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """The first hands and the wall."""
    return tiles[:HAND], tiles[HAND : 2 * HAND], tiles[2 * HAND :]


def refuse_too_many(tiles: Sequence[int]) -> None:
    """Raise if there are more than four of a kind."""
    kind, count = Counter(tiles).most_common(1)[0]
    if count > COPIES:
        raise RuseError(f"there are {count} tiles {NAMES[kind]}, and the game has {COPIES}")


# ---- lines -----------------------------------------------------------------------------------------------------------


@contextmanager
def at(source: str, number: int) -> Iterator[None]:
    """What is refused is told with its line."""
    try:
        yield
    except FileTrouble:
        raise
    except (RuseError, ValueError) as error:
        raise FileTrouble(f"{source}, line {number}: {error}") from error


def field(entry: Any, name: str, kind: type, default: Any = ...) -> Any:
    """An entry of a line, if it is of its kind; True is no number."""
    value = entry.get(name, default)
    if value is default is not ...:
        return value
    if type(value) is not kind:
        what = {int: "a whole number", str: "a text", list: "a list", dict: "an object", bool: "true or false"}[kind]
        given = "is missing" if value is ... else f"is {value!r:.80}"
        raise RuseError(f"{name!r} must be {what}, and {given}")
    return value


def is_same_json(value: Any, expected: Any) -> bool:
    """Whether two values are the same JSON: True is not 1, nor is 1.0."""
    return json.dumps(value) == json.dumps(expected)


def deal_of(entry: Any) -> tuple[int | None, int | None]:
    """The seed and the number of the deal that a line tells; None if it was dealt elsewhere."""
    seed, deal = field(entry, "seed", int, None), field(entry, "deal", int, None)
    if deal is not None and not 0 <= deal < WORD:
        raise RuseError(f"'deal' must be a number from 0 on, and is {deal!r:.80}")
    return seed, deal


def names_from(entry: Any, name: str) -> tuple[str, ...]:
    """Who plays, as a line tells it."""
    names = field(entry, name, list, ["player 0", "player 1"])
    wrong = [one for one in names if not isinstance(one, str)]
    if wrong:
        raise RuseError(f"{name!r} must be texts, and one is {wrong[0]!r:.80}")
    if len(names) != SEATS:
        raise RuseError(f"there are {len(names)} players, and this Mahjong is for {SEATS}")
    return tuple(names)


def rules_from(fields: dict[str, Any], named: Any) -> Mahjong:
    """The game with the fields that a record has; the one that a person has named comes first."""
    if named is not None:
        if not hasattr(named, "rob_kong"):
            raise RuseError(f"the record is of Mahjong, not of {named!r:.80}")
        return named  # type: ignore[no-any-return]
    usual = Mahjong._field_defaults
    for name, value in fields.items():
        if name not in usual:
            raise RuseError(f"Mahjong has no field {name!r:.80}; it has {', '.join(usual)}")
        if type(value) is not type(usual[name]) or (type(value) is int and not 0 <= value < WORD):
            raise RuseError(f"{name} of Mahjong cannot be {value!r:.80}; it is as {usual[name]!r}")
    game = Mahjong(**fields)
    game.start()  # bad fields are told here
    return game
