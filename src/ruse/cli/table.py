"""A table at which one person plays against bots: turns, hints, grades and the record of a game.

What the person may not know yet is never printed: before the end only `describe` for the own seat is.
"""

import json
import os
import random
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.cli.output import called
from ruse.cli.progress import working
from ruse.errors import RuseError
from ruse.game import EVERYTHING
from ruse.state import State
from ruse.tensors import explaining

if TYPE_CHECKING:
    from ruse.evaluate.explain import Explained
    from ruse.strategy import Strategy

HELP = """\
Type the number or the name of an action, or as much of the name as no other begins with.
  hint   what the strategy plays here, and what each action is worth
  quit   leave the table"""


class Quit(Exception):
    """The person has left the table."""


class Move(NamedTuple):
    """One event of a game."""

    player: int  # CHANCE for chance
    number: int
    action: str


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
    """Bots that all play one strategy, around one person."""

    def __init__(self, strategy: "Strategy", *, seed: int, coach: bool) -> None:
        from ruse.bots.bot import StrategyBot

        self.game, self.strategy, self.seed, self.coach = strategy.game, strategy, seed, coach
        self.bot: Any = StrategyBot.of(strategy)

    def play(self, number: int, seat: int) -> tuple[State, list[Move], list[Grade]]:
        """Play a game; raises Quit when the person leaves."""
        from ruse.evaluate.match import choice_of

        # Chance and bots have streams of their own: what the person does never changes the cards.
        luck, choice = (random.Random(f"{self.seed} {number} {who}") for who in ("chance", "bots"))
        state = State.of(self.game)
        moves: list[Move] = []
        grades: list[Grade] = []
        while not state.is_over:
            player, actions = state.player, state.actions
            if state.is_chance:
                chosen = luck.choices(range(len(actions)), state.chances)[0]
            elif player == seat:
                chosen = self.ask(state)
                if self.coach:
                    grades.append(self.grade(state, chosen))
            else:
                chosen = choice_of(self.bot, state, choice.random())
            moves.append(Move(player, chosen, actions[chosen]))
            state = state.child(chosen)
        return state, moves, grades

    def ask(self, state: State) -> int:
        """The person's choice; hints and help on the way."""
        actions = state.actions
        print(f"\nYou are player {state.player}. You see: {state.describe(state.player) or 'nothing yet'}")
        has_numbers = not any(name.isdigit() for name in actions)  # else a number would be two things
        print("  " + "   ".join(f"{k} {name}" if has_numbers else name for k, name in enumerate(actions, 1)))
        while True:
            word = read("> ").strip().casefold()
            fits = fitting(word, actions, has_numbers=has_numbers)
            if len(fits) == 1:
                return fits[0]
            if word in ("", "?", "help"):
                print(HELP)
            elif word in ("hint", "h"):
                print(self.hint(state))
            elif word in ("quit", "q", "exit"):
                raise Quit
            else:
                meant = f"may be {', '.join(actions[k] for k in fits)}" if fits else "is no action"
                print(f"{word!r} {meant}; there is {', '.join(actions)}, and ? for help")

    def hint(self, state: State) -> str:
        try:
            return str(self.explained[state.player, state.describe(state.player)])
        except RuseError as trouble:
            return f"there is no hint: {trouble}"

    @cached_property
    def explained(self) -> "dict[tuple[int, str], Explained]":
        """What the strategy plays everywhere, and what it is worth, by player and infoset."""
        from ruse.evaluate.explain import explain

        with working("explaining the strategy"):
            return {(found.player, found.name): found for found in explain(self.strategy)}

    def grade(self, state: State, chosen: int) -> Grade:
        name, actions = state.describe(state.player), state.actions
        values = [value for value in self.explained[state.player, name].value if value is not None]
        if not values:
            return Grade(name, actions[chosen], actions[chosen], None)
        best = max(range(len(values)), key=values.__getitem__)
        return Grade(name, actions[chosen], actions[best], values[best] - values[chosen])


def fitting(word: str, actions: list[str], *, has_numbers: bool) -> list[int]:
    """The actions that a word may mean: a name, a number from 1, or the beginning of names.

    >>> fitting("r", ["fold", "call", "raise"], has_numbers=True), fitting("2", ["fold", "call"], has_numbers=True)
    ([2], [1])
    """
    names = [name.casefold() for name in actions]
    if word in names:
        return [names.index(word)]
    if has_numbers and word.isdecimal():
        return [int(word) - 1] if 1 <= int(word) <= len(names) else []
    # Commands go before beginnings: "hint" must not choose an action called "hint at it".
    is_command = word in ("", "?", "help", "hint", "quit", "exit")
    return [] if is_command else [k for k, name in enumerate(names) if name.startswith(word)]


def read(prompt: str) -> str:
    """A line from the person; leaving the keyboard is leaving the table."""
    try:
        return input(prompt)
    except EOFError:
        print()
        raise Quit from None


# ---- the record ------------------------------------------------------------------------------------------------------


def record(path: Path, table: Table, *, number: int, seat: int, end: State, moves: list[Move]) -> None:
    """Append a finished game to a file, one event a line; all of it or nothing."""
    lines = [json.dumps(event, ensure_ascii=False) + "\n" for event in events(table, number, seat, end, moves)]
    with explaining("write", path), open(path, "ab", buffering=0) as file:
        before, data = file.seek(0, os.SEEK_END), "".join(lines).encode()
        try:
            while data:  # a disk that is nearly full takes a part, and says why only at the next part
                data = data[file.write(data) :]
        except BaseException:
            file.truncate(before)
            raise


def events(table: Table, number: int, seat: int, end: State, moves: list[Move]) -> Iterator[dict[str, Any]]:
    """What is recorded of a game."""
    bot = str(table.strategy.about.get("rule", "strategy"))
    yield {
        "event": "game", "format": "ruse-record/1", "game": called(table.game), "game_repr": repr(table.game),
        "seed": table.seed, "number": number,
        "players": ["you" if p == seat else bot for p in range(table.game.players)],
    }  # fmt: skip
    for move in moves:
        who = "chance" if move.player < 0 else move.player
        yield {"event": "action", "player": who, "action": move.action, "number": move.number}
    yield {"event": "end", "payoffs": end.payoffs, "everything": end.describe(EVERYTHING)}
