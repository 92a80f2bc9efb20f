"""What all sampled walks share: scratch memory, the clock of lazy weights, and drawing an action."""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.game import Game
from ruse.rng import uniform
from ruse.solve.rules import FADING, FLOOR, NEGATIVE, POSITIVE, Weighting


class Scratch(NamedTuple):
    """The stack of one walk; one for each thread. Rows of sigma and value lie one after the other."""

    root: np.ndarray  # [column] the game's start
    rows: np.ndarray  # [level, column] the state at the level's decision
    player: np.ndarray  # [level] who acts there
    first: np.ndarray  # [level] its first slot there
    actions: np.ndarray  # [level] how many
    next: np.ndarray  # [level] the action that is being explored
    at: np.ndarray  # [level] where its sigma and value start
    weight: np.ndarray  # [level, player + 1] what a walk wants to remember: reach, sampling probability
    sigma: np.ndarray  # [slot]
    value: np.ndarray  # [slot]
    result: np.ndarray  # [player] what the last finished history was worth
    counters: np.ndarray  # [4] histories visited, deepest level, levels missing, slots missing

    @classmethod
    def of(cls, game: Game, levels: int, slots: int) -> "Scratch":
        row = game.start()
        integers = [np.zeros(levels, np.int64) for _ in range(5)]
        weight, counters = np.zeros((levels, game.players + 1)), np.zeros(4, np.int64)
        rows = np.zeros((levels, len(row)), row.dtype)
        stacks = [np.zeros(slots), np.zeros(slots), np.zeros(game.players)]
        return cls._make([row, rows, *integers, weight, *stacks, counters])


class Parts(NamedTuple):
    """The parts of a sampled solver that its walks call."""

    minimizer: Any
    clock: Any
    writer: Any
    pruning: Any
    exploring: Any


HISTORIES, DEEPEST, NO_LEVEL, NO_SLOT = range(4)


@compiled("period")
class Clock(NamedTuple):
    """Weights by period, applied to a row when it is next visited instead of to the whole table at once.

    The logarithms are cumulated, so that what a row has missed is one subtraction.
    """

    positive: np.ndarray  # [period]
    negative: np.ndarray  # [period]
    fading: np.ndarray  # [period]
    floor: float
    length: int  # iterations in a period

    def period(self, t):
        return min((t - 1) // self.length, len(self.positive) - 1)

    @classmethod
    def of(cls, weighting: Weighting, *, periods: int, length: int) -> "Clock":
        """A clock of so many periods; the weights of period k are those of iteration k + 1 of the weighting."""
        table = np.ones((3, max(periods, 1)))
        floor = weighting.weights(1, 0.0)[FLOOR]
        for t in range(2, periods + 1):
            weights = weighting.weights(t, t / periods)
            table[:, t - 1] = weights[POSITIVE], weights[NEGATIVE], weights[FADING]
        logs = np.cumsum(np.log(np.maximum(table, 1e-300)), axis=1)
        return cls(logs[0], logs[1], logs[2], floor, length)

    @property
    def is_idle(self) -> bool:
        return bool(np.all(self.positive == 0) and np.all(self.negative == 0) and np.all(self.fading == 0))


@compiled_function
def refresh(rows, clock, first, count, period):
    """Apply the weights of all periods since the row was last visited; its stamp tells which was the last."""
    if period == 0 or rows[first - 1] == period:
        return
    since = int(rows[first - 1])
    rows[first - 1] = period
    positive = np.exp(clock.positive[period] - clock.positive[since])
    negative = np.exp(clock.negative[period] - clock.negative[since])
    fading = np.exp(clock.fading[period] - clock.fading[since])
    for k in range(first, first + count):
        rows[k] *= positive if rows[k] > 0.0 else negative
        rows[k + count] *= fading


@compiled_function
def draw(sigma, at, count, u):
    """The action at u in [0, 1) under the strategy sigma[at : at + count]."""
    for a in range(count - 1):
        u -= sigma[at + a]
        if u < 0.0:
            return a
    last = count - 1
    while last > 0 and sigma[at + last] == 0.0:  # rounding must not play what is never played
        last -= 1
    return last


@compiled_function
def draw_chance(game, s, rng):
    """A chance outcome, drawn by its probability."""
    u = uniform(rng)
    count = game.num_actions(s)
    for a in range(count - 1):
        u -= game.chance(s, a)
        if u < 0.0:
            return a
    return count - 1
