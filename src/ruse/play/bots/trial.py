"""A watching bot's first games, in plain Python: does it reach beyond what it is shown and what it remembers?

Kernels do not look whether an index is within its array, and in a training the state lies beside a bot's memory. Python
does look. It is done once in a process, before the bot first sits down.
"""

import random
from contextlib import suppress
from typing import Any

import numpy as np

from ruse.compile import is_compiled
from ruse.errors import RuseError
from ruse.laws.peeking import fields_of
from ruse.play.bots.blame import fault_of
from ruse.play.bots.bot import WatchingBot, name_of, remembers
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.values.recent import Recent

GAMES, MOVES = 10, 100  # of each game no more than so many moves

_found = Recent[str | None](None)  # by game and bot: what was wrong


def refuse_reaching(game: Any, bot: WatchingBot) -> None:
    """Raise if the bot reads or writes where there is nothing of its own."""
    if not is_compiled(bot, "watch", "decide"):
        return  # it plays in plain Python anyway, and may remember games that it should not have played
    if trouble := _found.of((fields_of(game), fields_of(bot)), lambda: what_is_wrong(game, bot)):
        raise RuseError(trouble)


def what_is_wrong(game: Any, bot: WatchingBot) -> str | None:
    """What is wrong with the bot, after some games."""
    try:
        with suppress(ArithmeticError):  # which is none in kernels: a division by zero gives an infinity
            for number in range(GAMES):
                watched(game, bot, number % game.players, random.Random(number))
    except IndexError as error:
        return f"{name_of(bot)} reaches beyond what it is shown or remembers: {error}"
    except (TypeError, ValueError, AttributeError, KeyError, RuntimeError) as error:
        return f"{name_of(bot)} {fault_of(error, [bot])}"
    return None


def watched(game: Any, bot: WatchingBot, seat: int, dice: random.Random) -> None:
    """The beginning of a game in which the bot has a seat, and the others choose at random."""
    seen, memory = np.zeros(game.observation_size(), np.int64), np.zeros(remembers(game, bot), np.int64)
    row, before = game.start().astype(np.int64), None
    for _ in range(MOVES):
        player = game.player(row)
        if player == OVER:
            return
        count = int(game.num_actions(row))
        if player == CHANCE:
            a = dice.choices(range(count), [game.chance(row, a) for a in range(count)])[0]
        else:
            game.observe(row, seat, seen)
            if before is None or not np.array_equal(seen, before):
                bot.watch(game, seen, seat, memory)
            before = seen.copy()
            a = dice.randrange(count)
            if player == seat:
                chosen = bot.decide(game, seen, seat, memory, count, dice.random())
                a = chosen if chosen in range(count) else a  # which is told of where it matters
        game.apply(row, int(a))
