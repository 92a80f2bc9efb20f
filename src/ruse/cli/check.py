"""`ruse check`: does a game obey the laws?"""

from typing import Annotated

import typer

from ruse.cli.names import game_from
from ruse.cli.options import GAME, AsJson
from ruse.cli.output import called, print_json
from ruse.cli.progress import working
from ruse.titles import spec


def check(
    ctx: typer.Context, game: Annotated[str, typer.Argument(metavar="GAME", help=GAME)], *, as_json: AsJson = False
) -> None:
    """Test a game against the laws that all games obey.

    Run it first on a game of your own: it plays random games and reports every law that one breaks.

    Example: ruse check my_game.py
    """
    from ruse.laws import check as inspect_game

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
