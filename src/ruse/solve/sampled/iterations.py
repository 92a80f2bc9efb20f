"""The iterations of sampled walks that update one player after the other, and the average with more than two players.

How one player's regrets are updated is a part, the walk: `external.py`, `outcome.py`, `probing.py`. With two players it
updates the average where the other one acts. With more, the average gets a line of play of its own.
"""

from typing import Any, Protocol

import numpy as np

from ruse.compile import compiled_function, lean_kernel
from ruse.compile.rng import stream, uniform
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.view import View, infoset_key
from ruse.solve.sampled.lawful import draw_lawful, is_lawful, is_short
from ruse.solve.table.sampling import HISTORIES, Parts, Scratch, draw, has_room, refresh


class Updating(Protocol):
    """How one player is updated."""

    def update(
        self, game: Game, view: View, parts: Parts, table: Any, scratch: Scratch, rng: np.ndarray,
        me: int, now: int, players: int,
    ) -> None:  # fmt: skip
        """Add to the regrets of player `me`, in the period `now`; with two players also to the other's average."""


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
            parts.walk.update(game, view, parts, table, scratch, rng, player, now, players)
            if players > 2:
                average_walk(game, view, parts, table, scratch, rng, player, now)
    return iterations


@compiled_function
def average_walk(game, view, parts, table, scratch, rng, me, now):
    """One line of play in which we follow our strategy and the others move at random.

    Our infosets are then met in proportion to our own reach times something that never changes: unbiased for any number
    of players.
    """
    s = scratch.rows[0]
    for c in range(len(s)):
        s[c] = scratch.root[c]
    steps = 0
    while True:
        scratch.counters[HISTORIES] += 1
        steps += 1
        player = game.player(s)
        if player == OVER or not is_short(scratch, steps):
            return
        a = 0  # one place where it is applied: rules are inlined
        if player == CHANCE:
            a = draw_lawful(game, s, rng, scratch)
        else:
            count = game.num_actions(s)
            if not is_lawful(scratch, s, player, count) or not has_room(scratch, 0, count, count):
                return
            if player == me:
                key = infoset_key(game, view, s)
                first = table.row(key, count)
                refresh(table.rows, parts, first, count, now)
                parts.leaning.lean(parts.minimizer, table.rows, first, count, scratch.sigma, 0, key)
                for b in range(count):
                    parts.writer.add(table.rows, first + count + b, scratch.sigma[b])
                a = draw(scratch.sigma, 0, count, uniform(rng))
            else:
                a = int(uniform(rng) * count)
        game.apply(s, a)
