"""From what a person types to games, strategies and bots."""

import difflib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ruse.catalog import names as catalog
from ruse.catalog.names import is_game as is_game
from ruse.catalog.titles import title
from ruse.cli.terminal.lawful import refuse_unlawful_file
from ruse.cli.terminal.output import called
from ruse.cli.terminal.progress import working
from ruse.errors import FileTrouble, RuseError
from ruse.protocol.game import Game
from ruse.protocol.values.fields import parse_fields

if TYPE_CHECKING:
    from ruse.strategy import Strategy

SEARCHING = ":play=search"  # behind a strategy's name: before it moves, the rest of the hand is solved


def word_and_fields(ctx: typer.Context, word: str | None) -> tuple[str | None, dict[str, Any]]:
    """The one word among the arguments, and the game's fields among the options that the command does not know."""
    found, texts = word_and_texts(ctx, word)
    fields: dict[str, Any] = {}
    for name, text in texts:
        said = parse_fields(f"{name}={text}")
        if twice := said.keys() & fields.keys():
            raise RuseError(f"--{min(twice).replace('_', '-')} is given twice; leave one of them out")
        fields |= said
    return found, fields


def word_and_texts(ctx: typer.Context, word: str | None) -> tuple[str | None, list[tuple[str, str]]]:
    """The same with the texts of the fields as they were typed."""
    words = [word] if word is not None and not word.startswith("--") else []
    waiting = list(ctx.args) if words or word is None else [str(word), *ctx.args]
    fields: list[tuple[str, str]] = []
    while waiting:
        argument = waiting.pop(0)
        if not argument.startswith("--"):
            words.append(argument)
            continue
        option, equals, value = argument.partition("=")
        if not equals:
            if not waiting:
                raise RuseError(
                    f"{option} needs a value if it is a field of the game, as in {option} 3; "
                    f"`{ctx.command_path} --help` lists the options"
                )
            value = waiting.pop(0)
        fields.append((option.removeprefix("--").replace("-", "_"), value))
    if len(words) > 1:
        raise RuseError(f"unexpected argument {words[1]!r}; see `{ctx.command_path} --help`")
    return (words[0] if words else None), fields


def game_from(ctx: typer.Context, word: str | None) -> Game:
    """The game that the arguments name, with fields among the options."""
    text, fields = word_and_fields(ctx, word)
    if text is None:
        raise RuseError(f"say which game, as in `{ctx.command_path} leduc`; `ruse games` lists them")
    return _made(ctx, text, fields)


def game_named(text: str) -> Game:
    """The game that one word names; one in a file of one's own is checked before its first use."""
    with working(f"reading {text}"):
        made = catalog.game(text)
    refuse_unlawful_file(made, text)
    return made


def _made(ctx: typer.Context, text: str, fields: dict[str, Any]) -> Game:
    catalog.refuse_twice(text, fields)
    try:
        with working(f"reading {text}"):
            made = catalog.game(text, **fields)
    except RuseError as error:
        refuse_slip(ctx, fields, error)
        raise
    if ctx.command.name != "check":  # which does it by itself, and says more
        refuse_unlawful_file(made, text)
    return made


def refuse_slip(ctx: typer.Context, fields: Iterable[str], error: RuseError) -> None:
    """Say so if an unknown field is most likely a slip in one of the command's own options."""
    known = [name for parameter in ctx.command.params for name in parameter.opts if name.startswith("--")]
    for field in fields:
        option = f"--{field.replace('_', '-')}"
        if f"no field {field!r}" in str(error) and (close := difflib.get_close_matches(option, known, 1, 0.8)):
            raise RuseError(f"there is no option {option}; did you mean {close[0]}?") from error


def thing_from(
    ctx: typer.Context, word: str | None, *, runs: Path, game: str | None = None, to_list: bool = False
) -> "Game | Strategy":
    """The game or the strategy that the arguments name; `game` is the one that was named for the strategy."""
    text, fields = word_and_fields(ctx, word)
    if text is None:
        raise RuseError(f"say what, as in `{ctx.command_path} leduc`: a game, a strategy file or a run")
    if is_game(text) and not _is_strategy_file(text):
        if game is not None:
            raise RuseError(f"{text} is a game already; leave --game {game} out, or name a strategy")
        return _made(ctx, text, fields)
    if game is not None:
        return strategy_from(text, runs=runs, game=_made(ctx, game, fields), to_list=to_list)
    if fields:
        error = RuseError(f"{text} is not a game, so it has no field {next(iter(fields))!r}")
        refuse_slip(ctx, fields, error)
        raise error
    try:
        return strategy_from(text, runs=runs, to_list=to_list)
    except FileTrouble:
        if difflib.get_close_matches(text, catalog.GAMES, n=1):
            catalog.game(text)  # which says what game was meant
        raise


def _is_strategy_file(text: str) -> bool:
    return Path(text).is_file() and not text.endswith((".py", ".efg", *catalog.SPOT_FILES))


def tell_home(text: str, strategy: "Strategy") -> None:
    """Say so if a strategy was made in another game than it is to play."""
    if home := strategy.about.get("made_in"):
        print(
            f"{text} was trained in {title(home)}; what it sees is the same in {called(strategy.game)}", file=sys.stderr
        )


def strategy_from(text: str, *, runs: Path, game: Game | None = None, to_list: bool = False) -> "Strategy":
    """The strategy in a file or of a run; says so if it was made in another game that looks the same."""
    from ruse.play.bots.manners import manner_of
    from ruse.store.strategies import strategy_path
    from ruse.strategy import Strategy

    name, in_manner = manner_of(text)
    path = strategy_path(name, runs)
    with working(f"reading {name}"):
        strategy = Strategy.load(path, game=game, to_list=to_list)
    tell_home(name, strategy)
    return in_manner(strategy)


def bot_from(text: str, *, runs: Path, game: Game) -> Any:
    """A bot by its name in this game, or a strategy."""
    from ruse.play.opponents import opponent
    from ruse.store.strategies import strategy_path
    from ruse.strategy import Strategy

    with working(f"reading {text}"):
        if SEARCHING in text:
            from ruse.horizon.search.named import asked_by, named_in

            asked = asked_by(text)
            found: Any = named_in(asked, strategy_path(asked.strategy, runs), game)
        else:
            found = opponent(text, game, runs=runs).bot
    if isinstance(found, Strategy):
        tell_home(text, found)
    elif (home := getattr(found, "home", None)) is not None and home != game:
        near = "bets that it does not know are taken for those that are near"
        print(f"{text} was trained in {called(home)}; {near}", file=sys.stderr)
    return found


def game_of(names: Sequence[str], runs: Path) -> Game:
    """The game that the first strategy among these bots is for."""
    from ruse.play.bots.manners import manner_of
    from ruse.store.strategies import is_path, strategy_path
    from ruse.strategy import Strategy

    for text in names:
        name, _ = manner_of(text.partition(SEARCHING)[0])
        try:
            path = strategy_path(name, runs)
        except FileTrouble:
            if is_path(name):
                raise
            continue  # the name of a bot, which only its game knows
        with working(f"reading {name}"):
            return Strategy.load(path).game
    raise RuseError(
        f"no strategy among {', '.join(names)}, so nothing tells the game; "
        "name it first, as in `ruse match leduc random random`"
    )


def history_from(text: str) -> Sequence[str]:
    """The actions of a history typed with commas: "Ks, Qs, raise"."""
    return [word.strip() for word in text.split(",") if word.strip()]
