"""The agents of the half deck: three views of it, trained by probing, and how they fare against the bots."""

import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.rules import NAMED, Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.games.cheat.views import Memoryless
from ruse.papers.evidence import Found
from ruse.papers.lab import percent
from ruse.play.match import match
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.probing import Probing
from ruse.solve.solver.presets import lcfr
from ruse.strategy import Strategy
from ruse.training.engines.marks import run_to

HALF = Cheat(**NAMED["half"])  # what agents are judged in: a game may take 10,000 turns
TRAINING = HALF._replace(max_turns=40)  # what they are trained in: a draw after 40 turns
OPPONENTS = ("naive", "heuristic_002", "heuristic")  # the second is as strong as the paper's, the last is stronger
TOLD = ("lies", "challenges", "challenges won")  # of what agents do: by discards, by claims, by challenges
WALK = Probing(epsilon=0.3)  # came as far as random moves in a third of the time, see solve/sampled/probing.py
VIEWS: dict[str, Any] = {
    "Memoryless": Memoryless(),  # the paper's
    "Memoryless†": Memoryless(cards=True, claim=True, own_order=True),
    "Sketch": Sketch(),
}


class Share(NamedTuple):
    """Games won against one bot, draws counted half, with the 95 % Wilson interval."""

    rate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{percent(self.rate)} ({100 * self.low:.1f} to {100 * self.high:.1f})"


class AgentScore(NamedTuple):
    """An agent at one moment of its training."""

    iterations: int
    seconds: float  # of training alone: the processor's, one thread
    nodes: int
    infosets: int  # in its table
    shares: dict[str, Share]  # by opponent
    rates: dict[str, dict[str, float]]  # what it did against each: lies, challenges, challenges won

    def __str__(self) -> str:
        against = ", ".join(f"{share} against {bot}" for bot, share in self.shares.items())
        return f"{against}; {self.iterations:,} iterations, {self.seconds:.0f} s"


def engine_for(view: Any, *, seed: int) -> SampledEngine:
    """A training by self-play."""
    return SampledEngine(TRAINING, lcfr(walk=WALK), view=view, seed=seed)


def learning_curve(
    engine: SampledEngine,
    view: Any,
    stops: Iterable[int],
    *,
    deals: int,
    seed: int,
    opponents: Iterable[str] = OPPONENTS,
) -> Iterator[AgentScore]:
    """Train, and judge the average strategy at these iterations."""
    SampledEngine(engine.game, engine.solver, view=engine.view).run(0, 1)  # compiling is no training
    for mark in run_to(engine, stops, clock=time.thread_time):
        strategy = Strategy(HALF, *engine.rows(), view=view)
        found = judged(strategy, deals=deals, seed=seed, opponents=opponents)
        yield AgentScore(*mark, engine.facts.nodes, len(strategy.keys), *found)


def won(scores: Iterable[AgentScore], bot: str) -> Found:
    """Games won by several trainings, one for each seed."""
    return Found.of([score.shares[bot].rate for score in scores])


def ahead(ours: Iterable[AgentScore], theirs: Iterable[AgentScore], bot: str) -> Found:
    """How many more games some trainings win than others of the same seeds."""
    pairs = zip(ours, theirs, strict=True)
    return Found.of([a.shares[bot].rate - b.shares[bot].rate for a, b in pairs])


def judged(
    strategy: Strategy, *, deals: int, seed: int, opponents: Iterable[str] = OPPONENTS
) -> tuple[dict[str, Share], dict[str, dict[str, float]]]:
    """Matches against the bots, and what was done in them."""
    shares, rates = {}, {}
    for name in opponents:
        result = match(HALF, [strategy, BOTS[name]], deals=deals, seed=seed)
        shares[name] = Share(result.win_rate[0], *result.win_interval[0])
        rates[name] = result.rates[0]
    return shares, rates
