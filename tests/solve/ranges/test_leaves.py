"""Choices at leaves are hidden: values and best responses agree with sums over all that can be chosen."""

import itertools
from typing import Any

import numpy as np
import pytest

from ruse.errors import RuseError
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.plans.leaves import CutTree, LeafPlan, leaf_plan, with_choices
from ruse.solve.ranges.public.betting import DEAL, END, PublicTree
from ruse.solve.solver.presets import dcfr

TREE = PublicTree.of([0, END, 1, END, END, 0, END, END], [[1, 2], [], [3, 4, 5], [], [], [6, 7], [], []])
SHAPES = {1: (3, 2), 3: (1, 1), 4: (1, 3), 6: (2, 1), 7: (2, 4)}


def random_cut(shapes: dict[int, tuple[int, int]] = SHAPES) -> CutTree:
    rng = np.random.default_rng(5)
    pairs = rng.uniform(0.0, 1.0, (3, 4))
    pairs /= pairs.sum()
    return CutTree(TREE, {n: rng.normal(size=(*shape, 3, 4)) * pairs for n, shape in shapes.items()}, pairs)


def played(cut: CutTree, engine: RangeEngine, found: LeafPlan) -> tuple[dict[int, Any], dict[int, Any]]:
    """The rows of decisions, and both players' rows of choices at each leaf."""
    rows = {n: engine.strategy(found.node[n])[1] for n in (0, 2, 5)}
    choices = {}
    for n, worth in cut.worth.items():
        here, both = found.node[n], []
        for p, count in enumerate(worth.shape[:2]):
            both.append(engine.strategy(here)[1] if count > 1 else np.ones((worth.shape[2 + p], 1)))
            here += count > 1
        choices[n] = both
    return rows, choices


def worth_of(cut: CutTree, rows: dict[int, Any], choices: dict[int, Any]) -> float:
    """What player 0 gets, by a sum over all hands, lines and choices."""

    def visit(n: int, reach: list[Any]) -> float:
        who = int(cut.tree.player[n])
        if who == END:
            total = 0.0
            for a, b in itertools.product(*map(range, cut.worth[n].shape[:2])):
                first, second = reach[0] * choices[n][0][:, a], reach[1] * choices[n][1][:, b]
                total += float(first @ cut.worth[n][a, b] @ second)
            return total
        total = 0.0
        for a, c in enumerate(cut.tree.children(n)):
            there = list(reach)
            there[who] = reach[who] * rows[n][:, a]
            total += visit(c, there)
        return total

    return visit(0, [np.ones(3), np.ones(4)])


def answered(cut: CutTree, rows: dict[int, Any], choices: dict[int, Any], me: int) -> float:
    """The most that a player gets, hand by hand, against what the other does."""

    def visit(n: int, reach: Any) -> Any:
        who = int(cut.tree.player[n])
        if who == END:
            worth = cut.worth[n] if me == 0 else -cut.worth[n].transpose(1, 0, 3, 2)
            others = choices[n][1 - me]
            return np.max([sum(w @ (reach * others[:, b]) for b, w in enumerate(own)) for own in worth], axis=0)
        below = cut.tree.children(n)
        if who == me:
            return np.max([visit(c, reach) for c in below], axis=0)
        return np.sum([visit(c, reach * rows[n][:, a]) for a, c in enumerate(below)], axis=0)

    return float(visit(0, np.ones(4 if me == 0 else 3)).sum())


def test_values_and_best_responses() -> None:
    cut = random_cut()
    found = leaf_plan(cut)
    engine = RangeEngine(found.plan, dcfr(), dtype=np.float64)
    for done, more in ((0, 3), (3, 20)):
        engine.run(done, more)
        judged = engine.exploitability()
        rows, choices = played(cut, engine, found)
        assert judged.values[0] == pytest.approx(worth_of(cut, rows, choices), abs=1e-12)
        assert judged.best == pytest.approx([answered(cut, rows, choices, p) for p in range(2)], abs=1e-12)
    engine.run(23, 500)
    assert engine.gap() < 1e-3
    assert engine.values(0) @ cut.pairs.sum(axis=1) == pytest.approx(engine.exploitability().values[0])


def test_one_value_a_leaf_adds_no_choice() -> None:
    tree, node = with_choices(random_cut(dict.fromkeys(SHAPES, (1, 1))))
    assert node == list(range(8))
    assert tree.player.tolist() == TREE.player.tolist()


def test_matrices_that_do_not_fit_are_refused() -> None:
    cut = random_cut()
    with pytest.raises(RuseError, match="by two choices and two hands"):
        leaf_plan(cut._replace(worth={**cut.worth, 1: np.zeros((2, 2, 4, 3))}))
    with pytest.raises(RuseError, match="each end says what it is worth"):
        leaf_plan(cut._replace(worth={n: each for n, each in cut.worth.items() if n != 3}))
    with pytest.raises(RuseError, match="decisions and ends"):
        leaf_plan(cut._replace(tree=cut.tree._replace(player=np.where(cut.tree.player == 1, DEAL, cut.tree.player))))
