"""The agents of the paper and those that see more, and the deals that all of them are judged by.

No deal that an agent is judged by is one that it was trained on: matches and trainings draw from different streams.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.views import CfrP, view_of
from ruse.papers.evidence import Found
from ruse.papers.lab import Lab
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import Solver, cfr, lcfr
from ruse.strategy import Strategy
from ruse.subgame.deal_responses import Constant, Won
from ruse.subgame.deal_trees import DealTrees

GAME = Mahjong()
PAPER: Any = CfrP()
POLICIES = ("normal", "pongponghu", "seven_pairs")  # as they are chosen, and as bots
ITERATIONS = 10_000  # the paper's
DEALS, FEWER = 3_000, 300  # the paper's, and of a quick run
LEARNED, FRESH = 1, 2  # added to the seed: deals on which a response is found, and on which it is tried

PAPERS_SOLVER = cfr(walk="chance")  # a shuffle each iteration, and CFR on all policies of it
OURS = lcfr(walk="external")  # later iterations count for more


def deals_of(lab: Lab) -> int:
    return FEWER if lab.quick else DEALS


@lru_cache(maxsize=2)
def benchmark(deals: int, seed: int, view: Any = PAPER) -> Constant:
    """The paper's: fixed deals, and opponents who keep one policy. Views with the same points share it."""
    return Constant.of(GAME, view, deals, seed=seed)


@lru_cache(maxsize=6)
def trees(deals: int, seed: int) -> DealTrees:
    """Deals on which both may choose anew at each point."""
    return DealTrees.of(GAME, PAPER, deals, seed=seed)


def view_named(name: str) -> Any:
    return view_of(name, GAME)


def engine_for(view: Any, solver: Solver, seed: int) -> SampledEngine:
    return SampledEngine(GAME, solver, view=view, seed=seed)


def average(engine: SampledEngine) -> Strategy:
    return Strategy(GAME, *engine.rows(), view=engine.view)


def by_regret(engine: SampledEngine) -> Strategy:
    """In proportion to positive regret."""
    return Strategy(GAME, *engine.current_rows(), view=engine.view)


def trained(name: str, iterations: int, seed: int, *, as_paper: bool = False) -> Strategy:
    """The average strategy after so many iterations."""
    return trained_by(view_named(name), PAPERS_SOLVER if as_paper else OURS, iterations, seed)


@lru_cache(maxsize=12)
def trained_by(view: Any, solver: Solver, iterations: int, seed: int) -> Strategy:
    engine = engine_for(view, solver, seed)
    engine.run(0, iterations)
    return average(engine)


def labels(strategy: Strategy, view: CfrP = PAPER) -> np.ndarray:
    """The paper's integers of all decisions that a strategy of its view has: its keys without the legal policies."""
    return np.unique(strategy.keys >> np.uint64(view.hierarchy(GAME).choices)).astype(np.int64)


def found_of(won: Won) -> Found:
    """What was won as evidence has it: deals are the samples."""
    return Found(won.mean, *won.interval, seeds=1)
