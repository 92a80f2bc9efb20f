"""Bots by name: random in every game, and those of the module that a game's attribute `bots` names."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ruse.catalog.given import GameLike, as_game
from ruse.catalog.names import companion, fitting
from ruse.catalog.titles import title_of
from ruse.errors import RuseError
from ruse.play.bots.bot import RandomBot, is_a
from ruse.protocol.game import Game
from ruse.protocol.values.fields import make, parse_fields


def bots_of(game: Game) -> dict[str, Any]:
    """The bots that have a name in this game."""
    home = companion(game, "bots")
    return {"random": RandomBot()} | (home.BOTS if home else {})


def bot(text: str, game: GameLike) -> Any:
    """The bot that a text names, with other fields if it gives any: "heuristic" or "heuristic:threshold=0.2".

    >>> import ruse
    >>> bot("heuristic:threshold=0.2", ruse.Cheat())
    Heuristic(threshold=0.2, challenge_last=False)
    """
    game = as_game(game)
    if not isinstance(text, str):
        raise RuseError(f'a bot is named by a text such as "random", not {text!r}')
    name, _, fields = text.partition(":")
    known = bots_of(game)
    if name not in known:
        raise RuseError(f"unknown bot {name!r}; {title_of(game)} has {', '.join(known)}")
    if not fields:
        return known[name]
    if is_a(known[name], RandomBot):
        raise RuseError(f"random has no fields, got {fields!r}")
    if not (is_a(known[name], tuple) and hasattr(type(known[name]), "_asdict")):
        raise RuseError(
            f"{name} is no NamedTuple, so it has no fields that could be typed, got {fields!r}; make one of it, or "
            "leave them out"
        )
    kind: Callable[..., Any] = type(known[name])
    return fitting(make(partial(kind, **known[name]._asdict()), name, parse_fields(fields)), game)
