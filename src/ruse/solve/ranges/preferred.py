"""Preferences in the range engine: which nodes and hands they mean, for games that are walked."""

import numpy as np

from ruse.solve.prefer.favour import form_of
from ruse.solve.prefer.preferred import preferred
from ruse.solve.ranges.engine import Leans
from ruse.solve.ranges.games import game_plan
from ruse.solve.ranges.one_by_one import Leaning
from ruse.solve.ranges.plan import Plan, padded
from ruse.solve.ranges.walked import Walked
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import Solver


def plan_for(walked: Walked, solver: Solver) -> tuple[Plan, Leans | None]:
    """The plan of a game, and the preferences of a solver on it, None if it has none."""
    prefer = preferring(solver.prefer)
    if prefer is None:
        return game_plan(walked)[0], None
    found = preferred(walked.game, None, prefer.rules)
    nodes = len(walked.player)
    width = padded(max(int(each.max()) + 1 for each in walked.hand))
    place, numbers, priced = np.full(nodes, -1), [], []  # type: ignore[var-annotated]
    for n in np.flatnonzero(walked.tree.player >= 0).tolist():
        row = np.full(width, -1)
        for deal, key in walked.keys(n).items():
            row[walked.hand[walked.player[n]][deal]] = found.number_of(np.array([key]).astype(np.uint64))[0]
        meant = row[row >= 0]
        if len(meant):
            place[n] = width * len(numbers)
            numbers.append(row)
        if np.any(found.beta[meant] > 0.0):
            priced.append(n)
    plan, places = game_plan(walked, priced)
    visited = np.full(nodes, -1)
    for n, where in places.items():
        visited[n] = where
    rule = Leaning(
        solver.minimizer,
        form_of(prefer, solver.minimizer),
        place,
        np.concatenate(numbers),
        found.start,
        found.delta,
        found.beta,
    )
    return plan, Leans(rule, visited)
