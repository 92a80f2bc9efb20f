"""Whoever can be asked to hold a seat, by name: a bot of the game, a strategy file, or a run."""

from pathlib import Path
from typing import Any

from ruse.catalog.names import companion
from ruse.catalog.titles import title_of
from ruse.errors import FileTrouble, RuseError
from ruse.play.bots.bot import playing
from ruse.play.bots.manners import Manner, manner_of
from ruse.play.bots.names import bot, bots_of
from ruse.play.session import NamedBot
from ruse.protocol.game import Game
from ruse.store.strategies import is_path, strategy_path
from ruse.strategy import Strategy


def opponent(text: str, game: Game, *, runs: str | Path = "runs") -> NamedBot:
    """The bot that a text names in this game, as "heuristic:threshold=0.2", or else the strategy in a file or of a run.

    A strategy is played as it mixes, or as "last:play=argmax" by what it does most often.

    >>> import ruse
    >>> opponent("random", ruse.Kuhn()).bot
    RandomBot(sees=Full(nothing=0))
    """
    known = bots_of(game)
    if text.partition(":")[0] in known:
        return NamedBot(text, bot(text, game))
    name, in_manner = manner_of(text)
    try:
        path = strategy_path(name, Path(runs))
    except FileTrouble as trouble:
        if is_path(name):
            raise
        raise FileTrouble(f"{trouble}; {title_of(game)} has the bots {', '.join(known)}") from trouble
    return NamedBot(text, player_in(path, game, in_manner))


def player_in(path: Path, game: Game, in_manner: Manner) -> Any:
    """The strategy in a file; or, if it was made where nothing but the bets are others, who plays it in this game."""
    try:
        return in_manner(Strategy.load(path, game=game))
    except RuseError:
        if (others := companion(game, "elsewhere")) is None:
            raise
        strategy = in_manner(Strategy.load(path))
        if not others.differ_in_bets(strategy.game, game):
            raise
        return others.Translating(strategy.game, playing(strategy))
