"""Subgames judged by OpenSpiel: what a strategy with a second round, or a first, from elsewhere is worth and loses."""

import pyspiel
import pytest
import spiel
from rounds import LEDUC, SecondRound, blueprint, exactly

import ruse
from ruse.subgame.cut import Cut
from ruse.subgame.roots import Roots, leaf_values
from ruse.subgame.strategies import patched


@pytest.fixture(scope="module")
def twins() -> spiel.Twins:
    return spiel.twins(LEDUC, "leduc_poker")


def test_a_second_round_from_the_blueprints_ranges(twins: spiel.Twins) -> None:
    strategy, value = blueprint()
    rooted = Roots.at(LEDUC, SecondRound(), strategy).game(LEDUC)
    new = patched(strategy, exactly(rooted)[0])
    returns = pyspiel.expected_returns(twins.theirs.new_initial_state(), twins.policy(new), -1, False)
    assert returns == pytest.approx([value, -value], abs=1e-6)
    assert twins.nash_conv(new) == pytest.approx(2 * ruse.exploitability(LEDUC, new), abs=1e-6)


def test_a_first_round_from_a_game_that_is_cut(twins: spiel.Twins) -> None:
    strategy, _ = blueprint()
    due = SecondRound(board=False)
    cut = Cut.of(LEDUC, due, leaf_values(LEDUC, due, strategy))
    new = patched(strategy, exactly(cut)[0])
    assert twins.nash_conv(strategy) == pytest.approx(0.0, abs=1e-6)
    assert twins.nash_conv(new) == pytest.approx(2 * ruse.exploitability(LEDUC, new), abs=1e-6)
    assert twins.nash_conv(new) > 0.1
