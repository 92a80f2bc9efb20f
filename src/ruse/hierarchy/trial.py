"""The first games of a hierarchy, in plain Python: does it reach beyond what it is shown, and is there always a way on?

Kernels do not look whether an index is within its array, and the state lies beside what policies see and remember.
Python does look. It is done once in a process, before a hierarchy is first walked.
"""

import random
from contextlib import suppress
from typing import Any

from ruse.errors import RuseError
from ruse.hierarchy.abstract import Choosing
from ruse.hierarchy.chain import fault_in
from ruse.protocol.game import Game
from ruse.protocol.state import State

GAMES, MOVES = 6, 200  # of each game no more than so many choices and moves of chance


def what_is_wrong(game: Game, hierarchy: Any) -> str | None:
    """What is wrong with a hierarchy, after some games; None if nothing was found."""
    try:
        with suppress(ArithmeticError):  # which is none in kernels: a division by zero gives an infinity
            for number in range(GAMES):
                tried(State.of(Choosing.of(game, hierarchy)), random.Random(number))
    except IndexError as error:
        return f"{hierarchy!r} reaches beyond what it is shown or remembers: {error}"
    except RuseError as error:
        return str(error)
    except (Exception, SystemExit) as error:
        return f"{hierarchy!r} has failed: {fault_in(error)}"
    return None


def tried(state: State, dice: random.Random) -> None:
    """The beginning of a game, with policies chosen at random."""
    for _ in range(MOVES):
        if state.is_over:
            return
        count = state.num_actions
        if count < 1:
            raise RuseError(trouble_at(state))
        a = dice.choices(range(count), state.chances if state.is_chance else None)[0]
        state = state.stepped(a)


def trouble_at(state: State) -> str:
    """Why there is no way on."""
    game: Any = state.game
    row, columns = state.row, game.columns
    return str(game.twist.trouble_in(game.rules, row[:columns], row[columns:]))
