"""Games and rules by name: what a person types, and what a file must say to find the same game again.

leduc                          a game of the package
leduc:players=3,suits=3        with other fields
cheat:half,max_turns=40        with fields that have a name together, and another one
my_game.py                     the game in a file of one's own; my_game.py:stake=2 with fields
openspiel:leduc_poker          a game of OpenSpiel; openspiel:liars_dice(numdice=2)
poker.efg                      a Gambit file
holdem: board Qs Jh 2h, ...    a spot of hold'em in words (see docs/spots.md); spot.toml, spot.txt for one in a file
"""

import difflib
import inspect
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ruse.catalog.trust import Untrusted, remember, trust
from ruse.compile.files.game_files import read_game_file, run, split
from ruse.compile.files.mistakes import line_in
from ruse.errors import RuseError
from ruse.protocol.game import RULES, Game, declared
from ruse.protocol.values.fields import call_of, make, parse_fields, split_fields, typed_fields
from ruse.protocol.view import Full, View

GAMES = {
    "kuhn": ("ruse.games.kuhn", "Kuhn"),
    "leduc": ("ruse.games.leduc", "Leduc"),
    "rhode_island": ("ruse.games.rhode_island", "RhodeIsland"),
    "liars_dice": ("ruse.games.liars_dice", "LiarsDice"),
    "goofspiel": ("ruse.games.goofspiel", "Goofspiel"),
    "oshi_zumo": ("ruse.games.oshi_zumo", "OshiZumo"),
    "blotto": ("ruse.games.blotto", "Blotto"),
    "dark_hex": ("ruse.games.board.dark_hex", "DarkHex"),
    "phantom_ttt": ("ruse.games.board.phantom_ttt", "PhantomTicTacToe"),
    "battleship": ("ruse.games.board.battleship", "Battleship"),
    "oh_hell": ("ruse.games.oh_hell", "OhHell"),
    "cheat": ("ruse.games.cheat.rules", "Cheat"),
    "holdem": ("ruse.games.holdem.rules", "Holdem"),
    "mahjong": ("ruse.games.mahjong.rules", "Mahjong"),
    "rock_paper_scissors": ("ruse.games.matrix", "rock_paper_scissors"),
    "matching_pennies": ("ruse.games.matrix", "matching_pennies"),
}
SPOT_FILES = (".toml", ".txt")


def game(spec: str, **fields: Any) -> Game:
    """The game that a text names, with fields from the text and from the keywords. A file of one's own is run.

    >>> game("leduc", players=3) == game("leduc:players=3")
    True
    """
    if not isinstance(spec, str):
        raise RuseError(f'a game is named by a text, such as "leduc:players=3", not {spec!r}')
    made = game_by(spec, fields, typed_file)
    if spec.startswith("openspiel:"):
        remember({spec.encode(): spec})
    return made


def game_by(spec: str, fields: dict[str, Any], opened: Callable[[Path], ModuleType]) -> Game:
    """The same, with a way to open a file of one's own."""
    if spec.startswith("openspiel:"):
        from ruse.interop import openspiel

        return _remember(_loaded(openspiel.load, spec.removeprefix("openspiel:"), fields), spec)
    if names_spot(spec):
        return _spot(spec, fields)
    name, text = split(spec)
    if name.endswith(".efg"):
        from ruse.interop import efg

        return _remember(_loaded(efg.load, _existing(name), fields | parse_fields(text)), str(Path(name).resolve()))
    if name.endswith(".py"):
        maker: Callable[..., Game] = game_class(_existing(name), opened)
        home = str(Path(name).resolve())
    elif name in GAMES:
        module, attribute = GAMES[name]
        maker, home = getattr(import_module(module), attribute), name
    else:
        raise RuseError(f"unknown game {name!r}; {_offer(name, GAMES)}, or give a .py or .efg file")
    made = make(maker, name, parse_fields(text, getattr(maker, "NAMED", {})) | fields)
    return _remember(made, home)


def refuse_twice(spec: str, fields: Iterable[str]) -> None:
    """Raise if a text says fields that were typed beside it, too. (In Python a keyword is nearer than the text.)"""
    for part in split_fields(split(spec)[1]):
        key, equals, _ = map(str.strip, part.partition("="))
        if equals and key in fields:
            raise RuseError(f"{key} is given twice, in {spec} and beside it; leave one of them out")


def typed_file(path: Path) -> ModuleType:
    """The module in a file that a person has named; its content is trusted from now on."""
    file = read_game_file(path)
    module = run(file, path.resolve().parent)
    trust(file)
    return module


def game_class(path: Path, opened: Callable[[Path], ModuleType]) -> Callable[..., Game]:
    """The one game class that a Python file defines."""
    try:
        module = opened(path)
    except Untrusted:
        raise
    except SystemExit as error:
        line = line_in(error, path)
        raise RuseError(f"{path} could not be imported: it calls sys.exit(){line}; take that out") from error
    except Exception as error:
        line = "" if isinstance(error, SyntaxError) else line_in(error, path)
        raise RuseError(f"{path} could not be imported: {type(error).__name__}: {error}{line}") from error
    classes = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, tuple) and value.__module__ == module.__name__
        and any(inspect.isfunction(vars(value).get(name)) for name in RULES)
    ]  # fmt: skip
    if len(classes) != 1:
        found = ", ".join(cls.__qualname__ for cls in classes) or "none"  # not __name__, which may be "Poker_2"
        raise RuseError(f"{path} must define one game, a NamedTuple with {', '.join(RULES)}; found {found}")
    missing = [n for n in ("start", *RULES, "action_name", "describe") if not hasattr(classes[0], n)]
    if missing or not hasattr(classes[0], "players"):
        raise RuseError(f"{classes[0].__qualname__} in {path} lacks {', '.join(missing or ['players'])}")
    return classes[0]  # type: ignore[return-value]


def spec_of(made: Game) -> str | None:
    """The text from which `game` makes the same game again; None for one that only a program can make."""
    if (own := declared(made, "own_spec")) is not None:  # it can say so itself
        return str(own)
    home = None
    with suppress(TypeError):  # fields that have no hash
        home = _homes.get((type(made), made))
    if home is None:
        place = (type(made).__module__, type(made).__qualname__)
        home = next((name for name, where in GAMES.items() if where == place), None)
    fields = getattr(made, "_field_defaults", {})
    if home is None or home.startswith("openspiel:") or home.endswith(".efg") or callable_takes_nothing(home):
        return home
    changed = {k: v for k, v in made._asdict().items() if k not in fields or fields[k] != v}  # type: ignore[attr-defined]
    return home + ":" * bool(changed) + ",".join(f"{k}={v}" for k, v in changed.items())


def callable_takes_nothing(home: str) -> bool:
    """Whether the catalogue makes this game by a function without fields."""
    return home in GAMES and GAMES[home][1].islower()


def is_game(text: str) -> bool:
    """Whether a text names a game, as against a strategy file or a run."""
    name, _ = split(text)
    return name in GAMES or name == "openspiel" or name.endswith((".py", ".efg")) or names_spot(text)


def names_spot(spec: str) -> bool:
    """Whether a text describes a spot, or names a file with one: it has words where a game has fields."""
    if spec.endswith(SPOT_FILES):
        return True
    if not spec.startswith("holdem:"):
        return False
    from ruse.games.holdem.spots.reading import is_spot

    return is_spot(spec.removeprefix("holdem:"))


def about(name: str) -> dict[str, Any]:
    """A game's name, fields and first sentence."""
    module, attribute = GAMES[name]
    home = import_module(module)
    maker = getattr(home, attribute)
    # Where one module makes several games, each has its own words.
    words = (maker if inspect.isfunction(maker) else home).__doc__ or ""
    fields = {name: field.default for name, field in typed_fields(maker).items()}
    return {"name": name, "description": words.strip().splitlines()[0], "fields": fields}


def groups_of(name: str) -> list[str]:
    """The names that several fields of a game have together: of Cheat, tiny, mid, half and full."""
    module, attribute = GAMES[name]
    return list(getattr(getattr(import_module(module), attribute), "NAMED", {}))


def preset(spec: str) -> Any:
    """The solver that a text names: "dcfr" or "dcfr:alpha=2,gamma=3"."""
    from ruse.solve.solver.presets import PRESETS

    name, _, text = spec.partition(":")
    name = name.replace("+", "_plus").replace("-", "_").casefold()
    if name not in PRESETS:
        raise RuseError(f"unknown rule {name!r}; {_offer(name, PRESETS)}")
    return make(PRESETS[name], name, parse_fields(text))


def view(text: str, game: Game) -> View:
    """The view that a text names: "full", a name that the game knows, or a view as it prints: Memoryless(cards=True).

    A game's views are looked for in its own module, and in the module that its attribute `views` names.
    """
    if text == "full":
        return Full()
    modules = [sys.modules[Full.__module__], sys.modules[type(game).__module__]]
    if home := companion(game, "views"):
        modules.append(home)
    name, fields = call_of(text)
    for module in modules:
        maker = getattr(module, name, None)
        if inspect.isclass(maker) and issubclass(maker, tuple) and is_view(maker):
            return fitting(make(maker, name, fields), game)  # type: ignore[no-any-return]
    for module in modules:
        if known := getattr(module, "view_of", None):
            return known(text, game)  # type: ignore[no-any-return]
    from ruse.catalog.titles import title_of

    raise RuseError(f"{title_of(game)} has no view {text!r}; there is full")


def is_view(kind: type) -> bool:
    """Whether a class is one of views: it gives keys, or names a hierarchy."""
    return hasattr(kind, "key") or hasattr(kind, "hierarchy")


def companion(game: Game, what: str) -> ModuleType | None:
    """The module that a class attribute of the game names, where it keeps its views, its bots or its words for play."""
    home = getattr(type(game), what, None)
    if not isinstance(home, str):  # it is a field that is called so
        return None
    try:
        return import_module(home)
    except ImportError as error:
        who = type(game).__qualname__
        raise RuseError(
            f"{who} names {home!r} for its {what}, which cannot be imported ({error}): install it, put its folder on "
            f"PYTHONPATH, or write `{what} = __name__` and all of it into the file of {who}"
        ) from error


def fitting(part: Any, game: Game) -> Any:
    """A view or a bot that a person has typed, unless its `refuse_unfit` raises for its fields in this game."""
    if refuse := getattr(part, "refuse_unfit", None):
        refuse(game)
    return part


_homes: dict[Any, str] = {}  # by class and game (tuples of two classes may be equal): where it came from


def _remember(made: Game, home: str) -> Game:
    with suppress(TypeError):  # fields that have no hash
        _homes[type(made), made] = home
    return made


def _loaded(load: Callable[[Any], Game], source: Any, fields: dict[str, Any]) -> Game:
    """A game of another system, with its troubles in our words."""
    if fields:
        raise RuseError(f"{source} takes no fields of ours, got {', '.join(fields)}; OpenSpiel's go into its own name")
    try:
        return load(source)
    except (ValueError, ImportError) as error:
        raise RuseError(str(error)) from error


def _spot(spec: str, fields: dict[str, Any]) -> Game:
    """The game of a spot; fields are said after what the text says."""
    from ruse.games.holdem.spots.reading import spot_in, spot_of
    from ruse.games.holdem.spots.rules import spot_game

    is_file = spec.endswith(SPOT_FILES) and not spec.startswith("holdem:")
    return spot_game(spot_in(_existing(spec), fields) if is_file else spot_of(spec, fields))


def _existing(name: str) -> Path:
    if not Path(name).is_file():
        raise RuseError(f"there is no file {name}")
    return Path(name)


def _offer(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
