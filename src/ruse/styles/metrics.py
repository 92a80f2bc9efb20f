"""The style of a strategy in numbers: how often it bets, calls or lies, and how much its payoff varies.

A metric is a text. `bet, player 0, first` is how often player 0 bets at his first decision; `ruse.protocol.decisions`
reads it. `variance, player 0`, `deviation, player 0` and `payoff, player 0` are of the payoff in one game; and what the
game's own meter tells, such as `lies, player 0` in Cheat, is a metric too. All players follow the strategy.

A frequency is over all decisions where the action is legal, each counted as often as play comes there.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.catalog.given import GameLike, as_game
from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.play.given import StrategyLike, as_strategy
from ruse.play.meter import meter_for
from ruse.protocol.decisions import Asked, Decisions, asked, metrics_of
from ruse.protocol.game import Game
from ruse.strategy import Strategy
from ruse.styles.census import Census, Found, Interval
from ruse.styles.sample import Sample, refuse_few
from ruse.tree.measure.size import TooLarge
from ruse.words.counts import count_of
from ruse.words.student import told_interval


class Watched(Protocol):
    """Play that was watched, all of it (`Census`) or a `Sample`."""

    @property
    def decisions(self) -> Decisions: ...

    def frequency(self, wanted: Asked) -> Found: ...

    def rate(self, name: str, player: int | None) -> Found: ...

    def mean(self, player: int) -> Found: ...

    def variance(self, player: int) -> Found: ...


class Measured(NamedTuple):
    """A metric of a strategy."""

    name: str
    value: float  # not a number if play never comes there
    interval: Interval | None  # 95 % confidence; None: the value is exact

    def __str__(self) -> str:
        if math.isnan(self.value):
            return f"{self.name}: never legal"
        margin = "" if self.interval is None else f" ({told_interval(*self.interval, 'z.6f')})"
        return f"{self.name}: {self.value:z.6f}{margin}"

    def as_dict(self) -> dict[str, Any]:
        return self._asdict()


class Frequency(NamedTuple):
    """How often the actions are taken that a text means."""

    wanted: Asked

    def measure(self, play: Watched) -> Found:
        return play.frequency(self.wanted)


class MeterRate(NamedTuple):
    """What the game's meter says."""

    what: str
    player: int | None

    def measure(self, play: Watched) -> Found:
        return play.rate(self.what, self.player)


class Mean(NamedTuple):
    """The expected payoff."""

    player: int

    def measure(self, play: Watched) -> Found:
        return play.mean(self.player)


class Variance(NamedTuple):
    """How far the payoff of one game strays from its mean: the mean of the squares."""

    player: int

    def measure(self, play: Watched) -> Found:
        return play.variance(self.player)


class Deviation(NamedTuple):
    """The root of the variance, in the unit of the payoff."""

    player: int

    def measure(self, play: Watched) -> Found:
        found = play.variance(self.player)
        ends = None if found.interval is None else (math.sqrt(found.interval[0]), math.sqrt(found.interval[1]))
        return Found(math.sqrt(found.value), ends)


Measure = Frequency | MeterRate | Mean | Variance | Deviation
MOMENTS: dict[str, Callable[[int], Measure]] = {"payoff": Mean, "variance": Variance, "deviation": Deviation}


class Metric(NamedTuple):
    """A named number of a strategy."""

    game: Game
    name: str
    measures: Measure

    def of(self, strategy: Strategy, *, deals: int = 10_000, seed: int = 0) -> float:
        """The number: exact, or the mean of so many deals where the game is too large."""
        strategy.refuse_other(self.game)
        return self.on(watch(strategy, deals=deals, seed=seed)).value

    def on(self, play: Watched) -> Measured:
        return Measured(self.name, *self.measures.measure(play))


def metric(game: GameLike, text: str) -> Metric:
    """The metric that a text names: "bet, player 0, first", "variance, player 1", or a rate of the game's meter."""
    game = as_game(game)
    if not isinstance(text, str):
        raise RuseError(f'a metric is a text such as "bet, player 0, first", not {text!r}')
    wanted = asked(text, game.players)
    word = wanted.action.casefold()
    is_plain = wanted == Asked(wanted.action, wanted.player)
    if word in MOMENTS and is_plain:
        if wanted.player is None:
            raise RuseError(f"say whose {word}, as in '{word}, player 0'")
        return Metric(game, str(wanted), MOMENTS[word](wanted.player))
    if word in rates_of(game) and is_plain:
        return Metric(game, str(wanted), MeterRate(word, wanted.player))
    return Metric(game, str(wanted), Frequency(wanted))


def rates_of(game: Game) -> list[str]:
    """What the game's meter tells, by name."""
    meter = meter_for(game)
    return list(meter.rates(np.zeros(meter.counted), 1))


def watch(strategy: Strategy, *, deals: int = 10_000, seed: int = 0) -> Watched:
    """All of the play if the game can be expanded, else a sample of so many deals."""
    seed = seed_of(seed)
    refuse_few(deals)
    try:
        return Census(strategy)
    except TooLarge:
        return Sample(strategy, deals=deals, seed=seed)


def style_of(
    strategy: StrategyLike, texts: Sequence[str] | str | None = None, *, deals: int = 10_000, seed: int = 0
) -> list[Measured]:
    """The metrics that are asked for; without any, the game's own, or each action's frequency, by player."""
    strategy, deals = as_strategy(strategy), count_of("deals", deals)
    texts = [texts] if isinstance(texts, str) else texts
    play = watch(strategy, deals=deals, seed=seed)
    names = usual_metrics(strategy.game, play.decisions) if texts is None else texts
    return [metric(strategy.game, name).on(play) for name in names]


def usual_metrics(game: Game, decisions: Decisions) -> list[str]:
    """What is told of every strategy: frequencies, the meter's rates, and the moments of the payoff."""
    players = range(game.players)
    named = metrics_of(game)
    if named is None:
        named = [f"{word.replace(',', ' ')}, player {p}" for p in players for word in decisions.words(p)]
    rates = [f"{rate}, player {p}" for p in players for rate in rates_of(game)]
    return [*named, *rates, *(f"{moment}, player {p}" for p in players for moment in MOMENTS)]
