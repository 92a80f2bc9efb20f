"""The record of a game: one event a line, as JSON, with everything that was hidden.

A line carries the words of its moment, so a record can be read where the game's code is not at hand. It ends with an
`end`, or with a `pause` if the game was left: such a record shows what the players may not see yet.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ruse.catalog.names import companion
from ruse.catalog.titles import spec
from ruse.errors import FileTrouble, RuseError
from ruse.protocol.game import EVERYTHING, Game
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.store.records import is_count, is_number, is_text, is_whole, misfit, parsed
from ruse.store.tensors import check_format, explaining, format_name
from ruse.words.naming import named
from ruse.words.versions import version_of

FORMAT, MAJOR = "record", 1


class Holder(NamedTuple):
    """Who holds a seat."""

    name: str
    is_person: bool


# ---- writing ---------------------------------------------------------------------------------------------------------


def events(
    game: Game, history: Sequence[int], *, seed: int | None, number: int | None, holders: Sequence[Holder],
    earlier: Mapping[int, Holder] = MappingProxyType({}),
    thoughts: Mapping[int, Mapping[str, Any]] = MappingProxyType({}),
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """What is recorded of a game, finished or not; `holders` says who sits where. By a move's place in the history,
    `earlier` says who made it, before somebody else took the seat over, and `thoughts` what a bot says of it. A game
    that was dealt elsewhere has no seed.
    """
    state = State.of(game)
    yield {
        "event": "game", "format": format_name(FORMAT, MAJOR), "version": version_of("ruse"), "game": spec(game),
        "game_repr": repr(game), "behaviour": fingerprint(game), "seed": seed,
        **({} if number is None else {"number": number}), "seats": game.players,
        "players": [holder.name for holder in holders],
        "people": [p for p, holder in enumerate(holders) if holder.is_person],
        "everything": state.describe(EVERYTHING),
    }  # fmt: skip
    words = companion(game, "table")
    laid = getattr(words, "everything", None)  # what lies there in lines, where a game has more than one line of it
    for k, a in enumerate(history):
        if state.is_over or not 0 <= a < state.num_actions:  # histories may come from files
            raise RuseError(f"{spec(game)} has no move {a} after {state.path() or 'the start'}")
        after = state.went(a)
        event: dict[str, Any] = {
            "event": "action", "player": "chance" if state.is_chance else state.player, "action": state.actions[a],
            "number": a,
        }  # fmt: skip
        if k in earlier:
            event["by"] = {"name": earlier[k].name, "person": earlier[k].is_person}
        if thoughts.get(k):
            event["thought"] = dict(thoughts[k])
        if words:
            event["public"] = "; ".join(words.told(game, state.row, a, after.row, None))
        event["seen"] = [after.describe(player) for player in range(game.players)]
        event["everything"] = after.describe(EVERYTHING)
        if laid and not after.is_chance:
            event["table"] = laid(after)
        yield event
        state = after
    if state.is_over:
        yield {"event": "end", "payoffs": state.payoffs, "everything": state.describe(EVERYTHING)}
    else:
        yield {"event": "pause"}


def fingerprint(game: Game) -> str:
    """What the game does, as `ruse.catalog.behaviour` tells it, for which nothing is walked or compiled.

    Nothing where it cannot be told: the record must be written.
    """
    import logging

    from ruse.catalog.behaviour import CODE, VERSION, part  # whoever only reads needs nothing of it

    try:
        found = {name: part(name, game, Full()) for name in ("played", CODE, "data")}
    except Exception as error:
        logging.getLogger(__name__).warning("the game is recorded without a fingerprint of its rules: %s", error)
        return ""
    return " ".join([VERSION, *(f"{name}={digest}" for name, digest in found.items() if digest)])


def append(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """Append a game to a file; all of it or nothing."""
    data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    with explaining("write", path), open(path, "ab+", buffering=0) as file:
        before = file.seek(0, os.SEEK_END)
        if before:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":  # as an editor may leave the last line
                data = b"\n" + data
        try:
            while data:  # a disk that is nearly full takes a part, and says why only at the next part
                data = data[file.write(data) :]
        except BaseException:
            file.truncate(before)
            raise


# ---- reading ---------------------------------------------------------------------------------------------------------


class Recorded(NamedTuple):
    """A game as it was recorded."""

    head: dict[str, Any]
    actions: list[dict[str, Any]]
    end: dict[str, Any] | None  # None: it was left before its end

    @property
    def is_left(self) -> bool:
        """Whether one person has left it, who can go on with it."""
        return self.end is None and len(self.head.get("people", ())) == 1 and "number" in self.head

    def holder(self, player: int) -> Holder:
        """Who sat there when it was recorded."""
        return Holder(str(self.head["players"][player]), player in self.head.get("people", ()))

    def taker(self, k: int, player: int) -> Holder:
        """Who made move number k, which was this player's."""
        by = self.actions[k].get("by")
        return self.holder(player) if by is None else Holder(by["name"], by["person"])


def is_list(value: Any) -> bool:
    return isinstance(value, list)


def is_lines(value: Any) -> bool:
    return is_list(value) and all(map(is_text, value))


def is_seed(value: Any) -> bool:
    return value is None or is_whole(value)  # None: it was dealt elsewhere


def is_seats(value: Any) -> bool:
    return is_list(value) and all(map(is_count, value))


def is_holder(value: Any) -> bool:
    return isinstance(value, dict) and is_text(value.get("name")) and isinstance(value.get("person"), bool)


def is_payoffs(value: Any) -> bool:
    return is_list(value) and all(x is not None and is_number(x) for x in value)


# What a reader relies on, by event.
NEEDED: dict[str, dict[str, Callable[[Any], bool]]] = {
    "game": {"game": is_text, "seed": is_seed, "players": is_list, "everything": is_text},
    "action": {"player": lambda value: is_whole(value) or is_text(value), "action": is_text, "everything": is_text},
    "end": {"payoffs": is_payoffs, "everything": is_text},
    "pause": {},
}
# Which may be missing.
KNOWN: dict[str, Callable[[Any], bool]] = {
    "number": is_count, "people": is_seats, "by": is_holder, "table": is_lines,
    "thought": lambda value: isinstance(value, dict),
}  # fmt: skip


def read_games(path: Path) -> Iterator[Recorded]:
    """The games of a file, one after the other; raises where the file is damaged, after the games that are whole."""
    with explaining("read", path), open(path, "rb") as file:
        lines = file.read().splitlines()
    if not any(line.strip() for line in lines):
        raise FileTrouble(f"{path} is empty; `ruse play GAME --record {path}` records games there")
    yield from games_in(map(parsed, lines), path)


def left_in(path: Path) -> Recorded:
    """The game that a file ends with, if it was left before its end."""
    *_, last = read_games(path)
    if last.end is not None:
        raise RuseError(f"the last game in {path} is over; there is none to go on with")
    return last


def recorded(events: Iterable[Any]) -> Recorded:
    """The one game that these events are of; they may stop anywhere."""
    found = [*events]
    if not found or not isinstance(found[-1], dict) or found[-1].get("event") not in ("end", "pause"):
        found.append({"event": "pause"})
    games = list(games_in(found, "the record"))
    if len(games) != 1:
        raise FileTrouble(f"the record is of {len(games)} games; give one of them")
    return games[0]


def games_in(events: Iterable[Any], path: Path | str) -> Iterator[Recorded]:
    """The games that events are of, one after the other; `path` says where they come from."""
    head: dict[str, Any] | None = None
    actions: list[dict[str, Any]] = []
    number = 0
    for number, found in enumerate(events, 1):
        event = checked(found, path, number)
        if (event["event"] == "game") != (head is None):
            what = "ends with no end" if head else "begins in the middle"
            raise damaged(path, number, f"a game {what}")
        if event["event"] == "game":
            check_format(event.get("format"), FORMAT, newest=MAJOR, path=path)
            head, actions = event, []
        elif event["event"] == "action":
            actions.append(event)
        else:
            assert head is not None
            end = event if event["event"] == "end" else None
            if end and len(end["payoffs"]) != len(head["players"]):
                raise damaged(path, number, "not one payoff for each player")
            yield Recorded(head, actions, end)
            head = None
    if head is not None:
        raise damaged(path, number, "the last game is cut short")


def checked(event: Any, path: Path | str, number: int) -> dict[str, Any]:
    """The event, if it is one and has what it needs."""
    if not isinstance(event, dict):
        raise damaged(path, number, "this is no JSON object")
    kind = event.get("event")
    if not isinstance(kind, str) or kind not in NEEDED:
        raise damaged(path, number, f"the event is {kind!r}, not one of {', '.join(NEEDED)}")
    missing = next((field for field in NEEDED[kind] if field not in event), None)
    if wrong := missing or misfit(event, KNOWN | NEEDED[kind]):
        raise damaged(path, number, f"{wrong!r} is missing or of the wrong kind")
    return event


def damaged(path: Path | str, number: int, reason: str) -> FileTrouble:
    return FileTrouble(f"{path} is damaged or no record of games, line {number}: {reason}")


# ---- going on with one -----------------------------------------------------------------------------------------------


def refuse_other_record(found: Recorded, game: Game) -> None:
    """Raise if a record is of another game, or cannot be gone on with."""
    refuse_other_rules(found, game)
    seed, number = found.head["seed"], found.head.get("number")
    if not is_count(number) or seed is None:
        raise RuseError(f"the record does not say which deal it is of: its seed is {seed!r}, its number is {number!r}")


def refuse_other_rules(found: Recorded, game: Game) -> None:
    """Raise if a record is of another game, or of what were its rules before."""
    from ruse.catalog.behaviour import has_changed  # whoever only reads needs nothing of it

    head = found.head
    if head.get("game_repr") != repr(game) or len(head["players"]) != game.players:
        raise RuseError(f"the record is of {str(head.get('game_repr'))[:200]}, not of {game!r}")
    if has_changed(head.get("behaviour"), game):
        raise RuseError(f"the rules of {named(game)} have changed since the record was made; start a new game")


def unlike(found: Recorded, k: int, what: str) -> RuseError:
    """What to raise of a move that the record has. Whoever reads it may be a player: the action itself is not told."""
    player = found.actions[k]["player"]
    who = "chance" if player == "chance" else f"player {str(player)[:40]}"
    return RuseError(f"the record cannot be gone on with: its move {k + 1}, by {who}, {what}")
