"""An answer to one opponent's mistakes, for a price: who can be answered, and what a page is told of it."""

from typing import Any

from pydantic import BaseModel, Field

from ruse.catalog.titles import spec
from ruse.evaluate.explaining.explain import Difference
from ruse.play.bots.names import bot, bots_of
from ruse.protocol.game import Game
from ruse.strategy import Strategy
from ruse.studio.look.moved import MovedView, moved_views
from ruse.studio.look.sources import LONGEST, Sources
from ruse.styles.adapting import LEAST, AdaptedStyle


class AdaptAsk(BaseModel):
    """Whom to answer, and for how much."""

    game: str = Field(min_length=1, max_length=LONGEST)
    opponent: str = Field(min_length=1, max_length=200)
    cap: float = Field(0.02, ge=LEAST, le=1e6, description="what either seat may lose to its best opponent")


class OpponentView(BaseModel):
    """Whoever can be answered."""

    name: str
    is_bot: bool
    note: str


class AnswerView(BaseModel):
    """A strategy beside the opponent: what it wins from him a game, and what it loses to its best one."""

    name: str
    mean: float
    won: list[float]  # [seat]
    lost: list[float]  # [seat]
    exploitability: float


class AdaptedView(BaseModel):
    """The answer, between a plain solve and the best response: the data of an errand of kind `adapted`."""

    opponent: str
    allowed: float
    gain: float  # what is won more than by the plain solve, a game
    answers: list[AnswerView]
    count: int
    moved: list[MovedView]


def opponents_in(game: Game, sources: Sources) -> list[OpponentView]:
    """The strategies of the folder of runs for this game, and its bots."""
    own = spec(game)
    runs = [one for one in sources.every() if one.kind == "strategy" and one.game == own and one.view is None]
    found = [OpponentView(name=run.id, is_bot=False, note=run.note or run.rule or "") for run in runs]
    return found + [OpponentView(name=name, is_bot=True, note="") for name in bots_of(game)]


def opponent_named(name: str, game: Game, sources: Sources) -> Any:
    """A bot of the game, or a strategy in the folder of runs; a page names no other files."""
    if name.partition(":")[0] in bots_of(game):
        return bot(name, game)
    return Strategy.load(sources.path(name), game=game)


def adapted_view(asked: AdaptAsk, found: AdaptedStyle, moved: list[Difference]) -> AdaptedView:
    """What is won and lost, and what differs from the plain solve."""
    answers = [
        AnswerView(
            name=name, mean=a.mean, won=[*a.won], lost=[max(lost, 0.0) for lost in a.lost],
            exploitability=max(a.exploitability, 0.0),
        )
        for name, a in found.rows
    ]  # fmt: skip
    return AdaptedView(
        opponent=asked.opponent, allowed=asked.cap, gain=found.gain, answers=answers, count=len(moved),
        moved=moved_views(moved),
    )  # fmt: skip
