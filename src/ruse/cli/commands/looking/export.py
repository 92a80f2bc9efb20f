"""`ruse export`: strategies as JSON or CSV, games as Gambit files, records of play in other forms."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruse.cli.terminal.names import game_named, thing_from
from ruse.cli.terminal.options import GAME, RUNS, Runs, TheirGame
from ruse.cli.terminal.output import writable
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError
from ruse.play.records.forms import is_record
from ruse.words.printable import beneath

if TYPE_CHECKING:
    from ruse.protocol.game import Game


def export(
    ctx: typer.Context,
    what: Annotated[
        str, typer.Argument(metavar="STRATEGY|GAME|RECORD", help=f"A strategy file or run. {GAME} Or games recorded.")
    ],
    *,
    kind: Annotated[
        str | None, typer.Option("--format", metavar="json|csv|efg|...", help="Default: by --out. For records: docs.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write to this file instead of stdout.")] = None,
    game: TheirGame = None,
    runs: Runs = RUNS,
) -> None:
    """Write a strategy as JSON or CSV, a game for Gambit, or recorded games in another form.

    Strategies are written with values and reach, games as .efg files. Of records there is the form record, in all
    games, and those that a game has: log and mjai in mahjong, phh in holdem. A file in any of them can be read.

    Example: ruse export leduc.strategy --format csv --out leduc.csv
    """
    from ruse.strategy import Strategy

    out = writable(out)
    if is_record(Path(what)):
        rules = None if game is None else game_named(game)
        with working("exporting"):
            send(record_text(Path(what), kind, rules), out)
        return
    thing = thing_from(ctx, what, runs=runs, game=game)
    is_strategy = isinstance(thing, Strategy)
    offered = ("json", "csv") if is_strategy else ("efg",)
    kind = kind or (out.suffix.removeprefix(".") if out else "") or offered[0]
    if kind not in offered:
        noun = "a strategy" if is_strategy else "a game"
        raise RuseError(f"{noun} cannot be exported as {kind!r}; there is {' and '.join(offered)}")
    with working("exporting"):
        if isinstance(thing, Strategy):
            from ruse.evaluate.explaining.explain import export as strategy_text

            text = strategy_text(thing, kind)
        else:
            text = game_text(thing)
    send(text, out)


def send(text: str, out: Path | None) -> None:
    """Write a text where the person wants it."""
    if out is None:
        to = sys.stdout if sys.stdout.isatty() else beneath(sys.stdout)  # what goes to a file goes as it is
        to.write(text if text.endswith("\n") else text + "\n")
        return
    from ruse.store.tensors import replacing

    with replacing(out) as file:
        file.write(text.encode())
    print(f"wrote {out}")


def record_text(path: Path, kind: str | None, game: "Game | None") -> str:
    """The games of a record that are over, in the form that was asked for, or else in the first that the game has."""
    from ruse.play.records.forms import OWN, forms_of, text_in_form, texts_of
    from ruse.play.records.retold import played_in

    found = list(played_in(path, game))
    if not found:
        raise RuseError(f"{path} has no game that is over")
    name = kind or next(iter((*forms_of(found[0].game), *texts_of(found[0].game))), OWN)
    return text_in_form(found, name)


def game_text(game: "Game") -> str:
    from ruse.interop import efg

    try:
        return efg.dump(game)
    except ValueError as error:
        raise RuseError(str(error)) from error
