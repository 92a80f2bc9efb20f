"""The experiments of paper 002: they measure what they claim, and compare as they say."""

import math

import numpy as np
import pytest

from ruse.experiments.best_response_pruning import average_value, decks, pruning_curves, warm_start
from ruse.experiments.best_response_pruning.pruning_curves import Point
from ruse.experiments.lab import Lab
from ruse.games.cheat import Cheat
from ruse.games.kuhn import Kuhn
from ruse.solve.presets import mccfr
from ruse.solve.sampled import SampledEngine


def test_curves_count_nodes_alike() -> None:
    """Without pruning every history is visited; partial pruning visits some of them, for the same strategy."""
    rows = pruning_curves.rows_of(Kuhn())
    plain = pruning_curves.curve(pruning_curves.made(Kuhn(), None), 100, rows=rows)
    partial = pruning_curves.curve(pruning_curves.made(Kuhn(), "partial"), 100, rows=rows)
    assert plain[-1].nodes == 100 * rows
    assert rows < partial[-1].nodes < plain[-1].nodes
    assert partial[-1].exploitability == pytest.approx(plain[-1].exploitability)


def test_rows_are_judged() -> None:
    plain = [Point(t, 100.0 * t, 1.0 * t, 1.0 / t) for t in range(1, 9)]
    better = [Point(t, 10.0 * t, 0.5 * t, 1.05 / t) for t in range(1, 9)]
    worse = [Point(t, 110.0 * t, 0.5 * t, 1.2 / t) for t in range(1, 9)]
    assert [row.ok for row in pruning_curves.compared("x", plain, better)] == [True, True]
    assert [row.ok for row in pruning_curves.compared("x", plain, worse)] == [False, False]


def test_nodes_to_a_target() -> None:
    points = [
        Point(1, 10.0, 0.0, 1.0),
        Point(2, 100.0, 0.0, 0.1),
        Point(3, 200.0, 0.0, 0.3),
        Point(4, 800.0, 0.0, 0.03),
    ]
    assert warm_start.nodes_to(points, 0.03) == pytest.approx(800.0)
    assert warm_start.nodes_to(points, math.sqrt(0.3 * 0.03)) == pytest.approx(400.0), "where it stays below"
    assert warm_start.nodes_to(points, 2.0) == 10.0
    assert warm_start.nodes_to(points, 0.01) == math.inf


def test_the_average_value_is_that_of_the_game() -> None:
    means = average_value.running_mean(SampledEngine(Kuhn(), mccfr(), seed=0), 20_000)
    assert np.mean(means[-1]) == pytest.approx(-1 / 18, abs=0.03)


def test_a_deck_by_sampling() -> None:
    cell = decks.by_sampling(Lab(quick=True), Cheat(hp=2))
    assert cell.pruned < cell.plain
    assert "at equal iterations exploitability" in cell.compared
    assert decks.called(decks.WHOLE[-1]) == "5x3, 4 cards, 1 HP, 2 turns"
