"""Styles: dials for what a strategy does, what it costs to turn them, and a search that makes a strategy of it."""

import math
import re
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, Field

from ruse.catalog.titles import spec, title_of
from ruse.errors import RuseError
from ruse.protocol.values.recent import Recent
from ruse.store.tensors import explaining
from ruse.studio.answers import Clash, Missing
from ruse.studio.look.adapted import (
    AdaptAsk,
    AdaptedView,
    OpponentView,
    adapted_view,
    opponent_named,
    opponents_in,
)
from ruse.studio.look.errands import Errand, Errands, ErrandView
from ruse.studio.look.moved import MovedView, moved_views
from ruse.studio.look.sources import ENDING, LONGEST, StrategySource, named_game, sources_of
from ruse.studio.state import Studio, studio_of
from ruse.styles.adapting import adapt
from ruse.styles.dial import Dials
from ruse.styles.search import style
from ruse.styles.styled import Styled, Target, Tried
from ruse.tree.measure.size import TooLarge, is_within

router = APIRouter(prefix="/api/styles", tags=["styles"])

HISTORIES = 3_000_000  # of a game that is styled from the page
SEARCH, MAP, ANSWER = "style", "dials", "adapted"

Held = Annotated[Studio, Depends(studio_of)]
GameText = Annotated[str, Field(min_length=1, max_length=LONGEST)]
MetricText = Annotated[str, Field(min_length=1, max_length=300)]


class DialsAsk(BaseModel):
    """Which game's dials."""

    game: GameText


class DialView(BaseModel):
    """A metric, and where it can be."""

    name: str
    player: int | None
    own: float | None
    lowest: float | None  # among strategies that lose nothing
    highest: float | None
    turns: bool


class DialsView(BaseModel):
    """All dials of a game: the data of an errand of kind `dials`."""

    game: str
    title: str
    players: int
    exploitability: float  # of the plain solve
    exact: bool  # whether prices are known before a search
    why: str  # why not
    dials: list[DialView]


class FrontierPoint(BaseModel):
    """A value of a metric, and the least that its player must lose for it."""

    value: float
    price: float


class FrontierView(BaseModel):
    """What each value of a metric costs at least."""

    metric: str
    points: list[FrontierPoint]


class TurnedView(BaseModel):
    """The strategy at one place of a dial."""

    metric: str
    value: float
    price: float  # what its player loses to a best response
    exploitability: float
    values: dict[str, float | None]  # of all dials
    count: int
    moved: list[MovedView]


class StyleAsk(BaseModel):
    """A search."""

    game: GameText
    metric: MetricText
    value: float = Field(ge=0.0, le=1.0)
    cap: float = Field(0.02, gt=0.0, le=1e6, description="what it may cost")
    iterations: int = Field(2_000, ge=10, le=100_000)


class TriedView(BaseModel):
    """A solve of a search."""

    delta: float
    beta: float
    value: float
    cost: float


class StyleView(BaseModel):
    """A search, so far or at its end: the data of an errand of kind `style`."""

    metric: str
    target: float
    cap: float
    tried: list[TriedView]
    met: bool | None = None  # None: it is not over
    why: str | None = None
    achieved: float | None = None
    plain: float | None = None
    exploitability: float | None = None
    alone: float | None = None  # of the styled player
    bound: float | None = None
    preference: str | None = None
    how: str | None = None
    values: dict[str, float | None] | None = None
    count: int = 0
    moved: list[MovedView] = []


class StyleErrand(ErrandView):
    """How an errand of this area stands: of kind `dials`, `style` or `adapted`."""

    data: DialsView | StyleView | AdaptedView | None


class KeepAsk(BaseModel):
    """Keep what a search has found."""

    errand: str = Field(max_length=60)
    name: str = Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$")


class DialRoom:
    """The dials of games, as they were last turned."""

    def __init__(self, studio: Studio) -> None:
        self.recent: Recent[Dials] = Recent(4)
        self.errands: dict[str, str] = {}  # by game, the errand that made its dials
        studio.of(Errands)

    def of(self, game: str) -> Dials:
        """The dials of a game that have been made."""
        key = key_of(game)
        if key not in self.recent.places or not self.recent.places[key].things:
            raise Clash("the dials of this game are not ready; ask for them first")
        return self.recent.of(key, lambda: Dials(named_game(game)))


def key_of(game: str) -> str:
    return spec(named_game(game))


@router.post("/dials")
def make_dials(studio: Held, asked: DialsAsk) -> StyleErrand:
    """Find out how far the metrics of a game can be turned for nothing; asking again gives the same errand."""
    room, errands = studio.of(DialRoom), studio.of(Errands)
    game = named_game(asked.game)
    key = spec(game)
    if key in room.errands:
        try:
            known = errands.get(room.errands[key])
            if known.standing in ("waiting", "running") or (known.standing == "done" and key in room.recent.places):
                return view_of(known)
        except Missing:
            pass

    def do(errand: Errand) -> dict[str, Any]:
        refuse_large(game)
        errand.tell(f"solving {title_of(game)}")
        dials = room.recent.of(key, lambda: Dials(game, tell=errand.tell))
        return dials_view(key, dials).model_dump()

    errand = errands.send(MAP, do)
    room.errands[key] = errand.id
    return view_of(errand)


@router.get("/frontier")
def frontier(studio: Held, game: Annotated[GameText, Query()], metric: Annotated[MetricText, Query()]) -> FrontierView:
    """What each value of a metric costs at least."""
    points = studio.of(DialRoom).of(game).frontier(metric)
    return FrontierView(metric=metric, points=[FrontierPoint(value=x, price=max(y, 0.0)) for x, y in points])


@router.get("/turned")
def turned(
    studio: Held, game: Annotated[GameText, Query()], metric: Annotated[MetricText, Query()],
    value: Annotated[float, Query(ge=0.0, le=1.0)],
) -> TurnedView:  # fmt: skip
    """The cheapest strategy with this value of a metric, and what moves along."""
    found = studio.of(DialRoom).of(game).turn(metric, value)
    return TurnedView(
        metric=metric, value=found.value, price=found.price, exploitability=found.exploitability,
        values=finite(found.others), count=len(found.moved), moved=moved_views(found.moved),
    )  # fmt: skip


@router.post("/searches")
def search(studio: Held, asked: StyleAsk) -> StyleErrand:
    """Search for a strategy of this style by preferences, and by linear programs where these know more."""
    room = studio.of(DialRoom)
    dials = room.of(asked.game)
    if not dials.find(asked.metric).turns:
        raise RuseError(f"{asked.metric!r} is not how often an action is taken, so nothing can be asked of it")

    def do(errand: Errand) -> dict[str, Any]:
        view = StyleView(metric=asked.metric, target=asked.value, cap=asked.cap, tried=[])

        def watch(tried: Tried) -> None:
            view.tried.append(tried_view(tried))
            errand.tell(f"{len(view.tried)} solves, now {tried.value:.3f} at {tried.cost:.3g}", view.model_dump())

        errand.tell("solving", view.model_dump())
        found = style(
            dials.game, Target(asked.metric, asked.value), max_exploitability=asked.cap, iterations=asked.iterations,
            watch=watch,
        )  # fmt: skip
        errand.result = found
        errand.tell("looking at what moved")
        return style_view(view, found, dials).model_dump()

    return view_of(studio.of(Errands).send(SEARCH, do))


@router.get("/opponents")
def opponents(studio: Held, game: Annotated[GameText, Query()]) -> list[OpponentView]:
    """Whom a style in this game can answer: strategies here, and bots."""
    return opponents_in(named_game(game), sources_of(studio))


@router.post("/adapted")
def adapt_to(studio: Held, asked: AdaptAsk) -> StyleErrand:
    """Win most from one opponent, and lose no more than so much to any other."""
    dials = studio.of(DialRoom).of(asked.game)
    opponent = opponent_named(asked.opponent, dials.game, sources_of(studio))

    def do(errand: Errand) -> dict[str, Any]:
        errand.tell(f"looking what {asked.opponent} does, and what wins most from it")
        found = adapt(dials.game, opponent, max_exploitability=asked.cap)
        errand.result = found
        errand.tell("looking at what moves")
        return adapted_view(asked, found, dials.moved(found.strategy)).model_dump()

    return view_of(studio.of(Errands).send(ANSWER, do))


@router.get("/errands/{id}")
def errand(studio: Held, id: str) -> StyleErrand:
    """How something stands that was asked for."""
    return view_of(known_errand(studio, id))


@router.delete("/errands/{id}")
def stop_errand(studio: Held, id: str) -> StyleErrand:
    """Stop it."""
    return view_of(studio.of(Errands).stop(known_errand(studio, id).id))


@router.post("/kept")
def keep(studio: Held, asked: KeepAsk) -> StrategySource:
    """Keep the strategy of a search as a file in the folder of runs, where all areas find it."""
    errand = known_errand(studio, asked.errand)
    if errand.kind == MAP or errand.standing != "done":
        raise Clash("this search has found nothing to keep yet")
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", asked.name).strip("-.") + ENDING
    path = studio.runs / name
    with explaining("write", path):
        studio.runs.mkdir(parents=True, exist_ok=True)
        try:
            path.open("xb").close()  # of two who ask at once, one has the name
        except FileExistsError:
            raise Clash(f"there is a {name} already; choose another name") from None
    try:
        errand.result.strategy.save(path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return sources_of(studio).source(name)


def known_errand(studio: Studio, id: str) -> Errand:
    """One of this area's: others have their own places to ask for theirs."""
    found = studio.of(Errands).get(id)
    if found.kind not in (MAP, SEARCH, ANSWER):
        raise Missing(f"there is no search {id[:60]!r} here")
    return found


# ---- from the library's words to a page's ----------------------------------------------------------------------------


def view_of(errand: Errand) -> StyleErrand:
    return StyleErrand(**errand.view().model_dump())


def refuse_large(game: Any) -> None:
    """Raise if a game is too large to be styled while somebody waits."""
    if not is_within(game, HISTORIES):
        raise TooLarge(
            f"{title_of(game)} has more than {HISTORIES:,} histories, too many to style while you wait; a smaller one "
            "of its kind has dials, and `ruse solve --prefer` gives a large one a style"
        )


def dials_view(key: str, dials: Dials) -> DialsView:
    told = [
        DialView(
            name=dial.name, player=dial.player, own=None if math.isnan(dial.own) else dial.own, lowest=dial.lowest,
            highest=dial.highest, turns=dial.turns,
        )
        for dial in dials.dials
    ]  # fmt: skip
    return DialsView(
        game=key, title=title_of(dials.game), players=dials.game.players, exploitability=dials.exploitability,
        exact=dials.exact is not None, why=dials.why, dials=told,
    )  # fmt: skip


def tried_view(tried: Tried) -> TriedView:
    return TriedView(delta=tried.delta, beta=tried.beta, value=tried.value, cost=tried.cost)


def style_view(view: StyleView, found: Styled, dials: Dials) -> StyleView:
    chosen, moved = found.chosen, dials.moved(found.strategy)
    return view.model_copy(update={
        "met": found.is_met, "why": found.why, "achieved": chosen.value, "plain": found.plain.value,
        "exploitability": chosen.exploitability, "alone": chosen.exploitability_of_styled_player,
        "bound": chosen.bound, "preference": None if found.rule is None else str(found.rule), "how": chosen.how,
        "values": finite(dials.values(found.strategy)), "count": len(moved), "moved": moved_views(moved),
    })  # fmt: skip


def finite(values: dict[str, float]) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in values.items()}
