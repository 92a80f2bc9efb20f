"""The area Play: tables that the studio holds, each for one person."""

import secrets
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi import Path as InPath

from ruse.catalog.names import GAMES, about
from ruse.catalog.names import game as named_game
from ruse.catalog.titles import spec, title_of
from ruse.errors import RuseError
from ruse.studio.answers import Missing, Overfull
from ruse.studio.play.ahead import AT_A_TABLE, MOST_SECONDS, USUAL_SECONDS
from ruse.studio.play.keeping import ID, Keeper, TableAbout, ids_in
from ruse.studio.play.seating import SOLVED, AtHand, RunOffer, Seating, words_about
from ruse.studio.play.table import PlayTable, drawn_as
from ruse.studio.play.table_words import (
    ActAsk,
    AheadChoices,
    GameOffer,
    HintView,
    OpenTable,
    ReviewView,
    SeatRun,
    TableAsk,
    TableChoices,
    TableOffers,
    TableView,
)
from ruse.studio.state import Studio, studio_of

SECRET = 256  # bits of a seed that nobody has asked for: the seeds of games are made of it, and seen in records
router = APIRouter(prefix="/api/tables", tags=["play"])

AT_HAND = 500  # tables in memory; others are opened again from disk
MOST = 20_000  # tables on disk
LISTED = 30

TableId = Annotated[str, InPath(pattern="^[0-9a-f]{16}$")]


class PlayTables:
    """All tables of a studio."""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.seating = studio, studio.of(Seating)
        self.at_hand = AtHand(AT_HAND, AT_A_TABLE, "this table is being opened, and its bots are asked; wait for it")

    def sit_down(self, asked: TableAsk) -> PlayTable:
        """A new table."""
        if len(ids_in(self.studio.games)) >= MOST:
            raise Overfull(f"there are {MOST:,} tables already; delete some in {self.studio.games}")
        seed = secrets.randbits(SECRET) if asked.seed is None else asked.seed
        told = TableAbout(asked.game, tuple(asked.against), asked.seat, seed, asked.coach)
        id = secrets.token_hex(8)
        table = PlayTable.start(id, told, self.keeper(id), self.seating)
        self.at_hand.put(id, table)
        return table

    def table(self, id: str) -> PlayTable:
        """A table by its name; one that is on disk alone is opened again."""
        return self.at_hand.of(id, lambda: self.opened(id))

    def opened(self, id: str) -> PlayTable:
        keeper = self.keeper(id)
        if not ID.fullmatch(id) or not keeper.path.is_file():
            raise Missing("there is no such table; sit down at a new one")
        return PlayTable.resume(id, keeper.left(), keeper, self.seating)

    def keeper(self, id: str) -> Keeper:
        return Keeper(self.studio.games, id)

    def leave(self, id: str) -> None:
        """Forget a table; its finished games stay."""
        self.table(id)
        self.at_hand.forget(id)
        self.keeper(id).path.unlink(missing_ok=True)

    def left(self) -> list[OpenTable]:
        """The tables that were sat at last."""
        found = []
        for id, touched in ids_in(self.studio.games)[:LISTED]:
            with suppress(RuseError):
                left = self.keeper(id).left()
                game = self.seating.game(left.about.game)
                found.append(
                    OpenTable(
                        id=id,
                        title=title_of(game),
                        table=drawn_as(game),
                        against=list(left.about.against),
                        games=len(left.payoffs),
                        over=left.over,
                        touched=touched,
                    )
                )
        return found


def tables_of(studio: Annotated[Studio, Depends(studio_of)]) -> PlayTables:
    return studio.of(PlayTables)


Here = Annotated[PlayTables, Depends(tables_of)]


@router.get("/games")
def games_to_play(tables: Here) -> TableOffers:
    """The games that can be played, and the runs that can sit down."""
    runs = tables.seating.runs()
    games = [offer_of(name) for name in GAMES]
    known = {game.spec for game in games}
    for run in runs:
        if run.game not in known and run.game.partition(":")[0] not in GAMES:
            known.add(run.game)
            with suppress(RuseError):
                made = tables.seating.game(run.game)
                games.append(
                    GameOffer(
                        spec=run.game, title=run.title, about=words_about(made), table="plain", named={}, own=True
                    )
                )
    return TableOffers(games=games, runs=[seat_run(run) for run in runs])


def seat_run(run: RunOffer) -> SeatRun:
    return SeatRun(name=run.name, game=run.game, title=run.title, rule=run.rule)


def offer_of(name: str) -> GameOffer:
    made = named_game(name)
    variants = {word: f"{name}:{word}" for word in getattr(made, "NAMED", {})}
    told = str(about(name)["description"])
    return GameOffer(spec=name, title=name, about=told, table=drawn_as(made), named=variants, own=False)


@router.get("/choices")
def who_sits_down(tables: Here, game: str) -> TableChoices:
    """Whoever can sit down in a game."""
    from ruse.play.bots.names import bots_of

    made = tables.seating.game(game)
    ahead = [run.name for run in tables.seating.ahead_in(made)]
    return TableChoices(
        spec=spec(made), title=title_of(made), about=words_about(made), table=drawn_as(made), players=made.players,
        bots=list(bots_of(made)), runs=[seat_run(run) for run in tables.seating.runs_for(made)],
        solvable=SOLVED if tables.seating.is_small(made) else None,
        ahead=AheadChoices(runs=ahead, seconds=USUAL_SECONDS, most=MOST_SECONDS) if ahead else None,
    )  # fmt: skip


@router.get("")
def tables_that_were_left(tables: Here) -> list[OpenTable]:
    """Tables to go on at."""
    return tables.left()


@router.post("")
def sit_down(tables: Here, asked: TableAsk) -> TableView:
    """Sit down at a new table, and be dealt the first game."""
    return tables.sit_down(asked).view()


@router.get("/{id}")
def look(tables: Here, id: TableId) -> TableView:
    """What the person at a table may see now."""
    return tables.table(id).view()


@router.post("/{id}/act")
def act(tables: Here, id: TableId, asked: ActAsk) -> TableView:
    """Do something; then bots move until it is the person's turn again, or the game is over."""
    table = tables.table(id)
    table.act(asked)
    return table.view()


@router.post("/{id}/next")
def next_game(tables: Here, id: TableId) -> TableView:
    """Deal the next game."""
    table = tables.table(id)
    table.next()
    return table.view()


@router.get("/{id}/hint")
def hint(tables: Here, id: TableId) -> HintView:
    """What a strategy would do here."""
    return tables.table(id).hint()


@router.get("/{id}/review")
def review(tables: Here, id: TableId) -> ReviewView:
    """What the person's choices in this game have cost."""
    return tables.table(id).review()


@router.delete("/{id}", status_code=204)
def leave(tables: Here, id: TableId) -> None:
    """Leave a table for good; what was finished there stays."""
    tables.leave(id)
