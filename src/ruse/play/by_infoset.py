"""What a bot does at each infoset, as a strategy, if its play hangs on nothing else.

A bot that kernels can call has no place for secrets but its memory, so all of a small game can be played through with
it: in each seat, with everything that the other may do. How often it takes an action is how much of [0, 1) the random
numbers fill for which it does. Where it would never come itself there is nothing to know.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.play.bots.blame import Blame
from ruse.play.bots.bot import name_of, no_action
from ruse.play.seats import ByMemory, is_quick, seated
from ruse.protocol.game import CHANCE, OVER, Game, Row
from ruse.protocol.view import Full, infoset_key
from ruse.strategy import Strategy
from ruse.tree.measure.size import is_within
from ruse.words.naming import named

MOST_HISTORIES = 200_000  # they are walked in plain Python
FEWEST, CLOSER, MOST_LOOKS = 64, 4, 1 << 12  # random numbers that a bot is tried with, and how many more each time
LAST = 1.0 - 2.0**-53  # the last of them
GOLDEN = (5.0**0.5 - 1.0) / 2.0  # whose multiples fall anywhere between whole numbers, and never in step
HALVINGS = 36  # of what is between two of them, where it does something else

Memory = tuple[np.ndarray, ...]


class TooFine(Exception):
    """What is done changes with the least change of a random number."""


class Answers(NamedTuple):
    """What a bot does somewhere."""

    shares: np.ndarray  # [action]
    after: dict[int, Memory]  # action: what it remembers then


def strategy_of(bot: Any, game: Game) -> Strategy:
    """The strategy that a bot plays in both seats; raises if there is none, or the game is too large to find it.

    >>> import ruse
    >>> strategy_of(ruse.RandomBot(), ruse.Kuhn())["K"]
    {'pass': 0.5, 'bet': 0.5}
    """
    seats = [seated(game, bot) for _ in range(game.players)]
    if not all(map(is_quick, seats)):
        raise RuseError(
            f"{name_of(bot)} is a bot in plain Python, which may remember anything, so nobody can say what it does "
            "where; take a bot that is compiled, or a strategy"
        )
    if not is_within(game, MOST_HISTORIES):
        raise RuseError(
            f"what {name_of(bot)} does everywhere is found by playing the game through, and {named(game)} has more "
            f"than {MOST_HISTORIES:,} histories; make it smaller, or take a strategy"
        )
    found = PlayedThrough(game, bot, seats).through()
    keys = sorted(found)
    start = np.cumsum([0, *(len(found[key]) for key in keys)]).astype(np.int64)
    shares = np.concatenate([found[key] for key in keys]) if keys else np.zeros(0)
    return Strategy(game, np.array(keys, np.uint64), start, shares, about={"rule": name_of(bot)})


class PlayedThrough:
    """A bot in all seats at once, and all that can happen."""

    def __init__(self, game: Game, bot: Any, seats: list[Any]) -> None:
        self.game, self.bot, self.seats = game, bot, seats
        self.answers: dict[tuple[int, int, bytes], Answers] = {}  # by infoset and memory

    def through(self) -> dict[int, np.ndarray]:
        """[infoset key] how often each action is taken."""
        game, found = self.game, dict[int, np.ndarray]()
        for seat in self.seats:
            seat.sit_down()
        waiting: list[tuple[Row, list[Memory | None]]] = [
            (game.start().astype(np.int64), [kept(seat) for seat in self.seats])
        ]
        while waiting:
            row, memories = waiting.pop()
            player = int(game.player(row))
            if player == CHANCE:
                likely = [a for a in range(int(game.num_actions(row))) if game.chance(row, a) > 0.0]
                waiting += [(self.after(row, a), memories) for a in likely]
                continue
            if player == OVER:
                continue
            memories = [self.shown(p, row, memory) for p, memory in enumerate(memories)]
            below: dict[int, Memory | None] = dict.fromkeys(range(int(game.num_actions(row))))
            if (memory := memories[player]) is not None:  # else the bot itself does not come here
                key = int(infoset_key(game, Full(), row)) & MASK
                here = self.answers_at(key, row, player, memory)
                if not np.allclose(found.setdefault(key, here.shares), here.shares, atol=1e-9):
                    raise RuseError(
                        f"what {name_of(self.bot)} does hangs on more than its infoset tells, so it is no strategy; "
                        "take another bot, or a strategy"
                    )
                below |= here.after
            for a, then in below.items():
                after = [then if p == player else other for p, other in enumerate(memories)]
                if any(other is not None for other in after):
                    waiting.append((self.after(row, a), after))
        return found

    def after(self, row: Row, a: int) -> Row:
        below = row.copy()
        self.game.apply(below, a)
        return below

    def shown(self, p: int, row: Row, memory: Memory | None) -> Memory | None:
        """What a seat remembers once it has seen this."""
        if memory is None:
            return None
        remind(self.seats[p], memory)
        with Blame(self.bot):
            self.seats[p].look_on(self.game, row, p)
        return kept(self.seats[p])

    def answers_at(self, key: int, row: Row, player: int, memory: Memory) -> Answers:
        known = (key, player, b"".join(part.tobytes() for part in memory))
        if known not in self.answers:
            self.answers[known] = self.asked(row, player, memory)
        return self.answers[known]

    def asked(self, row: Row, player: int, memory: Memory) -> Answers:
        """What the bot does with every random number."""
        seat, count, after = self.seats[player], int(self.game.num_actions(row)), dict[int, Memory]()

        def answer(u: float) -> int:
            remind(seat, memory)
            with Blame(self.bot):
                chosen = seat.answer(self.game, row, player, count, u)
            if chosen not in range(count):
                raise RuseError(no_action(self.bot, chosen, player, count))
            a, then = int(chosen), kept(seat)
            if any(not np.array_equal(one, other) for one, other in zip(after.setdefault(a, then), then, strict=True)):
                raise RuseError(
                    f"{name_of(self.bot)} remembers more of what it has drawn than what it did, so it is no strategy; "
                    "take another bot, or a strategy"
                )
            return a

        shares = np.zeros(count)
        try:
            found = pieces(answer)
        except TooFine as error:
            raise RuseError(f"{name_of(self.bot)} {error}; take another bot, or a strategy") from error
        for first, last, a in found:
            shares[a] += last - first
        return Answers(shares / shares.sum(), {a: then for a, then in after.items() if shares[a] > 0.0})


def pieces(answer: Callable[[float], int]) -> list[tuple[float, float, int]]:
    """From where to where in [0, 1) which answer is given, looked at ever more closely until nothing new is seen.

    A bot that makes several choices of one number has narrow pieces, which lie between others. It may take the second
    from what is left after the first, so what was found is tried with numbers that are in step with no such division.
    """
    known: dict[float, int] = {}

    def told(u: float) -> int:
        if u not in known:
            known[u] = answer(u)
        return known[u]

    looks = FEWEST
    while True:
        found = between([*(np.arange(looks) / looks).tolist(), LAST], told)
        looks *= CLOSER
        steps = np.arange(looks)
        grid = (steps + steps * GOLDEN % 1.0) / looks
        expected = np.array([a for _, _, a in found])[np.searchsorted([end for _, end, _ in found], grid, "right")]
        if all(told(u) == a for u, a in zip(grid.tolist(), expected.tolist(), strict=True)):
            return found
        if looks >= MOST_LOOKS:
            raise TooFine(f"divides the numbers that it draws more finely than into {MOST_LOOKS:,} parts")


def between(looks: list[float], told: Callable[[float], int]) -> list[tuple[float, float, int]]:
    """The pieces by what is told at some numbers, and where it changes."""
    found, begin = [], 0.0
    for low, high in pairwise(looks):
        while (here := told(low)) != told(high):
            below, above = low, high
            for _ in range(HALVINGS):
                middle = (below + above) / 2.0
                below, above = (middle, above) if told(middle) == here else (below, middle)
            found.append((begin, above, here))
            begin = low = above
    return [*found, (begin, 1.0, told(looks[-1]))]


def kept(seat: Any) -> Memory:
    """What is remembered in a seat; nothing by who goes by keys."""
    return tuple(part.copy() for part in (seat.memory, seat.looks, seat.last)) if isinstance(seat, ByMemory) else ()


def remind(seat: Any, memory: Memory) -> None:
    """Let a seat remember what was kept, and no more."""
    for part, before in zip((seat.memory, seat.looks, seat.last) if memory else (), memory, strict=True):
        part[:] = before
