"""Chance sampling: chance is sampled, all players' actions are explored (Zinkevich et al. 2007).

One traversal updates all players: regret at an infoset is weighted by the others' reach, the average by the owner's.
Rows are updated while the walk goes on, so with imperfect recall a later visit sees what an earlier one has changed.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ruse.compile import compiled_function, lean_kernel
from ruse.compile.rng import stream
from ruse.protocol.game import CHANCE, OVER
from ruse.solve.sampled.decision import open_decision
from ruse.solve.sampled.lawful import draw_lawful, is_short, paid
from ruse.solve.solver.traits import WalkTraits
from ruse.solve.table.sampling import DEEPEST, HISTORIES


class ChanceSampling(NamedTuple):
    """One outcome of chance, all actions of all players."""

    @property
    def traits(self) -> WalkTraits:
        return WalkTraits(explores_all=True, width=math.inf, everyone=True)

    def kernel(self) -> tuple[Callable[..., int], Any]:
        return run, None

    def __str__(self) -> str:
        return "chance"


@lean_kernel
def run(game, view, parts, table, scratch, rng, seed, done, iterations):
    """Iterations done+1 .. done+iterations, fewer if the table needs room; return how many. One traversal each."""
    for t in range(done + 1, done + iterations + 1):
        if table.is_crowded():
            return t - 1 - done
        stream(rng, seed, t)
        traverse(game, view, parts, table, scratch, rng, parts.clock.period(t))
    return iterations


@compiled_function
def traverse(game, view, parts, table, scratch, rng, now):
    """Walk the tree under one sample of chance. All players' values lie side by side: value[at + a * players + p]."""
    rows, sigma, value, reach = scratch.rows, scratch.sigma, scratch.value, scratch.weight
    players = reach.shape[1] - 1
    columns = len(scratch.root)
    for c in range(columns):
        rows[0, c] = scratch.root[c]
    for p in range(players):
        reach[0, p] = 1.0
    level, top = 0, 0
    result = scratch.result
    while True:
        # Down to the next decision, or to the end.
        s = rows[level]
        player = game.player(s)
        steps = 0
        while player == CHANCE and is_short(scratch, steps):
            scratch.counters[HISTORIES] += 1
            steps += 1
            game.apply(s, draw_lawful(game, s, rng, scratch))
            player = game.player(s)
        scratch.counters[HISTORIES] += 1
        if player == OVER:
            for p in range(players):
                result[p] = paid(game, s, p, scratch)
        else:
            count, first, key = open_decision(game, view, parts, table, scratch, s, player, now, level, top, players)
            if count == 0:
                return
            scratch.key[level] = key
            scratch.player[level] = player
            scratch.first[level] = first
            scratch.actions[level] = count
            scratch.at[level] = top
            scratch.next[level] = -1
            top += count
            level += 1
            scratch.counters[DEEPEST] = max(scratch.counters[DEEPEST], level)
        # Up, as long as decisions are finished; then into the next action.
        descending = False
        while not descending:
            if level == 0:
                return
            d = level - 1
            player, first, count, at = scratch.player[d], scratch.first[d], scratch.actions[d], scratch.at[d]
            a = scratch.next[d]
            if a >= 0:
                for p in range(players):
                    value[(at + a) * players + p] = result[p]
            a += 1
            scratch.next[d] = a
            if a < count:
                for c in range(columns):
                    rows[level, c] = rows[d, c]
                game.apply(rows[level], a)
                for p in range(players):
                    reach[level, p] = reach[d, p]
                reach[level, player] *= sigma[at + a]
                descending = True
            else:
                finish(parts, table, scratch, result, d, player, first, count, at, players)
                top = at
                level = d


@compiled_function
def finish(parts, table, scratch, result, level, player, first, count, at, players):
    """Update the row of one decision, and leave its value for every player in `result`."""
    sigma, value, reach = scratch.sigma, scratch.value, scratch.weight
    for p in range(players):
        result[p] = 0.0
        for a in range(count):
            result[p] += sigma[at + a] * value[(at + a) * players + p]
    others = 1.0
    for p in range(players):
        others *= reach[level, p] if p != player else 1.0
    price = parts.leaning.price(scratch.key[level])
    for a in range(count):
        regret = others * (value[(at + a) * players + player] - result[player] - price)
        parts.writer.add_above(table.rows, first + a, regret, parts.clock.floor)
        parts.writer.add(table.rows, first + count + a, reach[level, player] * sigma[at + a])
