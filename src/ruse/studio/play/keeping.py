"""What is kept of a table on disk, written as the game goes: a kill of the server loses no move that was answered.

    .games/open/ID.jsonl   the table, then for each game its deal, its moves as they are made, and how it ended
    .games/ID.jsonl        its finished games, as `ruse play --record` writes them

Both only grow, a line at a time; a last line that is not whole is as if it were not there.
"""

import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ruse.errors import FileTrouble
from ruse.play.records.record import append, read_games
from ruse.store.records import is_count, is_finite, is_text, parsed
from ruse.store.tensors import explaining

ID = re.compile(r"[0-9a-f]{16}")


class TableAbout(NamedTuple):
    """What a table is, from its first line on."""

    game: str
    against: tuple[str, ...]
    seat: int | None
    seed: int
    coach: str | None

    def seed_of(self, deal: int) -> int:
        """The seed of a game. Whoever has seen one in a record learns nothing of the next."""
        digest = hashlib.sha256(f"{self.seed} {deal}".encode()).digest()
        return int.from_bytes(digest[:8], "little") >> 1


class Left(NamedTuple):
    """What a file says of a table."""

    about: TableAbout
    payoffs: list[float]  # of the person, game by game
    deal: int  # of the last game that was begun
    seat: int
    moves: list[int]  # of it
    names: list[str]
    over: bool  # whether it was finished, and recorded


class Keeper:
    """The files of one table."""

    def __init__(self, home: Path, id: str) -> None:
        self.path, self.record = home / "open" / f"{id}.jsonl", home / f"{id}.jsonl"

    def begin(self, about: TableAbout) -> None:
        with explaining("write", self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        self._write({"table": about._asdict()})

    def deal(self, deal: int, seat: int, names: Sequence[str]) -> None:
        """A game is begun; what chance and bots have done in it comes with its moves."""
        self._write({"deal": deal, "seat": seat, "names": list(names)})

    def moves(self, numbers: Sequence[int]) -> None:
        """Moves that were made since the last line."""
        self._write({"moves": [int(a) for a in numbers]})

    def over(self, deal: int, payoffs: Sequence[float], events: Sequence[dict[str, Any]]) -> None:
        """A game is over: it is recorded, unless that was done before a kill, and then closed."""
        if self.recorded_seed() != events[0]["seed"]:
            append(self.record, events)
        self._write({"over": deal, "payoffs": [float(x) for x in payoffs]})

    def recorded_seed(self) -> int | None:
        """The seed of the last game in the record, if there is any; each game of a table has its own."""
        if not self.record.is_file():
            return None
        *_, last = read_games(self.record)
        return int(last.head["seed"])

    def left(self) -> Left:
        """How the table was left."""
        with explaining("read", self.path), open(self.path, "rb") as file:
            lines = [parsed(line) for line in file.read().split(b"\n")[:-1]]
        about = about_in(lines[0] if lines else None, self.path)
        payoffs: list[float] = []
        deal, seat, moves, names, over = -1, 0, list[int](), list[str](), True
        for line in lines[1:]:
            match line:
                case {"deal": at, "seat": place, "names": list(called)} if is_count(at) and is_count(place):
                    deal, seat, names, moves, over = at, place, [str(name) for name in called], [], False
                case {"moves": list(more)} if all(map(is_count, more)):
                    moves += more
                case {"over": int(), "payoffs": list(paid)} if seat < len(paid) and is_finite(paid[seat]):
                    payoffs.append(float(paid[seat]))
                    over = True
                case _:
                    break  # a line that a kill has cut, and what was written after it
        return Left(about, payoffs, deal, seat, moves, names, over)

    def _write(self, line: dict[str, Any]) -> None:
        data = json.dumps(line, ensure_ascii=False).encode() + b"\n"
        with explaining("write", self.path), open(self.path, "ab", buffering=0) as file:
            file.write(data)
            if "over" in line:
                os.fsync(file.fileno())


def about_in(line: Any, path: Path) -> TableAbout:
    match line:
        case {"table": {"game": str(game), "against": list(against), "seat": seat, "seed": int(seed), "coach": coach}}:
            if all(map(is_text, against)) and (seat is None or is_count(seat)) and (coach is None or is_text(coach)):
                return TableAbout(game, tuple(against), seat, seed, coach)
    raise FileTrouble(f"{path} is damaged: it does not begin with a table")


def ids_in(home: Path) -> list[tuple[str, float]]:
    """The tables that are kept, and when each was last written to, newest first."""
    paths = (path for path in (home / "open").glob("*.jsonl") if ID.fullmatch(path.stem))
    return sorted(((path.stem, path.stat().st_mtime) for path in paths), key=lambda one: -one[1])
