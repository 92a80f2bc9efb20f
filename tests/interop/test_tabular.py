"""Strategies of ours as policies of OpenSpiel and back; both sides judge them alike."""

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
