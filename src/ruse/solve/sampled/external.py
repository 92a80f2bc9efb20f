"""External sampling: chance and the other players are sampled, the traverser's actions are all explored.

Lanctot et al. 2009. Regret grows by v(a) - v at the traverser's infosets. The average is updated where the others act:
with two players an infoset is met in proportion to its owner's own reach, which is the weight that it needs. With more
players it is met in proportion to the reach of *all* others, so there the average gets a walk of its own
(`iterations.py`).

Which of the traverser's actions are explored is a part: all of them here, some of them in `average.py`.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.machine import prefetch
from ruse.compile.rng import uniform
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.guards.breaches import LONGEST
from ruse.protocol.view import infoset_key
from ruse.solve.sampled import iterations
from ruse.solve.sampled.decision import SKIPPED, fill_strategy, finish
from ruse.solve.sampled.lawful import draw_lawful, is_lawful, is_short, paid
from ruse.solve.solver.threshold import Never, Skipping
from ruse.solve.solver.traits import WalkTraits
from ruse.solve.table.sampling import DEEPEST, HISTORIES, draw_action, has_room
from ruse.solve.table.table import WIDEST


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


@compiled("update")
class Traversal(NamedTuple):
    """One walk over the tree for one player."""

    exploring: Any = All()

    def update(self, game, view, parts, table, scratch, rng, me, now, players):
        traverse(game, view, parts, table, scratch, rng, me, now, players == 2)


class ExternalSampling(NamedTuple):
    """One outcome of chance and of the others, all actions of one's own."""

    pruning: Skipping = Never()

    @property
    def traits(self) -> WalkTraits:
        return WalkTraits(skips=True, explores_all=True, width=math.inf)

    def kernel(self) -> tuple[Callable[..., int], Any]:
        return iterations.run, Traversal()

    def __str__(self) -> str:
        return "external"


# What a slot is waiting for; a positive `first` says that our own decision there has a row in the table.
ENDED, MOVING, OURS, THEIRS = 0, -1, -2, -3
REGRET, AVERAGE = 0, 1  # columns of a slot's weight: what is learned below it counts so much


@compiled_function
def traverse(game, view, parts, table, scratch, rng, me, now, averaging):
    """Walk the tree once for one player. Each level is a decision of ours, each slot one of its actions."""
    rows, first, actions, value, weight = scratch.rows, scratch.first, scratch.actions, scratch.value, scratch.weight
    for c in range(len(scratch.root)):
        rows[0, c] = scratch.root[c]
    first[0], value[0], weight[0, REGRET], weight[0, AVERAGE] = MOVING, 1.0, 1.0, 1.0
    visits_all = parts.pruning.visits_all(uniform(rng))
    if not ripen(game, view, parts, table, scratch, rng, me, now, averaging, 0, 1):
        return
    if first[0] == ENDED:
        return
    level, k, top = 0, 0, 1  # k: the slot to open next; top: the first free slot
    while True:
        # Open the decision at slot k.
        count = actions[k]
        if not has_room(scratch, level, top + count, count):
            return
        fill_strategy(parts, table, first[k], count, now, scratch.sigma, top, scratch.key[k])
        explore(game, parts, table, scratch, rng, visits_all, k, top)
        if not ripen(game, view, parts, table, scratch, rng, me, now, averaging, top, top + count):
            return
        scratch.slot[level], scratch.at[level], scratch.next[level] = k, top, top
        top += count
        level += 1
        scratch.counters[DEEPEST] = max(scratch.counters[DEEPEST], level)
        # Find the next decision below it; where there is none, finish it, and look below the one above.
        k = -1
        while k < 0:
            own, at, candidate = scratch.slot[level - 1], scratch.at[level - 1], scratch.next[level - 1]
            end = at + actions[own]
            while candidate < end and first[candidate] == ENDED:
                candidate += 1
            scratch.next[level - 1] = candidate + 1
            if candidate < end:
                k = candidate
            else:
                key, share = scratch.key[own], weight[own, REGRET]
                value[own] *= finish(table, parts, scratch.sigma, value, first[own], end - at, at, share, key)
                top = at
                level -= 1
                if level == 0:
                    return


@compiled_function
def explore(game, parts, table, scratch, rng, visits_all, k, top):
    """Take every action of the decision at slot k that is to be explored, each in a slot of its own.

    What the others play after an action that is mostly skipped counts for the average as if it never were. Else the
    average would stay what it was when the action was first skipped, early and bad.
    """
    rows, first, value, weight = scratch.rows, scratch.first, scratch.value, scratch.weight
    row, count = first[k], scratch.actions[k]
    spared = parts.pruning.spares(game, rows[k])
    for a in range(count):
        slot = top + a
        first[slot] = ENDED
        share = parts.walk.exploring.probability(table.rows, row + count, count, a)
        if share < 1.0 and uniform(rng) >= share:
            value[slot] = 0.0  # not explored: worth nothing this time, and more when it is
            continue
        for c in range(rows.shape[1]):
            rows[slot, c] = rows[k, c]
        game.apply(rows[slot], a)
        # What ends the game at once costs nothing, so it is never pruned.
        is_rare = not spared and parts.pruning.skips(table.rows[row + a]) and game.player(rows[slot]) != OVER
        if is_rare and not visits_all:
            value[slot] = SKIPPED
            continue
        first[slot] = MOVING
        value[slot] = 1.0 / share  # to be multiplied by what it leads to
        weight[slot, REGRET] = weight[k, REGRET] / share
        # Once on a path: whether a walk explores everything is drawn once.
        weight[slot, AVERAGE] = weight[slot, REGRET] * parts.pruning.rarity() if is_rare else weight[k, AVERAGE] / share


@compiled_function
def ripen(game, view, parts, table, scratch, rng, me, now, averaging, start, end):
    """Bring the states in slots start .. end to our next decision or to the end of the game; False if there is no room.

    They move side by side, one decision of the others at a time, because a look-up is mostly a wait for memory: all of
    them ask for theirs before the first one needs it.
    """
    rows, first, actions, keys, sigma = scratch.rows, scratch.first, scratch.actions, scratch.key, scratch.sigma
    room = min(len(sigma) - end, WIDEST)  # for sigma, beyond the slots in use
    moving, visited, spare = True, 0, (end - start - 1) * LONGEST
    while moving:
        moving = False
        if not is_short(scratch, visited - spare):
            return False
        for k in range(start, end):
            if first[k] != MOVING:
                continue
            s = rows[k]
            player = game.player(s)
            while player == CHANCE and is_short(scratch, visited - spare):
                visited += 1
                game.apply(s, draw_lawful(game, s, rng, scratch))
                player = game.player(s)
            visited += 1
            if player == OVER:
                scratch.value[k] *= paid(game, s, me, scratch)
                first[k] = ENDED
                continue
            actions[k] = game.num_actions(s)
            if not is_lawful(scratch, s, player, actions[k]):
                return False
            if actions[k] > room:
                return has_room(scratch, 0, end + actions[k], actions[k])
            keys[k] = infoset_key(game, view, s)
            table.expect(keys[k])
            first[k] = OURS if player == me else THEIRS
            moving = moving or player != me
        if not moving:
            break
        for k in range(start, end):
            if first[k] == THEIRS:
                first[k] = table.row(keys[k], actions[k])
                expect_row(table.rows, first[k], actions[k])
        for k in range(start, end):
            if first[k] > 0:  # not ours: those get their rows at the end
                row, count = first[k], actions[k]
                fill_strategy(parts, table, row, count, now, sigma, end, keys[k])
                if averaging:
                    weight = scratch.weight[k, AVERAGE] * parts.pruning.counts(table.rows, row, count)
                    for a in range(count):
                        parts.writer.add(table.rows, row + count + a, sigma[end + a] * weight)
                game.apply(rows[k], draw_action(sigma, end, count, uniform(rng)))
                first[k] = MOVING
    scratch.counters[HISTORIES] += visited
    for k in range(start, end):
        if first[k] == OURS:
            first[k] = table.row(keys[k], actions[k])
            expect_row(table.rows, first[k], actions[k])
    return True


@compiled_function
def expect_row(rows, first, count):
    """A row will be used soon."""
    prefetch(rows, first - 1)
    prefetch(rows, first + 2 * count - 1)
