"""The strategy that a rule plays by the regret that it has now: the current one, as against the average."""

import numpy as np

from ruse.errors import RuseError
from ruse.solve.solver.presets import Solver
from ruse.solve.start.learned import Learned
from ruse.strategy import Strategy


def played_by(learned: Learned, solver: Solver, average: Strategy) -> Strategy:
    """What the solver's minimizer makes of regret, infoset by infoset; all else is as in the average strategy.

    A prediction is left out: what it expects comes from the iteration itself.
    """
    if solver.prefer is not None:
        raise RuseError("under a preference the current strategy is known to the full-width engine alone")
    sigma = np.zeros(len(learned.regret))
    for first, last in zip(learned.start[:-1].tolist(), learned.start[1:].tolist(), strict=True):
        solver.minimizer.play(learned.regret, first, last - first, sigma, first)
    return Strategy(average.game, learned.keys, learned.start, sigma, view=average.view, about=average.about)
