"""A table at which one person plays against bots: turns, hints and grades.

What the person may not know yet is never printed: before the end only what is shown to the own seat.
"""

import random
import sys
from functools import cached_property
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.catalog.names import companion
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError
from ruse.protocol.choices import Offering
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.words.printable import printable

if TYPE_CHECKING:
    from ruse.evaluate.explain import Explained, Explanation
    from ruse.strategy import Strategy

VALUED = 3_000_000  # histories of a game in which hints tell what actions are worth
LISTED = 24  # actions that are listed without being asked for
HELP = """\
Type the name of an action or its number, or as much of the name as no other begins with.
  list   all actions
  look   all that you have seen
  hint   what the strategy plays here, and what each action is worth
  quit   leave the table"""
COMMANDS = ("", "?", "help", "list", "look", "hint", "quit", "exit")


class Quit(Exception):
    """The person has left the table."""


class Opponent(NamedTuple):
    """Who has the other seats."""

    name: str
    bot: Any
    strategy: "Strategy | None" = None  # what it plays, if that is a table


class Grade(NamedTuple):
    """A choice of the person, judged by the values of the others' strategy."""

    infoset: str
    chosen: str
    best: str
    lost: float | None  # payoff a game, against the best action; None where the strategy gives no values

    def __str__(self) -> str:
        head = f"  at {self.infoset!r} you chose {self.chosen}"
        if self.lost is None:
            return f"{head}: no grade, the strategy never comes here"
        return f"{head}: nothing lost" if self.lost < 5e-5 else f"{head}: lost {self.lost:.4f} against {self.best}"


class Table:
    """Bots of one kind around one person."""

    def __init__(self, game: Game, opponent: Opponent, *, seed: int, coach: bool) -> None:
        self.game, self.opponent, self.seed, self.coach = game, opponent, seed, coach
        self.words: Any = companion(game, "table")  # how the game is told, if it has words for that

    def play(self, number: int, seat: int) -> tuple[State, list[Grade]]:
        """Play a game; raises Quit when the person leaves."""
        from ruse.play.lawful import refuse_broken
        from ruse.play.seats import answer_of, seated

        # Chance and bots have streams of their own: what the person does never changes the cards.
        luck, choice = (random.Random(f"{self.seed} {number} {who}") for who in ("chance", "bots"))
        state = State.of(self.game)
        others = {p: seated(self.game, self.opponent.bot) for p in range(self.game.players) if p != seat}
        for other in others.values():
            other.sit_down()
        grades: list[Grade] = []
        refuse_broken(state)
        while not state.is_over:
            if state.is_chance:
                chosen = luck.choices(range(state.num_actions), state.chances)[0]
            elif state.player == seat:
                chosen = self.ask(state)
                if self.coach:
                    grades.append(self.grade(state, chosen))
            else:
                chosen = answer_of(others[state.player], state, choice.random())
            before, state = state, state.child(chosen)
            refuse_broken(state)
            self.tell(before, chosen, state, seat)
            if not state.is_chance:
                for p, other in others.items():
                    other.look_on(self.game, state.row, p)
        return state, grades

    def tell(self, before: State, chosen: int, after: State, seat: int) -> None:
        """Say what has happened, as the person sees it."""
        if self.words:
            for line in self.words.told(self.game, before.row, chosen, after.row, seat):
                print(line)

    def ask(self, state: State) -> int:
        """The person's choice; hints and help on the way."""
        actions = state.actions
        if self.words:
            print("\n" + "\n".join(self.words.shown(self.game, state.row, state.player)))
        else:
            print(f"\nYou are player {state.player}. You see: {state.describe(state.player) or 'nothing yet'}")
        print(offered(actions[:LISTED], more=len(actions) - LISTED))
        while True:
            word = read("> ").strip().casefold()
            fits = fitting(word, actions)
            if len(fits) == 1:
                return fits[0]
            if word in ("", "?", "help"):
                print(f"{self.words.HELP}\n{HELP}" if self.words else HELP)
            elif word == "list":
                print(offered(actions))
            elif word == "look":
                print(state.describe(state.player) or "nothing yet")
            elif word in ("hint", "h"):
                print(self.hint(state))
            elif word in ("quit", "q", "exit"):
                raise Quit
            else:
                meant = f"may be {', '.join(actions[k] for k in fits[:LISTED])}" if fits else "is no action"
                there = f"there is {', '.join(actions)}" if len(actions) <= LISTED else "list shows all"
                typed = " (write numbers with a #)" if word.isdecimal() and numbering(actions) else ""
                print(f"{word!r} {meant}{typed}; {there}, and ? for help")

    def hint(self, state: State) -> str:
        """What the strategy would play here; also what that is worth, if the game is small enough to be walked."""
        strategy = self.opponent.strategy
        if strategy is None:
            return f"there is no hint: {self.opponent.name} plays by no strategy that could be looked up"
        try:
            if self.is_small and not isinstance(strategy.view, Offering):  # which has no value for each action
                return str(self.explanation.at(state))
        except RuseError as trouble:
            return f"there is no hint: {trouble}"
        mix = strategy.at(state).actions
        width = max(map(len, mix))
        return "\n".join(f"  {a:<{width}}  {p:8.6f}" for a, p in mix.items())

    @cached_property
    def is_small(self) -> bool:
        from ruse.tree.size import size

        with working("measuring the game"):
            return size(self.game, limit=VALUED).is_exact

    @cached_property
    def explanation(self) -> "Explanation":
        """What the strategy plays everywhere, and what it is worth."""
        from ruse.evaluate.explain import Explanation

        if self.opponent.strategy is None:
            raise RuseError(f"{self.opponent.name} plays by no strategy, so no choice can be graded; leave --coach out")
        with working("explaining the strategy"):
            return Explanation(self.opponent.strategy)

    def grade(self, state: State, chosen: int) -> Grade:
        found: Explained = self.explanation.at(state)
        actions = state.actions
        values = [value for value in found.value if value is not None]
        if not values:
            return Grade(found.name, actions[chosen], actions[chosen], None)
        best = max(range(len(values)), key=values.__getitem__)
        return Grade(found.name, actions[chosen], actions[best], values[best] - values[chosen])


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
    """
    names = [name.casefold() for name in actions]
    if word in names:
        return [names.index(word)]
    number = word.removeprefix("#")
    if number.isdecimal() and (word != number or not numbering(actions)):
        return [int(number) - 1] if 1 <= int(number) <= len(names) else []
    if word in COMMANDS:  # before beginnings: "hint" must not choose an action called "hint at it"
        return []
    parts = sorted(word.replace(",", " ").split())
    if whole := [k for k, name in enumerate(names) if sorted(name.split()) == parts]:
        return whole  # the same words in another order, as cards may be named
    return [k for k, name in enumerate(names) if name.startswith(word)]


def read(prompt: str) -> str:
    """A line from the person; leaving the keyboard is leaving the table."""
    try:
        return input(printable(prompt))  # which goes past sys.stdout
    except EOFError:
        print()
        raise Quit from None
