"""What a game is called where people read it: shorter than what a file must say to find the game again."""

import inspect
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from ruse.catalog.names import GAMES, companion, names_spot, spec_of
from ruse.catalog.names import view as view_of
from ruse.compile.files.game_files import split
from ruse.errors import RuseError
from ruse.protocol.game import Game, declared
from ruse.protocol.values.fields import parse_fields
from ruse.protocol.view import View


def spec(game: Game) -> str:
    """What finds the same game again from wherever a program runs."""
    return spec_of(game) or repr(game)


def title_of(game: Game) -> str:
    """What a person would type to get this game: "leduc:players=3", "cheat:half", "my_game.py:stake=2"."""
    rules: Any = getattr(game, "rules", None)
    sees: Any = getattr(game, "sees", None)
    if hasattr(rules, "start"):  # a game around another, such as a view that offers actions of its own
        return title_of(rules) + (f" under {view_title(sees, rules)}" if sees is not None else "")
    if (own := declared(game, "own_title")) is not None:
        return str(own)
    spec = spec_of(game)
    return repr(game) if spec is None else _title(spec, type(game))


def title(spec: str) -> str:
    """The same of a text that names a game; no file is opened for it.

    >>> title("cheat:ranks=7,copies=4,deal=6,hp=-1,max_turns=40"), title("/elsewhere/my_game.py:stake=2")
    ('cheat:half,max_turns=40', 'my_game.py:stake=2')
    """
    if names_spot(spec):
        return spec.partition(", oop ")[0]  # its ranges are long
    home = GAMES.get(split(spec)[0])
    with suppress(RuseError):  # of a damaged file: as it is, then
        return _title(spec, getattr(import_module(home[0]), home[1]) if home else None)
    return spec


def how_far(settings: Mapping[str, Any]) -> str:
    """What is to be said behind a run's game that is not solved to its end; nothing if it is.

    >>> how_far({"horizon": "card:ways=2"}), how_far({})
    (' up to the next card', '')
    """
    name, _, _ = str(settings.get("horizon", "")).partition(":")
    return f" up to the next {name}" if name else ""


def view_title(view: View, game: Game) -> str:
    """What a person would type to get this view of a game: "full", a name that the game has for it, or all of it."""
    known: tuple[str, ...] = getattr(companion(game, "views"), "NAMES", ())
    for name in ("full", *known):
        with suppress(RuseError):  # a view that does not fit this game
            made = view_of(name, game)
            if type(made) is type(view) and repr(made) == repr(view):
                return name
    return repr(view)


def _title(spec: str, maker: Any) -> str:
    if spec.startswith("openspiel:"):
        return spec
    name, text = split(spec)
    fields = _by_name(parse_fields(text), maker)
    return seen_from_here(name) + ":" * bool(fields) + ",".join(fields)


def _by_name(fields: dict[str, Any], maker: Any) -> list[str]:
    """Fields as they are typed; those that have a name together by that name."""
    named: Mapping[str, Mapping[str, Any]] = getattr(maker, "NAMED", {})
    usual = {} if not named else {k: v.default for k, v in inspect.signature(maker).parameters.items()}
    every = usual | fields
    for word, meant in named.items():
        if meant.items() <= every.items() and not meant.items() <= usual.items():
            return [word, *(f"{k}={v}" for k, v in fields.items() if k not in meant)]
    return [f"{k}={v}" for k, v in fields.items()]


def seen_from_here(name: str) -> str:
    """A file by its path below this folder, or by its name if it lies elsewhere."""
    if not name.endswith((".py", ".efg")):
        return name
    with suppress(OSError, ValueError):  # no such folder any more; not below it
        return str(Path(name).resolve().relative_to(Path.cwd()))
    return Path(name).name
