"""A start for the pruned engine, from the sums that plain iterations would have left: those of a warm start.

Pruning goes by more than regret and average: by the sum of v_t at every infoset and by all that a player has faced.
Both follow from regret and average if these belong together, as those of a warm start from a strategy do
(`solve/start/warm_start.py`):

    faced = average,    sum of v_t(I) = sum of v_t(I, a) - R(I, a)   for every action a, from the leaves up
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, kernel
from ruse.solve.full.engine import normalise
from ruse.solve.pruned.tables import BEFORE, FIRST, REVIEW, PrunedTables
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.noticed import Noticed
from ruse.solve.solver.presets import Solver
from ruse.solve.start.learned import fill_sigma
from ruse.tree.histories import END, NODE, OTHERS, Trees
from ruse.tree.passes import fill_leaves, fill_reach, pass_up

ALIKE = 1e-6  # by how much sums may differ by rounding, as a share of what could have been won


def begun(solver: Solver, trees: Trees, regret: np.ndarray, average: np.ndarray) -> PrunedTables:
    """The tables of a pruned training that goes on from these sums."""
    form, tables = trees.form, PrunedTables.start(trees, solver)
    roots = np.flatnonzero(form.parent < form.players)
    iterations = float(max(average[form.first[j] : form.first[j + 1]].sum() for j in roots))
    sigma, reach = np.ones(form.num_sequences), np.zeros(form.num_sequences)
    normalise(form, average, sigma)
    fill_reach(form, sigma, reach)
    won, spread = np.zeros(form.num_sequences), np.zeros(len(form.parent))
    fill_totals(form, iterations * reach, regret, won, tables.total, spread)
    most = ALIKE * iterations * float(np.abs(trees.ranges.highest).max(initial=1.0))
    played = np.abs(average - iterations * reach)[form.players :]
    if iterations < 1.0 or spread.max(initial=0.0) > most or played.max(initial=0.0) > ALIKE * iterations:
        must_fit(Setup(solver, noticed=Noticed(is_uncounted=True)), "start")
    tables.regret[:], tables.average[:] = regret, average
    fill_met(trees.histories, iterations * reach, tables.met)
    fill_sigma(form, solver.minimizer, tables.regret, tables.sigma)
    fill_reach(form, tables.sigma, tables.reach)
    faced = tables.reach.copy()  # what the first iteration will look at
    if solver.alternating:
        faced[0] = faced[form.first[0] : form.first[form.node_start[1]]] = 0.0
    tables.faced[:] = faced + iterations * reach
    tables.clock[BEFORE] = iterations
    if iterations >= FIRST:  # enough is known to prune at once
        tables.clock[REVIEW] = min(iterations + 1.0, solver.pruning.next_review(int(iterations)))
    return tables


@kernel
def fill_totals(form, faced, regret, won, total, spread):
    """The value of all iterations at each node, and by how much its actions differ about it."""
    fill_leaves(form, faced, won, 0, len(won))
    pass_up(form, won, Totalling(regret, total, spread), 0, len(form.parent))


@compiled("worth")
class Totalling(NamedTuple):
    """A node on the way up: by each of its actions it was worth what that has won, less its regret."""

    regret: np.ndarray
    total: np.ndarray
    spread: np.ndarray

    def worth(self, value, j, first, last):
        low, high = np.inf, -np.inf
        for s in range(first, last):
            low, high = min(low, value[s] - self.regret[s]), max(high, value[s] - self.regret[s])
        self.total[j] = (low + high) / 2
        self.spread[j] = high - low
        return self.total[j]


@kernel
def fill_met(histories, faced, met):
    """How often chance and the opponent have arrived at each node."""
    for k in range(len(histories.weight)):
        node = histories.rows[k, NODE]
        if node != END:
            met[node] += histories.weight[k] * faced[histories.rows[k, OTHERS]]
