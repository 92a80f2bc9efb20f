"""From a spot to the range engine."""

from typing import Any

import numpy as np

from ruse.games.holdem.spots.betting import FOLD, SHOWDOWN, BettingTree
from ruse.games.holdem.spots.rules import SpotGame
from ruse.games.holdem.spots.spot import Spot
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.plans.holdem import holdem_plan
from ruse.solve.ranges.preferred import spot_leaning
from ruse.solve.ranges.public.betting import Betting
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import Solver
from ruse.spots.preferred import favours_of


def betting_for(spot: Spot, tree: BettingTree) -> Betting:
    """The betting tree with what its ends pay: chips above half of the first pot."""
    is_end = (tree.player == FOLD) | (tree.player == SHOWDOWN)
    loses = np.where(is_end, spot.pot / 2.0 + tree.put.min(axis=1), 0.0)
    taken = np.minimum(2.0 * loses * spot.rake, spot.rake_cap or np.inf)
    wins, loses, ties = (np.stack([each, each], axis=1) for each in (loses - taken, -loses, -taken / 2.0))
    return Betting(tree.player, tree.start, tree.child, wins, loses, ties)


def engine_of(
    game: SpotGame, solver: Solver, *, dtype: Any = np.float32, threads: int = 1, planned: int = 0
) -> RangeEngine:  # fmt: skip
    """The range engine at work on a spot."""
    spot, prefer = game.spot, preferring(solver.prefer)
    favours = [] if prefer is None else favours_of(game, prefer.rules)
    ranges = (spot.weights(0), spot.weights(1))
    visits = [favour.node for favour in favours if favour.beta > 0.0]
    plan = holdem_plan(spot.board, ranges, betting_for(spot, game.betting), visits)
    leaning = spot_leaning(plan, solver, favours) if favours else None
    return RangeEngine(plan, solver, dtype=dtype, threads=threads, planned=planned, leaning=leaning)
