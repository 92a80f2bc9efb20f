"""The form that starts a run: which games there are, what may be asked of a training, and what goes together."""

import shlex
from functools import cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field

from ruse.catalog.names import GAMES, SPOT_FILES, about, game
from ruse.catalog.titles import title
from ruse.compile.files.game_files import split
from ruse.errors import RuseError
from ruse.protocol.game import declared
from ruse.studio.answers import Missing
from ruse.studio.runs.aside import Aside
from ruse.studio.runs.launching import Launcher
from ruse.studio.runs.runs import Begun
from ruse.studio.runs.shelf import Shelf
from ruse.studio.state import Studio, studio_of
from ruse.training.jobs.schema import BY_NAME, ITERATIONS, OPTIONS, given, typed_words

router = APIRouter(prefix="/api/forms", tags=["forms"])

Here = Annotated[Studio, Depends(studio_of)]
Spec = Annotated[str, Field(min_length=1, max_length=2000)]
Value = bool | int | float | Annotated[str, Field(max_length=500)] | Annotated[list[str], Field(max_length=20)] | None
TITLES = {"liars_dice": "Liar's dice", "holdem": "Hold'em"}
Asked = Annotated[dict[str, Value], Field(max_length=len(OPTIONS))]


class GameField(BaseModel):
    """A number or a word that a game can be played with."""

    name: str
    kind: Literal["whole", "number", "yes", "text"]
    default: str


class GameForm(BaseModel):
    """A game that can be solved."""

    name: str
    title: str
    description: str
    fields: list[GameField]
    named: list[str]  # fields that have a name together, as `half`
    usual: dict[str, Any]  # how it is solved if nothing else is asked


class OptionForm(BaseModel):
    """Something that may be asked of a training; see `ruse solve --help`."""

    name: str
    kind: str
    default: Any
    help: str
    shown: str
    many: bool


class Forms(BaseModel):
    """All that the form is made of."""

    games: list[GameForm]
    options: list[OptionForm]
    iterations: int  # if nothing says when to stop


class JobAsked(BaseModel):
    """A training as a person asks for it: the game by name, and options of the schema."""

    game: Spec
    options: Asked = {}


class OfferView(BaseModel):
    """A value that an option can have, and why it cannot now."""

    value: Any
    why_not: str | None


class Fitting(BaseModel):
    """Whether it goes together, what else may be chosen, and what a person would type."""

    trouble: str | None
    offers: dict[str, list[OfferView]]
    command: str
    title: str


class SizeView(BaseModel):
    """How large a game is."""

    told: str
    histories: float | None
    infosets: float | None
    bytes: float | None
    is_exact: bool = True
    fits: bool = True  # into the memory that is free


@cache
def games() -> tuple[GameForm, ...]:
    """The games of the package."""
    return tuple(form_of(name) for name in GAMES)


def form_of(name: str) -> GameForm:
    made, told = game(name), about(name)
    kinds = {bool: "yes", int: "whole", float: "number"}
    return GameForm(
        name=name, title=TITLES.get(name, name.replace("_", " ").capitalize()), description=told["description"],
        fields=[
            GameField(name=field, kind=kinds.get(type(usual), "text"), default=str(usual))  # type: ignore[arg-type]
            for field, usual in told["fields"].items()
        ],
        named=list(getattr(type(made), "NAMED", {})), usual=dict(declared(made, "usual", {})),
    )  # fmt: skip


@router.get("")
def the_form(studio: Here) -> Forms:
    """The games, and the options of a training."""
    options = [
        OptionForm(
            name=o.name, kind=o.kind, default=o.default, help=o.help.replace("--", ""), shown=o.shown, many=o.is_many
        )
        for o in OPTIONS
    ]
    return Forms(games=list(games()), options=options, iterations=ITERATIONS)


@router.post("/fits")
def what_goes_together(studio: Here, job: JobAsked) -> Fitting:
    """Whether what is asked goes together, and for each option what else may be chosen, and why not."""
    asked = checked(studio, job)
    found = studio.of(Aside).ask("fits", game=job.game, asked=asked)
    return Fitting(**found, command=shlex.join(words(job.game, asked)), title=title(job.game))


@router.post("/size")
def size_of_a_game(studio: Here, job: JobAsked) -> SizeView:
    """How large a game is: counted, or estimated where it is too large for that."""
    checked(studio, job)
    return studio.of(GameSizes).size(job.game)


@router.post("/start")
def start_a_run(studio: Here, job: JobAsked) -> Begun:
    """Train, in a process of its own that goes on without the studio. The run appears when it has begun."""
    asked = checked(studio, job)
    if trouble := studio.of(Aside).ask("fits", game=job.game, asked=asked)["trouble"]:
        raise RuseError(trouble)
    started = studio.of(Launcher).start(words(job.game, asked, runs=str(studio.runs))[1:])
    return Begun(id=started.id, command=started.command)


def words(spec: str, asked: dict[str, Any], runs: str | None = None) -> list[str]:
    """The command; where the runs are is said only to whoever runs it."""
    return ["ruse", "solve", spec, *typed_words(asked), *(["--runs", runs] if runs is not None else [])]


def refuse_other_files(studio: Studio, spec: str) -> None:
    """A game in a file is known here only by a run of it, which somebody has started in a terminal."""
    is_file = split(spec)[0].endswith((".py", ".efg", *SPOT_FILES)) or spec.endswith(SPOT_FILES)
    if is_file and spec not in {row.game for row in studio.of(Shelf).listed().runs}:
        raise Missing(f"no run here is of {spec!r}; solve that file once in a terminal, and it is known here, too")


def checked(studio: Studio, job: JobAsked) -> dict[str, Any]:
    """The options, each of its kind. A word that begins with a dash would be taken for another option."""
    refuse_other_files(studio, job.game)
    kinds: dict[str, Any] = {"yes": bool, "whole": int, "seed": int, "number": (int, float), "share": (int, float, str)}
    if job.game.startswith("-"):
        raise RuseError(f"no game is called {job.game!r}")
    for name, value in job.options.items():
        if name not in BY_NAME:
            raise RuseError(f"there is no option {name!r}; there are {', '.join(BY_NAME)}")
        option = BY_NAME[name]
        for one in value if isinstance(value, list) and option.is_many else [value]:
            is_kind = isinstance(one, kinds.get(option.kind, str)) and (isinstance(one, bool) == (option.kind == "yes"))
            if one is not None and option.kind == "number" and option.is_many:
                is_kind = True  # a list of numbers comes as texts
            if one is not None and not is_kind:
                raise RuseError(f"{name} cannot be {one!r}")
            if isinstance(one, str) and one.startswith("-"):
                raise RuseError(f"{name} cannot be {one!r}, which begins with a dash")
    asked = {option.name: job.options[option.name] for option in OPTIONS if option.name in job.options}
    return {name: value for name, value in given(asked).items() if value not in (None, "", [])}


class GameSizes:
    """What was measured, by the game's name."""

    def __init__(self, studio: Studio) -> None:
        self.aside = studio.of(Aside)
        self.known: dict[str, SizeView] = {}

    def size(self, spec: str) -> SizeView:
        if spec not in self.known:
            if len(self.known) > 500:
                self.known.clear()
            self.known[spec] = SizeView(**self.aside.ask("size", game=spec))
        return self.known[spec]
