"""Options and arguments that several commands share, so that they are called and explained alike."""

import math
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any

import typer

from ruse.compile.seeds import seed_of

LARGEST = 2**63 - 1  # what kernels can count to


def whole(text: Any) -> int:
    """A whole number as people write it: 1000, 1_000 or 1e6."""
    try:
        found = int(text)
    except ValueError:
        found = _from_float(text)
    if abs(found) > LARGEST:
        raise typer.BadParameter(f"{text!r} is too large; the largest whole number is {LARGEST}")
    return found


def _from_float(text: str) -> int:
    """What 1e6 means; what is too small for a float to tell from 0 is not 0."""
    try:
        exact = Decimal(text)
    except InvalidOperation:
        raise typer.BadParameter(f"{text!r} is not a whole number") from None
    if exact.is_nan():
        raise typer.BadParameter(f"{text!r} is not a whole number")
    if exact.is_infinite() or exact.adjusted() > 30:
        raise typer.BadParameter(f"{text!r} is too large; the largest whole number is {LARGEST}")
    if exact != exact.to_integral_value():
        raise typer.BadParameter(f"{text!r} is not a whole number")
    return int(exact)


def number(text: Any) -> float:
    """A number that is one: neither infinite nor nan."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise typer.BadParameter(f"{text!r} is not a number")
    return found


def seed_number(text: Any) -> int:
    """A seed, refused here if it is one that no stream of random numbers can start from."""
    return seed_of(whole(text))


GAME = "A game: its name, name:field=value, a .py or .efg file, or openspiel:NAME."
STRATEGY = "A strategy file, or a run: its folder, its name, a part of it, or last."
THEIR_GAME = "The game of the strategies, instead of the one that their files name; a .py file is run."
METRIC = 'A metric of style, as "bet, player 0, first"; may be given several times.'
RUNS = Path("runs")

TheirGame = Annotated[str | None, typer.Option("--game", metavar="GAME", help=THEIR_GAME)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Runs = Annotated[Path, typer.Option("--runs", metavar="DIR", help="The folder of runs.")]
OutStrategy = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the strategy to this file.")]
Seed = Annotated[int, typer.Option(parser=seed_number, metavar="N", help="Seed of the random numbers.")]
Iterations = Annotated[
    int | None, typer.Option(parser=whole, metavar="N", help="Stop after this many iterations in all.")
]
Target = Annotated[float | None, typer.Option(parser=number, metavar="X", help="Stop at this exploitability.")]
Seconds = Annotated[
    float | None, typer.Option(parser=number, metavar="S", help="Stop after this many seconds of solving in all.")
]
Checkpoint = Annotated[float, typer.Option("--checkpoint-seconds", parser=number, hidden=True)]
