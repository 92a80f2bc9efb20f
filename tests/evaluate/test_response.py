"""A best response as a strategy gets what exploitability says that it gets."""

import pytest

import ruse
from ruse.evaluate.exploitability import expected_values


@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn:players=3"])
def test_it_gets_what_the_measure_says(name: str) -> None:
    run = ruse.train(name, "cfr", iterations=7)
    measured = ruse.measure_exploitability(name, run)
    for p in range(run.game.players):
        found = ruse.find_best_response(name, run, player=p)
        profile = [found.strategy if q == p else run.strategy for q in range(run.game.players)]
        assert found.values == (pytest.approx(measured.best[p]),)
        assert expected_values(name, profile)[p] == pytest.approx(measured.best[p])
        assert found.gains == (pytest.approx(measured.per_player[p]),)
    every = ruse.find_best_response(name, run)
    assert every.values == pytest.approx(measured.best)
    assert set(every.strategy.probability.tolist()) == {0.0, 1.0}


def test_the_others_play_as_before() -> None:
    run = ruse.train("kuhn", "cfr", iterations=7)
    found = ruse.find_best_response("kuhn", run, player=1).strategy
    same = [(a, b) for a, b in zip(run.strategy, found, strict=True) if a.player == 0]
    assert all(a.actions == pytest.approx(b.actions) for a, b in same)


def test_against_a_fool() -> None:
    found = ruse.find_best_response("kuhn", ruse.Strategy.uniform("kuhn"), player=0)
    assert found.strategy["K, pass bet"] == {"pass": 0.0, "bet": 1.0}
    assert "player 0" in repr(found)
    assert "+0.500000" in found._repr_html_()
