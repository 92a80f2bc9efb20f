"""The agent that looks ahead, by its name: that of a blueprint, and how it is played: "last:play=search,seconds=2"."""

from pathlib import Path
from typing import NamedTuple

from ruse.catalog.titles import title_of
from ruse.errors import RuseError
from ruse.games.holdem.translating import differ_in_bets
from ruse.horizon.search.agent import Searching
from ruse.protocol.game import Game
from ruse.protocol.values.fields import make, parse_fields
from ruse.strategy import Strategy

SEARCHING = ":play=search"  # behind a strategy's name


class LookAhead(NamedTuple):
    """How it looks ahead: at most so long before a move, and so many iterations."""

    seconds: float = 5.0
    iterations: int = 200


class AskedAhead(NamedTuple):
    """What a name asks for."""

    strategy: str  # a file, or a run
    ahead: LookAhead


def looks_ahead(name: str) -> bool:
    return SEARCHING in name


def asked_by(name: str) -> AskedAhead:
    """A name in its parts.

    >>> asked_by("last:play=search,seconds=2")
    AskedAhead(strategy='last', ahead=LookAhead(seconds=2, iterations=200))
    """
    strategy, _, fields = name.partition(SEARCHING)
    return AskedAhead(strategy, make(LookAhead, "search", parse_fields(fields.removeprefix(","))))


def named_in(asked: AskedAhead, path: Path, game: Game) -> Searching:
    """Who is asked for, with the blueprint in a file, in a game that is the blueprint's but for its bets."""
    strategy = Strategy.load(path)
    if strategy.game != game and not differ_in_bets(strategy.game, game):
        home, here = title_of(strategy.game), title_of(game)
        raise RuseError(f"{asked.strategy} was trained in {home}, and searches there alone, not in {here}")
    return Searching(strategy, seconds=asked.ahead.seconds, iterations=asked.ahead.iterations)
