"""Strategies of ours as policies of OpenSpiel and back; both sides judge them alike."""

from typing import Any

import pytest

import ruse

pyspiel = pytest.importorskip("pyspiel")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")

SAME = [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker"), ("liars_dice:sides=2", "liars_dice(dice_sides=2)")]


@pytest.mark.parametrize(("ours", "theirs"), SAME)
def test_there_and_back(ours: str, theirs: str) -> None:
    run = ruse.train(ours, "cfr", iterations=5)
    policy = run.strategy.to_openspiel(theirs)
    measured = ruse.measure_exploitability(ours, run)
    assert exploitability.exploitability(policy.game, policy) == pytest.approx(float(measured))
    back = ruse.Strategy.from_openspiel(policy, ours)
    assert back.keys.tolist() == run.strategy.keys.tolist()
    assert back.probability == pytest.approx(run.strategy.probability)


def test_a_game_that_was_loaded_from_there_knows_its_name() -> None:
    run = ruse.train("openspiel:kuhn_poker", "cfr", iterations=3)
    policy = run.strategy.to_openspiel()
    assert exploitability.exploitability(policy.game, policy) == pytest.approx(run.exploitability)


def test_any_policy_of_theirs() -> None:
    policy = pytest.importorskip("open_spiel.python.policy").UniformRandomPolicy(pyspiel.load_game("kuhn_poker"))
    made = ruse.Strategy.from_openspiel(policy, "kuhn", source="kuhn_poker")
    assert set(made.probability.tolist()) == {0.5}


def test_games_that_are_not_the_same() -> None:
    uniform = ruse.Strategy.uniform
    with pytest.raises(ruse.RuseError, match=r"is not OpenSpiel's leduc_poker.*: after the start there are 6 actions"):
        uniform("kuhn").to_openspiel("leduc_poker")
    with pytest.raises(ruse.RuseError, match=r"payoffs are different$"):
        uniform("kuhn:bet=2").to_openspiel("kuhn_poker")
    with pytest.raises(ruse.RuseError, match=r"has 3 players, and OpenSpiel's"):
        uniform("kuhn:players=3").to_openspiel("kuhn_poker")
    with pytest.raises(ruse.RuseError, match=r"it has no game of that name$"):
        uniform("kuhn").to_openspiel("kuhn_pokr")
    with pytest.raises(ruse.RuseError, match=r'^say which game of OpenSpiel Kuhn.* is, as in to_openspiel\("leduc'):
        uniform("kuhn").to_openspiel()
    with pytest.raises(ruse.RuseError, match=r"^a policy of OpenSpiel is needed"):
        ruse.Strategy.from_openspiel(5, "kuhn", source="kuhn_poker")


class Says:
    """A policy that says this, wherever it is asked."""

    def __init__(self, said: Any) -> None:
        self.said = said

    def action_probabilities(self, state: Any, player: int | None = None) -> Any:
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


@pytest.mark.parametrize(
    "said", [{0: 0.25, 1: 0.25}, {0: float("nan"), 1: 1.0}, {0: -1.0, 1: 2.0}, {7: 1.0}, {}], ids=repr
)
def test_what_is_no_distribution_is_no_policy(said: dict[int, float]) -> None:
    """They were divided by their sum: probabilities of -1 and nan came out of it."""
    with pytest.raises(
        ruse.RuseError, match=r"^Says is no policy: at '.*' the probabilities of its actions are .* add up"
    ):
        ruse.Strategy.from_openspiel(Says(said), "kuhn", source="kuhn_poker")


@pytest.mark.parametrize("said", [None, [0.5, 0.5], {0: "a", 1: "b"}, ValueError("two\nlines")], ids=repr)
def test_a_policy_that_fails_is_told_in_a_sentence(said: Any) -> None:
    with pytest.raises(ruse.RuseError, match=r"^action_probabilities\(\) of Says has failed: ") as found:
        ruse.Strategy.from_openspiel(Says(said), "kuhn", source="kuhn_poker")
    assert "\n" not in str(found.value)
