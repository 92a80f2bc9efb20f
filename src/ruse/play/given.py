"""Strategies and bots as a function is given them: themselves, what holds one, or the words that name one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from ruse.catalog.given import GameLike, as_game
from ruse.errors import RuseError
from ruse.play.bots.blame import Blame
from ruse.play.bots.bot import is_a
from ruse.play.opponents import opponent
from ruse.play.session import NamedBot, Person
from ruse.protocol.game import Game
from ruse.store.strategies import strategy_path
from ruse.strategy import Strategy
from ruse.words.printable import shown

RUNS = Path("runs")  # where runs are looked for by name, as on the command line
BOT = ("act", "choose", "decide")  # one of which a bot has

StrategyLike: TypeAlias = Any  # a Strategy, what has one (a Run, a Styled, an exact solve), a file, or a run's name


def as_strategy(given: StrategyLike, game: Game | None = None) -> Strategy:
    """The strategy that is given, or that what is given holds, or that a text names: a file, a run, or "last"."""
    if isinstance(given, str | Path):
        return Strategy.load(strategy_path(str(given), RUNS), game=game)
    held = getattr(given, "strategy", given)
    if isinstance(held, Strategy):
        return held
    raise RuseError(f"a strategy is needed: one, a run, a file or the name of a run, not {repr(given)[:80]}")


def as_bot(given: Any, game: Game) -> Any:
    """The bot or the strategy that is given, or that a text names in this game: "random", a file, or a run."""
    if is_a(given, str):
        return opponent(given, game, runs=RUNS).bot
    if is_a(given, type):
        raise RuseError(f"{given.__name__} is a class, and a bot is needed; make one of it: {given.__name__}()")
    with Blame(given):  # whose own code may be asked what it has
        holds = hasattr(given, "strategy") and not any(hasattr(given, name) for name in BOT)
    return as_strategy(given, game) if is_a(given, Path) or holds else given


def given_table(game: GameLike, seats: Sequence[Any]) -> tuple[Game, list[Any]]:
    """The game and who holds its seats; a bot that a text names is called so.

    A game that is only played is not asked for all its rules.
    """
    made = as_game(game) if isinstance(game, str) else game
    refuse_unlisted(seats, made)
    return made, [seat if is_a(seat, Person, NamedBot) else _holder(seat, made) for seat in seats]


def _holder(seat: Any, game: Game) -> Any:
    return NamedBot(seat, as_bot(seat, game)) if is_a(seat, str) else as_bot(seat, game)


def refuse_unlisted(bots: Any, game: Game) -> None:
    """Raise for what is no list, such as one bot alone."""
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise RuseError(f"bots must be a list of {game.players}, one for each player, got {shown(bots)}")
