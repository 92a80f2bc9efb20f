"""Rates are watched while an agent trains."""

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError
from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.views import Memoryless


def trained(what: str) -> ruse.Run:
    rule = ruse.Iterations(60, ruse.Rate(BOTS["naive"], what, deals=200, seed=3))
    return ruse.train(ruse.Cheat(), ruse.mccfr("chance"), until=rule, view=Memoryless())


def test_rates_are_those_of_a_match() -> None:
    run = trained("lies")
    last = ruse.match(ruse.Cheat(), [run.strategy, BOTS["naive"]], deals=200, seed=3).rates[0]["lies"]
    checks = run.checks
    assert len(checks) > 5
    assert checks[-1] == (60, pytest.approx(last))
    assert np.ptp([found for _, found in checks]) > 0.01, "it learns to lie less, or more"


def test_sentences() -> None:
    with pytest.raises(RuseError, match=r"has no rate 'tricks'; there are lies, challenges, challenges won, discards"):
        trained("tricks")
    assert repr(ruse.Rate(ruse.RandomBot(), "lies")).startswith("Rate('lies', RandomBot(")
