"""An exact solve, judged: the linear program's strategy, and its exploitability in the whole game."""

import time
from typing import Any, NamedTuple

from ruse.catalog.given import ExpandedLike, as_expanded
from ruse.catalog.titles import spec, title_of
from ruse.evaluate.best_response import Exploitability, exploitability_of
from ruse.solve.exact import by_linear_program
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded
from ruse.words.html import table_of


class ExactSolve(NamedTuple):
    """An equilibrium by linear program, as a person wants it: a strategy, how good it is, and the game's value."""

    expanded: Expanded
    strategy: Strategy
    value: float  # of the game to player 0
    measured: Exploitability
    seconds: float  # of the program alone

    def __repr__(self) -> str:
        return f"ExactSolve({self})"

    def __str__(self) -> str:
        return f"{title_of(self.expanded.game)}, exact: value {self.value:+z.6f}, exploitability {self.measured:.3g}"

    def _repr_html_(self) -> str:
        rows = [("game", title_of(self.expanded.game)), ("value to player 0", f"{self.value:+z.9f}")]
        rows += [("exploitability", f"{self.measured:.3g}"), ("seconds", f"{self.seconds:.3g}")]
        return table_of(["", "equilibrium by linear program"], rows)

    def as_dict(self) -> dict[str, Any]:
        expanded, measured = self.expanded, self.measured
        return {
            "game": spec(expanded.game), "rule": "exact", "solver": "linear program", "iterations": 0,
            "seconds": self.seconds, "exploitability": float(measured),
            "exploitability_per_player": list(measured.per_player), "game_value": self.value,
            "values": list(measured.values), "infosets": len(expanded.form.parent),
            "infosets_merged": len(expanded.merged.parent), "leaves": int(expanded.size.leaves),
        }  # fmt: skip


def find_equilibrium(game: ExpandedLike, *, memory: int | None = None) -> ExactSolve:
    """An equilibrium of a game for two whose payoffs have a fixed sum, by one linear program, judged in the whole game.

    >>> found = find_equilibrium("kuhn")
    >>> round(found.value, 6), float(found.measured) < 1e-9
    (-0.055556, True)
    """
    return solve_and_judge(as_expanded(game, memory=memory), memory=memory)


def solve_and_judge(expanded: Expanded, *, memory: int | None = None) -> ExactSolve:
    """Solve a game by one linear program, and measure what its strategy still loses."""
    began = time.perf_counter()
    answer = by_linear_program(expanded, memory=memory)
    seconds = time.perf_counter() - began
    sigma = expanded.unmerged(answer.sigma)
    measured = exploitability_of(expanded.form, sigma)
    strategy = Strategy.of(expanded, sigma, {"rule": "exact", "exploitability": float(measured)})
    return ExactSolve(expanded, strategy, answer.value, measured, seconds)
