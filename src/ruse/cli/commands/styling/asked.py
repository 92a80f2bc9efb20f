"""What is asked of `ruse style`, and what is done with an answer, however it was found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from ruse.cli.terminal.output import print_json
from ruse.store.records import plain

if TYPE_CHECKING:
    from ruse.strategy import Strategy

NOT_MET = 1  # exit code


class StyleAsked(NamedTuple):
    """What the options say, besides what the style is."""

    cap: float
    rule: str
    iterations: int | None
    solves: int
    blueprint: str | None
    boards: int
    runs: Path


class StyleFound(NamedTuple):
    """A strategy, and all that is told of it."""

    strategy: "Strategy"
    numbers: dict[str, Any]
    show: Callable[[], None]
    is_met: bool = True
    draw: Callable[[Path], None] | None = None  # a picture, if there is one


def keep(found: StyleFound, out: Path) -> None:
    """The strategy, the numbers and the picture."""
    out.mkdir(parents=True, exist_ok=True)
    found.strategy.save(out / "style.strategy")
    text = json.dumps(plain(found.numbers, finite=True), indent=1, ensure_ascii=False)
    (out / "style.json").write_text(text + "\n")
    if found.draw is not None:
        found.draw(out / "frontier.png")


def tell(found: StyleFound, *, out: Path | None, as_json: bool) -> None:
    """Show what was found and say where it is; the exit code is 1 if it is not what was asked."""
    if as_json:
        print_json(found.numbers)
    else:
        found.show()
        if out is not None:
            picture = "" if found.draw is None else " and frontier.png"
            print(f"style.strategy{' and' if not picture else ','} style.json{picture}: {out}")
    if not found.is_met:
        raise typer.Exit(NOT_MET)
