"""A line of play: one state that goes on to the end of the game, chance being drawn and the players asked."""

from typing import Any, Protocol

import numpy as np

from ruse.compile import compiled_function
from ruse.protocol.game import CHANCE, OVER, Game, Row
from ruse.protocol.view import View
from ruse.solve.sampled.lawful import draw_lawful, is_short
from ruse.solve.table.sampling import HISTORIES, Parts, Scratch


class Mover(Protocol):
    """What is done at the decisions of a line."""

    def move(
        self, game: Game, view: View, parts: Parts, table: Any, scratch: Scratch, rng: np.ndarray, s: Row,
        player: int, me: int, now: int, level: int,
    ) -> int:  # fmt: skip
        """The action of the player at state s, negative if the line is to be left; `level` decisions lie before it."""


@compiled_function
def play_on(game, view, parts, table, scratch, rng, s, mover, me, now):
    """Let state s go on to the end of the game; return how many decisions there were, negative if the line was left.

    The histories on the way are counted, the end is not.
    """
    level, steps = 0, 0
    while True:
        player = game.player(s)
        if player == OVER:
            return level
        scratch.counters[HISTORIES] += 1
        steps += 1
        if not is_short(scratch, steps):
            return -1
        a = 0  # one place where it is applied: rules are inlined
        if player == CHANCE:
            a = draw_lawful(game, s, rng, scratch)
        else:
            a = mover.move(game, view, parts, table, scratch, rng, s, player, me, now, level)
            if a < 0:
                return -1
            level += 1
        game.apply(s, a)
