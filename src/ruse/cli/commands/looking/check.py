"""`ruse check`: does a game obey the laws?"""

from typing import Annotated

import typer

from ruse.catalog.titles import spec
from ruse.cli.terminal.names import game_from
from ruse.cli.terminal.options import GAME, AsJson
from ruse.cli.terminal.output import called, print_json
from ruse.cli.terminal.progress import working


def check(
    ctx: typer.Context, game: Annotated[str, typer.Argument(metavar="GAME", help=GAME)], *, as_json: AsJson = False
) -> None:
    """Test a game against the laws that all games obey.

    Run it first on a game of your own: it plays random games and reports every law that one breaks.

    Example: ruse check my_game.py
    """
    from ruse.laws.check import check as inspect_game

    made = game_from(ctx, game)
    with working(f"checking {called(made)}"):
        report = inspect_game(made)
    if as_json:
        print_json({"game": spec(made), "lawful": not report.failures, **report._asdict()})
    else:
        print(called(made))
        print(report)
    if report.failures:
        raise typer.Exit(2)
