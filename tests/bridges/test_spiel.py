"""Our games inside OpenSpiel: its own checks pass, and its algorithms find what ours do."""

import random

import numpy as np
import pytest

import ruse
from ruse.bridges.outline import Outline, words_in
from ruse.bridges.spiel import make_openspiel
from ruse.bridges.tensors import Tensors
from ruse.errors import RuseError

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn:players=3", "goofspiel:cards=3"])
def test_it_plays_as_ours_does(name: str) -> None:
    theirs, ours = make_openspiel(name), ruse.make_game(name)
    pyspiel.random_sim_test(theirs, num_sims=3, serialize=False, verbose=False)
    draw = random.Random(0)
    for _ in range(20):
        state, other = ruse.State.of(ours), theirs.new_initial_state()
        while not state.is_over:
            a = draw.randrange(state.num_actions)
            assert other.legal_actions() == list(range(state.num_actions))
            assert not state.is_chance or [x for _, x in other.chance_outcomes()] == state.chances
            state = state.child(a)
            other.apply_action(a)
        assert other.returns() == state.payoffs
        assert str(other) == state.path()


def test_its_solver_solves_it() -> None:
    """C++ CFR on our rules, judged by both."""
    theirs = make_openspiel("kuhn")
    solver = pyspiel.CFRSolver(theirs)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    policy = solver.tabular_average_policy()
    made = ruse.Strategy.from_openspiel(Wrapped(policy), "kuhn", source=theirs)
    mine = float(ruse.measure_exploitability("kuhn", made))
    assert pyspiel.nash_conv(theirs, policy) / 2 == pytest.approx(mine)
    assert ruse.train("kuhn", ruse.cfr(), iterations=20).strategy.to_openspiel(theirs) is not None


class Wrapped:
    """A policy of C++ with the face of those in Python."""

    def __init__(self, policy: object) -> None:
        self.policy = policy

    def action_probabilities(self, state: object, player: int) -> dict[int, float]:
        return dict(self.policy.get_state_policy(state.information_state_string(player)))  # type: ignore[attr-defined]


def test_bounds_are_those_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    outline = Outline.of(ruse.Leduc())
    assert outline[:6] == (3, 6, 11, 8, -13.0, 13.0)
    assert outline.payoff_sum == 0.0
    theirs = pyspiel.load_game("leduc_poker")
    mine = make_openspiel("leduc")
    assert (mine.num_distinct_actions(), mine.max_game_length(), mine.max_utility()) == (
        theirs.num_distinct_actions(), theirs.max_game_length(), theirs.max_utility(),
    )  # fmt: skip
    monkeypatch.setattr("ruse.bridges.outline.FEW", 50)
    monkeypatch.setattr("ruse.bridges.outline.LIMIT", 100)
    with pytest.raises(ruse.RuseError, match="more than 100 histories"):
        make_openspiel("kuhn:players=4")
    with pytest.raises(ruse.RuseError, match="has no name by which OpenSpiel could ask for it"):
        make_openspiel(ruse.make_matrix([[1, -1], [-1, 1]]))


def test_tensors_tell_infosets_apart() -> None:
    """All that a player knows and nothing else: two states have one tensor exactly if they are one infoset."""
    game = ruse.Leduc(ranks=2, suits=2, max_raises=1)
    tensors = Tensors.of(game)
    found: dict[bytes, tuple[int, int]] = {}
    infosets: dict[tuple[int, int], bytes] = {}
    waiting = [ruse.State.of(game)]
    while waiting:
        state = waiting.pop()
        if state.player >= 0:
            key, text = (state.player, state.infoset), tensors(state, state.player).tobytes()
            assert found.setdefault(text, key) == key
            assert infosets.setdefault(key, text) == text
        waiting += list(state.children())
    assert len(found) > 20
    assert words_in("A|2: x") == ["A", "|", "2", ":", "x"]
    assert tensors(ruse.State.of(game), 0).dtype == np.float32
    with pytest.raises(ruse.RuseError, match="is of another game than these tensors"):
        tensors(ruse.State.of(ruse.Leduc(ranks=13)).after("As", "Qs"), 0)


def test_what_is_no_action_is_not_played() -> None:
    state = make_openspiel("kuhn").new_initial_state()
    for action in (99, 3):
        with pytest.raises(RuseError, match=rf"^{action} is no action here; there are 0 to 2$"):
            state.apply_action(action)
    state.apply_action(2)
    assert str(state) == "K"
