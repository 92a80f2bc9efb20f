"""A training that is followed: how often one action is taken, and NashConv, as the iterations go by."""

from typing import NamedTuple

import numpy as np

from ruse.evaluate.price import Price
from ruse.games.kuhn import Kuhn
from ruse.protocol.game import Game
from ruse.solve.solver.presets import Solver
from ruse.solve.start.learned import Learned
from ruse.strategy import Strategy
from ruse.training.engines.full_width import FullWidthEngine
from ruse.training.engines.marks import run_to
from ruse.training.jobs.job import Job
from ruse.tree.expanded import Expanded

ITERATIONS = 10_000  # as in the paper
POINTS = 40


class WatchedAction(NamedTuple):
    """What is read off a strategy."""

    infoset: str
    action: str

    def of(self, strategy: Strategy) -> float:
        return strategy[self.infoset][self.action]


ALPHA = WatchedAction("J", "bet")  # the one number that tells Kuhn's equilibria apart


class Course(NamedTuple):
    """One training."""

    at: list[int]  # the iterations where it was looked at
    played: list[float]  # [look] how often the action is taken, by the average strategy
    nash_conv: list[float]  # [look]
    strategy: Strategy  # at the end
    price: Price | None  # if something was preferred

    @property
    def end(self) -> float:
        return self.played[-1]

    @property
    def cost(self) -> float:
        """NashConv at the end."""
        return self.nash_conv[-1]

    @property
    def own_cost(self) -> float:
        """What the styled player alone gives away."""
        assert self.price is not None
        assert self.price.exploitability_of_styled_player is not None
        return self.price.exploitability_of_styled_player


def follow(
    game: Game, solver: Solver, iterations: int = ITERATIONS, *,
    watched: WatchedAction = ALPHA, start: Learned | None = None, points: int = POINTS,
) -> Course:  # fmt: skip
    """Train, and look at it so many times, at iterations that grow by a factor."""
    engine = FullWidthEngine(Job(game, solver, iterations=iterations))
    if start is not None:
        engine.begin(start)
    played, nash_conv = [], []
    at = np.unique(np.geomspace(1, iterations, points).round().astype(int)).tolist() if points > 1 else [iterations]
    for _ in run_to(engine, at):
        measured = engine.exploitability()
        played.append(watched.of(engine.strategy({})))
        nash_conv.append(measured.nash_conv)
    return Course(at, played, nash_conv, engine.strategy({}), engine.price(measured))


def random_start(seed: int) -> Learned:
    """Kuhn's regret and average sums drawn from U(0, 1), as the authors start."""
    keys = np.sort(Expanded.of(Kuhn()).keys)
    draw = np.random.default_rng(seed)
    regret, average = draw.random(2 * len(keys)), draw.random(2 * len(keys))
    return Learned(keys, np.arange(0, 2 * len(keys) + 1, 2), regret, average)


def opening(action: str, delta: float, beta: float = 0.0) -> str:
    """An action at the first decision of player 0, which the paper calls player 1."""
    return f"{action}, player 0, first: delta={delta:g}" + (f", beta={beta:g}" if beta else "")
