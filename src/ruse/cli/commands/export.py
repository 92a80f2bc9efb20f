"""`ruse export`: strategies as JSON or CSV, games as Gambit files."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruse.cli.terminal.names import thing_from
from ruse.cli.terminal.options import GAME, RUNS, Runs, TheirGame
from ruse.cli.terminal.output import writable
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError
from ruse.words.printable import beneath

if TYPE_CHECKING:
    from ruse.protocol.game import Game


def export(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="STRATEGY|GAME", help=f"A strategy file or run. {GAME}")],
    *,
    kind: Annotated[str | None, typer.Option("--format", metavar="json|csv|efg", help="Default: by --out.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write to this file instead of stdout.")] = None,
    game: TheirGame = None,
    runs: Runs = RUNS,
) -> None:
    """Write a strategy as JSON or CSV, or a game for Gambit.

    Strategies are written with values and reach, games as .efg files.

    Example: ruse export leduc.strategy --format csv --out leduc.csv
    """
    from ruse.strategy import Strategy

    out = writable(out)
    thing = thing_from(ctx, what, runs=runs, game=game)
    is_strategy = isinstance(thing, Strategy)
    offered = ("json", "csv") if is_strategy else ("efg",)
    kind = kind or (out.suffix.removeprefix(".") if out else "") or offered[0]
    if kind not in offered:
        noun = "a strategy" if is_strategy else "a game"
        raise RuseError(f"{noun} cannot be exported as {kind!r}; there is {' and '.join(offered)}")
    with working("exporting"):
        if isinstance(thing, Strategy):
            from ruse.evaluate.explain import export as strategy_text

            text = strategy_text(thing, kind)
        else:
            text = game_text(thing)
    if out is None:
        to = sys.stdout if sys.stdout.isatty() else beneath(sys.stdout)  # what goes to a file goes as it is
        to.write(text if text.endswith("\n") else text + "\n")
        return
    from ruse.store.tensors import replacing

    with replacing(out) as file:
        file.write(text.encode())
    print(f"wrote {out}")


def game_text(game: "Game") -> str:
    from ruse.interop import efg

    try:
        return efg.dump(game)
    except ValueError as error:
        raise RuseError(str(error)) from error
