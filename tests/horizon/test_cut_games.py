"""Leduc poker cut before its board: several values a leaf keep the first round from losing in the whole game."""

import doctest
from functools import cache
from typing import Any

import numpy as np
import pytest
from places import ROOT

from ruse.errors import RuseError
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.horizon.continuations import CALLS, Continuation, Leafs, biased
from ruse.horizon.games import CutGame, put_rows, rows_of
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.frozen import frozen_engine
from ruse.solve.ranges.plans.games import game_plan
from ruse.solve.ranges.plans.leaves import leaf_plan
from ruse.solve.ranges.public.walked import Walked
from ruse.solve.solver.presets import dcfr

WALKED = Walked(Leduc())
CUT = CutGame.of(WALKED)


@cache
def blueprint() -> tuple[dict[int, Any], float]:
    engine = RangeEngine(game_plan(WALKED), dcfr(), dtype=np.float64)
    engine.run(0, 2_000)
    return rows_of(engine, np.flatnonzero(WALKED.tree.player >= 0).tolist()), engine.exploitability().values[0]


@cache
def first_round(leafs: Leafs) -> dict[int, Any]:
    """The first round of the game that is cut."""
    plan, node = leaf_plan(CUT.valued(blueprint()[0], leafs))
    engine = RangeEngine(plan, dcfr(), dtype=np.float64)
    engine.run(0, 1_000)
    assert engine.gap() < 1e-3
    assert engine.exploitability().values[0] == pytest.approx(blueprint()[1], abs=2e-3)
    return {whole: engine.strategy(node[n])[1] for n, whole in enumerate(CUT.kept) if CUT.tree.player[n] >= 0}


def whole(first: dict[int, Any]) -> float:
    """Exploitability in the whole game, with the blueprint's second round."""
    judge = RangeEngine(game_plan(WALKED), dcfr(), dtype=np.float64)
    put_rows(judge, {**blueprint()[0], **first})
    return float(judge.exploitability())


def lost(first: dict[int, Any], player: int) -> float:
    """What a player's first round loses, if his second is the best possible."""
    kept = {n: rows for n, rows in first.items() if WALKED.player[n] == player}
    engine = frozen_engine(game_plan(WALKED), dcfr(), kept)
    engine.run(0, 600)
    for n, rows in kept.items():
        np.testing.assert_allclose(engine.strategy(n)[1], rows, atol=1e-9)
    return (blueprint()[1] - engine.exploitability().values[0]) * (1 if player == 0 else -1)


def test_more_values_lose_less() -> None:
    """Of the strategy as it is, raising, calling and folding five times as likely."""
    found = [whole(first_round(Leafs(biased(k)))) for k in (1, 2, 4)]
    assert found[0] > 2.0 * found[1] > 4.0 * found[2]
    assert found[0] > 0.3
    assert found[2] < 0.03
    assert whole({}) < 1e-3


def test_no_second_round_saves_a_first_one_with_one_value() -> None:
    one, four = (first_round(Leafs(biased(k))) for k in (1, 4))
    assert lost(one, 0) + lost(one, 1) > 0.1
    assert lost(four, 0) + lost(four, 1) < 0.02


def test_who_alone_faces_choices_is_safe() -> None:
    """If only the opponent chooses, one's own first round is safe; his is not, because nothing may answer it."""
    first = first_round(Leafs(biased(4), who=(False, True)))
    assert lost(first, 0) < 2e-3
    assert lost(first, 1) > 0.01


def test_a_continuation_leans_and_adds_up_to_one() -> None:
    rows = np.array([[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]])
    leaning = Continuation("calling", CALLS, 5.0).of(rows, ["fold", "call", "raise 2"])
    np.testing.assert_allclose(leaning, [[0.25, 0.625, 0.125], [1.0, 0.0, 0.0]])
    assert Continuation().of(rows, ["fold", "call", "raise 2"]) is rows


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(RuseError, match="1 to 4 ways to go on, not 5"):
        biased(5)
    with pytest.raises(RuseError, match="above 1"):
        biased(4, 0.5)
    with pytest.raises(RuseError, match="nowhere to cut"):
        CutGame.of(Walked(Kuhn()))


def test_the_page_runs() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "depth-limited.md"), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0
