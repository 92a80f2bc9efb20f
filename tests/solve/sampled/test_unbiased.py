"""Every sampled walk estimates what the slow twin computes, on average."""

import naive
import numpy as np
import pytest
from frozen_engines import (
    GAMES,
    ITERATIONS,
    LIMIT,
    PRUNED,
    SAMPLED,
    errors,
    frozen,
    measured,
    most_telling_games,
    often_met,
    tree,
)
from marks import compiled_only

VARIANTS = ("outcome_plain", "probing_on_policy")  # of walks that are tested beside them


@compiled_only
@pytest.mark.parametrize(
    "walk", [pytest.param(walk, marks=pytest.mark.slow if walk in VARIANTS else ()) for walk in SAMPLED]
)
@most_telling_games
def test_estimates_are_unbiased(name: str, walk: str) -> None:
    engine, where, truth = frozen(name, walk)
    before = engine.table.rows.copy()
    mean, error = measured(engine, 0, ITERATIONS[walk])
    for slots in where.values():  # baselines may learn, all else must be as it was
        n = slots.stop - slots.start
        assert np.array_equal(
            engine.table.rows[slots.start - 1 : slots.stop + n], before[slots.start - 1 : slots.stop + n]
        )
    assert engine.table.infosets == len(where)
    assert errors(mean, error, truth.regret + truth.average).max() < LIMIT
    # A bias of a twentieth would be seen: in the regrets, and in the averages.
    for part in (truth.regret, truth.average):
        taken = np.abs(part) > 1e-9
        assert errors(mean, error, 1.05 * part)[taken].max() > LIMIT
        assert np.median(LIMIT * error[taken] / np.abs(part[taken])) < 0.05


@compiled_only
@pytest.mark.parametrize(
    "walk", [pytest.param(walk, marks=() if walk == "external_pruned" else pytest.mark.slow) for walk in PRUNED]
)
@pytest.mark.parametrize("name", ["kuhn", "random_2"])
def test_averages_are_unbiased_whatever_is_pruned(name: str, walk: str) -> None:
    engine, where, truth = frozen(name, walk)
    mean, error = measured(engine, 0, 12_000)
    averages = np.concatenate([np.arange(slots.stop, 2 * slots.stop - slots.start) for slots in where.values()])
    assert errors(mean, error, truth.average)[averages].max() < LIMIT
    taken = averages[truth.average[averages] > 1e-9]
    assert errors(mean, error, 1.05 * truth.average)[taken].max() > LIMIT
    whole, _, _ = frozen(name, walk.removesuffix("_pruned"))
    measured(whole, 0, 12_000)
    assert engine.facts.nodes < whole.facts.nodes


def test_the_games_have_what_is_hard() -> None:
    """Infosets that a walk meets several times at once, infosets that are not reached, actions that are not played."""
    met = often_met(tree("random_2"), None)
    assert max(met.values()) > 1.5
    assert max(often_met(tree("random_3_general"), None).values()) > 1.5
    for name in GAMES:
        assert naive.count(tree(name), GAMES[name].players).histories > len(met)
    _, _, truth = frozen("random_2", "external")
    assert min(truth.own.values()) < 0.05


@compiled_only
@pytest.mark.parametrize(("name", "share"), [("kuhn", 0.7), ("random_2", 1.0)])  # chance's own part stays
def test_baselines_reduce_the_variance(name: str, share: float) -> None:
    spread = {}
    for walk in ("outcome", "outcome_plain"):
        engine, where, _ = frozen(name, walk)
        engine.run(0, 20_000)  # so that baselines know
        _, error = measured(engine, 20_000, 50, batches=2_000)
        spread[walk] = sum(float((error[slots] ** 2).sum()) for slots in where.values())
    assert spread["outcome"] < share * spread["outcome_plain"]
