"""Quantiles of Student's distribution, judged by SciPy's; and what asks for them where samples are few."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from ruse.evaluate.holdem.local import Winnings
from ruse.evaluate.lower_bound import LowerBound
from ruse.evaluate.luck import LessLuck
from ruse.horizon.search.strength import Estimate
from ruse.play.round_robin import Winning
from ruse.styles.metrics import Measured
from ruse.styles.sample import ratio_of
from ruse.subgame.deal_responses import Won
from ruse.words.over_seeds import OverSeeds
from ruse.words.student import EXACT, is_untold, margin, share_within, student, told_interval, told_margin

FEW = np.array([1.0, -2.0, 0.5])


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.9875])
def test_quantiles(confidence: float) -> None:
    for freedom in [*range(1, EXACT + 5), 1_000, 10_000_000]:
        assert student(freedom, confidence) == pytest.approx(stats.t.ppf(0.5 + confidence / 2, freedom), rel=1e-6)


def test_shares() -> None:
    for freedom in (1, 2, 3, 10, 99):
        for t in (0.0, 0.3, 2.0, 50.0):
            assert share_within(t, freedom) == pytest.approx(2 * stats.t.cdf(t, freedom) - 1, abs=1e-12)


def test_without_freedom_nothing_is_known() -> None:
    assert student(0) == math.inf


def test_whoever_tells_an_interval_of_few_asks_for_them() -> None:
    low, high = stats.t.interval(0.95, len(FEW) - 1, FEW.mean(), stats.sem(FEW))
    won = Winning(3, FEW.sum(), float(FEW @ FEW), 6, 2.0)
    assert (won.mean - won.margin, won.mean + won.margin) == pytest.approx((low, high))
    assert Won(FEW).interval == pytest.approx((low, high))
    assert OverSeeds.of(FEW.tolist())[1:3] == pytest.approx((low, high))
    done, possible = np.array([1.0, 0.0, 3.0]), np.array([4.0, 4.0, 4.0])
    margin = stats.t.ppf(0.975, 2) * stats.sem(done / 4)
    assert ratio_of(done, possible).interval == pytest.approx((max(0, 1 / 3 - margin), min(1, 1 / 3 + margin)))


def test_a_few_samples_that_are_all_alike_have_no_interval() -> None:
    assert is_untold(2, 0.0)
    assert is_untold(58, 0.0)
    assert not is_untold(59, 0.0)  # (1 - 1/20)^59 < 5 %
    assert is_untold(59, 0.0, confidence=0.99)
    assert is_untold(20, 1e-9, mean=0.5)  # rounding is no spread
    assert not is_untold(2, 0.01, mean=0.5)
    assert is_untold(20, math.nan)
    assert margin(10_000, 0.0) == 0.0
    assert told_margin(margin(2, 0.0)) == "+- ? (too few, all alike)"
    assert told_margin(0.25) == "+- 0.2500"
    assert told_interval(-math.inf, math.inf) == "? (too few, all alike)"
    assert told_interval(0.25, 0.5, "+.2f") == "+0.25 to +0.50"


def test_no_sentence_tells_an_endless_interval() -> None:
    """One told "worth inf times as many deals", others "+- inf mbb" and "-inf to inf"."""
    endless = math.inf
    told = [
        LessLuck(("a", "b"), 0.1, 0.3, 0.0, endless, 2, 0), LessLuck(("a", "b"), 0.1, endless, 0.0, endless, 2, 0),
        Winnings(0.1, endless, (0.1, 0.1), 2, 0), Estimate(0.1, endless), Won(np.zeros(3)),
        Measured("bets", 0.5, (-endless, endless)), LowerBound((0.1, 0.2), (endless, 0.1), 1, 2, 0),
    ]  # fmt: skip
    for one in told:
        assert "too few" in str(one)
        assert not re.search(r"\b(inf|nan|worth)\b", str(one)), one
    assert str(LessLuck(("a", "b"), 0.1, 0.2, 0.0, 0.4, 2, 0)).endswith("+- 0.4000: worth 4.0 times as many deals")


def test_a_decision_that_was_met_three_times_has_no_rate_that_is_certain() -> None:
    possible = np.zeros(1_000)
    possible[:3] = 1.0
    assert ratio_of(possible, possible).interval == (0.0, 1.0)
    assert ratio_of(np.ones(1_000), np.ones(1_000)).interval == (1.0, 1.0)
    assert Won(np.ones(5)).interval == (-math.inf, math.inf)
