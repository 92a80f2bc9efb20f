"""Values of standard games: by OpenSpiel's best responses to our equilibria, or by a program over a tree not ours."""

import pytest
from programs import value_of
from spiel import twins
from whist import oh_hell

import ruse

pyspiel = pytest.importorskip("pyspiel")

BATTLESHIP = (
    "battleship(board_height={},board_width={},ship_sizes=[{}],ship_values=[{}],num_shots={},"
    "allow_repeated_shots=False,loss_multiplier=1.0)"
)
CASES = [
    ("battleship:cols=2", BATTLESHIP.format(2, 2, "2", "1.0", 2), 1 / 16),
    ("battleship:rows=1,ships=1/2", BATTLESHIP.format(1, 3, "1;2", "1.0;1.0", 2), 0.0),
    pytest.param("battleship", BATTLESHIP.format(2, 3, "2", "1.0", 2), 1 / 49, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("spec", "name", "value"), CASES)
def test_equilibria_are_not_exploited_by_openspiel(spec: str, name: str, value: float) -> None:
    found = ruse.find_equilibrium(spec)
    both = twins(ruse.make_game(spec), name)
    policy = both.policy(found.strategy)
    assert pyspiel.nash_conv(both.theirs, policy) == pytest.approx(0, abs=1e-8)
    gains = pyspiel.expected_returns(both.theirs.new_initial_state(), policy, -1, False)
    assert gains[0] == pytest.approx(value, abs=1e-8)
    assert found.value == pytest.approx(value, abs=1e-8)


TRICKS = [
    (2, 3, 1, 0, "oh_hell:tricks=1,dealer=0"),
    (1, 5, 2, 1, "oh_hell:suits=1,ranks=5,dealer=1"),
    pytest.param(2, 3, 2, 0, "oh_hell:dealer=0", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("suits", "ranks", "tricks", "dealer", "spec"), TRICKS)
def test_oh_hell_is_worth_what_a_tree_not_ours_says(
    suits: int, ranks: int, tricks: int, dealer: int, spec: str
) -> None:
    value = value_of(oh_hell(suits, ranks, tricks, dealer))
    assert abs(value) > 0.1  # there is something to be wrong about
    assert ruse.find_equilibrium(spec).value == pytest.approx(value, abs=1e-8)
