"""A button that answers mistakes for a price: on a cut tree small enough to look at."""

import numpy as np
import pytest

from ruse.errors import RuseError
from ruse.horizon.adapting import adapted, given_away, restricted
from ruse.horizon.preflop import duel
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.plans.leaves import CutTree, leaf_plan
from ruse.solve.ranges.public.betting import END, PublicTree
from ruse.solve.solver.presets import dcfr

# Player 0 acts, player 1 answers, and player 0 acts again after one answer.
TREE = PublicTree.of([0, END, 1, END, 0, END, END], [[1, 2], [], [3, 4], [], [5, 6], [], []])
RNG = np.random.default_rng(4)
PAIRS = np.full((3, 3), 1.0 / 9.0)
CUT = CutTree(
    TREE, {n: RNG.normal(size=(1, 2 if n == 6 else 1, 3, 3)) * PAIRS for n in np.flatnonzero(TREE.player == END)}, PAIRS
)


def solved_rows() -> dict[int, np.ndarray]:
    plan, node = leaf_plan(CUT)
    engine = RangeEngine(plan, dcfr(), dtype=np.float64)
    engine.run(0, 300)
    return {n: engine.strategy(node[n])[1] for n in (0, 2, 4)}


def random_rows(seed: int) -> dict[int, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {n: rng.dirichlet(np.ones(2), 3) for n in (0, 2, 4)}


def test_who_is_trusted_is_answered_best_and_who_is_not_gets_nothing() -> None:
    others, normal = random_rows(1), solved_rows()
    best = restricted(CUT, others, 0.999, dcfr(), 300)
    for seed in range(5, 25):
        assert duel(CUT, best, others) >= duel(CUT, random_rows(seed), others) - 1e-3
    safe = restricted(CUT, others, 0.001, dcfr(), 300)
    assert given_away(CUT, safe) == pytest.approx(given_away(CUT, normal), abs=5e-3)
    assert duel(CUT, best, others) > duel(CUT, safe, others) + 0.05


def test_no_more_is_given_away_than_was_said() -> None:
    normal, others = solved_rows(), random_rows(1)
    whole = adapted(CUT, normal, others, price=10.0, iterations=200)
    assert whole.trust > 0.9
    assert whole.gain > 0.05
    found = adapted(CUT, normal, others, price=whole.price / 3.0, iterations=200)
    assert given_away(CUT, found.rows) - given_away(CUT, normal) == pytest.approx(found.price, abs=1e-12)
    assert found.price <= whole.price / 3.0
    assert 0.0 <= found.gain <= whole.gain + 1e-6
    nothing = adapted(CUT, normal, others, price=0.0, steps=0)
    assert (nothing.gain, nothing.trust) == (0.0, 0.0)
    with pytest.raises(RuseError, match="at least 0 big blinds a hand"):
        adapted(CUT, normal, others, price=-0.1)
