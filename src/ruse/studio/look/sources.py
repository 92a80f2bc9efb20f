"""What can be looked at: the strategies in the folder of runs, and games that nobody has solved yet.

A page names them by an id, and nothing but what is listed here is ever opened: a run by its name, a file
`NAME.strategy` in the folder of runs, or `game:` with the text that names a game.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import Depends
from pydantic import BaseModel, Field

from ruse.catalog.names import GAMES, names_spot
from ruse.catalog.recorded import shown_path
from ruse.catalog.titles import spec, title
from ruse.catalog.trust import Untrusted
from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.explaining.guide import TreeGuide
from ruse.games.holdem.spots.rules import SpotGame
from ruse.protocol.game import Game
from ruse.protocol.values.recent import Recent
from ruse.spots.strategy import SpotStrategy
from ruse.store.runs import RunDirectory, list_runs
from ruse.store.tensors import metadata_of
from ruse.strategy import Strategy
from ruse.studio.answers import Missing
from ruse.studio.names import is_file_name, typed_game
from ruse.studio.state import Studio, studio_of
from ruse.training.regrets import regrets_of

GAME = "game:"  # what an id begins with that is a game's
ENDING = ".strategy"
LONGEST = 20_000  # letters of an id: a spot has its ranges in it

Kind = Literal["strategy", "spot", "blueprint", "game"]
SourceId = Annotated[str, Field(min_length=1, max_length=LONGEST, description="a run, NAME.strategy, or game:GAME")]


class StrategySource(BaseModel):
    """A strategy that can be looked at, or a game."""

    id: str
    title: str  # of the game
    game: str  # the text that names it
    kind: Kind
    rule: str | None = None
    iterations: int | None = None
    exploitability: float | None = None
    created: str | None = None  # of a run
    status: str | None = None
    view: str | None = None
    note: str | None = None  # the style that was asked for


class Sources:
    """The strategies of a studio's folder of runs; those that were looked at last are kept in memory."""

    def __init__(self, studio: Studio) -> None:
        self.runs = studio.runs
        self._guides: Recent[TreeGuide] = Recent(6)
        self._strategies: Recent[Strategy] = Recent(6)
        self._spots: Recent[SpotStrategy] = Recent(3)
        self._headers: Recent[dict[str, Any]] = Recent(4_096)

    # ---- what there is -----------------------------------------------------------------------------------------------

    def every(self) -> list[StrategySource]:
        """All strategies, the newest run first, then files."""
        found = []
        for summary in list_runs(self.runs)[::-1] if self.runs.is_dir() else ():
            path = RunDirectory(summary.path, {}).strategy_path
            if (told := self._told(path, summary.path.name)) is not None:
                told = told.model_copy(update={
                    "rule": summary.rule or told.rule, "iterations": summary.iterations,
                    "exploitability": summary.exploitability, "created": summary.created.isoformat(),
                    "status": summary.status,
                })  # fmt: skip
                found.append(told)
        files = sorted(self.runs.glob(f"*{ENDING}")) if self.runs.is_dir() else []
        found += [told for path in files if (told := self._told(path, path.name)) is not None]
        return found

    def _told(self, path: Path, name: str) -> StrategySource | None:
        """What the header of a strategy's file says; None if there is none that can be read."""
        try:
            header = self._header(path)
        except (FileTrouble, OSError):
            return None
        about, game = header["about"], header.get("game", "")
        style = about.get("style") if isinstance(about.get("style"), dict) else {}
        made = about.get("iterations"), about.get("exploitability", style.get("exploitability"))
        return StrategySource(
            id=name, title=title(game), game=game, kind=kind_of(header), rule=as_text(about.get("rule")),
            iterations=made[0] if isinstance(made[0], int) else None,
            exploitability=made[1] if isinstance(made[1], float) else None,
            view=None if (view := header.get("view", "Full")).startswith("Full") else view,
            note=as_text(style.get("target")),
        )  # fmt: skip

    def _header(self, path: Path) -> dict[str, Any]:
        def read() -> dict[str, Any]:
            header: dict[str, Any] = dict(metadata_of(path))
            try:
                about = json.loads(header.get("about", ""))
            except (ValueError, RecursionError):
                about = {}
            return header | {"about": about if isinstance(about, dict) else {}}

        return self._headers.of(stamp(path), read)

    def path(self, id: str) -> Path:
        """Where the strategy of an id is: in the folder of runs, and nowhere else."""
        if is_file_name(id):
            path = self.runs / id
            if id.endswith(ENDING) and path.is_file():
                return path
            inside = RunDirectory(path, {}).strategy_path
            if not id.endswith(ENDING) and inside.is_file():
                return inside
            if (path / "run.toml").is_file():
                raise Missing(f"{id} has no strategy yet: it has one once it was stopped, or is finished")
        raise Missing(f"there is no strategy {id[:80]!r} in {self.runs}")

    def kind(self, id: str) -> Kind:
        """What can be asked of it."""
        return "game" if id.startswith(GAME) else kind_of(self._header(self.path(id)))

    # ---- what is looked at -------------------------------------------------------------------------------------------

    def source(self, id: str) -> StrategySource:
        """One of those that there are."""
        if id.startswith(GAME):
            game = named_game(id.removeprefix(GAME))
            return StrategySource(id=id, title=title(spec(game)), game=spec(game), kind="game")
        told = self._told(self.path(id), id)
        if told is None:
            raise FileTrouble(f"{id} cannot be read; `ruse show {id}` says what is wrong with it")
        return told

    def strategy(self, id: str) -> Strategy:
        """A strategy that is no spot's."""
        path = self.path(id)
        try:
            return self._strategies.of(stamp(path), lambda: Strategy.load(path))
        except Untrusted as error:
            raise unread(f"{id} is for a game that", str(self._header(path).get("game", ""))) from error

    def guide(self, id: str) -> TreeGuide:
        """The guide through a strategy's game, or through a game."""
        if id.startswith(GAME):
            game = named_game(id.removeprefix(GAME))
            return self._guides.of(("game", spec(game)), lambda: TreeGuide(game))
        path = self.path(id)

        def make() -> TreeGuide:
            strategy = self.strategy(id)
            learned = regrets_of(RunDirectory.open(path.parent)) if path.parent != self.runs else None
            return TreeGuide(strategy.game, strategy, learned)

        return self._guides.of(stamp(path), make)

    def spot(self, id: str) -> SpotStrategy:
        """The strategy of a spot."""
        path = self.path(id)
        return self._spots.of(stamp(path), lambda: SpotStrategy.load(path))


def sources_of(studio: Annotated[Studio, Depends(studio_of)]) -> Sources:
    """For handlers: `sources: Annotated[Sources, Depends(sources_of)]`."""
    return studio.of(Sources)


def kind_of(header: dict[str, Any]) -> Kind:
    """What a file holds, by its header."""
    if str(header.get("format", "")).startswith("ruse-spot/"):
        return "spot"
    game, view = (str(header.get(name, "")) for name in ("game", "view"))
    return "blueprint" if game.startswith("holdem") and view.startswith("buckets") else "strategy"


def stamp(path: Path) -> tuple[str, int, int]:
    """What tells a file from what it was before."""
    try:
        facts = path.stat()
    except OSError as error:
        raise FileTrouble(f"there is no file {path}") from error
    return str(path), facts.st_mtime_ns, facts.st_size


def named_game(text: str) -> Game:
    """The game that a page names. Code of a file is run only if it was run here before, by a person who typed it."""
    if names_spot(text) and not text.startswith("holdem:"):
        raise RuseError(f"a spot is given in words here, as in 'holdem: board Qs Jh 2h, ...', not as a file {text!r}")
    try:
        return typed_game(text)
    except Untrusted as error:
        raise unread(text[:200], text) from error


def unread(what: str, game: str) -> Untrusted:
    """What to say of a game in a file of code."""
    return Untrusted(
        f"{what} is code that was never run here, or has changed since, and a page runs no such code: if you trust it, "
        f"type `ruse check {shown_path(game[:200])}` once in a terminal"
    )


def as_text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def is_spot(game: Game) -> bool:
    return isinstance(game, SpotGame)


USUAL = tuple(GAMES)  # games that can be looked at before anything is solved
