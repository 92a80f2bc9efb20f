"""The paper's agents: four views of Cheat, with and without abstraction, trained by chance-sampled CFR."""

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from ruse.games.cheat.bots import Heuristic
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.views import General, HpAware, view_of
from ruse.play.bots.bot import RandomBot
from ruse.play.match import match
from ruse.protocol.view import View
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import mccfr
from ruse.strategy import Strategy
from ruse.training.engines.marks import run_to

ITERATIONS = 100  # of every training in the paper
NAMES = {"memoryless": "Memoryless", "hp": "HP-Aware", "history": "History-Aware", "general": "General"}
PLUS = {f"{key}+": f"{name}†" for key, name in NAMES.items()}
BOTS: dict[str, Any] = {"random": RandomBot(), "heuristic": Heuristic()}
COLOURS = dict(zip(NAMES, ("tab:blue", "tab:orange", "tab:green", "tab:purple"), strict=True))


class BotShares(NamedTuple):
    """How an agent fares against the two bots: shares of games won."""

    random: float
    heuristic: float


def view_for(agent: str, game: Cheat) -> View:
    return cast(View, view_of(agent, game))  # those of the paper have no policies


def engine_for(agent: str, game: Cheat, seed: int) -> SampledEngine:
    """A fresh training of an agent."""
    return SampledEngine(game, mccfr("chance"), seed=seed, view=view_for(agent, game))


def strategy_of(engine: SampledEngine, game: Cheat | None = None) -> Strategy:
    """The average strategy so far; in another game of Cheat, more Health Points than were trained with are clipped."""
    home: Any = engine.game
    view: Any = engine.view
    if game is not None and isinstance(view, HpAware | General):
        view = view._replace(hp_clip=home.hp)
    return Strategy(game or home, *engine.rows(), view=view)


def score(game: Cheat, strategy: Strategy, deals: int, seed: int) -> BotShares:
    """Matches against both bots; every deal in both seats."""
    return BotShares(*(match(game, [strategy, bot], deals=deals, seed=seed).win_rate[0] for bot in BOTS.values()))


def learning_curve(
    engine: SampledEngine, deals: int, seed: int, *, every: int = 5, iterations: int = ITERATIONS
) -> Iterator[tuple[int, BotShares]]:
    """Train, and test from time to time. The first test comes after one iteration."""
    game: Any = engine.game
    for mark in run_to(engine, (1, *range(every, iterations + 1, every))):
        yield mark.iteration, score(game, strategy_of(engine), deals, seed)
