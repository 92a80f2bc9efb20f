"""From a habit to a preference in Hold'em: how often chips are put in, or raised, and what that costs the button.

The game before the flop is solved without a preference, then with one at the button's first decision whose beta grows
until the habit is there or costs more than it may; between two solves the next one is aimed at it.
"""

import hashlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ruse.compile import cache_dir
from ruse.errors import RuseError
from ruse.games.holdem.lines import lines_of
from ruse.games.holdem.rules import Holdem
from ruse.horizon.continuations import Leafs, biased
from ruse.horizon.habits import Habits, habits
from ruse.horizon.holdem_leaves import VERSION, flop_leaves
from ruse.horizon.preflop import NORMAL, Preflop, Solved, Style, patched_before_flop, solved
from ruse.protocol.game import Game
from ruse.solve.ranges.engine import refuse_no_ranges
from ruse.solve.ranges.plans.leaves import CutTree
from ruse.solve.solver.presets import Solver, dcfr
from ruse.strategy import Strategy
from ruse.words.long_work import Tell, tell_listeners
from ruse.words.naming import named

MET, NEAR = 0.01, 0.003  # how far from a target still meets it, and how near is enough to stop
DELTA = 5.0
FIRST, LAST = 0.002, 1.0  # the betas that are tried, in big blinds
FEWEST = 4  # solves: fewer have no two with a target between them
AIMED = 6  # solves between two that have the target between them
WAYS = 4
# A habit: its field, and which actions are preferred for more of it and for less.
HABITS = {"vpip": ("vpip", ("call",), ("fold",)), "pfr": ("pfr", ("raise",), ("call",))}


class Attempt(NamedTuple):
    """One solve."""

    beta: float
    value: float  # of the habit
    exploitability: float  # before the flop, big blinds a hand
    own: float  # what the button alone gives away
    found: Solved

    @property
    def cost(self) -> float:
        return max(self.exploitability, self.own)


class HabitFound(NamedTuple):
    """What a search has come to."""

    name: str
    target: float
    cap: float
    actions: tuple[str, ...]  # that are preferred
    tried: list[Attempt]  # the plain solve first
    chosen: Attempt
    habits: Habits  # of the chosen one
    strategy: Strategy  # for the whole game
    seconds: float

    @property
    def is_met(self) -> bool:
        return abs(self.chosen.value - self.target) <= MET and self.chosen.cost <= self.cap

    @property
    def preference(self) -> str | None:
        if self.chosen.beta == 0.0:
            return None
        return f"{' or '.join(self.actions)}, player 0, first: delta={DELTA:g}, beta={self.chosen.beta:.4g}"


def is_habit(name: str) -> bool:
    """Whether a metric is one that poker players have a name for."""
    return name.strip().casefold() in HABITS


def has_habits(game: Game) -> bool:
    """Whether it is one whose betting before the flop is solved by itself."""
    return isinstance(game, Holdem) and game.players == 2 and game.streets > 1


def with_habits(game: Game) -> Holdem:
    """The game, if habits are known in it."""
    if not (has_habits(game) and isinstance(game, Holdem)):
        raise RuseError(
            f"{' and '.join(map(str.upper, HABITS))} are habits of Hold'em for two with bets after the flop, as "
            f"`ruse solve holdem` solves it; {named(game)} is not that"
        )
    return game


def refuse_no_habit(name: str) -> None:
    """Raise if nobody knows this habit."""
    if not is_habit(name):
        raise RuseError(f"there is no habit {name!r}; there are {', '.join(HABITS).upper()}")


def leaves_of(blueprint: Strategy, boards: int, seed: int = 0, tell: Tell = tell_listeners) -> tuple[Preflop, CutTree]:
    """The game before the flop of a blueprint. What flops are worth is kept on disk, by the blueprint."""
    game = with_habits(blueprint.game)
    digest = hashlib.sha256(blueprint.keys.tobytes() + blueprint.probability.tobytes()).hexdigest()[:16]
    kept: Path = cache_dir() / f"holdem-leaves-{digest}-{WAYS}-{boards}-seed{seed}-v{VERSION}.safetensors"
    before = Preflop.of(lines_of(game))
    found = flop_leaves(blueprint, Leafs(biased(WAYS)), boards=boards, seed=seed, kept=kept, tell=tell)
    return before, before.valued(found)


class Effort(NamedTuple):
    """How much a search may take."""

    boards: int = 300  # for what flops are worth
    iterations: int = 400  # of each solve
    solves: int = 20  # at most


USUAL = Effort()


def refuse_unsearchable(name: str, target: float, *, cap: float, effort: Effort, solver: Solver) -> None:
    """Raise for what cannot be searched for, whatever the blueprint: to load that may take minutes."""
    refuse_no_habit(name)
    refuse_idle(effort.iterations, solver)
    if effort.solves < FEWEST:
        raise RuseError(f"a search needs at least {FEWEST} solves, got {effort.solves}")
    if not 0.0 <= target <= 1.0 or not cap > 0.0:
        raise RuseError(f"a habit is a share of hands from 0 to 1, for a price above 0; got {target:g} for {cap:g}")


def refuse_idle(iterations: int, solver: Solver) -> None:
    """Raise unless this solver can solve the game before the flop in so many iterations."""
    if iterations < 1:
        raise RuseError(f"iterations must be at least 1, got {iterations}")
    refuse_no_ranges(solver)


def find_habit(
    blueprint: Strategy, name: str, target: float, *, cap: float, effort: Effort = USUAL,
    solver: Solver | None = None, watch: Callable[[Attempt], Any] = lambda attempt: None,
) -> HabitFound:  # fmt: skip
    """Search for the preference at the button's first decision that makes a habit as often as is asked."""
    with_habits(blueprint.game)
    boards, iterations, solves = effort
    began, rule = time.perf_counter(), solver or dcfr()
    refuse_unsearchable(name, target, cap=cap, effort=effort, solver=rule)
    field, more, less = HABITS[name.strip().casefold()]
    before, cut = leaves_of(blueprint, boards)
    plain = solved(before, cut, rule, NORMAL, iterations=iterations)

    def attempt(beta: float, actions: tuple[str, ...]) -> Attempt:
        style = Style(f"{name} {target:g}", actions, DELTA, beta)
        found = plain if beta == 0.0 else solved(before, cut, rule, style, iterations=iterations)
        value = getattr(habits(before, found.rows, plain.rows, 0), field)
        own = plain.judged.values[0] + found.judged.best[1]
        made = Attempt(beta, value, float(found.judged), own, found)
        watch(made)
        return made

    tried = [attempt(0.0, ())]
    if tried[0].cost > cap:
        raise RuseError(
            f"without any preference it is at {tried[0].cost:.2g} already, and may cost {cap:g}: give more "
            f"iterations than {iterations}, or allow more"
        )
    actions = more if target > tried[0].value else less
    sign = 1.0 if target > tried[0].value else -1.0
    low, high, beta = tried[0], None, FIRST
    while abs(low.value - target) > NEAR and high is None and beta <= LAST and len(tried) < solves:
        tried.append(attempt(beta, actions))
        if sign * (tried[-1].value - target) >= 0.0 or tried[-1].cost > cap:
            high = tried[-1]
        else:
            low, beta = tried[-1], beta * 2.5
    for _ in range(min(AIMED, solves - len(tried)) if high is not None else 0):
        assert high is not None
        if any(abs(one.value - target) <= NEAR and one.cost <= cap for one in tried):
            break
        middle = math.sqrt(max(low.beta, FIRST / 10.0) * high.beta)
        tried.append(attempt(middle, actions))
        reached = sign * (tried[-1].value - target) >= 0.0 or tried[-1].cost > cap
        low, high = (low, tried[-1]) if reached else (tried[-1], high)
    allowed = [one for one in tried if one.cost <= cap] or tried[:1]
    chosen = min(allowed, key=lambda one: abs(one.value - target))
    whole = patched_before_flop(blueprint, before, chosen.found.rows, plain.rows)
    own_habits = habits(before, chosen.found.rows, plain.rows, 0)
    return HabitFound(
        name.strip().upper(), target, cap, actions, tried, chosen, own_habits, whole, time.perf_counter() - began
    )
