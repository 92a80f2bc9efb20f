"""Preferences in the range engine: which nodes and hands they mean, in games that are walked and in spots."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.solve.prefer.favour import form_of
from ruse.solve.prefer.preferred import preferred
from ruse.solve.ranges.engine import Leans
from ruse.solve.ranges.passes.one_by_one import LeaningByHand
from ruse.solve.ranges.plans.games import game_plan
from ruse.solve.ranges.plans.plan import RangePlan, padded
from ruse.solve.ranges.public.walked import Walked
from ruse.solve.solver.prefer import Prefer, preferring
from ruse.solve.solver.presets import Solver

Array = NDArray[Any]


def plan_for(walked: Walked, solver: Solver) -> tuple[RangePlan, Leans | None]:
    """The plan of a game, and the preferences of a solver on it, None if it has none."""
    prefer = preferring(solver.prefer)
    if prefer is None:
        return game_plan(walked), None
    found = preferred(walked.game, None, prefer.rules)
    width = padded(max(int(each.max()) + 1 for each in walked.hand))
    numbers: dict[int, Array] = {}  # node: the preferred infoset that each hand is
    for n in np.flatnonzero(walked.tree.player >= 0).tolist():
        row = np.full(width, -1)
        for deal, key in walked.keys(n).items():
            row[walked.hand[walked.player[n]][deal]] = found.number_of(np.array([key]).astype(np.uint64))[0]
        if row.max() >= 0:
            numbers[n] = row
    plan = game_plan(walked, [n for n, row in numbers.items() if np.any(found.beta[row[row >= 0]] > 0.0)])
    form = form_of(prefer, solver.minimizer)
    return plan, leaning(plan, solver.minimizer, form, numbers, found.start, found.delta, found.beta)


class Favour(NamedTuple):
    """What is preferred at a decision of a spot, with all hands and on all boards."""

    node: int
    delta: tuple[float, ...]  # [action] 1 where nothing is preferred
    beta: float = 0.0  # what a visit may cost


def spot_leaning(plan: RangePlan, solver: Solver, favours: Sequence[Favour]) -> Leans:
    """Preferences in a spot; its plan must know the visits of all nodes at which they may cost something."""
    numbers = {favour.node: np.full(plan.scratch.width, k) for k, favour in enumerate(favours)}
    start = np.cumsum([0, *(len(favour.delta) for favour in favours)])
    delta = np.concatenate([np.array(favour.delta, np.float64) for favour in favours])
    form = form_of(preferring(solver.prefer) or Prefer(()), solver.minimizer)
    beta = np.array([favour.beta for favour in favours], np.float64)
    return leaning(plan, solver.minimizer, form, numbers, start, delta, beta)


def leaning(
    plan: RangePlan, minimizer: Any, form: Any, numbers: dict[int, Array], start: Array, delta: Array, beta: Array
) -> Leans:
    """The rule for hands one by one; `numbers` tells of some nodes which infoset each hand is, -1 for none."""
    nodes = plan.forest.tree_node.tolist()
    order = {n: k * plan.scratch.width for k, n in enumerate(numbers)}
    place = np.array([order.get(n, -1) for n in nodes])
    visited = np.array([plan.visits.get(n, -1) for n in nodes])
    return Leans(
        LeaningByHand(minimizer, form, place, np.concatenate([*numbers.values()]), start, delta, beta), visited
    )
