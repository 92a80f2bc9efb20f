"""A person at a table in the terminal: a session, printed and asked.

What the person may not know yet is never printed: before the end only what the session shows to the own seat.
"""

import sys
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ruse.catalog.names import companion
from ruse.cli.terminal.faces import PLAIN, Faces
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError
from ruse.words.meant import meant_by
from ruse.words.printable import printable

if TYPE_CHECKING:
    from ruse.play.session import Session
    from ruse.protocol.scene import Scene

LISTED = 24  # actions that are listed without being asked for
HELP = """\
Type the name of an action or its number, or as much of the name as no other begins with, or a word of it.
  list   all actions
  look   all that you have seen
  hint   what the strategy plays here, and what each action is worth; or what policies of the game would do
  quit   leave the table"""
COMMANDS = ("", "?", "help", "list", "look", "hint", "quit", "exit")


class Quit(Exception):
    """The person has left the table."""


def attend(session: "Session", seat: int, others: str, faces: Faces = PLAIN) -> None:
    """Ask the person in a seat until the game is over; raises Quit when the person leaves."""
    heard = 0
    words: Any = companion(session.game, "table")
    while True:
        news = session.events(seat, heard)
        heard += len(news)
        if words:  # else what has happened is in what the person sees
            for line in (line for event in news for line in event.words):
                faces.print(line)
        if session.is_over:
            return
        session.act(seat, ask(session, seat, others, faces))


def ask(session: "Session", seat: int, others: str, faces: Faces = PLAIN) -> int:
    """The person's choice; hints and help on the way."""
    scene = session.scene(seat)
    actions, seen = list(scene.actions), scene.words or "nothing yet"
    shown = session.shown(seat)
    plain = [f"You are player {seat}. You see: {seen}", *counted(scene, seat)]
    faces.print("\n" + "\n".join(shown or plain))
    faces.print(offered(actions[:LISTED], more=len(actions) - LISTED))
    while True:
        typed = read("> ").strip()
        fits, word = fitting(typed, actions), typed.casefold()
        if len(fits) == 1:
            return fits[0]
        if word in ("", "?", "help"):
            words: Any = companion(session.game, "table")
            print(f"{words.HELP}\n{HELP}" if words else HELP)
        elif word == "list":
            faces.print(offered(actions))
        elif word == "look":
            faces.print(seen)
        elif word in ("hint", "h"):
            faces.print(hint(session, seat, others))
        elif word in ("quit", "q", "exit"):
            raise Quit
        else:
            meant = f"may be {', '.join(actions[k] for k in fits[:LISTED])}" if fits else "is no action"
            there = f"there is {', '.join(actions)}" if len(actions) <= LISTED else "list shows all"
            marked = " (write numbers with a #)" if word.isdecimal() and numbering(actions) else ""
            print(f"{typed!r} {meant}{marked}; {there}, and ? for help")


def counted(scene: "Scene", seat: int) -> list[str]:
    """The numbers that lie on the table, in a line: the pot, and what each player has put there."""
    told = []
    for name, values in scene.numbers.items():
        by_player = [f"{'you' if p == seat else f'player {p}'} {x:g}" for p, x in enumerate(values)]
        told.append(f"{name} {', '.join(by_player) if len(values) > 1 else f'{values[0]:g}'}")
    return [f"On the table: {'; '.join(told)}"] if told else []


def hint(session: "Session", seat: int, others: str) -> str:
    """What policies of the game would do in this seat, and what the strategy of the others would."""
    advice = session.advice(seat)
    width = max(map(len, advice), default=0)
    lines = [f"  {name:<{width}}  {words}" for name, words in advice.items()]
    if session.coach is None and lines:
        return "\n".join(lines)
    if session.coach is None:
        return f"there is no hint: {others} plays by no strategy that could be looked up"
    try:
        with working("explaining the strategy"):
            return "\n".join([*lines, str(session.hint(seat))])
    except RuseError as trouble:
        return "\n".join(lines) or f"there is no hint: {trouble}"


# ---- words typed -----------------------------------------------------------------------------------------------------


def numbering(actions: list[str]) -> str:
    """What stands before an action's number: # where a plain number would be two things."""
    return "#" if any(name.isdigit() for name in actions) else ""


def offered(actions: list[str], *, more: int = 0) -> str:
    """The actions with their numbers, unless they are numbers themselves."""
    mark = numbering(actions)
    is_plain = all(name.isdigit() for name in actions)
    words = [name if is_plain else f"{mark}{k} {name}" for k, name in enumerate(actions, 1)]
    words += [f"and {more} more: list shows all"] if more > 0 else []
    if not sys.stdout.isatty():
        return "  " + "   ".join(words)
    unbroken = "   ".join(word.replace(" ", "\0") for word in words)  # a line never ends within an action
    text = fill(unbroken, get_terminal_size().columns - 1, initial_indent="  ", subsequent_indent="  ")
    return text.replace("\0", " ")


def fitting(word: str, actions: list[str]) -> list[int]:
    """The actions that a word may mean: a name, a number from 1, or the beginning of names.

    Where names are numbers themselves, as of cards, the number of an action is typed with a #.

    >>> fitting("r", ["fold", "call", "raise"]), fitting("2", ["fold", "call"])
    ([2], [1])
    >>> fitting("3", ["A", "3", "A 3"]), fitting("#3", ["A", "3", "A 3"]), fitting("3 a", ["A", "3", "A 3"])
    ([1], [2], [2])
    >>> fitting("B", ["b", "B"]), fitting("BET", ["bet", "Bet"]), fitting("9m", ["discard 8m", "discard 9m"])
    ([1], [0, 1], [1])
    """
    if exact := meant_by(word, actions):
        return exact
    word, names = word.casefold(), [name.casefold() for name in actions]
    number = word.removeprefix("#")
    if number.isdecimal() and (word != number or not numbering(actions)):
        return [int(number) - 1] if 1 <= int(number) <= len(names) else []
    if word in COMMANDS:  # before beginnings: "hint" must not choose an action called "hint at it"
        return []
    parts = sorted(word.replace(",", " ").split())
    if whole := [k for k, name in enumerate(names) if sorted(name.split()) == parts]:
        return whole  # the same words in another order, as cards may be named
    begun = [k for k, name in enumerate(names) if name.startswith(word)]
    return begun or [k for k, name in enumerate(names) if set(parts) <= set(name.split())]


def read(prompt: str) -> str:
    """A line from the person; leaving the keyboard is leaving the table."""
    try:
        return input(printable(prompt))  # which goes past sys.stdout
    except EOFError:
        print()
        raise Quit from None
    except KeyboardInterrupt:
        print()  # after the prompt
        raise
