"""What a bot is. It is given a key, or a seat's own view of the game, and never the state itself."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled, compiled_function
from ruse.errors import RuseError
from ruse.game import Game
from ruse.strategy import Strategy
from ruse.view import Full, View


class CompiledBot(Protocol):
    """A bot that kernels can call: it sees an infoset's key and a random number."""

    sees: View  # not "view": Numba keeps that name for itself

    def choose(self, key: int, count: int, u: float) -> int:
        """The action, given the infoset key under the bot's own view, how many actions there are, and u in [0, 1)."""


class WatchingBot(Protocol):
    """A bot that kernels can call and that has a memory. It needs a game with `observe`."""

    def memory_size(self, game: Game) -> int:
        """How many integers it remembers; they are 0 when a game begins. Never compiled."""

    def watch(self, game: Game, seen: NDArray[Any], me: int, memory: NDArray[Any]) -> None:
        """After every move: `seen` is what the game shows to player `me`, as its `observe` writes it."""

    def decide(self, game: Game, seen: NDArray[Any], me: int, memory: NDArray[Any], count: int, u: float) -> int:
        """The action, of so many, given a random number in [0, 1)."""


class Seat(NamedTuple):
    """What a bot in plain Python is told when it must act."""

    player: int
    description: str  # what this player may see
    actions: list[str]
    key: int  # the infoset's 64-bit key
    u: float  # a random number in [0, 1)


class Bot(Protocol):
    """A bot in plain Python; slower, and free to keep a memory of its own."""

    def act(self, seat: Seat) -> int: ...


@compiled("choose")
class RandomBot(NamedTuple):
    """Every action with the same probability."""

    sees: View = Full()

    def choose(self, key, count, u):
        return int(u * count)


@compiled("choose")
class StrategyBot(NamedTuple):
    """Plays a strategy; uniformly at infosets that it does not know.

    A kernel cannot complain in the middle of a game, so it counts the infosets that do not fit, and whoever called it
    must ask: see `refuse_misfits`.
    """

    sees: View  # not "view": Numba keeps that name for itself
    keys: NDArray[Any]
    start: NDArray[Any]
    probability: NDArray[Any]
    misfits: NDArray[Any]  # [1] how often an infoset had another number of actions in the game than in the strategy

    @classmethod
    def of(cls, strategy: Strategy) -> "StrategyBot":
        keys, start, probability = (np.array(a) for a in (strategy.keys, strategy.start, strategy.probability))
        return cls(strategy.view, keys, start, probability, misfits=np.zeros(1, np.int64))

    def choose(self, key, count, u):
        place = bisect(self.keys, np.uint64(key))
        if place == len(self.keys) or self.keys[place] != np.uint64(key):
            return int(u * count)
        first = self.start[place]
        if self.start[place + 1] - first != count:
            self.misfits[0] += 1
            return int(u * count)
        for a in range(count - 1):
            u -= self.probability[first + a]
            if u < 0.0:
                return a
        last = count - 1  # rounding has left a little of u: the last action that is played at all
        while self.probability[first + last] == 0.0 and last > 0:
            last -= 1
        return last


def refuse_misfits(game: Game, bots: Iterable[Any]) -> None:
    """Raise if one of these bots has met an infoset to which its strategy does not fit."""
    for bot in bots:
        misfits = getattr(getattr(bot, "bot", bot), "misfits", None)  # at a table a bot is in its seat
        if misfits is not None and misfits[0]:
            raise RuseError(f"a strategy does not fit {game!r}: an infoset has another number of actions")


@compiled_function
def bisect(keys, key):
    """The first place whose key is not below `key`."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low
