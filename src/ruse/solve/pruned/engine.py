"""The pruned engine: full-width CFR that walks only the histories which matter.

An iteration for one player is a walk over histories, with a jump over each that the others do not reach; a pass up the
decision nodes where somebody arrives; and a pass down those where the player is or was. The regret of a pruned action
is minus infinity, so regret matching never plays it. Histories that follow a pruned action, of whichever player, are
left out of a short list. When an action is pruned or comes back the list is stale, and it is made anew once walks over
all histories have cost as much as that will.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, lean_kernel
from ruse.solve.full.engine import normalise
from ruse.solve.pruned.actions import ask_again, bring_back, review, silence
from ruse.solve.pruned.tables import (
    BEFORE,
    COST,
    DOWN,
    LOOKED_AT,
    LOOKS,
    REVIEW,
    SCALE,
    SHORT,
    UP,
    VISITED,
    PrunedTables,
)
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.rules import FADING, Weights
from ruse.tree.histories import AFTER, END, NODE, OTHERS, OWN, PAST, Ranges, Trees, shorten
from ruse.tree.passes import pass_down, pass_up_some
from ruse.tree.sequence_form import SequenceForm

NOBODY = 1e-200  # a probability of arriving that is zero, or would be if it were multiplied further
COPYING = 4.0  # how many looks at a row cost as much as to copy one


def iterate(solver: Solver, trees: Trees, tables: PrunedTables, done: int, iterations: int, planned: int) -> None:
    """Run iterations done+1 .. done+iterations in place; `planned` is their total, 0 if it is open."""
    run(
        trees.form, trees.histories, trees.ranges, tables, solver.weighting, solver.minimizer, solver.pruning,
        solver.alternating, done, iterations, planned,
    )  # fmt: skip


def average_strategy(trees: Trees, tables: PrunedTables) -> np.ndarray:
    """The average strategy by sequence."""
    sigma = np.ones(trees.form.num_sequences)
    normalise(trees.form, tables.average, sigma)
    return sigma


def brought_back(solver: Solver, trees: Trees, tables: PrunedTables) -> PrunedTables:
    """The tables as they would be if every pruned action came back now, between two iterations."""
    form = trees.form
    copies: dict[str, Any] = {name: array.copy() for name, array in tables.saved().items()}
    copy = tables._replace(**copies)
    # The strategies that have been taken up but not been looked at yet: with alternating updates, the second player's.
    unseen = slice(form.first[form.node_start[1]], None) if solver.alternating else slice(form.players, None)
    copy.faced[unseen] -= copy.reach[unseen]
    copy.faced[1 if solver.alternating else slice(0, form.players)] -= 1.0
    bring_back(form, trees.ranges, copy, solver.minimizer, solver.pruning)
    return copy


@lean_kernel
def run(form, histories, ranges, tables, weighting, minimizer, pruning, alternating, done, iterations, planned):
    players = len(form.node_start) - 1
    for t in range(done + 1, done + iterations + 1):
        weights = weighting.weights(t, t / planned if planned > 0 else 0.0)
        if weights[FADING] > 0.0:  # later iterations weigh more, so that the average need not fade
            tables.clock[SCALE] /= weights[FADING]
        age = t + int(tables.clock[BEFORE])
        is_review = age >= tables.clock[REVIEW]
        if is_review:
            tables.clock[REVIEW] = pruning.next_review(age)
        for p in range(players):
            update_regret(form, histories, ranges, tables, weights, minimizer, pruning, age, is_review, p)
            if alternating:
                update_average(form, ranges, tables, p)
                refresh_short(histories, tables)
        if not alternating:
            for p in range(players):
                update_average(form, ranges, tables, p)
            refresh_short(histories, tables)


@compiled_function
def update_regret(form, histories, ranges, tables, weights, minimizer, pruning, t, is_review, player):
    """Values, regret and the next strategy of the nodes at which somebody arrives."""
    count = walk(tables.short if tables.clock[SHORT] > 0.0 else histories, tables, player)
    node = LearningAndPruning(form, ranges, tables, weights, minimizer, pruning, t)
    pass_up_some(form, tables.value, node, tables.live, count)
    tables.touched[UP] += count
    tables.value[player] = 0.0
    if is_review:
        review(form, ranges, tables, minimizer, pruning, t, player)


@compiled("worth")
class LearningAndPruning(NamedTuple):
    """A live node on the way up: its value, its regret, and what its pruned actions have spent; then it is cleared."""

    form: SequenceForm
    ranges: Ranges
    tables: PrunedTables
    weights: Weights
    minimizer: Any
    pruning: Any
    t: int

    def worth(self, value, j, first, last):
        ranges, tables, pruning = self.ranges, self.tables, self.pruning
        sigma, dead, arrived, allowance = tables.sigma, tables.dead, tables.arrived, tables.allowance
        expected, pruned = 0.0, 0
        for s in range(first, last):
            expected += sigma[s] * value[s]
            pruned += dead[s]
        tables.total[j] += expected
        tables.met[j] += arrived[j]
        if pruned > 0:
            for s in range(first, last):
                if dead[s]:
                    highest, lowest, most = ranges.highest[s], ranges.lowest[j], ranges.most[j]
                    allowance[s] -= pruning.length.spent(arrived[j], expected, highest, lowest, most)
                    if allowance[s] < 0.0:
                        ask_again(self.form, ranges, tables, self.minimizer, pruning, self.t, j, s)
                        value[s] = expected  # if it has come back, its regret is that after this iteration
        self.minimizer.match(tables.regret, value, expected, sigma, first, last, self.weights)
        if pruned > 0:
            silence(tables.regret, sigma, first, last)
        arrived[j] = 0.0
        for s in range(first, last):
            value[s] = 0.0
        return expected


@compiled_function
def walk(histories, tables, player):
    """Add up what ends are worth to the player, and who arrives at each node; return how many nodes are live."""
    rows, weight = histories.rows, histories.weight
    reach, dead, value, arrived, live = tables.reach, tables.dead, tables.value, tables.arrived, tables.live
    row, end = histories.start[player], histories.start[player + 1]
    count, visited, looked_at = 0, 0, 0
    while row < end:
        looked_at += 1
        s = rows[row, OWN]
        if dead[s]:
            row = rows[row, PAST]
            continue
        product = 1.0
        for c in range(OTHERS, rows.shape[1]):
            product *= reach[rows[row, c]]
        if product < NOBODY:
            row = rows[row, AFTER]
            continue
        visited += 1
        j = rows[row, NODE]
        if j == END:
            value[s] += weight[row] * product
        else:
            if arrived[j] == 0.0:
                live[count] = j
                count += 1
            arrived[j] += weight[row] * product
        row += np.uint32(1)
    tables.touched[VISITED] += visited
    tables.touched[LOOKED_AT] += looked_at
    tables.clock[LOOKS] += looked_at
    return count


@compiled_function
def update_average(form, ranges, tables, player):
    """One pass down the nodes where the player is or was: add to the average, and take up the next strategy."""
    node = AveragingWhereReached(form.parent, ranges.beyond, tables, tables.clock[SCALE])
    pass_down(form, tables.reach, node, form.node_start[player], form.node_start[player + 1])
    tables.faced[player] += 1.0


@compiled("descend")
class AveragingWhereReached(NamedTuple):
    """A node on the way down: the average, the next strategy's reach, and what the others will have faced."""

    parent: np.ndarray
    beyond: np.ndarray
    tables: PrunedTables
    scale: float

    def descend(self, reach, above, j, first, last):
        average, sigma, faced = self.tables.average, self.tables.sigma, self.tables.faced
        self.tables.touched[DOWN] += 1
        was = 0.0
        for s in range(first, last):
            was += reach[s]
        if above == 0.0 and was == 0.0:
            return self.beyond[self.parent[j]]
        for s in range(first, last):
            average[s] += self.scale * reach[s]
            reach[s] = above * sigma[s]
            faced[s] += reach[s]
        return j + np.uint32(1)


@compiled_function
def refresh_short(histories, tables):
    """Make the short list anew if that is due."""
    clock = tables.clock
    if clock[SHORT] == 0.0 and clock[LOOKS] >= clock[COST]:
        looked_at = shorten(histories, tables.short, tables.dead)
        tables.touched[LOOKED_AT] += looked_at
        clock[SHORT], clock[COST] = 1.0, COPYING * looked_at
