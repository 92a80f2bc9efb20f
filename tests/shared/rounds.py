"""Moments of Leduc poker, and its exact solution."""

from functools import cache
from typing import NamedTuple

import ruse
from ruse.compile import compiled
from ruse.games.leduc import DEALT, ROUND
from ruse.solve.exact import solve_exactly
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded

LEDUC = ruse.Leduc()


@compiled("is_due")
class SecondRound(NamedTuple):
    """The first decision after the board was dealt, or before it is, when that is due."""

    board: bool = True

    def is_due(self, game, s, moves):
        return s[ROUND] == 1 and (s[DEALT] > game.players or not self.board)


@cache
def blueprint() -> tuple[Strategy, float]:
    """An equilibrium of Leduc poker by linear program, and its value to player 0."""
    return exactly(LEDUC)


def exactly(game: ruse.Game) -> tuple[Strategy, float]:
    expanded = Expanded.of(game)
    exact = solve_exactly(expanded)
    return Strategy.of(expanded, expanded.unmerged(exact.sigma)), exact.value
