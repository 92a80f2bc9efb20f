"""What a bot is. It is given a key, or a seat's own view of the game, and never the state itself.

There are three kinds: one that is told in words and chooses (`act`), one that kernels can call and that goes by keys
(`choose`), and one that watches the game and remembers (`watch` and `decide`), compiled or not.
"""

from contextlib import suppress
from numbers import Real
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.protocol.choices import Hierarchical
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.strategy import Strategy
from ruse.words.printable import one_line, shortened

LONGEST = 80  # characters of a name, or of an answer, in a sentence
LARGEST = 1 << 20  # integers that a bot may remember


class CompiledBot(Protocol):
    """A bot that kernels can call: it sees an infoset's key and a random number."""

    sees: View  # which is tested for peeking; not "view": Numba keeps that name for itself

    def choose(self, key: int, count: int, u: float) -> int:
        """The action, given the infoset key under the bot's own view, how many actions there are, and u in [0, 1)."""


class WatchingBot(Protocol):
    """A bot that has a memory; kernels can call it if it is compiled. It needs a game with `observe`."""

    def memory_size(self, game: Game) -> int:
        """How many integers it remembers; they are 0 when a game begins. Never compiled."""

    def watch(self, game: Game, seen: NDArray[Any], me: int, memory: NDArray[Any]) -> None:
        """Whenever `seen` has changed: what the game shows to player `me`, as its `observe` writes it."""

    def decide(self, game: Game, seen: NDArray[Any], me: int, memory: NDArray[Any], count: int, u: float) -> int:
        """The action, of so many, given a random number in [0, 1).

        A bot that also has `thought(game, seen, me, before, after)` is asked, in sessions, what it has to say of a
        decision, given its memory before and after: a dictionary that goes into the record. Never compiled.
        """


class Seat(NamedTuple):
    """What a bot in plain Python is told when it must act."""

    player: int
    description: str  # what this player may see
    actions: list[str]  # what it returns is the number of one of them
    key: int  # the infoset's 64-bit key
    u: float  # a random number in [0, 1)


class Bot(Protocol):
    """A bot in plain Python; slower, and free to keep a memory of its own.

    If it has a method `sit_down()`, that is called when a game begins. If it has a view in `sees`, the key is that of
    the view.
    """

    def act(self, seat: Seat) -> int: ...


@compiled("choose")
class RandomBot(NamedTuple):
    """Every action with the same probability."""

    sees: View = Full()

    def choose(self, key, count, u):
        return int(u * count)


@compiled("choose")
class StrategyBot(NamedTuple):
    """Plays a strategy; uniformly at infosets that it does not know."""

    sees: View  # not "view": Numba keeps that name for itself
    keys: NDArray[Any]
    start: NDArray[Any]
    probability: NDArray[Any]

    @classmethod
    def of(cls, strategy: Strategy) -> "StrategyBot":
        strategy.refuse_unplayable()
        arrays = (np.array(a) for a in (strategy.keys, strategy.start, strategy.probability))
        return cls(strategy.view, *arrays)

    def choose(self, key, count, u):
        place = bisect(self.keys, np.uint64(key))
        if place == len(self.keys) or self.keys[place] != np.uint64(key):
            return int(u * count)
        first = self.start[place]
        if self.start[place + 1] - first != count:
            return -1  # no action: this row is of another game, and what follows it is the next row
        for a in range(count - 1):
            u -= self.probability[first + a]
            if u < 0.0:
                return a
        last = count - 1  # rounding has left a little of u: the last action that is played at all
        while self.probability[first + last] == 0.0 and last > 0:
            last -= 1
        return last

    def shares(self, key: int, count: int) -> list[float]:
        """The probabilities of `count` actions at the infoset with this key. Never compiled."""
        wanted = np.uint64(int(key) & MASK)
        place = int(bisect(self.keys, wanted))
        if place == len(self.keys) or self.keys[place] != wanted:
            return [1.0 / count] * count
        first = int(self.start[place])
        return [float(p) for p in self.probability[first : first + count]]


def playing(strategy: Strategy) -> Any:
    """Whoever plays a strategy: by keys alone or, where it chooses policies, with a memory of which it has."""
    bot = StrategyBot.of(strategy)
    if not isinstance(strategy.view, Hierarchical):
        return bot
    return strategy.view.hierarchy(strategy.game).seat(strategy.game, bot._replace(sees=Full()))


def name_of(bot: Any) -> str:
    """What to call a bot in a table; one that raises when it is asked is called as its class is."""
    if is_a(bot, Strategy):
        return str(bot.about.get("rule", "strategy"))
    if is_a(bot, RandomBot):
        return "random"
    label = type(bot).__qualname__.rpartition(".")[2]  # as it was written: `__name__` tells parts of one name apart
    with suppress(Exception, SystemExit, GeneratorExit):
        label = str(getattr(bot, "name", label))
    return shortened(one_line(label), LONGEST)


def is_a(thing: Any, *kinds: Any) -> bool:
    """Whether it is of one of these kinds; `isinstance` asks the thing itself what it says that it is."""
    return issubclass(type(thing), kinds)


def no_action(bot: Any, chosen: Any, player: int, count: int) -> str:
    """What to say of a bot that has chosen this."""
    if is_a(bot, StrategyBot):
        return f"the strategy does not fit the game: where player {player} has {count} actions, it has another number"
    try:
        told = one_line(str(chosen) if is_a(chosen, Real) else repr(chosen))
    except Exception:
        told = f"what is a {type(chosen).__name__}"
    return (
        f"{name_of(bot)} chose {shortened(told, LONGEST)} as player {player}; an action is a whole number from 0 to "
        f"{count - 1} here"
    )


def remembers(game: Game, bot: WatchingBot) -> int:
    """How many integers a bot says that it remembers, if it can be so many."""
    size = bot.memory_size(game)
    if not isinstance(size, int | np.integer) or not 0 <= size <= LARGEST:
        raise RuseError(
            f"memory_size() of {name_of(bot)} must return a whole number from 0 to {LARGEST:,}, not {size!r:.80}"
        )
    return int(size)


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
