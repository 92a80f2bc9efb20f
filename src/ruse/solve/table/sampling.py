"""What all sampled walks share: scratch memory, the clock of lazy weights, and drawing an action."""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.rng import uniform
from ruse.protocol.game import Game
from ruse.solve.solver.rules import FADING, FLOOR, NEGATIVE, POSITIVE, Weighting
from ruse.solve.table.leaning import Indifferent
from ruse.solve.table.table import WIDEST

# Of periods. Each weighs negative regret anew, by a half in dcfr, and what is noise should not be forgotten so often:
# with 512 dcfr is a fifth worse. Where there is none, finer periods are nearer to the rule: with 32 dcfr_plus is 5 %
# worse. The others are as good with either (Leduc and Kuhn, 16 seeds).
FINENESS, FINENESS_ABOVE_ZERO = 32, 512


class Scratch(NamedTuple):
    """The working memory of one walk; one for each thread.

    A walk that follows one path keeps a *level* for each decision on it. One that looks at all actions of a decision
    keeps a *slot* for each of them, those of one decision side by side.
    """

    root: np.ndarray  # [column] the game's start
    rows: np.ndarray  # [slot or level, column] states
    key: np.ndarray  # [slot] the infoset key there
    player: np.ndarray  # [slot or level] who acts there
    first: np.ndarray  # [slot or level] where the infoset's row in the table starts
    actions: np.ndarray  # [slot or level] how many actions there are
    weight: np.ndarray  # [slot or level, player + 1] what a walk wants to remember: reach, sampling probability
    sigma: np.ndarray  # [slot]
    value: np.ndarray  # [slot]
    next: np.ndarray  # [level] the action that is being explored
    at: np.ndarray  # [level] where its slots start
    slot: np.ndarray  # [level] the slot at which the decision itself is
    result: np.ndarray  # [player] what the last finished history was worth
    counters: np.ndarray  # [7] histories, deepest level, too deep or wide decisions, what was reviewed; see `lawful.py`
    broken: np.ndarray  # [column] the state at which a law was broken

    @classmethod
    def of(cls, game: Game, levels: int, slots: int) -> "Scratch":
        """Memory for so many levels and slots; it is not taken from the system before it is used."""
        row = game.start()
        rows = np.zeros((slots, len(row)), row.dtype)
        by_slot = [np.zeros(slots, np.int64) for _ in range(4)]
        weight, sigma, value = np.zeros((slots, game.players + 1)), np.zeros(slots), np.zeros(slots)
        by_level = [np.zeros(levels, np.int64) for _ in range(3)]
        result, counters = np.zeros(game.players), np.zeros(7, np.int64)
        return cls._make([row, rows, *by_slot, weight, sigma, value, *by_level, result, counters, row.copy()])

    def another(self, game: Game) -> "Scratch":
        """As much memory for another thread."""
        return self.of(game, len(self.next), len(self.sigma))


class Parts(NamedTuple):
    """The parts of a sampled solver that its walks call."""

    minimizer: Any
    clock: Any
    writer: Any
    pruning: Any
    walk: Any  # how one player is updated, see sampled/iterations.py; chance sampling updates all at once and has none
    leaning: Any = Indifferent()


HISTORIES, DEEPEST, TOO_DEEP, TOO_WIDE, REVIEWED = range(5)


@compiled("period")
class Clock(NamedTuple):
    """Weights by period, applied to a row when it is next visited instead of to the whole table at once.

    Periods grow with time, from one iteration to a `fineness`-th of all before, whatever is planned, so that a run can
    be gone on with further. One that starts when n periods of its own length have passed has the weights of iteration
    n + 1 of the rule. The logarithms are cumulated, so that what a row has missed is one subtraction.
    """

    positive: np.ndarray  # [period]
    negative: np.ndarray  # [period]
    fading: np.ndarray  # [period]
    floor: float
    fineness: int  # a power of two

    def period(self, t):
        if len(self.positive) == 1:
            return 0
        passed, number = t - 1, 0
        while passed >= 2 * self.fineness:  # periods twice as long from here on
            passed >>= 1
            number += self.fineness
        return number + passed

    @classmethod
    def of(cls, weighting: Weighting, *, fineness: int | None = None) -> "Clock":
        """The clock of a weighting; of one that never weighs, it has but one period."""
        floor = weighting.weights(1, 0.0)[FLOOR]
        fineness = fineness or (FINENESS if floor < 0.0 else FINENESS_ABOVE_ZERO)
        weights = [weighting.weights(n + 1, 0.0) for n in range(2 * fineness)]
        table = np.array([(w[POSITIVE], w[NEGATIVE], w[FADING]) for w in weights]).T
        table[:, 0] = 1.0
        if np.all(table == 1.0):
            return cls(np.zeros(1), np.zeros(1), np.zeros(1), floor, fineness)
        doublings = 63 - (2 * fineness).bit_length()
        table = np.hstack([table, np.tile(table[:, fineness:], doublings)])
        logs = np.cumsum(np.log(np.maximum(table, 1e-300)), axis=1)
        return cls(logs[0], logs[1], logs[2], floor, fineness)

    @property
    def is_idle(self) -> bool:
        return len(self.positive) == 1


@compiled_function
def has_room(scratch, level, slots, count):
    """Whether a decision of so many actions fits here, with so many slots in use; if not, the counters tell."""
    if count > WIDEST:
        scratch.counters[TOO_WIDE] += 1
        return False
    if level + 2 > len(scratch.next) or slots > len(scratch.value):
        scratch.counters[TOO_DEEP] += 1
        return False
    return True


@compiled_function
def weights_since(clock, then, now):
    """The weights of positive regret, negative regret and average of all periods after one, up to another."""
    then = int(then)
    positive = np.exp(clock.positive[now] - clock.positive[then])
    negative = np.exp(clock.negative[now] - clock.negative[then])
    return positive, negative, np.exp(clock.fading[now] - clock.fading[then])


@compiled_function
def refresh(rows, parts, first, count, period):
    """Apply the weights of all periods since the row was last visited; its stamp tells which was the last."""
    if period == 0 or rows[first - 1] >= period:
        return
    since = rows[first - 1]
    if not parts.writer.claim(rows, first - 1, since, period):
        return  # another thread does it
    positive, negative, fading = weights_since(parts.clock, since, period)
    for k in range(first, first + count):
        parts.writer.weigh(rows, k, positive, negative)
        parts.writer.weigh(rows, k + count, fading, fading)


@compiled_function
def draw_action(sigma, at, count, u):
    """The action at u in [0, 1) under the strategy sigma[at : at + count]."""
    chosen = 0
    for a in range(count - 1):  # which one it is cannot be foreseen, so there is no branch on it
        u -= sigma[at + a]
        chosen += u >= 0.0
    while chosen > 0 and sigma[at + chosen] == 0.0:  # rounding must not play what is never played
        chosen -= 1
    return chosen


@compiled_function
def draw_exploring(sigma, at, count, epsilon, rng):
    """An action under the same strategy, or, with probability epsilon, any."""
    if uniform(rng) < epsilon:
        return int(uniform(rng) * count)
    return draw_action(sigma, at, count, uniform(rng))
