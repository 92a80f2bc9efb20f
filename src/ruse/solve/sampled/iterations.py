"""The iterations of sampled walks that update one player after the other, and the average unless there are two.

How one player's regrets are updated is a part, the walk: `external.py`, `outcome.py`, `probing.py`. With two players it
updates the average where the other one acts. With more, or with one, the average gets a line of play of its own.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled, compiled_function, lean_kernel
from ruse.compile.rng import stream, uniform
from ruse.protocol.game import Game
from ruse.protocol.view import View
from ruse.solve.sampled.decision import may_open, open_decision
from ruse.solve.sampled.line import play_on
from ruse.solve.table.sampling import HISTORIES, Parts, Scratch, draw_action


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
            if players != 2:  # alone, nobody else's walk adds to one's average
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
    play_on(game, view, parts, table, scratch, rng, s, AddingToAverage(0), me, now)
    scratch.counters[HISTORIES] += 1  # the end


@compiled("move")
class AddingToAverage(NamedTuple):
    """We play, and what we play is added to the average; the others move at random."""

    nothing: int = 0

    def move(self, game, view, parts, table, scratch, rng, s, player, me, now, level):
        if player != me:
            count = game.num_actions(s)
            return int(uniform(rng) * count) if may_open(scratch, s, player, count, 0, count) else -1
        count, first, _ = open_decision(game, view, parts, table, scratch, s, player, now, 0, 0, 1)
        if count == 0:
            return -1
        for b in range(count):
            parts.writer.add(table.rows, first + count + b, scratch.sigma[b])
        return draw_action(scratch.sigma, 0, count, uniform(rng))
