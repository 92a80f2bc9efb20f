"""Ranges of small games agree with the exact engine: every rule, preferences, best responses."""

from typing import Any

import numpy as np
import pytest

from ruse.errors import RuseError
from ruse.evaluate.best_response import exploitability_of
from ruse.games.cheat.rules import Cheat
from ruse.games.goofspiel import Goofspiel
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.solve.full.engine import Tables, average_strategy, iterate
from ruse.solve.prefer.favour import form_of
from ruse.solve.prefer.preferred import preferred
from ruse.solve.prefer.rows import preferred_rows
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.preferred import plan_for
from ruse.solve.ranges.public.walked import Walked
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import PRESETS, Solver, cfr, cfr_plus, dcfr, mccfr, pcfr_plus
from ruse.tree.expanded import Expanded

ITERATIONS = 10
FULL_WIDTH = [name for name, make in PRESETS.items() if make().engine == "full_width"]


def ranged(game: Any, solver: Solver) -> tuple[Walked, RangeEngine]:
    walked = Walked(game)
    plan, leaning = plan_for(walked, solver)
    return walked, RangeEngine(plan, solver, dtype=np.float64, planned=ITERATIONS, leaning=leaning)


def exact(game: Any, solver: Solver) -> tuple[Expanded, Tables]:
    """The same by the full-width engine, without merging."""
    expanded = Expanded.of(game, merging=False)
    prefer = preferring(solver.prefer)
    if prefer is None:
        tables = Tables.start(expanded.merged)
    else:
        form = form_of(prefer, solver.minimizer)
        expanded, rows = preferred_rows(expanded, preferred(game, None, prefer.rules), solver.minimizer, form)
        tables = Tables.start(expanded.merged)
        solver = solver._replace(minimizer=rows.on(tables), prefer=None)
    iterate(solver, expanded.merged, tables, 0, ITERATIONS, ITERATIONS)
    return expanded, tables


def assert_same(game: Any, solver: Solver) -> None:
    walked, engine = ranged(game, solver)
    engine.run(0, 3)
    engine.run(3, ITERATIONS - 3)
    expanded, tables = exact(game, solver)
    known = {int(key): int(expanded.form.first[j]) for j, key in enumerate(expanded.keys)}
    sigma, regret = expanded.unmerged(average_strategy(expanded.merged, tables)), expanded.unmerged(tables.regret)
    for n in np.flatnonzero(walked.tree.player >= 0).tolist():
        strategy = engine.strategy(n)[1]
        regrets = engine.rows(engine.tables.regret, n)
        for deal, key in walked.keys(n).items():
            hand = int(walked.hand[walked.player[n]][deal])
            slots = slice(known[key % 2**64], known[key % 2**64] + strategy.shape[1])
            np.testing.assert_allclose(strategy[hand], sigma[slots], atol=1e-9, rtol=0)
            np.testing.assert_allclose(regrets[:, hand], regret[slots], atol=1e-9, rtol=0)
    judged = exploitability_of(expanded.merged, average_strategy(expanded.merged, tables))
    assert engine.exploitability() == pytest.approx(judged, abs=1e-9)
    assert engine.exploitability().values == pytest.approx(judged.values, abs=1e-9)
    assert engine.gap() == pytest.approx(judged, abs=1e-9)


@pytest.mark.parametrize("name", FULL_WIDTH)
def test_every_rule(name: str) -> None:
    assert_same(Leduc(), PRESETS[name]())


@pytest.mark.parametrize("game", [Kuhn(), LiarsDice(sides=3)], ids=repr)
def test_other_games(game: Any) -> None:
    assert_same(game, dcfr())


@pytest.mark.parametrize("make", [cfr, pcfr_plus])
def test_players_updated_at_the_same_time(make: Any) -> None:
    assert_same(Leduc(), make(alternating=False))


@pytest.mark.parametrize("make", [cfr, cfr_plus, pcfr_plus])
def test_preferences(make: Any) -> None:
    assert_same(Leduc(), make(prefer=["raise, first: delta=5, beta=0.05", "fold, player 1: delta=3"]))


def test_values_by_hand() -> None:
    """Each hand's own expectation, which the whole is made of."""
    _, engine = ranged(Kuhn(), dcfr())
    engine.run(0, ITERATIONS)
    judged = engine.exploitability()
    for p in range(2):
        assert engine.values(p).mean() == pytest.approx(judged.values[p])
    assert engine.values(0)[2] > engine.values(0)[0]


@pytest.mark.parametrize("make", [dcfr, pcfr_plus])
def test_a_saved_engine_goes_on_to_the_same_bits(make: Any) -> None:
    _, whole = ranged(Leduc(), make())
    whole.run(0, ITERATIONS)
    _, half = ranged(Leduc(), make())
    half.run(0, 4)
    half.exploitability()  # which leaves nothing behind
    _, other = ranged(Leduc(), make())
    other.restore({name: array.copy() for name, array in half.saved().items()})
    other.run(4, ITERATIONS - 4)
    for name, array in whole.saved().items():
        assert array.tobytes() == other.saved()[name].tobytes()
    with pytest.raises(RuseError, match="not one that this training could have saved"):
        other.restore({"regret": whole.tables.regret})


@pytest.mark.parametrize("game", [Goofspiel(), Cheat(ranks=2, copies=1, deal=1), Kuhn(players=3)], ids=repr)
def test_other_hidden_moves_are_refused(game: Any) -> None:
    with pytest.raises(RuseError, match=r"more than the first deal is hidden|two players"):
        Walked(game)


def test_what_is_not_whole_is_refused() -> None:
    with pytest.raises(RuseError, match="walked whole"):
        ranged(Kuhn(), mccfr())
