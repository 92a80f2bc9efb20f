"""Bots at a table: each kind of bot gets what it may know, and the one whose turn it is answers.

The state stops here. A bot that goes by keys is given the key of its own view; a bot with a memory is shown, after
every move, what the game's `observe` shows to its player.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ruse.bots.bot import CompiledBot, WatchingBot
from ruse.choices import Offering
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.game import Game
from ruse.view import infoset_key


@compiled("sit_down", "look_on", "answer")
class ByKey(NamedTuple):
    """A bot that sees the key of its infoset."""

    bot: CompiledBot

    def sit_down(self):
        pass

    def look_on(self, game, s, player):
        pass

    def answer(self, game, s, player, count, u):
        return self.bot.choose(infoset_key(game, self.bot.sees, s), count, u)


@compiled("sit_down", "look_on", "answer")
class ByChoice(NamedTuple):
    """A bot that sees the key of its infoset, under a view with actions of its own."""

    bot: CompiledBot

    def sit_down(self):
        pass

    def look_on(self, game, s, player):
        pass

    def answer(self, game, s, player, count, u):
        sees: Any = self.bot.sees
        chosen = self.bot.choose(infoset_key(game, sees, s), sees.num_choices(game, s), u)
        return sees.meaning(game, s, chosen)


@compiled("sit_down", "look_on", "answer")
class ByMemory(NamedTuple):
    """A bot that watches and remembers."""

    bot: WatchingBot
    seen: np.ndarray
    memory: np.ndarray

    def sit_down(self):
        for k in range(len(self.memory)):
            self.memory[k] = 0

    def look_on(self, game, s, player):
        game.observe(s, player, self.seen)
        self.bot.watch(game, self.seen, player, self.memory)

    def answer(self, game, s, player, count, u):
        return self.bot.decide(game, self.seen, player, self.memory, count, u)


def seated(game: Game, bot: Any) -> Any:
    """A compiled bot as it sits at the table; None for one in plain Python."""
    if hasattr(bot, "choose"):
        return ByChoice(bot) if isinstance(bot.sees, Offering) else ByKey(bot)
    if not hasattr(bot, "decide"):
        return None
    if not hasattr(game, "observe"):
        raise RuseError(f"{bot!r} wants to watch, but {game!r} has no observe() to show it anything")
    size = game.observation_size()  # type: ignore[attr-defined]
    return ByMemory(bot, np.zeros(size, np.int64), np.zeros(bot.memory_size(game), np.int64))


@compiled("begin", "answer_for", "look_on_all")
class Table(NamedTuple):
    """Seated bots of different types in a chain, so that a kernel can call the one whose turn it is."""

    bot: Any
    rest: Any  # the other bots, as a Table; an End after the last

    def begin(self):
        self.bot.sit_down()
        self.rest.begin()

    def answer_for(self, who, game, s, player, count, u):
        if who == 0:
            return self.bot.answer(game, s, player, count, u)
        return self.rest.answer_for(who - 1, game, s, player, count, u)

    def look_on_all(self, game, s, player, players):
        """Show everybody what has happened. The first bot of the chain sits at `player`, the next at the next seat."""
        self.bot.look_on(game, s, player)
        self.rest.look_on_all(game, s, player + 1 if player + 1 < players else 0, players)


@compiled("begin", "answer_for", "look_on_all")
class End(NamedTuple):
    """Nobody sits here."""

    nothing: int = 0

    def begin(self):
        pass

    def answer_for(self, who, game, s, player, count, u):
        return 0

    def look_on_all(self, game, s, player, players):
        pass


def seat_all(game: Game, bots: Sequence[Any]) -> Table:
    """The bots as one part."""
    table: Any = End()
    for bot in reversed(bots):
        table = Table(seated(game, bot), table)
    return table  # type: ignore[no-any-return]
