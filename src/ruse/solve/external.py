"""External sampling: chance and the other players are sampled, the traverser's actions are all explored.

Lanctot et al. 2009. Regret grows by v(a) - v at the traverser's infosets. The average is updated where the others act:
with two players an infoset is met in proportion to its owner's own reach, which is the weight that it needs. With more
players it is met in proportion to the reach of *all* others, so there the average gets a walk of its own.

Which of the traverser's actions are explored is a part: all of them here, some of them in `average.py`.
"""

from typing import NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled, compiled_function, lean_kernel
from ruse.game import CHANCE, OVER
from ruse.rng import stream, uniform
from ruse.solve.sampling import DEEPEST, HISTORIES, NO_LEVEL, NO_SLOT, draw, draw_chance, refresh
from ruse.view import infoset_key


class Exploring(Protocol):
    """Which of the traverser's actions are explored."""

    def probability(self, average: np.ndarray, first: int, count: int, a: int) -> float:
        """The probability with which action a is explored; its value is divided by it."""


@compiled("probability")
class All(NamedTuple):
    """Explore every action."""

    nothing: int = 0

    def probability(self, average, first, count, a):
        return 1.0


@lean_kernel
def run(game, view, parts, table, scratch, rng, seed, done, iterations):
    """Iterations done+1 .. done+iterations, fewer if the table needs room; return how many."""
    players = scratch.weight.shape[1] - 1
    for t in range(done + 1, done + iterations + 1):
        if table.is_crowded():
            return t - 1 - done
        stream(rng, seed, t)
        now = parts.clock.period(t)
        for player in range(players):
            traverse(game, view, parts, table, scratch, rng, player, now, players == 2)
            if players > 2:
                average_walk(game, view, parts, table, scratch, rng, player, now)
    return iterations


@compiled_function
def traverse(game, view, parts, table, scratch, rng, me, now, averaging):
    """Walk the tree once for one player. Only the traverser's nodes have a level; others' moves are made in place."""
    rows, sigma, value, root = scratch.rows, scratch.sigma, scratch.value, scratch.root
    writer, minimizer, clock, pruning, exploring = (
        parts.writer,
        parts.minimizer,
        parts.clock,
        parts.pruning,
        parts.exploring,
    )
    columns = len(root)
    for c in range(columns):
        rows[0, c] = root[c]
    level, top = 0, 0  # top: the first free slot of sigma and value
    scratch.weight[0, 0] = 1.0  # one over the probability that the traverser's part of the path is explored
    visits_all = pruning.visits_all(uniform(rng))
    result = 0.0
    while True:
        # Down: from the state in rows[level] to the next decision of ours, or to the end.
        descending = True
        while descending:
            s = rows[level]
            scratch.counters[HISTORIES] += 1
            player = game.player(s)
            if player == OVER:
                result = game.payoff(s, me)
                descending = False
            elif player == CHANCE:
                game.apply(s, draw_chance(game, s, rng))
            else:
                count = game.num_actions(s)
                if top + count > len(sigma) or level + 2 > len(rows):
                    scratch.counters[NO_SLOT if top + count > len(sigma) else NO_LEVEL] += 1
                    return
                first = table.row(infoset_key(game, view, s), count)
                refresh(table.rows, clock, first, count, now)
                minimizer.play(table.rows, first, count, sigma, top)
                if player != me:
                    if averaging:
                        for a in range(count):
                            writer.add(table.rows, first + count + a, sigma[top + a] * scratch.weight[level, 0])
                    game.apply(s, draw(sigma, top, count, uniform(rng)))
                    continue
                scratch.first[level] = first
                scratch.actions[level] = count
                scratch.at[level] = top
                scratch.next[level] = -1
                top += count
                level += 1
                scratch.counters[DEEPEST] = max(scratch.counters[DEEPEST], level)
                descending = False
        # Up: hand the result to the decision above, and take its next action or finish it.
        if level > 0 and scratch.next[level - 1] >= 0:
            value[scratch.at[level - 1] + scratch.next[level - 1]] *= result
        advancing = True
        while advancing:
            if level == 0:
                return
            d = level - 1
            first, count, at = scratch.first[d], scratch.actions[d], scratch.at[d]
            a = scratch.next[d] + 1
            while a < count:
                share = exploring.probability(table.rows, first + count, count, a)
                if share == 1.0 or uniform(rng) < share:
                    for c in range(columns):
                        rows[level, c] = rows[d, c]
                    game.apply(rows[level], a)
                    # What ends the game at once costs nothing, so it is never pruned.
                    if visits_all or not pruning.skips(table.rows[first + a]) or game.player(rows[level]) == OVER:
                        value[at + a] = 1.0 / share  # to be multiplied by the result
                        scratch.weight[level, 0] = scratch.weight[d, 0] / share
                        break
                    value[at + a] = SKIPPED
                else:
                    value[at + a] = 0.0  # not explored: worth nothing this time, and more when it is
                a += 1
            scratch.next[d] = a
            if a < count:
                advancing = False
            else:
                result = finish(table, writer, clock, sigma, value, first, count, at, scratch.weight[d, 0])
                top = at
                level = d
                if level > 0:
                    value[scratch.at[level - 1] + scratch.next[level - 1]] *= result


SKIPPED = -1.0e300  # the value of an action that was not explored


@compiled_function
def finish(table, writer, clock, sigma, value, first, count, at, weight):
    """Add the regret of one decision; return its value. Actions that were skipped are not played and learn nothing.

    The weight is one over the probability that the decision was explored.
    """
    expected = 0.0
    for a in range(count):
        if value[at + a] != SKIPPED:
            expected += sigma[at + a] * value[at + a]
    for a in range(count):
        if value[at + a] != SKIPPED:
            writer.add_above(table.rows, first + a, weight * (value[at + a] - expected), clock.floor)
    return expected


@compiled_function
def average_walk(game, view, parts, table, scratch, rng, me, now):
    """One line of play in which we follow our strategy and the others move at random.

    Our infosets are then met in proportion to our own reach times something that never changes: unbiased for any number
    of players.
    """
    s = scratch.rows[0]
    for c in range(len(s)):
        s[c] = scratch.root[c]
    while True:
        scratch.counters[HISTORIES] += 1
        player = game.player(s)
        if player == OVER:
            return
        if player == CHANCE:
            game.apply(s, draw_chance(game, s, rng))
            continue
        count = game.num_actions(s)
        if player != me:
            game.apply(s, int(uniform(rng) * count))
            continue
        first = table.row(infoset_key(game, view, s), count)
        refresh(table.rows, parts.clock, first, count, now)
        parts.minimizer.play(table.rows, first, count, scratch.sigma, 0)
        for a in range(count):
            parts.writer.add(table.rows, first + count + a, scratch.sigma[a])
        game.apply(s, draw(scratch.sigma, 0, count, uniform(rng)))
