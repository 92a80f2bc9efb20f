"""The log: JSON lines for viewers, one for each decision, with all that lies anywhere before it.

Tiles are kinds, 0 to 15; the first line has their names, and all 64 in the order in which they are dealt. A phase in
which nothing but a pass is possible is not asked, so it has no line. A meld is called as the act that has made it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ruse.errors import RuseError
from ruse.games.mahjong.actions import CODES, code_name
from ruse.games.mahjong.positions import refuse_other_wall
from ruse.games.mahjong.records.board import (
    Board,
    at,
    codes_in,
    deal_of,
    field,
    is_same_json,
    names_from,
    rules_from,
    tiles_of,
)
from ruse.games.mahjong.row import (
    BACK,
    CLAIM,
    DREW,
    FRONT,
    HANDS,
    PATTERN,
    PHASE,
    ROB,
    SCORE,
    TILE,
    WHO,
    wall_left,
)
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.telling.past import Past
from ruse.games.mahjong.tiles import NAMES, kinds_of
from ruse.games.mahjong.wins import PATTERNS
from ruse.protocol.game import Game
from ruse.protocol.played import Lines, Played, RecordForm

VERSION = 1
LONGEST = 80  # characters of a policy's name


def begins(entry: Any) -> bool:
    return isinstance(entry, dict) and "v" in entry and "wall" in entry


# ---- writing ---------------------------------------------------------------------------------------------------------


def write(played: Played) -> Iterator[dict[str, Any]]:
    """The first line, a line for each decision, and the last one if the game is over."""
    game: Any = played.game
    tiles = tiles_of(played.history)
    yield {
        "v": VERSION, "game": "mahjong", "seed": played.seed, "deal": played.number, "tiles": list(NAMES),
        "wall": tiles, "agents": list(played.names), "params": game._asdict(),
    }  # fmt: skip
    board, table = Board(game, tiles), LogTable(game)
    for before, code, k in board.follow(played.history):
        thought = thought_from({} if k is None else played.thoughts.get(k, {}))
        act = act_of(code, before.row[TILE])
        yield table.line(before) | {"act": act} | thought
        table.take(before, act)
    if board.is_over:
        yield table.end(board.past)


class LogTable:
    """What lines tell of a game as it goes on, and the melds in the words of the acts."""

    def __init__(self, game: Mahjong) -> None:
        self.game, self.count = game, 0
        self.melds: list[list[str]] = [[], []]

    def line(self, past: Past) -> dict[str, Any]:
        """What there is before an act."""
        row = past.row
        return {
            "n": self.count,
            "round": row[FRONT] + row[BACK],
            "p": row[WHO],
            "phase": CLAIM if row[PHASE] == ROB else row[PHASE],
            **self.laid(past),
            "drawn": known(row[DREW]),
            "claimed": known(row[TILE]),
            "legal": [act_of(code, row[TILE]) for code in codes_in(row)],
        }

    def laid(self, past: Past) -> dict[str, Any]:
        return {
            "hands": [kinds_of(past.row[HANDS + p]) for p in range(2)],
            "melds": [list(melds) for melds in self.melds],
            "river": [list(river) for river in past.rivers],
            "wall_left": wall_left(self.game, past.row),
        }

    def take(self, before: Past, act: str) -> None:
        """Somebody has acted."""
        self.count += 1
        row, words = before.row, act.split()
        mine, theirs = self.melds[row[WHO]], self.melds[1 - row[WHO]]
        if words[-1] == "added":
            mine[mine.index(f"pong {words[1]}")] = act
        elif words[0] in ("chow", "pong", "kong"):
            mine.append(act)
        elif act == "win" and row[PHASE] == ROB:
            theirs[theirs.index(f"kong {row[TILE]} added")] = f"pong {row[TILE]}"

    def end(self, past: Past) -> dict[str, Any]:
        """The last line."""
        row = past.row
        is_won, by = row[PATTERN] > 0, "draw"
        if row[TILE] >= 0:
            by = "kong" if row[PHASE] == ROB else "discard"
        return {
            "end": "win" if is_won else "draw",
            "winner": (0 if row[SCORE] > 0 else 1) if is_won else None,
            "pattern": PATTERNS[row[PATTERN]] if is_won else None,
            "points": abs(row[SCORE]),
            "by": by if is_won else None,
            "tile": (row[TILE] if row[TILE] >= 0 else row[DREW]) if is_won else None,
            **self.laid(past),
        }


def known(kind: int) -> int | None:
    return None if kind < 0 else kind


def act_of(code: int, tile: int) -> str:
    """An action in the words of a log, which has kinds in place of names.

    >>> act_of(45, -1), act_of(6, 3), act_of(2, 9), act_of(40, -1)
    ('discard 2', 'chow 2 3 4', 'pong 9', 'kong 13 added')
    """
    return " ".join(str(NAMES.index(word)) if word in NAMES else word for word in code_name(code, tile).split())


# ---- what only a bot that chooses policies knows ---------------------------------------------------------------------


def is_name(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= LONGEST


def is_key(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 64


def is_mix(value: Any) -> bool:
    """Whether these are the probabilities of policies; somebody may have rounded them."""
    return isinstance(value, list) and all(map(is_share, value)) and abs(sum(value) - 1) < 0.01


def is_share(value: Any) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool) and 0 <= value <= 1


THOUGHTS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "policy": (is_name, f"a name of at most {LONGEST} characters"),
    "key": (is_key, "a whole number of at most 64 bits"),
    "sigma": (is_mix, "a list of probabilities that add up to 1"),
}


def thought_from(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What a bot has thought, with None for what it does not tell."""
    for name, (is_one, what) in THOUGHTS.items():
        value = entry.get(name)
        if value is not None and not is_one(value):
            raise RuseError(f"{name!r} must be {what}, and is {value!r:.80}")
    return {name: entry.get(name) for name in THOUGHTS}


# ---- reading ---------------------------------------------------------------------------------------------------------


def read(lines: Lines, source: str, named: Game | None) -> Iterator[Played]:
    """The games of a log; each line must be what the acts before it lead to."""
    reading: Reading | None = None
    for number, entry in lines:
        with at(source, number):
            if begins(entry):
                if reading is not None:
                    yield reading.played()
                reading = Reading(entry, named)
            elif reading is None or not isinstance(entry, dict):
                raise RuseError("this is no line of a log of Mahjong")
            else:
                reading.take(entry)
    if reading is not None:
        yield reading.played()


class Reading:
    """A log that is read line by line."""

    def __init__(self, head: dict[str, Any], named: Game | None) -> None:
        if not is_same_json(head["v"], VERSION):
            raise RuseError(f"a log of version {head['v']!r:.80} cannot be read; this reads version {VERSION}")
        tiles = field(head, "wall", list)
        refuse_other_wall(tiles)
        for name, expected in (("game", "mahjong"), ("tiles", list(NAMES))):
            if not is_same_json(head.get(name, expected), expected):
                raise RuseError(f"{name!r} must be {expected!r} in a log of Mahjong, and is {head[name]!r:.80}")
        self.names, self.deal = names_from(head, "agents"), deal_of(head)
        game = rules_from(field(head, "params", dict, {}), named)
        self.board, self.table, self.is_ended = Board(game, tiles), LogTable(game), False
        self.thoughts: dict[int, dict[str, Any]] = {}

    def take(self, entry: dict[str, Any]) -> None:
        """One line more."""
        board, before = self.board, self.board.past
        if self.is_ended:
            raise RuseError("something follows the end of the game")
        self.is_ended = "end" in entry
        if self.is_ended:
            if not board.is_over:
                raise RuseError(f"the game is not over: it is player {board.who}'s turn")
            self.compare(entry, self.table.end(before))
            return
        act = field(entry, "act", str)
        acts = {act_of(code, before.row[TILE]): code for code in range(CODES)} if not board.is_over else {}
        if not board.is_over:
            self.compare(entry, self.table.line(before))
        if not board.is_over and act not in acts:
            raise RuseError(f"there is no act {act!r:.80}; here is {', '.join(self.table.line(before)['legal'])}")
        place = len(board.history)
        board.take(board.who, acts.get(act, -1))
        self.table.take(before, act)
        if len(board.history) > place:
            self.thoughts[place] = thought_from(entry)

    def compare(self, entry: dict[str, Any], expected: dict[str, Any]) -> None:
        """Raise if a line tells otherwise than the acts before it; what it leaves out is not asked for."""
        wrong = next(
            (name for name in expected if name in entry and not is_same_json(entry[name], expected[name])), None
        )
        if wrong is not None:
            raise RuseError(f"{wrong!r} is {entry[wrong]!r:.80}, where what happened before makes it {expected[wrong]}")

    def played(self) -> Played:
        thoughts = {k: thought for k, thought in self.thoughts.items() if any(x is not None for x in thought.values())}
        return Played(self.board.game, tuple(self.board.history), self.names, *self.deal, thoughts)


FORM = RecordForm(begins, write, read)
