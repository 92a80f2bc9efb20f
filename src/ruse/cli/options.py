"""Options and arguments that several commands share, so that they are called and explained alike."""

from pathlib import Path
from typing import Annotated, Any

import typer


def whole(text: Any) -> int:
    """A whole number as people write it: 1000, 1_000 or 1e6."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        if float(text) == int(float(text)):
            return int(float(text))
    except (ValueError, OverflowError):
        pass
    raise typer.BadParameter(f"{text!r} is not a whole number")


def number(text: Any) -> float:
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number") from None


GAME = "A game: its name, name:field=value, a .py or .efg file, or openspiel:NAME."
STRATEGY = "A strategy file, or a run: its folder, its name, a part of it, or last."
THEIR_GAME = "The game of the strategies, instead of the one that their files name; a .py file is run."
METRIC = 'A metric of style, as "bet, player 0, first"; may be given several times.'
RUNS = Path("runs")

TheirGame = Annotated[str | None, typer.Option("--game", metavar="GAME", help=THEIR_GAME)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Runs = Annotated[Path, typer.Option("--runs", metavar="DIR", help="The folder of runs.")]
OutStrategy = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the strategy to this file.")]
Seed = Annotated[int, typer.Option(parser=whole, metavar="N", help="Seed of the random numbers.")]
Iterations = Annotated[
    int | None, typer.Option(parser=whole, metavar="N", help="Stop after this many iterations in all.")
]
Target = Annotated[float | None, typer.Option(parser=number, metavar="X", help="Stop at this exploitability.")]
Seconds = Annotated[
    float | None, typer.Option(parser=number, metavar="S", help="Stop after this many seconds of solving in all.")
]
Checkpoint = Annotated[float, typer.Option("--checkpoint-seconds", parser=number, hidden=True)]
