"""The arena: bots and runs in a round robin, a cross table with intervals, and how far it has come."""

import json
import logging
import math
import re
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field, ValidationError

from ruse.catalog.titles import spec, title, title_of
from ruse.errors import RuseError
from ruse.horizon.search.named import looks_ahead, named_in
from ruse.play.bots.bot import playing
from ruse.play.bots.names import bot, bots_of
from ruse.play.round_robin import RoundRobin, Winning
from ruse.play.seats import seated
from ruse.protocol.game import Game, declared
from ruse.store.tensors import replacing
from ruse.strategy import Strategy
from ruse.studio.answers import Clash, Missing, said_on_a_page
from ruse.studio.feed import Feed, News
from ruse.studio.look.errands import LEFT, Errand, Errands
from ruse.studio.look.sources import LONGEST, USUAL, Sources, named_game
from ruse.studio.play.ahead import ahead_of, bounded, can_look_ahead
from ruse.studio.state import Studio, studio_of

log = logging.getLogger(__name__)

router = APIRouter(prefix="/api/arena", tags=["arena"])

FOLDER = ".arena"  # in the folder of runs, of which those with a dot are none
KEPT = 200  # tables on disk
MOST_AHEAD = 500  # deals at all tables where somebody looks ahead
KIND = "arena"
ID = re.compile(r"\d{8}T\d{6}Z(-\d+)?")

Held = Annotated[Studio, Depends(studio_of)]
ArenaStanding = Literal["waiting", "running", "done", "failed", "stopped"]
OPEN: tuple[ArenaStanding, ...] = ("waiting", "running")


class ArenaAsk(BaseModel):
    """A tournament."""

    game: str = Field(min_length=1, max_length=LONGEST)
    entrants: list[Annotated[str, Field(min_length=1, max_length=200)]] = Field(min_length=2, max_length=16)
    deals: int = Field(1_000, ge=2, le=1_000_000)
    seed: int = Field(0, ge=0, le=2**53)


class ArenaEntrant(BaseModel):
    """Who may take part."""

    name: str
    kind: Literal["bot", "strategy"]
    note: str


class ArenaGame(BaseModel):
    """A game that can be played in the arena."""

    game: str
    title: str
    players: int
    entrants: list[ArenaEntrant]


class ArenaCell(BaseModel):
    """What one has won against another, payoff a game."""

    mean: float | None
    margin: float | None  # half the 95 % interval
    wins: float | None
    deals: int


class ArenaRow(BaseModel):
    """One entrant: against each of the others, and overall."""

    name: str
    cells: list[ArenaCell | None]  # in the order of the entrants; None against itself
    overall: ArenaCell


class ArenaTable(BaseModel):
    """A tournament, as far as it has come."""

    id: str
    game: str
    title: str
    players: int
    entrants: list[str]
    deals: int
    seed: int
    created: str
    standing: ArenaStanding
    told: str
    error: str | None = None
    played: int  # deals, at all tables
    planned: int
    rows: list[ArenaRow]


class ArenaList(BaseModel):
    """All tournaments, the newest first."""

    tables: list[ArenaTable]


class Arena:
    """The tournaments of a studio: those that run, and those that are over, on disk."""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.folder = studio, studio.runs / FOLDER
        self._lock = threading.Lock()
        self._tables: dict[str, ArenaTable] = self._read()
        self._errands: dict[str, Errand] = {}
        # Grow with each change, and begin with the clock: a page that has heard of a studio before this one hears on.
        self._first = time.time_ns() // 1_000_000
        self._numbers: dict[str, int] = dict.fromkeys(self._tables, self._first)
        studio.of(Feed).source(KIND, self.news)
        self.errands = studio.of(Errands)

    def _read(self) -> dict[str, ArenaTable]:
        found = {}
        for path in sorted(self.folder.glob("*.json"))[-KEPT:] if self.folder.is_dir() else ():
            with suppress(OSError, ValidationError, ValueError):
                table = ArenaTable.model_validate_json(path.read_bytes())
                if table.standing in OPEN:  # the studio that had it played was killed
                    table = table.model_copy(update={"standing": "stopped", "told": "stopped"})
                if ID.fullmatch(table.id) and path.stem == table.id:
                    found[table.id] = table
        return found

    def every(self) -> list[ArenaTable]:
        with self._lock:
            return [self._tables[id] for id in sorted(self._tables, reverse=True)]

    def get(self, id: str) -> ArenaTable:
        with self._lock:
            if id not in self._tables:
                raise Missing(f"there is no tournament {id[:60]!r}")
            return self._tables[id]

    def begin(self, asked: ArenaAsk) -> ArenaTable:
        """Have a tournament played."""
        if len(set(asked.entrants)) < len(asked.entrants):
            raise RuseError("everybody takes part once; take out who is there twice")
        game = named_game(asked.game)
        if declared(game, "betting"):
            raise RuseError("a spot is looked at in the explorer, and not played in the arena")
        self.known(game, asked.entrants)
        table = ArenaTable(
            id="", game=spec(game), title=title_of(game), players=game.players, entrants=asked.entrants,
            deals=asked.deals, seed=asked.seed, created=datetime.now(UTC).isoformat(), standing="waiting",
            told="waiting", played=0, planned=asked.deals * math.comb(len(asked.entrants), game.players), rows=[],
        )  # fmt: skip
        if table.planned > MOST_AHEAD and any(map(looks_ahead, asked.entrants)):
            raise RuseError(
                f"whoever looks ahead takes seconds for a move: at most {MOST_AHEAD} deals at all tables, not "
                f"{table.planned:,}; let fewer take part, or play fewer deals"
            )
        if table.planned == 0:
            raise RuseError(f"{title_of(game)} has {game.players} seats; choose at least as many to sit there")
        bots = self.entered(game, asked.entrants)
        table = self._put(table)
        self._write(table)
        try:
            self._errands[table.id] = self.errands.send(KIND, lambda errand: self._play(table.id, game, bots, errand))
        except RuseError:
            self.forget(table.id)
            raise
        return self.get(table.id)

    def known(self, game: Game, entrants: Sequence[str]) -> None:
        """Raise unless all of them are bots of the game, or strategies in the folder of runs."""
        bots, sources = bots_of(game), self.studio.of(Sources)
        for name in entrants:
            if name.partition(":")[0] in bots:
                bot(name, game)
            else:
                sources.path(bounded(name).strategy if looks_ahead(name) else name)

    def entered(self, game: Game, entrants: Sequence[str]) -> dict[str, Any]:
        """All of them, opened and seated once: who cannot play this game is refused now, not when it is his turn."""
        bots = {name: self._seated(name, game) for name in entrants}
        for one in bots.values():
            if isinstance(one, Strategy):
                one.refuse_other(game)
            seated(game, playing(one) if isinstance(one, Strategy) else one)
        return bots

    def _play(self, id: str, game: Game, bots: Mapping[str, Any], errand: Errand) -> None:
        try:
            self._change(id, standing="running", told="begins")
            robin = RoundRobin(game, bots, deals=self.get(id).deals, seed=self.get(id).seed)

            def watch(table: Sequence[int], done: int) -> None:
                names = " against ".join(robin.names[k] for k in table)
                errand.tell(names)
                self._change(id, told=names, played=robin.played)

            for _ in robin.play(watch):
                self._change(id, played=robin.played, rows=rows_of(robin))
                self._write(self.get(id))
            self._change(id, standing="done", told="done")
        except RuseError as error:
            self._change(id, standing="failed", told="failed", error=said_on_a_page(error))
            raise
        except BaseException:
            self._change(id, standing="stopped", told="stopped")
            raise
        finally:
            self._write(self.get(id))

    def _seated(self, name: str, game: Game) -> Any:
        """A bot that can be used again and again."""
        if name.partition(":")[0] in bots_of(game):
            return bot(name, game)
        if looks_ahead(name):
            asked = bounded(name)
            return named_in(asked, self.studio.of(Sources).path(asked.strategy), game)
        return Strategy.load(self.studio.of(Sources).path(name), game=game)

    def stop(self, id: str) -> ArenaTable:
        table = self.get(id)
        if table.standing not in OPEN:
            raise Clash("this tournament is over already")
        if (errand := self._errands.get(id)) is not None:
            self.errands.stop(errand.id, when_left=lambda: self._stopped(id, LEFT))
            if errand.standing == "waiting":
                self._stopped(id, "stopped")
        return self.get(id)

    def _stopped(self, id: str, told: str) -> None:
        self._change(id, standing="stopped", told=told)
        with suppress(Missing):  # it was forgotten meanwhile
            self._write(self.get(id))

    def forget(self, id: str) -> None:
        if self.get(id).standing == "running":
            raise Clash("this tournament runs; stop it first")
        with self._lock:
            del self._tables[id]
        (self.folder / f"{id}.json").unlink(missing_ok=True)

    def _put(self, table: ArenaTable) -> ArenaTable:
        """Give it an id that no other has, and keep it: between the two nobody else may be given that id."""
        first = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        with self._lock:
            id = next(id for id in (first, *(f"{first}-{n}" for n in range(2, 1_000))) if id not in self._tables)
            self._tables[id] = table = table.model_copy(update={"id": id})
            self._numbers[id] = self._numbers.get(id, self._first) + 1
        return table

    def _change(self, id: str, **changes: Any) -> None:
        with self._lock:
            if id in self._tables:
                self._tables[id] = self._tables[id].model_copy(update=changes)
                self._numbers[id] += 1

    def _write(self, table: ArenaTable) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with replacing(self.folder / f"{table.id}.json") as file:
                file.write(json.dumps(table.model_dump(), indent=1).encode())
        except (OSError, RuseError):
            log.exception("the tournament %s could not be written", table.id)

    def news(self, id: str, since: int) -> News | None:
        table = self.get(id)
        number = self._numbers[id]
        return News(number, table.model_dump()) if number != since else None


@router.get("")
def tournaments(studio: Held) -> ArenaList:
    """All tournaments, the newest first."""
    return ArenaList(tables=studio.of(Arena).every())


@router.post("")
def begin(studio: Held, asked: ArenaAsk) -> ArenaTable:
    """Have everybody play against everybody."""
    return studio.of(Arena).begin(asked)


@router.get("/games")
def games(studio: Held) -> list[ArenaGame]:
    """The games that can be played: those that have a strategy here, and the usual ones."""
    by_game: dict[str, list[ArenaEntrant]] = {}
    blueprints: list[tuple[str, Game, str]] = []
    for one in studio.of(Sources).every():
        if one.kind in ("strategy", "blueprint") and one.game:
            note = " · ".join(
                part for part in (one.rule, f"{one.iterations:,} iterations" if one.iterations else None) if part
            )
            by_game.setdefault(one.game, []).append(ArenaEntrant(name=one.id, kind="strategy", note=note))
            if one.kind == "blueprint":
                with suppress(RuseError):
                    blueprints.append((one.id, named_game(one.game), one.view or ""))
    for name in USUAL:
        by_game.setdefault(spec(named_game(name)), [])
    found = []
    for text, runs in by_game.items():
        with suppress(RuseError):  # a game that is not known any more
            game = named_game(text)
            bots = [ArenaEntrant(name=name, kind="bot", note="bot") for name in bots_of(game)]
            slow = f"takes its time: at most {MOST_AHEAD} deals in all"
            ahead = [
                ArenaEntrant(name=ahead_of(id), kind="strategy", note=slow)
                for id, home, view in blueprints if can_look_ahead(game, home, view)
            ]  # fmt: skip
            found.append(ArenaGame(game=text, title=title(text), players=game.players, entrants=[*runs, *bots, *ahead]))
    return found


@router.get("/tables/{id}")
def tournament(studio: Held, id: str) -> ArenaTable:
    """One of them."""
    return studio.of(Arena).get(id)


@router.post("/tables/{id}/stop")
def stop(studio: Held, id: str) -> ArenaTable:
    """Stop it where it is; what was played counts."""
    return studio.of(Arena).stop(id)


@router.delete("/tables/{id}")
def forget(studio: Held, id: str) -> ArenaList:
    """Forget one that is over."""
    studio.of(Arena).forget(id)
    return ArenaList(tables=studio.of(Arena).every())


def rows_of(robin: RoundRobin) -> list[ArenaRow]:
    every = range(len(robin.names))
    return [
        ArenaRow(
            name=robin.names[one],
            cells=[None if one == other else cell_of(robin.against(one, other)) for other in every],
            overall=cell_of(robin.overall(one)),
        )
        for one in every
    ]  # fmt: skip


def cell_of(won: Winning) -> ArenaCell:
    numbers = {"mean": won.mean, "margin": won.margin, "wins": won.win_rate}
    return ArenaCell(**{name: x if math.isfinite(x) else None for name, x in numbers.items()}, deals=won.deals)
