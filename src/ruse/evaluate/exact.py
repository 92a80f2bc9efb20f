"""An exact solve, judged: the linear program's strategy, and its exploitability in the whole game."""

import time
from typing import Any, NamedTuple

from ruse.catalog.titles import spec
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.protocol.game import Game
from ruse.solve.exact import solve_exactly
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded


class ExactSolve(NamedTuple):
    """An equilibrium by linear program, as a person wants it: a strategy, how good it is, and the game's value."""

    expanded: Expanded
    strategy: Strategy
    value: float  # of the game to player 0
    measured: Exploitability
    seconds: float  # of the program alone

    def as_dict(self) -> dict[str, Any]:
        expanded, measured = self.expanded, self.measured
        return {
            "game": spec(expanded.game), "rule": "exact", "solver": "linear program", "iterations": 0,
            "seconds": self.seconds, "exploitability": float(measured),
            "exploitability_per_player": list(measured.per_player), "game_value": self.value,
            "values": list(measured.values), "infosets": len(expanded.form.parent),
            "infosets_merged": len(expanded.merged.parent), "leaves": int(expanded.size.leaves),
        }  # fmt: skip


def find_equilibrium(game: Game, *, memory: int | None = None) -> ExactSolve:
    """An equilibrium of a game for two whose payoffs have a fixed sum, by one linear program, judged in the whole game.

    >>> from ruse.games.kuhn import Kuhn
    >>> found = find_equilibrium(Kuhn())
    >>> round(found.value, 6), float(found.measured) < 1e-9
    (-0.055556, True)
    """
    return solve_and_judge(Expanded.of(game, memory=memory), memory=memory)


def solve_and_judge(expanded: Expanded, *, memory: int | None = None) -> ExactSolve:
    """Solve a game by one linear program, and measure what its strategy still loses."""
    began = time.perf_counter()
    answer = solve_exactly(expanded, memory=memory)
    seconds = time.perf_counter() - began
    sigma = expanded.unmerged(answer.sigma)
    measured = exploitability_of(expanded.form, sigma)
    strategy = Strategy.of(expanded, sigma, {"rule": "exact", "exploitability": float(measured)})
    return ExactSolve(expanded, strategy, answer.value, measured, seconds)
