"""When a lesson of a curriculum ends."""

from typing import Any, NamedTuple

import pytest
from courses import probabilities
from marks import compiled_only

import ruse
from ruse.errors import RuseError
from ruse.training.terms.stops import Stop

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()


def is_stalled(rule: ruse.Stalled, *measured: float) -> bool:
    return rule.is_reached(list(enumerate(measured, 1)))


def test_a_stall() -> None:
    lower = ruse.Stalled(by=0.1, checks=2, at_least=0)
    assert not is_stalled(lower)
    assert not is_stalled(lower, 3.0, 3.0)  # nothing before the last two
    assert is_stalled(lower, 3.0, 3.0, 3.0)
    assert is_stalled(lower, 3.0, 2.95, 2.91)
    assert not is_stalled(lower, 3.0, 2.8, 3.0)
    assert is_stalled(lower, 3.0, 2.8, 3.0, 2.75)
    assert not is_stalled(lower, 3.0, 2.8, 2.75, 2.6)
    assert is_stalled(lower, 2.0, 3.0, 2.95, 1.95)  # no better than at its best
    higher = ruse.Stalled(ruse.WinRate(ruse.RandomBot()), by=0.1, checks=2, at_least=0)
    assert is_stalled(higher, 0.5, 0.6, 0.55)
    assert not is_stalled(higher, 0.5, 0.65, 0.3)
    patient = lower._replace(at_least=4)
    assert not is_stalled(patient, 3.0, 3.0, 3.0)
    assert is_stalled(patient, 3.0, 3.0, 3.0, 3.0)
    for bad in (ruse.Stalled(checks=0), ruse.Stalled(by=-1.0), ruse.Stalled(by=float("nan"))):
        with pytest.raises(RuseError, match=r"^a stall is no gain by 0 or more over 1 check or more, got .* over \d+$"):
            ruse.train(KUHN, ruse.cfr(), until=bad)


def test_stops_when_exploitability_stalls() -> None:
    rule = ruse.Stalled(by=0.05, checks=3, at_least=0)
    run = ruse.train(LEDUC, ruse.cfr(), until=rule)
    found = list(run.checks)
    assert run.is_finished
    assert [(n, e) for n, _, e in run.curve] == found
    assert rule.is_reached(found)
    assert not any(rule.is_reached(found[:n]) for n in range(len(found)))
    assert 10 < run.iterations < 200
    plain = ruse.train(LEDUC, ruse.cfr(), iterations=run.iterations)
    assert probabilities(run) == probabilities(plain)  # a rule does not change what is computed
    assert plain.checks == []
    limited = ruse.train(LEDUC, ruse.cfr(), until=rule._replace(iterations=10))
    assert limited.iterations == 10
    assert list(limited.checks) == found[:10]
    longer = ruse.train(LEDUC, ruse.cfr(), until=rule._replace(at_least=run.iterations + 1))
    assert longer.iterations > run.iterations


@compiled_only
def test_stops_when_the_win_rate_stalls() -> None:
    """The same game once more: a copy has no more to learn, and stops as soon as the rule allows it."""
    measure = ruse.WinRate(ruse.RandomBot(), deals=500, seed=3)
    rule = ruse.Stalled(measure, by=0.02, checks=6, at_least=20, iterations=10_000)
    dice = ruse.LiarsDice(sides=4)
    first, second = ruse.curriculum([dice, dice], ruse.mccfr(), transfer=ruse.Copying(), until=rule)
    for run in (first, second):
        assert rule.is_reached(run.checks)
        last = ruse.match(dice, [run.strategy, ruse.RandomBot()], deals=500, seed=3).win_rate[0]
        assert run.checks[-1] == (run.iterations, last)
    assert first.checks[0][1] < 0.6 < 0.7 < first.checks[-1][1]
    assert second.checks[0][1] == pytest.approx(first.checks[-1][1], abs=0.01)
    assert second.iterations == 22 < 100 < first.iterations < 10_000  # the first check after 20


def test_a_measure_need_not_stop_anything() -> None:
    run = ruse.train(KUHN, ruse.cfr(), until=ruse.Iterations(12, measure=ruse.Exploited()))
    assert [n for n, _ in run.checks] == list(range(1, 13))
    assert run.checks[-1][1] == run.exploitability


def test_a_rule_of_ones_own() -> None:
    class Halved(NamedTuple):
        iterations: int | None = None
        measure: Any = ruse.Exploited()

        def is_reached(self, seen: Any) -> bool:
            return len(seen) > 0 and seen[-1][1] < seen[0][1] / 2

    run = ruse.train(LEDUC, ruse.cfr(), until=Halved())
    assert run.exploitability < run.curve[0][2] / 2 <= run.curve[-2][2]


@pytest.mark.parametrize("bad", [100, ruse.Stalled])
def test_no_rule(bad: Any) -> None:
    with pytest.raises(
        RuseError, match=r"^until must be a rule such as ruse.Stalled\(\), not .*; give a number as iter"
    ):
        ruse.train(KUHN, ruse.cfr(), until=bad)


def test_too_large_to_be_exploited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.training.engines.sampling.MEASURED", 100)
    with pytest.raises(RuseError, match=r"^exploitability of Leduc\(.*\) cannot be measured: .*; stop by the win rate"):
        ruse.train(LEDUC, ruse.mccfr(), until=ruse.Stalled())


def test_what_stops_first() -> None:
    never, always = ruse.Iterations(10), ruse.Stalled(checks=1, at_least=0)
    assert Stop(None, None, None, always).is_reached(5, 0.1, 1.0, [(1, 1.0), (2, 1.0)])
    assert not Stop(None, None, None, always).is_reached(5, 0.1, 1.0, [(1, 1.0), (2, 0.9)])
    assert Stop(5, None, None, never).is_reached(5, 0.1, 1.0, [])
    assert not Stop(None, None, None, never).is_reached(5, 0.1, 1.0, [])
    assert ruse.train(KUHN, ruse.cfr(), iterations=4, until=never).iterations == 4
