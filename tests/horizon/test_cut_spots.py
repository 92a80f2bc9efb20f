"""A turn cut before the river, beside the whole solve."""

from functools import cache

import numpy as np
import pytest

from ruse.errors import RuseError
from ruse.games.holdem.spots.betting import betting_of
from ruse.games.holdem.spots.reading import spot_of
from ruse.horizon.continuations import Leafs, biased
from ruse.horizon.spots import CutSpot
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.plans.holdem import holdem_plan
from ruse.solve.ranges.plans.leaves import leaf_plan
from ruse.solve.solver.presets import dcfr
from ruse.spots.solving import betting_for

SOLVER = dcfr()
SPOT = spot_of(
    "board Qs Jh 2h 8d, pot 50, stack 600, oop TT-77, AQs-ATs, KQs, KJs, QTs, JTs, T9s, 98s, 76s, "
    "ip QQ, 99, AKs, AQs, KQs, QJs, J9s, T9s, 87s, A5s, bets 75% 150%, raises all-in"
)
BETTING = betting_of(SPOT)
CUT = CutSpot.of(SPOT, BETTING)
DECISIONS = [(n, whole) for n, whole in enumerate(CUT.kept) if CUT.tree.player[n] >= 0]


@cache
def full() -> RangeEngine:
    plan = holdem_plan(SPOT.board, (SPOT.weights(0), SPOT.weights(1)), betting_for(SPOT, BETTING))
    engine = RangeEngine(plan, SOLVER, dtype=np.float64)
    engine.run(0, 500)
    return engine


def test_the_leaves_are_worth_what_the_solved_river_makes_them() -> None:
    """With its turn the cut spot has the value of the whole one, with every hand."""
    engine = full()
    plan, node = leaf_plan(CUT.valued(engine, Leafs()))
    cut = RangeEngine(plan, SOLVER, dtype=np.float64)
    for n, whole in DECISIONS:
        cut.rows(cut.tables.average, node[n])[:] = engine.strategy(whole)[1].T
    assert cut.exploitability().values == pytest.approx(engine.exploitability().values, abs=1e-9)
    for p in range(2):
        np.testing.assert_allclose(cut.values(p), engine.values(p), atol=1e-9)


def test_a_turn_with_four_values_a_leaf_is_closer_to_the_whole_solve() -> None:
    engine, lost = full(), []
    judge = RangeEngine(engine.plan, SOLVER, dtype=np.float64)
    for count in (1, 4):
        plan, node = leaf_plan(CUT.valued(engine, Leafs(biased(count))))
        cut = RangeEngine(plan, SOLVER, dtype=np.float64)
        cut.run(0, 1_000)
        judge.take_average(engine.tables.average)
        for n, whole in DECISIONS:
            here = int(np.flatnonzero(engine.plan.forest.tree_node == whole)[0])
            judge.rows(judge.tables.average, here)[:] = cut.strategy(node[n])[1].T
        lost.append(float(judge.exploitability()) / SPOT.pot)
    assert lost[0] > 0.015
    assert lost[1] < lost[0] / 2


def test_other_streets_are_refused() -> None:
    spot = spot_of("board Qs Jh 2h 8d 3c, pot 50, stack 100, oop AA, ip KK, bets 75%")
    with pytest.raises(RuseError, match="four cards on the board; this one has 5"):
        CutSpot.of(spot, betting_of(spot))
