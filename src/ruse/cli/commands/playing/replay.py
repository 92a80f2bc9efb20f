"""`ruse replay`: step through a recorded game with everything shown."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from ruse.catalog.recorded import recorded_game
from ruse.catalog.titles import title
from ruse.cli.terminal.faces import Faces
from ruse.cli.terminal.options import Symbols, whole
from ruse.errors import FileTrouble, RuseError
from ruse.play.records.forms import read_any
from ruse.play.records.record import Recorded
from ruse.play.records.retold import in_words_of_rules
from ruse.words.printable import one_line, printable

LISTED = 24  # moves of chance in a row that are told one by one
KEYS = "Enter: next, b: back, a number: that step, q: quit"


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Games recorded by `ruse play --record FILE`.")],
    *,
    game: Annotated[
        int | None, typer.Option(parser=whole, metavar="N", help="The n-th game of the file; else the last.")
    ] = None,
    symbols: Symbols = False,
) -> None:
    """Step through a recorded game with everything shown.

    Enter goes on, b back, q quits. Where there is no terminal, all steps are printed.

    Example: ruse replay games.jsonl --game 1
    """
    number, found = chosen(file, game)
    found, unlike = in_words_of_rules(found, file, lambda text: recorded_game(text, file))
    if unlike:
        print(one_line(f"as {file} tells it, which cannot be compared with the rules: {unlike}"), file=sys.stderr)
    steps, faces = list(steps_of(found)), Faces.named(found.head["game"], symbols=symbols)
    players = ", ".join(f"player {p} is {name}" for p, name in enumerate(found.head["players"]))
    seed = "" if found.head["seed"] is None else f", seed {found.head['seed']}"
    print(one_line(f"{title(found.head['game'])}, game {number}{seed}: {players}"))
    if is_terminal():
        print(KEYS)
        step_through(steps, faces)
    else:
        faces.print("\n".join(map(str, steps)))


def is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def chosen(path: Path, number: int | None) -> tuple[int, Recorded]:
    """The game to show, and its number in the file, counted from 1."""
    if number is not None and number < 1:
        raise RuseError(f"--game counts from 1, got {number}")
    count, last, left = 0, None, None
    try:
        for recorded in read_any(path):
            left = recorded if recorded.end is None else None
            if left:  # which would show what is hidden
                continue
            count, last = count + 1, recorded
            if count == number:
                return count, recorded
    except FileTrouble as trouble:
        if count == 0:
            raise
        raise FileTrouble(f"{trouble}; games 1 to {count} are whole, as --game {count} shows") from trouble
    begun = ", and one that is not over" if left else ""
    if left and left.is_left:
        begun += ": `ruse play GAME --record FILE --resume` goes on with it"
    if number is not None or last is None:
        there = "no game that is over" if number is None else f"{count} games; there is no game {number}"
        raise RuseError(f"{path} has {there}{begun}")
    return count, last


class ReplayStep(NamedTuple):
    """A moment of a game."""

    number: int
    events: list[str]
    everything: str
    table: list[str] = []  # noqa: RUF012 (the same in lines, if the game has lines of it; nobody adds to it)

    def __str__(self) -> str:
        shown = map(printable, self.table) if self.table else filter(None, [one_line(self.everything)])
        head, *more = map(one_line, self.events)
        return "\n".join([f"\n{self.number}. {head}", *(f"   {line}" for line in (*more, *shown))])


def steps_of(game: Recorded) -> Iterator[ReplayStep]:
    """One step for each decision, and one for what chance does in a row."""
    waiting: list[dict[str, Any]] = []
    number = 0
    for event in game.actions:
        if event["player"] == "chance":
            waiting.append(event)
            continue
        if waiting:
            number += 1
            yield dealt(number, waiting)
            waiting = []
        number += 1
        yield ReplayStep(number, told(event), event["everything"], event.get("table", []))
    if waiting:
        number += 1
        yield dealt(number, waiting)
    if game.end:
        payoffs = ", ".join(f"player {p} {x:+zg}" for p, x in enumerate(game.end["payoffs"]))
        is_shown = bool(game.actions and game.actions[-1].get("table"))  # by the step before
        yield ReplayStep(number + 1, [f"the end: {payoffs}"], "" if is_shown else game.end["everything"])


def dealt(number: int, events: list[dict[str, Any]]) -> ReplayStep:
    """What chance has done, as one step."""
    heard = [str(event["public"]) for event in events if event.get("public")]
    did = ", ".join(event["action"] for event in events)
    said = f"chance: {did}" if len(events) <= LISTED else f"chance: {len(events)} moves"
    return ReplayStep(number, [said, *heard], events[-1]["everything"], events[-1].get("table", []))


def told(event: dict[str, Any]) -> list[str]:
    heard = [str(event["public"])] if event.get("public") else []
    by = f" ({event['by']['name']})" if "by" in event else ""  # before somebody else took the seat over
    return [f"player {event['player']}{by}: {event['action']}", *heard]


def step_through(steps: list[ReplayStep], faces: Faces) -> None:
    """Show a step, ask where to go, until the person has had enough or Enter is pressed at the end."""
    at = 0
    while 0 <= at < len(steps):
        faces.print(steps[at])
        try:
            word = input(f"[{at + 1}/{len(steps)}] ").strip().casefold()
        except EOFError:
            print()
            return
        if word in ("q", "quit", "exit"):
            return
        if word in ("b", "back"):
            at = max(0, at - 1)
        elif word.isdecimal() and 1 <= int(word) <= len(steps):
            at = int(word) - 1
        elif word in ("", "n", "next"):
            at += 1
        else:
            print(KEYS)
