"""Iterations: passes for one player after the other, each of which also averages the other's strategy on its way down.

What is averaged in iteration t is what was played in it. Player 0 has been updated by the time that player 1's pass
goes over 0's strategy, which is then that of iteration t + 1. So the first pass of a run is one over that strategy
alone, and the last leaves it out: iterations add up the same, in whatever stretches they are run.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, lanes_kernel
from ruse.compile.lanes import LANES, lanes, put_lanes, same
from ruse.solve.ranges.passes.one_by_one import OneByOne
from ruse.solve.ranges.passes.one_pass import (
    BLOCK,
    BOARD,
    DOWN,
    ENTER,
    KIND,
    OPEN,
    ROWS,
    enter,
    go_down,
    open_gate,
    take_steps,
)
from ruse.solve.ranges.passes.rows import Matching, MatchingAhead, Passing, RowsAveraged
from ruse.solve.solver.rules import FADING


class RangeTables(NamedTuple):
    """What an iteration changes. Rows of both players, one after the other."""

    regret: np.ndarray
    average: np.ndarray
    plays: np.ndarray  # the strategy: the regret itself where it follows from that
    then: np.ndarray  # the next one, where players are updated at the same time; else `plays`


# ---- rules at work ---------------------------------------------------------------------------------------------------


class RuleTraits(NamedTuple):
    """What a rule needs."""

    keeps_strategy: bool = False  # a table for the strategy
    is_alone: bool = False  # to be in one thread: it has scratch memory of its own


@compiled("at_work")
class ByRegret(NamedTuple):
    """Regret matching, where the strategy is the regret."""

    nothing: int = 0

    @property
    def traits(self) -> RuleTraits:
        return RuleTraits()

    def at_work(self, tables, weights):
        return Matching(tables.regret, weights)


@compiled("at_work")
class Ahead(NamedTuple):
    """Regret matching with a table for the strategy."""

    prediction: float

    @property
    def traits(self) -> RuleTraits:
        return RuleTraits(keeps_strategy=True)

    def at_work(self, tables, weights):
        return MatchingAhead(tables.regret, weights, tables.plays, tables.then, self.prediction)


@compiled("at_work")
class Rule(NamedTuple):
    """Any minimizer, hand by hand."""

    rule: Any
    visited: np.ndarray
    buffer: np.ndarray

    @property
    def traits(self) -> RuleTraits:
        return RuleTraits(keeps_strategy=True, is_alone=True)

    def at_work(self, tables, weights):
        return OneByOne(self.rule, tables.regret, weights, tables.plays, tables.then, self.visited, self.buffer)


# ---- passes ----------------------------------------------------------------------------------------------------------


@compiled_function
def begin(field, work, weights, player):
    """The other's range at the root."""
    for h in range(weights.shape[1]):
        work.reach[field.forest.reach_at[player, 0] + h] = weights[1 - player, h]


@compiled_function
def stretch(field, work, weights, cuts, c, total, player, down, up):
    """One stretch of the steps of a pass: the first street down, some boards of the second, the first street up.

    `total` is what has been brought up to the gates of the second street.
    """
    if c == 0:
        begin(field, work, weights, player)
    elif c < len(cuts) - 2:
        clear(work.gate_value, 1, len(total))
    else:
        copy_blocks(total, work.gate_value)
    take_steps(field, work, player, down, up, cuts[c], cuts[c + 1])


@compiled_function
def whole_pass(field, work, weights, cuts, total, player, down, up):
    """All steps of a pass. What stretches bring up is added as if each had run alone, as they do in threads."""
    clear(total, 1, len(total))
    for c in range(len(cuts) - 1):
        stretch(field, work, weights, cuts, c, total, player, down, up)
        if 0 < c < len(cuts) - 2:
            add_blocks(total, work.gate_value)


@compiled_function
def clear(rows, first, last):
    zero = same(rows, 0.0)
    for block in range(first, last):
        for k in range(0, rows.shape[1] - LANES + 1, LANES):
            put_lanes(rows[block], k, zero)


@compiled_function
def add_blocks(total, rows):
    """Add what a stretch of steps has brought up."""
    for block in range(1, len(total)):
        for k in range(0, rows.shape[1] - LANES + 1, LANES):
            put_lanes(total[block], k, lanes(total[block], k) + lanes(rows[block], k))


@compiled_function
def copy_blocks(source, rows):
    for block in range(1, len(source)):
        for k in range(0, rows.shape[1] - LANES + 1, LANES):
            put_lanes(rows[block], k, lanes(source[block], k))


@lanes_kernel
def average_first(field, work, weights, tables, fading):
    """Add player 0's strategy to the average: a pass that only goes down."""
    begin(field, work, weights, 1)
    down = RowsAveraged(tables.plays, tables.average, fading, 1.0)
    for k in range(len(field.steps)):
        kind, block, board = field.steps[k, KIND], field.steps[k, BLOCK], field.steps[k, BOARD]
        if kind == DOWN:
            go_down(field.forest, work.reach, down, 1, block, field.steps[k, ROWS], field.boards.width[0, board])
        elif kind == OPEN:
            open_gate(field, work, 1, block, board)
        elif kind == ENTER:
            enter(field, work, 1, block, board)


@lanes_kernel
def iterate(field, work, weights, cuts, total, tables, weighting, rule, alternating, done, iterations, planned):
    """Run iterations done+1 .. done+iterations in place."""
    for t in range(done + 1, done + iterations + 1):
        now = weighting.weights(t, t / planned if planned > 0 else 0.0)
        fading, counted = now[FADING], 1.0
        for p in range(2):
            if p == 1 and alternating:  # what player 0 plays next
                fading, counted = 1.0, 0.0
                if t < done + iterations:
                    fading = weighting.weights(t + 1, (t + 1) / planned if planned > 0 else 0.0)[FADING]
                    counted = 1.0
            down = RowsAveraged(tables.plays, tables.average, fading, counted)
            whole_pass(field, work, weights, cuts, total, p, down, rule.at_work(tables, now))
        if not alternating:
            for k in range(len(tables.plays)):
                tables.plays[k] = tables.then[k]


@lanes_kernel
def evaluate(field, work, weights, cuts, total, average, up, player):
    """Fill the values of the root for the player, against the other's average; `up` says what the player does."""
    whole_pass(field, work, weights, cuts, total, player, Passing(average), up)
