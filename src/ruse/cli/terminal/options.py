"""Options and arguments that several commands share, so that they are called and explained alike."""

import inspect
import math
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from ruse.compile.seeds import seed_of
from ruse.training.jobs.schema import BY_NAME, Option

F = TypeVar("F", bound=Callable[..., None])

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


def number_or_share(text: Any) -> float | str:
    """A number, or a percentage of what is at stake: 0.1%."""
    if isinstance(text, str) and text.endswith("%"):
        number(text.removesuffix("%"))
        return text
    return number(text)


def seed_number(text: Any) -> int:
    """A seed, refused here if it is one that no stream of random numbers can start from."""
    return seed_of(whole(text))


# ---- made from the schema of a job -----------------------------------------------------------------------------------

PARSERS: dict[str, Callable[[Any], Any]] = {
    "whole": whole,
    "number": number,
    "seed": seed_number,
    "share": number_or_share,
}
TYPES: dict[str, Any] = {"whole": int, "number": float, "share": float, "seed": int, "yes": bool}  # all else is text


def described(option: Option) -> Any:
    """What Typer is told of an option."""
    names = [f"--{option.name.replace('_', '-')}"] if option.kind == "yes" else []  # or there would be a --no-...
    return typer.Option(
        *names, parser=PARSERS.get(option.kind), metavar=option.shown or None, help=option.help
    )  # fmt: skip


def taking(options: Sequence[Option]) -> Callable[[F], F]:
    """Let a command take these options, before its own; it is given them by name, as `**asked`."""

    def decorate(command: F) -> F:
        made = []
        for option in options:
            kind = TYPES.get(option.kind, str)
            kind = list[kind] if option.is_many else kind  # type: ignore[valid-type]
            kind = kind | None if option.default is None else kind
            kind = Annotated[kind, described(option)]
            made.append(
                inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=kind)
            )
        own = [p for p in inspect.signature(command).parameters.values() if p.kind is not p.VAR_KEYWORD]
        places = [p for p in own if p.kind is not p.KEYWORD_ONLY]
        every = [*places, *made, *own[len(places) :]]
        command.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in every}
        return command

    return decorate


def typed_names(ctx: typer.Context) -> set[str]:
    """The parameters that stand on the line, even with the value that they have anyway."""
    sources = {name: ctx.get_parameter_source(name) for name in ctx.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


# ---- by hand ---------------------------------------------------------------------------------------------------------

GAME = "A game: its name, name:field=value, a .py or .efg file, or openspiel:NAME."
STRATEGY = "A strategy file, or a run: its folder, its name, a part of it, or last."
THEIR_GAME = "The game of the strategies, instead of the one that their files name; a .py file is run."
METRIC = 'A metric of style, as "bet, player 0, first"; may be given several times.'
RUNS = Path("runs")

TheirGame = Annotated[str | None, typer.Option("--game", metavar="GAME", help=THEIR_GAME)]
Symbols = Annotated[bool, typer.Option("--symbols", help="Show tiles as symbols of Unicode, if the game has them.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Runs = Annotated[Path, typer.Option("--runs", metavar="DIR", help="The folder of runs.")]
OutStrategy = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the strategy to this file.")]
Seed = Annotated[int, described(BY_NAME["seed"])]
Iterations = Annotated[int | None, described(BY_NAME["iterations"])]
Target = Annotated[float | None, described(BY_NAME["target"])]
Seconds = Annotated[float | None, described(BY_NAME["seconds"])]
Checkpoint = Annotated[float, typer.Option("--checkpoint-seconds", parser=number, hidden=True)]
