"""The strategy of the last iteration beside the average of all of them."""

import numpy as np
import pytest

import ruse


def test_the_first_iteration_plays_by_what_it_has_learned() -> None:
    """After one iteration of CFR the average is uniform, and the current strategy follows the regret."""
    run = ruse.train("kuhn", ruse.cfr(alternating=False), iterations=1)
    assert set(run.strategy.probability.tolist()) == {0.5}
    learned = run.engine.learned(1)
    for first, last in zip(learned.start[:-1], learned.start[1:], strict=True):
        positive = np.maximum(learned.regret[first:last], 0.0)
        share = positive / positive.sum() if positive.sum() > 0 else np.full(last - first, 1 / (last - first))
        assert run.current.probability[first:last] == pytest.approx(share)


def test_both_engines_agree_on_what_regret_plays() -> None:
    run = ruse.train("kuhn", "cfr", iterations=20)
    from ruse.training.engines.current import played_by

    again = played_by(run.engine.learned(20), run.solver, run.strategy)
    assert again.probability == pytest.approx(run.current.probability)
    assert run.current.about["rule"] == "cfr, current"


def test_a_sampled_walk_has_one_too() -> None:
    run = ruse.train("kuhn", "mccfr", iterations=50)
    sums = np.add.reduceat(run.current.probability, run.current.start[:-1])
    assert sums == pytest.approx(np.ones(len(run.current)))
    assert not np.allclose(run.current.probability, run.strategy.probability)
