"""The games and prunings that the tests of pruning share, and how they are solved."""

from functools import cache
from typing import Any

import naive
import pytest
from pruned_twin import Terms
from random_games import random_game

from ruse.evaluate.best_response import exploitability_of
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.protocol.game import Game
from ruse.solve.full.engine import Tables
from ruse.solve.full.engine import average_strategy as plain_average
from ruse.solve.full.engine import iterate as iterate_plain
from ruse.solve.pruned.engine import average_strategy, iterate
from ruse.solve.pruned.tables import PrunedTables
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.pruning import BestResponse, FixedLength, RegretBased
from ruse.tree.expanded import Expanded
from ruse.tree.histories import Trees, trees

EAGER: Any = {"growth": 1.1, "patience": 0.01}  # prunes so much so soon that much must come back
PARTS: dict[str, Any] = {
    "brp": BestResponse(),
    "rbp": RegretBased(),
    "brp_fixed": BestResponse(FixedLength()),
    "rbp_fixed": RegretBased(FixedLength()),
    "brp_eager": BestResponse(**EAGER),
    "rbp_eager": RegretBased(**EAGER),
}
TERMS: dict[str, Terms] = {  # the same, as the twin has them
    "brp": Terms(by_best_response=True),
    "rbp": Terms(by_best_response=False),
    "brp_fixed": Terms(by_best_response=True, is_fixed=True),
    "rbp_fixed": Terms(by_best_response=False, is_fixed=True),
    "brp_eager": Terms(by_best_response=True, **EAGER),
    "rbp_eager": Terms(by_best_response=False, **EAGER),
}
TILTED = {"kuhn": naive.Tilted.of(Kuhn())} | {f"random_{k}": naive.Tilted.of(random_game(k)) for k in (0, 2, 3, 5)}
GAMES: dict[str, Game] = {
    **TILTED,
    "kuhn_3": naive.Tilted.of(Kuhn(players=3)),
    "random_general": random_game(4, zero_sum=False),
    "random_3_general": random_game(3, players=3, zero_sum=False),
}

RUNS: dict[str, tuple[Game, int]] = {"kuhn": (Kuhn(), 1_000), "leduc": (Leduc(), 1_000), "dice": (LiarsDice(), 100)}

FIXED = ("brp_fixed", "rbp_fixed")  # have kernels of their own
every_part = pytest.mark.parametrize(
    "part", [pytest.param(part, marks=pytest.mark.slow if part in FIXED else ()) for part in PARTS]
)
both_orders = pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])


@cache
def planted(game: str) -> Trees:
    return trees(Expanded.of(GAMES[game], merging=False))


@cache
def grown_tree(game: str) -> naive.Node:
    return naive.tree(GAMES[game])


def solved(tree: Trees, solver: Solver, iterations: int) -> PrunedTables:
    tables = PrunedTables.start(tree, solver)
    iterate(solver, tree, tables, 0, iterations, iterations)
    return tables


def plainly_solved(game: Game, solver: Solver, iterations: int) -> float:
    form = Expanded.of(game).merged
    tables = Tables.start(form)
    iterate_plain(solver, form, tables, 0, iterations, iterations)
    return float(exploitability_of(form, plain_average(form, tables)))


def exploitability(tree: Trees, tables: PrunedTables) -> float:
    return float(exploitability_of(tree.form, average_strategy(tree, tables)))
