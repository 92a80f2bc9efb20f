"""Targets to preferences: which delta and beta make a strategy bet 45 % of the time, and what does that cost?

    ruse.style(ruse.Leduc(), "bet, player 0, first = 0.6", max_exploitability=0.02)

The game is solved without a preference first. Then delta alone is tried: it chooses among equilibria and costs nothing.
If that does not reach far enough beta is raised, which costs. Where two solves have the target between them the next
one is aimed at it. If the metric jumps over the target the plans of the two nearest are mixed: what a plan loses to a
best response is convex, so the mixture costs no more than the dearer of them.

A solve with a preference starts from a tenth of the regret of the last one, as if a tenth of the iterations were done.
Players whose action it is not play the plain solve: its training partner has learned to answer a style, and would be
exploitable for it.

Preferences reach some strategies and not others. Where none that was tried meets the target for the cap, a linear
program has the last word: it knows the strategy of the styled player that comes nearest while the other one plays a
plain solve. The other could help, by giving away as much as the cap: that is not the style of the one who was asked.
"""

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.catalog.given import GameLike, SolverLike, as_game, as_solver
from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.evaluate.price import bounds_of, price_of
from ruse.protocol.game import Game
from ruse.protocol.view import Full
from ruse.solve.full.engine import normalise
from ruse.solve.prefer.preferred import preferred
from ruse.solve.solver.prefer import Prefer, Preference
from ruse.solve.solver.presets import Solver, dcfr
from ruse.strategy import Strategy
from ruse.styles.equilibria import program_for
from ruse.styles.metrics import Frequency, metric
from ruse.styles.styled import MET, NEAR, Styled, Target, Tried, cap_of, target_of
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.jobs.job import Job
from ruse.tree.expanded import Expanded
from ruse.tree.passes import fill_reach
from ruse.words.counts import count_of

FREE = 100.0  # the delta that chooses among equilibria
PAID = 10.0  # the delta where beta pays: more makes no difference
SOLVES = 20
AIMED = 6  # solves between two that have the target between them, before these are mixed
MOST = 1_000_000  # iterations
KEPT = 0.1  # of the regret of the last solve
STEPS = 12  # of halving the share of a mixture
SPARED = 1e-4  # of the cap, for what numbers are not exact
UNCONVERGED = 20.0  # a plain solve goes on until it is so many times less exploitable than may be paid

Tell = Callable[[Tried], None]


def style(
    game: GameLike, target: str | Target, *, max_exploitability: float = 0.02, solver: SolverLike | None = None,
    iterations: int = 5_000, solves: int = SOLVES, watch: Tell | None = None,
) -> Styled:  # fmt: skip
    """A strategy whose metric has the value that is asked for, and that costs at most so much.

    The game must be small enough to be expanded. `iterations` are those of one solve, or more if the plain one needs
    them to be far less exploitable than what may be paid.
    """
    game = as_game(game)
    iterations, solves = count_of("iterations", iterations), count_of("solves", solves)
    wanted = target_of(target) if isinstance(target, str) else target
    if not isinstance(wanted, Target):
        raise RuseError(f"a target is a text such as 'bet, player 0, first = 0.45', not {target!r}")
    cap = cap_of(max_exploitability)
    if solves < 4 or iterations < 10:
        raise RuseError(f"a search needs at least 4 solves of 10 iterations, got {solves} of {iterations}")
    rule = dcfr() if solver is None else as_solver(solver)
    search = Search(game, wanted, cap, rule, iterations, solves, watch or (lambda tried: None))
    return search.go()


class Search:
    """One search: what has been tried, and what is left to try."""

    def __init__(
        self, game: Game, target: Target, cap: float, solver: Solver, iterations: int, solves: int, tell: Tell
    ) -> None:
        self.metric = metric(game, target.name)
        if not isinstance(self.metric.measures, Frequency):
            raise RuseError(f"{target.name!r} is not how often an action is taken; a target is, as in 'bet = 0.45'")
        self.asked = self.metric.measures.wanted
        self.game, self.target, self.cap, self.tell = game, target, cap, tell
        self.solver, self.iterations, self.left = solver, iterations, solves
        self.tried: list[Tried] = []
        self.others: NDArray[Any] | None = None  # [slot] what players play whose action it is not: the plain solve
        self.plain: Exploitability | None = None  # of the plain solve
        self.last: FullWidthEngine | None = None
        self.began = time.perf_counter()
        self.sign = 1.0  # whether the action is to be taken more often, or less

    def go(self) -> Styled:
        plain = self.solve(1.0, 0.0)
        chosen, free, is_nearest = plain, plain, False
        if not self.is_near(plain):
            self.sign = 1.0 if self.target.value > plain.value else -1.0
            free = self.solve(FREE, 0.0)
            if self.reaches(free):
                low, high = self.aim(plain, free, lambda x: (math.exp(x), 0.0), 0.0, math.log(FREE))
            else:
                low, high = self.pay(plain if self.sign * (plain.value - free.value) > 0 else free)
            chosen = self.settle(low, high)
            if not (abs(chosen.value - self.target.value) <= MET and chosen.cost <= self.cap):
                nearest = self.programmed()
                is_nearest = nearest is not None
                chosen = nearest or chosen
        rule = None if chosen.delta == 1.0 else self.preference(chosen.delta, chosen.beta)
        seconds = time.perf_counter() - self.began
        return Styled(
            self.game, self.target, self.cap, chosen, plain, Strategy.of(self.whole, chosen.sigma, self.about(chosen)),
            rule, is_nearest, self.tried, free.value, seconds,
        )  # fmt: skip

    # ---- where to look -----------------------------------------------------------------------------------------------

    def is_near(self, one: Tried) -> bool:
        return abs(one.value - self.target.value) <= NEAR

    def reaches(self, one: Tried) -> bool:
        return self.is_near(one) or self.sign * (one.value - self.target.value) > 0.0

    def pay(self, low: Tried) -> tuple[Tried, Tried]:
        """Raise beta until the target is reached, or until it costs too much."""
        beta, high = self.cap, low
        while self.left > AIMED:
            high = self.solve(PAID, beta)
            if self.reaches(high) or high.cost > self.cap:
                break
            low, beta = high, 2.0 * beta
        if not self.reaches(high):
            return low, high
        return self.aim(low, high, lambda beta: (PAID, beta), low.beta, high.beta)

    def aim(
        self, low: Tried, high: Tried, made: Callable[[float], tuple[float, float]], x: float, y: float
    ) -> tuple[Tried, Tried]:
        """Solve between two with the target between them: false position, and half the pull of an end that stays."""
        below, above = low.value - self.target.value, high.value - self.target.value
        for _ in range(AIMED):
            if self.is_near(low) or self.is_near(high) or self.left == 0 or below == above:
                break
            z = x - below * (y - x) / (above - below)
            one = self.solve(*(float(f"{x:.4g}") for x in made(z)))  # numbers that a person can type again
            if self.reaches(one):
                y, high, above, below = z, one, one.value - self.target.value, below / 2.0
            else:
                x, low, below, above = z, one, one.value - self.target.value, above / 2.0
        return low, high

    def settle(self, low: Tried, high: Tried) -> Tried:
        """The cheapest that is near, else a mixture of the last two: at the target, or as far as the cap allows."""
        near = [one for one in self.tried if self.is_near(one) and one.cost <= self.cap]
        if near:
            return min(near, key=lambda one: one.cost)
        if self.reaches(high):
            high = self.first(low, high, lambda one: self.sign * (one.value - self.target.value) >= 0.0)
        if high.cost > self.cap >= low.cost:
            # The last that can be paid lies just before the first that cannot.
            dear = self.first(low, high, lambda one: one.cost > self.cap)
            high = self.mixed(low, high, max(dear.share - 2.0**-STEPS, 0.0)) if dear.share < 1.0 else low
        within = [one for one in (*self.tried, high) if one.cost <= self.cap] or [self.tried[0]]
        return min(within, key=lambda one: abs(one.value - self.target.value))

    def first(self, low: Tried, high: Tried, holds: Callable[[Tried], bool]) -> Tried:
        """The mixture with the least of `high` for which it holds; it does for all of `high`."""
        share, step, found = 0.0, 0.5, high
        for _ in range(STEPS):
            one = self.mixed(low, high, share + step)
            if holds(one):
                found = one
            else:
                share += step
            step /= 2.0
        return found

    def programmed(self) -> Tried | None:
        """The cheapest strategy of the nearest style that the cap allows, if linear programming knows it.

        What its player loses is held below the cap, and so must be what the other one does, since the exploitability is
        half of both. Where the plain solve had not the time for that, one that is converged takes its place.
        """
        plain = self.tried[0]
        exact = program_for(self.game, self.target.name, Strategy.of(self.whole, plain.sigma))
        if exact is not None and 2.0 * plain.exploitability - (plain.exploitability_of_styled_player or 0.0) > self.cap:
            exact = program_for(self.game, self.target.name)
        if exact is None:
            return None
        self.others = exact.own.on(self.whole)
        plain = self.judge(plain.sigma, 1.0, 0.0)
        name = exact.metrics[0].name
        value = exact.nearest(name, self.target.value, self.cap * (1.0 - SPARED))
        strategy = None if value is None else exact.cheapest_strategy(name, value)
        if strategy is None:
            return None
        found = self.judge(strategy.on(self.whole), 1.0, 0.0)._replace(how="by linear program")
        if found.cost > self.cap >= plain.cost:  # by a rounding error: a little of the plain solve makes up for it
            dear = self.first(plain, found, lambda one: one.cost > self.cap)
            found = self.mixed(plain, found, max(dear.share - 2.0**-STEPS, 0.0))._replace(how="by linear program")
        return found if found.cost <= self.cap else None

    # ---- strategies --------------------------------------------------------------------------------------------------

    def preference(self, delta: float, beta: float) -> Preference:
        """The rule for what is to be done more often: the action, or all others where it is legal."""
        if self.sign > 0.0:
            return Preference(self.asked, delta, beta)
        action = self.asked.action
        return Preference(
            self.asked._replace(action=action[4:] if action.startswith("not ") else f"not {action}"), delta, beta
        )

    def solve(self, delta: float, beta: float) -> Tried:
        """Train once, and measure."""
        began = time.perf_counter()
        rule = None if delta == 1.0 else self.preference(delta, beta)
        prefer = None if rule is None else Prefer((rule,))
        engine = FullWidthEngine(Job(self.game, self.solver._replace(prefer=prefer), iterations=self.iterations))
        done = int(KEPT * self.iterations) if self.last is not None and engine.take_regret(self.last, KEPT) else 0
        engine.run(done, self.iterations - done)
        if rule is None:
            self.whole = engine.whole
            self.converge(engine)
            seats = preferred(self.game, None, [Preference(self.asked, FREE)]).players
            self.is_styled = np.isin(owners(self.whole), seats)
        self.last, self.left = engine, self.left - 1
        sigma = engine.strategy({}).on(self.whole)
        found = self.judge(sigma, delta, beta)._replace(seconds=time.perf_counter() - began)
        if rule is None:
            self.others, self.plain = found.sigma, found.measured
        elif found.price.bound is not None:
            # Of the profile that was trained. With a plain solve in the other seat NashConv is no more than that.
            bounds = bounds_of(self.whole, sigma, preferred(self.game, None, [rule]), Full())
            found = found._replace(bound=float(bounds.sum()))
        self.tried.append(found)
        self.tell(found)
        return found

    def converge(self, engine: FullWidthEngine) -> None:
        """Iterate until little of what may be paid is lost for want of time; all solves will take as long."""
        while (
            engine.exploitability() > self.cap / UNCONVERGED
            and self.iterations < MOST
            and not self.solver.follows_schedule
        ):
            engine.run(self.iterations, self.iterations)
            self.iterations *= 2

    def mixed(self, low: Tried, high: Tried, share: float) -> Tried:
        """The strategy that follows the plan of `high` so often, and else that of `low`."""
        form = self.whole.form
        plans = [np.zeros(form.num_sequences), np.zeros(form.num_sequences)]
        for one, plan in zip((low, high), plans, strict=True):
            fill_reach(form, one.sigma, plan)
        sigma = np.ones(form.num_sequences)
        normalise(form, (1.0 - share) * plans[0] + share * plans[1], sigma)
        return self.judge(sigma, high.delta, high.beta)._replace(share=share, how="mixed")

    def judge(self, sigma: NDArray[Any], delta: float, beta: float) -> Tried:
        """What a strategy does, and what it costs."""
        if self.others is not None:
            sigma = np.where(self.is_styled, sigma, self.others)
        measured = exploitability_of(self.whole.form, sigma)
        rule = Preference(self.asked, max(delta, FREE), beta)
        price = price_of(self.whole, sigma, preferred(self.game, None, [rule]), Full(), measured, self.plain)
        value = self.metric.of(Strategy.of(self.whole, sigma))
        return Tried(delta, beta, value, price, measured, 0.0, sigma)

    def about(self, chosen: Tried) -> dict[str, Any]:
        told = {"target": str(self.target), "achieved": chosen.value, "exploitability": chosen.exploitability}
        return {"rule": self.solver.name, "solver": repr(self.solver), "style": told | chosen.as_dict()}


def by_program(found: Styled) -> dict[str, Any]:
    """What linear programming knows of the same style: the least that it can cost. Nothing where that is not known."""
    if (exact := program_for(found.game, found.target.name, found.strategy)) is None:
        return {}
    name, moves = exact.metrics[0].name, not exact.metrics[0].is_unique
    return {"cheapest": exact.cheapest(name, found.target.value), "moves_among_equilibria": moves,
            "exact_frontier": exact.frontier(name)}  # fmt: skip


def owners(whole: Expanded) -> NDArray[Any]:
    """[sequence] whose it is."""
    form = whole.form
    first = form.first.astype(np.int64)
    node_owner = np.repeat(np.arange(form.players), np.diff(form.node_start))
    return np.concatenate([np.arange(form.players), np.repeat(node_owner, np.diff(first))])
