"""The area Replay: recorded games, those of the studio's own tables and those that are dropped onto the page."""

import hashlib
import json
import tempfile
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi import Path as InPath
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from ruse.catalog.titles import title
from ruse.errors import FileTrouble, RuseError
from ruse.play.records.forms import read_any
from ruse.play.records.record import Recorded
from ruse.studio.answers import Missing
from ruse.studio.play.keeping import ID
from ruse.studio.play.replays import Opened, ReplayView, WorthView, opened
from ruse.studio.play.seating import AtHand, Seating
from ruse.studio.state import Studio, studio_of

router = APIRouter(prefix="/api/records", tags=["replay"])

LISTED = 50  # files
GAMES = 2_000  # of a file
MOVES = 20_000  # of a game
DROPPED = 16  # files that are kept at hand

FileId = Annotated[str, InPath(pattern="^x?[0-9a-f]{16}$")]
Number = Annotated[int, InPath(ge=1, le=GAMES)]


class ReplayGame(BaseModel):
    """A game of a file."""

    number: int
    title: str
    names: list[str]
    people: list[int]
    payoffs: list[float]
    moves: int


class RecordFile(BaseModel):
    """A file of games that are over."""

    id: str
    name: str
    games: list[ReplayGame]
    left_out: str | None = Field(default=None, description="what was not read, and why")


class RecordLine(BaseModel):
    """A file as it is listed: the games of one table."""

    id: str
    title: str
    names: list[str]
    games: int
    total: float | None = Field(description="what the person has got in all")
    touched: float


class File(NamedTuple):
    """The games of a file that are over."""

    id: str
    name: str
    games: list[Recorded]
    left_out: str | None
    dropped: bool


class Records:
    """Recorded games by file."""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.seating = studio, studio.of(Seating)
        self._dropped, self._files, self._opened = dict[str, File](), AtHand(32), AtHand(32)

    def files(self) -> list[RecordLine]:
        """The games of tables, newest first."""
        paths = [path for path in self.studio.games.glob("*.jsonl") if ID.fullmatch(path.stem)]
        found = []
        for path in sorted(paths, key=lambda path: -path.stat().st_mtime)[:LISTED]:
            with suppress(RuseError, OSError):
                file = self.file(path.stem)
                if file.games:
                    head = file.games[-1].head
                    found.append(
                        RecordLine(
                            id=file.id,
                            title=title(head["game"]),
                            names=[str(name) for name in head["players"]],
                            games=len(file.games),
                            total=total_of(file.games),
                            touched=path.stat().st_mtime,
                        )
                    )
        return found

    def file(self, id: str) -> File:
        if id.startswith("x"):
            if id not in self._dropped:
                raise Missing("this file was dropped onto a page that is gone; drop it here again")
            return self._dropped[id]
        path = self.studio.games / f"{id}.jsonl"
        if not path.is_file():
            raise Missing("there are no games of this table yet")
        stat = path.stat()
        return self._files.of((id, stat.st_mtime_ns, stat.st_size), lambda: games_in(path, id, f"table {id[:4]}"))

    def drop(self, name: str, data: bytes) -> File:
        """Take in a file that was dropped onto the page; nothing in it is run, and it is not kept on disk."""
        id = f"x{hashlib.sha256(data).hexdigest()[:16]}"
        if id in self._dropped:
            return self._dropped[id]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record"
            path.write_bytes(data)
            try:
                file = games_in(path, id, name)
            except RuseError as trouble:
                raise RuseError(str(trouble).replace(str(path), name)) from None
        self._dropped[id] = file
        while len(self._dropped) > DROPPED:
            self._dropped.pop(next(iter(self._dropped)))
        return file

    def recorded(self, id: str, number: int) -> tuple[File, Recorded]:
        file = self.file(id)
        if number > len(file.games):
            raise Missing(f"{file.name} has {len(file.games)} games that are over; there is no game {number}")
        return file, file.games[number - 1]

    def opened(self, id: str, number: int) -> tuple[File, Opened]:
        """A game, played again by the rules."""
        file, recorded = self.recorded(id, number)
        key = (id, number, recorded.head["seed"], len(recorded.actions))
        return file, self._opened.of(key, lambda: opened(recorded, Path(file.name), self.seating.game))


def games_in(path: Path, id: str, name: str) -> File:
    """The games of a file that are over: others would show what is hidden. What comes after damage is left out."""
    found: list[Recorded] = []
    left_out = None
    try:
        for one in islice(read_any(path), GAMES):
            if one.end is not None and len(one.actions) <= MOVES:
                found.append(one)
            else:
                left_out = "a game that is not over is not shown"
    except FileTrouble as trouble:
        if not found:
            raise
        left_out = str(trouble).replace(str(path), name)
    if not found:
        raise RuseError(f"{name} has no game that is over")
    return File(id, name, found, left_out, id.startswith("x"))


def total_of(games: list[Recorded]) -> float | None:
    """What the one person of these games has got."""
    people = [game.head.get("people", []) for game in games]
    if not all(len(seats) == 1 for seats in people):
        return None
    return float(sum(game.end["payoffs"][seats[0]] for game, seats in zip(games, people, strict=True) if game.end))


def records_of(studio: Annotated[Studio, Depends(studio_of)]) -> Records:
    return studio.of(Records)


Here = Annotated[Records, Depends(records_of)]


@router.get("")
def files_of_games(records: Here) -> list[RecordLine]:
    """The games that were finished at tables of this studio."""
    return records.files()


@router.post("", openapi_extra={"requestBody": {"content": {"application/octet-stream": {}}, "required": True}})
async def drop(request: Request, records: Here, name: Annotated[str, Query(max_length=200)] = "the file") -> RecordFile:
    """Look at a file of games: our own records, or another form that a game has. Nothing in it is run."""
    data = await request.body()
    shown = name if name.isprintable() and name else "the file"
    return file_view(await run_in_threadpool(records.drop, shown, data))


@router.get("/{id}")
def games_of_a_file(records: Here, id: FileId) -> RecordFile:
    """The games of a file."""
    return file_view(records.file(id))


@router.get("/{id}/{number}")
def replay(records: Here, id: FileId, number: Number) -> ReplayView:
    """A game with everything that was hidden, step by step."""
    file, game = records.opened(id, number)
    end = game.recorded.end or {"payoffs": []}
    judge = None
    if game.played is not None:
        judge = records.seating.usual_judge(game.played.game, game.names)
    return ReplayView(
        id=id, number=number, games=len(file.games), title=game.title, about=game.about,
        table=game.table, names=game.names, people=list(game.recorded.head.get("people", [])),
        payoffs=end["payoffs"], seed=game.recorded.head["seed"],
        steps=game.steps(), judge=judge, why_not=game.why_not,
    )  # fmt: skip


@router.get("/{id}/{number}/worth")
def worth(
    records: Here, id: FileId, number: Number, move: Annotated[int, Query(ge=0, le=MOVES)],
    by: Annotated[str | None, Query(max_length=400)] = None,
) -> WorthView:  # fmt: skip
    """What the actions of a decision were worth, with everything known."""
    _, game = records.opened(id, number)
    state, chosen = game.decision(move)
    seating = records.seating
    judge = seating.judge(by or seating.usual_judge(state.game, game.names), state.game)
    return WorthView(move=move, chosen=chosen, **seating.judged(judge, state)._asdict())


@router.get("/{id}/{number}/file", response_class=Response)
def download(records: Here, id: FileId, number: Number) -> Response:
    """One game as a file, to be shared and dropped onto another studio's page."""
    game = records.opened(id, number)[1].recorded  # which refuses one whose words are not those of its moves
    lines = [game.head, *game.actions, *([game.end] if game.end else [])]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    kind = "".join(c for c in title(game.head["game"]).partition(":")[0] if c.isalnum() or c == "_") or "game"
    headers = {"content-disposition": f'attachment; filename="{kind}-{id[:6]}-{number}.jsonl"'}
    return Response(text.encode(), media_type="application/x-ndjson", headers=headers)


def file_view(file: File) -> RecordFile:
    games = [
        ReplayGame(
            number=k,
            title=title(one.head["game"]),
            names=[str(name) for name in one.head["players"]],
            people=list(one.head.get("people", [])),
            payoffs=one.end["payoffs"] if one.end else [],
            moves=sum(isinstance(event["player"], int) for event in one.actions),
        )
        for k, one in enumerate(file.games, 1)
    ]
    return RecordFile(id=file.id, name=file.name, games=games, left_out=file.left_out)
