"""When a training stops: after so many iterations, at a target, when the time is up, or when a measure stalls.

ruse.train(game, ruse.cfr(), until=ruse.Stalled(by=0.001, checks=10))
"""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple, Protocol

from ruse.errors import RuseError
from ruse.words.naming import named

Check = tuple[int, float]  # the iteration, and what was measured after it


class Measure(Protocol):
    """A number that says how good a training's average strategy is by now."""

    def of(self, training: Any) -> float:
        """Of a `Training`, as it stands."""

    def gain(self, before: float, after: float) -> float:
        """By how much `after` is the better of two such numbers."""


class Until(Protocol):
    """A rule that stops a training. Its text is kept with the run, as is what it measures at every check."""

    @property
    def iterations(self) -> int | None:
        """To be stopped after so many in any case."""

    @property
    def measure(self) -> Measure | None: ...

    def is_reached(self, seen: Sequence[Check]) -> bool:
        """Whether to stop, given all that was measured; by nothing else, or a run that is resumed would go on."""


# ---- rules -----------------------------------------------------------------------------------------------------------


class Iterations(NamedTuple):
    """So many iterations, whatever is measured meanwhile."""

    iterations: int
    measure: Measure | None = None

    def is_reached(self, seen: Sequence[Check]) -> bool:
        return False


class Exploited(NamedTuple):
    """Exploitability, in games that are small enough for it."""

    @property
    def is_exploitability(self) -> bool:
        return True

    def of(self, training: Any) -> float:
        return float(training.measured)

    def gain(self, before: float, after: float) -> float:
        return before - after


class Stalled(NamedTuple):
    """No better by more than `by` at the last so many checks than at any check before them.

    Checks are further apart the longer the training is: 10 of them are a growth of the iterations by 60 %, or to the
    ninefold under sampling. At first they are one iteration apart, too little for what was copied to move.
    """

    measure: Measure = Exploited()
    by: float = 0.0
    checks: int = 10
    at_least: int = 100  # iterations
    iterations: int | None = None  # at most

    def is_reached(self, seen: Sequence[Check]) -> bool:
        if self.checks < 1 or not self.by >= 0.0:
            raise RuseError(f"a stall is no gain by 0 or more over 1 check or more, got {self.by} over {self.checks}")
        if len(seen) <= self.checks or seen[-1][0] < self.at_least:
            return False
        before, last = seen[: -self.checks], seen[-self.checks :]
        gains = ([self.measure.gain(then, now) for _, then in before] for _, now in last)
        return not any(min(over_all) > self.by for over_all in gains)


class WinRate(NamedTuple):
    """The share of games won against a bot, which takes all other seats; the same deals at every check."""

    bot: Any
    deals: int = 1_000  # each is played in every seat
    seed: int = 0

    def __repr__(self) -> str:
        # A bot with an address for its text has no name but that of its class.
        bot = type(self.bot).__name__ if " at 0x" in repr(self.bot) else repr(self.bot)
        return f"WinRate({bot}, deals={self.deals}, seed={self.seed})"

    def of(self, training: Any) -> float:
        from ruse.play.match import match

        game = training.game
        bots = [training.engine.strategy({}), *[self.bot] * (game.players - 1)]
        return match(game, bots, deals=self.deals, seed=self.seed).win_rate[0]

    def gain(self, before: float, after: float) -> float:
        return after - before


class Rate(NamedTuple):
    """What the game's meter counts of the agent against a bot, such as "lies": to be watched, not to be judged by."""

    bot: Any
    what: str
    deals: int = 1_000
    seed: int = 0

    def __repr__(self) -> str:
        return repr(WinRate(self.bot, self.deals, self.seed)).replace("WinRate(", f"Rate({self.what!r}, ")

    def of(self, training: Any) -> float:
        from ruse.play.match import match

        game = training.game
        bots = [training.engine.strategy({}), *[self.bot] * (game.players - 1)]
        rates = match(game, bots, deals=self.deals, seed=self.seed).rates[0]
        if self.what not in rates:
            raise RuseError(f"{named(game)} has no rate {self.what!r}; there are {', '.join(rates) or 'none'}")
        return rates[self.what]

    def gain(self, before: float, after: float) -> float:
        return after - before


# ---- for the training loop -------------------------------------------------------------------------------------------


class Stop(NamedTuple):
    """When to stop: whichever comes first."""

    iterations: int | None
    target: float | None
    seconds: float | None
    until: Until | None = None

    def is_reached(self, done: int, exploitability: float, seconds: float, seen: Sequence[Check]) -> bool:
        return (
            (self.iterations is not None and done >= self.iterations)
            or (self.target is not None and exploitability <= self.target)
            or (self.seconds is not None and seconds >= self.seconds)
            or (self.until is not None and self.until.is_reached(seen))
        )


def goes_further(asked: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    """Whether what is asked leads past what was asked before: more iterations, a lower target, more seconds, or no such
    end where there was one.

    >>> goes_further({"iterations": 300}, {"iterations": 200}), goes_further({"iterations": 100}, {"iterations": 200})
    (True, False)
    """
    for name, sign in (("iterations", 1), ("target", -1), ("seconds", 1)):
        now, before = asked.get(name), kept.get(name)
        if before is not None and (now is None or sign * now > sign * before):
            return True
    return False


def next_check(done: int, last: int | None, growth: float = 1.05) -> int:
    """The next iteration after which exploitability is measured: a fixed grid, whatever was interrupted."""
    check = 1
    while check <= done:
        check = max(check + 1, int(check * growth))
    return check if last is None else min(check, max(last, done + 1))


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Let the first Ctrl-C stop something; the second one interrupts as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = 0

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        heard += 1
        if heard > 1:
            raise KeyboardInterrupt
        stop()

    before = signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
