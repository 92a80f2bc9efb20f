"""A strategy that is kept at some nodes, or with some hands there, while all else is solved."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled
from ruse.solve.ranges.engine import Leans, RangeEngine
from ruse.solve.ranges.plans.plan import RangePlan
from ruse.solve.solver.presets import Solver

Array = NDArray[Any]


@compiled("match_hand")
class FrozenByHand(NamedTuple):
    """A minimizer, but for some nodes and hands with which a strategy is kept."""

    minimizer: Any
    place: np.ndarray  # [node of the forest] where its strategy starts, -1 if it learns
    kept: np.ndarray  # [place + hand * actions + action] below 0 for a hand that learns

    def match_hand(self, n, h, others, regret, value, expected, sigma, count, weights):
        if self.place[n] < 0 or self.kept[self.place[n] + h * count] < 0.0:
            self.minimizer.match(regret, value, expected, sigma, 0, count, weights)
            return
        for a in range(count):
            sigma[a] = self.kept[self.place[n] + h * count + a]


def frozen_engine(
    plan: RangePlan, solver: Solver, kept: Mapping[int, Array], *, dtype: Any = np.float64
) -> RangeEngine:
    """An engine that keeps rows by hand and action at some nodes of the first street; all else learns.

    A hand whose row is below 0 learns, too.
    """
    place = np.full(len(plan.forest.player), -1)
    widths, rows, size = plan.field.boards.width, list[Array](), 0
    for n, each in kept.items():
        here = int(np.flatnonzero(plan.forest.tree_node == n)[0])
        row = np.full((int(widths[plan.forest.player[here], 0]), each.shape[1]), 1.0 / each.shape[1])
        row[: len(each)] = each
        place[here], size = size, size + row.size
        rows.append(row.ravel())
    rule = FrozenByHand(solver.minimizer, place, np.concatenate([np.zeros(0), *rows]))
    engine = RangeEngine(plan, solver, dtype=dtype, leaning=Leans(rule, np.full(len(place), -1)))
    for n, each in kept.items():
        here = int(np.flatnonzero(plan.forest.tree_node == n)[0])
        for table in (engine.tables.plays, engine.tables.then):
            engine.rows(table, here)[:] = np.maximum(each, 0.0).T
    return engine
