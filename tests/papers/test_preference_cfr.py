"""Paper 001's experiments: what is measured is what it is said to be, and a row that is wrong is told so."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import ruse
from ruse.cli import main
from ruse.papers.evidence import Evidence, Found, Verdict
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr import (
    ONLY_IF_ASKED,
    PARTS,
    beyond,
    bound,
    figure_3,
    figure_4,
    leduc,
    price,
    speed,
    table_1,
)
from ruse.papers.preference_cfr.course import ALPHA, follow, opening, random_start
from ruse.papers.preference_cfr.holdem import sentences

PNG = b"\x89PNG\r\n"


YES, NO = Verdict.REPRODUCED, Verdict.NOT_REPRODUCED


def verdicts(rows: list[Evidence]) -> list[Verdict]:
    return [row.verdict for row in rows]


def test_table_1(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    pytest.importorskip("matplotlib")
    assert verdicts(table_1.run(Lab(out=tmp_path))) == [YES, YES, YES, Verdict.HOLDS]
    assert (tmp_path / "table-1.png").read_bytes().startswith(PNG)
    assert float(ruse.exploitability(ruse.Kuhn(), table_1.equilibrium(0.25))) < 1e-12


def test_a_wrong_table_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    right = table_1.bets
    monkeypatch.setattr(table_1, "bets", lambda alpha: right(alpha) | {(0, "Q, pass bet"): 0.3 + alpha})
    assert verdicts(table_1.run(Lab()))[:2] == [NO, NO]


def test_a_second_strategy_of_player_2_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    monkeypatch.setattr(table_1, "SECOND", ("bet, player 1, with J, pass", "bet, player 0, with K, first"))
    assert verdicts(table_1.run(Lab()))[2] is NO, "a King's first bet is not the same in all equilibria"


def test_a_course_is_a_training_that_is_looked_at() -> None:
    solver = ruse.dcfr(prefer=opening("bet", 10, 0.05))
    course, run = follow(ruse.Kuhn(), solver, 500, points=9), ruse.train(ruse.Kuhn(), solver, iterations=500)
    assert course.strategy.probability.tolist() == run.strategy.probability.tolist()
    assert (course.at[0], course.at[-1]) == (1, 500)
    assert course.end == ALPHA.of(run.strategy)
    assert course.cost == run.measured.nash_conv
    assert run.price is not None
    assert course.own_cost == run.price.exploitability_of_styled_player
    assert follow(ruse.Kuhn(), solver, 500, points=1).at == [500]


def test_random_starts() -> None:
    start = random_start(3)
    assert np.array_equal(start.regret, random_start(3).regret)
    assert not np.array_equal(start.regret, random_start(4).regret)
    assert 0.0 < min(start.regret.min(), start.average.min()) < max(start.regret.max(), start.average.max()) < 1.0
    assert follow(ruse.Kuhn(), ruse.cfr(), 5, start=start).end != follow(ruse.Kuhn(), ruse.cfr(), 5).end


def test_ends_of_starts() -> None:
    ends = figure_3.Ends([0.19, 0.2, 0.27], 1e-3)
    assert ends.apart == pytest.approx(0.05)
    assert ends.furthest == pytest.approx(0.07)
    assert str(ends) == "alpha 0.190 to 0.270, mean 0.220, deviation 0.036; NashConv at most 1.0e-03"


def test_a_conjecture_is_refuted_by_an_equilibrium_elsewhere() -> None:
    theirs, elsewhere = figure_3.Ends([0.19, 0.21], 4e-3), figure_3.Ends([0.05, 0.2], 1e-9)
    assert figure_3.judged("cfr", False, theirs, 2).verdict is YES
    assert figure_3.judged("cfr", False, elsewhere, 2).verdict is NO
    assert figure_3.judged("pcfr_plus", True, elsewhere, 2).verdict is Verdict.REFUTED
    assert figure_3.judged("dcfr", True, elsewhere._replace(cost=1e-3), 2).verdict is NO, "it may be on its way"
    assert figure_3.judged("dcfr", True, theirs, 2).verdict is YES
    another = figure_3.Ends([0.24, 0.25], 1e-9)
    assert figure_3.judged("dcfr", False, another, 2).verdict is YES, "one end, wherever it is"
    assert figure_3.judged("cfr", False, another, 2).verdict is NO


def means(costs: dict[str, float] | None = None, **alphas: float) -> dict[str, figure_4.MeanCourse]:
    found = {s.name: s.paper for s in figure_4.SETTINGS} | {k.replace("_", " "): v for k, v in alphas.items()}
    paid = {"BR bet 10": 0.009} | (costs or {})
    return {name: mean(alpha, paid.get(name, 0.005)) for name, alpha in found.items()}


def mean(alpha: float, cost: float) -> figure_4.MeanCourse:
    return figure_4.MeanCourse([100], [alpha], [cost], [alpha], [cost])


def test_the_claims_of_figure_4_can_fail() -> None:
    assert verdicts(figure_4.claims(means())) == [YES, YES, YES, YES]
    assert verdicts(figure_4.claims(means(BR_bet_10=0.29))) == [NO, YES, YES, YES]
    assert verdicts(figure_4.claims(means(RM_pass_5=0.02))) == [YES, NO, YES, YES]
    assert verdicts(figure_4.claims(means({"BR bet 10": 0.0054}))) == [YES, YES, NO, NO], "setting 1 is as fast"
    assert verdicts(figure_4.claims(means({"BR pass 10": 0.009}))) == [YES, YES, NO, NO], "another is as slow"
    slow, similar = {"BR bet 10": 1.75, "BR pass 10": 1.33}, {"BR bet 10": 1.18, "BR pass 10": 1.22}
    assert figure_4.only("", {"": slow}, 10).verdict is YES
    assert figure_4.only("", {"": similar}, 10).verdict is NO
    assert figure_4.only("", {"by looks": slow, "by iterations": similar}, 10).verdict is Verdict.CANNOT_BE_TOLD


def test_looks_far_apart_count_for_more_by_iterations() -> None:
    slow = figure_4.MeanCourse([10, 100, 1_000], [0.3] * 3, [2.0, 2.0, 1.0], [0.3], [1.0])
    cfr = figure_4.MeanCourse([10, 100, 1_000], [0.2] * 3, [1.0, 1.0, 1.0], [0.2], [1.0])
    assert slow.beside(cfr) == pytest.approx(2 ** (2 / 3))
    assert slow.beside(cfr, by_iterations=True) == pytest.approx(2**0.1)


def test_how_delta_slows_down_is_read_both_ways() -> None:
    def judged(power: float) -> Evidence:
        costs = {delta: [0.004 * delta**power, 0.005 * delta**power] for delta in speed.DELTAS}
        return speed.linearly({"x": costs, "y": {delta: [0.004, 0.004] for delta in speed.DELTAS}})

    assert judged(0.95).verdict is YES
    assert judged(0.3).verdict is Verdict.CANNOT_BE_TOLD, "at the most linearly, and not linearly"
    assert judged(1.5).verdict is NO
    assert judged(0.3).ours.startswith("grows as delta to the power of 0.30 (0.30 to 0.30) in x; 0.00 ")


def test_a_dominated_action_must_fade() -> None:
    def judged(folds: float, cost: float) -> Verdict:
        return speed.faded(
            {("cfr", 5.0): mean(0.0, 0.005), ("cfvfp", 10.0): mean(folds, cost)}, mean(0.2, 0.005)
        ).verdict

    assert judged(0.001, 0.006) is YES
    assert judged(0.05, 0.006) is NO
    assert judged(0.001, 0.01) is NO, "twice as far from an equilibrium"


def test_what_is_acceptable_can_fail() -> None:
    def judged(slow: float, alpha: float) -> Verdict:
        kuhn = {(form, wish, delta): mean(0.2, 0.005) for form in speed.FORMS for wish in speed.WISHES
                for delta in speed.DELTAS}  # fmt: skip
        kuhn["cfvfp", "bet", 5.0], kuhn["cfvfp", "pass", 5.0] = mean(alpha, 0.005), mean(0.4 - alpha, 0.005 * slow)
        kuhn["cfvfp", "bet", 10.0] = mean(0.3, 1.0)
        return speed.acceptable(kuhn).verdict

    assert judged(1.1, 0.29) is YES
    assert judged(1.6, 0.29) is NO
    assert judged(1.1, 0.21) is NO, "no likelier"


def test_two_numbers_of_a_curve() -> None:
    def ended(s: leduc.LeducSetting, calls: float, cost: float) -> list[Verdict]:
        return verdicts(leduc.beside(s, [[Found.of([calls - 0.001, calls + 0.001]), Found.exactly(cost)]] * 3))

    towards_call, towards_raise = leduc.DIRECTIONS[-1], leduc.RAISED[0]
    assert ended(towards_call, 0.60, 0.070) == [YES, YES]
    assert ended(towards_call, 0.76, 0.077) == [NO, NO]
    assert ended(towards_raise, 0.165, 0.082) == [YES, YES]
    assert ended(towards_raise, 0.22, 0.082) == [NO, YES], "what has come to its end must be nearer"


def test_leduc_rises() -> None:
    assert leduc.rises([0.1, 0.2, 0.3])
    assert not leduc.rises([0.1, 0.3, 0.3])


def test_costs_between_points() -> None:
    points = [price.PricePoint(0.1, 0.5, 0.0, 0.0), price.PricePoint(0.2, 0.7, 0.2, 0.1)]
    found = price.between(points, 0.6)
    assert found == pytest.approx((0.15, 0.6, 0.1, 0.05))
    assert math.isnan(price.between(points, 0.8).own)


def test_the_printed_beta_is_three_times_that_of_a_visit() -> None:
    """Chance leads to each of Kuhn's openings a third of the time: regret / T < beta is regret / visits < 3 beta."""
    solver = bound.as_printed([opening("bet", 5.0)], 3 * 0.02)
    assert solver.prefer is not None
    assert solver.prefer.rules[0].beta == pytest.approx(0.06)
    price_of_it = follow(ruse.Kuhn(), solver, 100, points=1).price
    assert price_of_it is not None
    assert price_of_it.bound == pytest.approx(3 * 0.02), "a third of 0.06 for each of three infosets"


def test_a_bound_in_matrix_games_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[ruse.Game] = [ruse.matrix([[1.0, -1.0], [-1.0, 1.0]])]

    def gains(styled: float, other: float) -> list[Verdict]:
        monkeypatch.setattr(bound, "ended", lambda game, solver, n: bound.EndGains(styled, other))
        return verdicts([*bound.tight("x", games, 100), bound.regrets("x", games, 100)])

    assert gains(0.015, 0.0) == [YES, YES, YES]
    assert gains(0.03, 0.0) == [YES, YES, Verdict.REFUTED], "half of it is below beta"
    assert gains(0.03, 0.03) == [NO, NO, Verdict.REFUTED]


def test_what_is_left_to_gain() -> None:
    ended = bound.ended(ruse.Kuhn(), bound.as_printed([opening("bet", 5.0)], 0.06), 200)
    whole = follow(ruse.Kuhn(), bound.as_printed([opening("bet", 5.0)], 0.06), 200, points=1)
    assert ended.epsilon == pytest.approx(whole.cost / 2)
    assert ended.styled + ended.other == pytest.approx(whole.cost)


def test_a_styled_player_with_another_opponent() -> None:
    first, second = (ruse.train(ruse.Kuhn(), ruse.cfr(), iterations=n).strategy for n in (5, 50))
    mixed = beyond.together(first, second)
    ends = [ruse.exploitability(ruse.Kuhn(), one) for one in (first, second)]
    # NashConv is what the best answers to both take, and each answers one of the two.
    assert mixed == pytest.approx(ends[0].best[1] + ends[1].best[0], abs=1e-12)
    assert beyond.together(first, first) == pytest.approx(ends[0].nash_conv, abs=1e-12)


def test_the_papers_own_table_of_holdem() -> None:
    rows = sentences.run(Lab())
    assert verdicts(rows) == [Verdict.CANNOT_BE_TOLD]
    assert "14.5 +- 1.7 mBB/h apart" in rows[0].ours
    assert "10.75 +- 0.8 lost" in rows[0].ours, "which is 10 for all that can be told"


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(figure_4, "SETTINGS", [s._replace(paper=s.paper + 0.5) for s in figure_4.SETTINGS])
    monkeypatch.setattr(figure_4, "FEWER", 2)
    assert main(["reproduce", "001", "--quick", "--only", "figure 4", "--out", "figures", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["verdict"] for row in rows[:7]] == ["not reproduced"] * 7
    assert [row["seeds"] for row in rows[:7]] == [2] * 7
    assert [row["kind"] for row in rows] == ["claim"] * 11 + ["beyond"] * 2
    assert Path("figures/figure-4.png").read_bytes().startswith(PNG)
    assert main(["reproduce", "001", "--only", "figure 9"]) == 2
    assert "there are table 1, figure 3, figure 4, speed, leduc, bound, price" in capsys.readouterr().err


@pytest.mark.slow
def test_no_check_is_broken(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    runs = [run for part, run in PARTS.items() if part not in ONLY_IF_ASKED]
    rows = [row for run in runs for row in run(Lab(quick=True, out=tmp_path))]
    assert len(rows) > 50
    assert not [str(row) for row in rows if row.verdict is Verdict.BROKEN]
    names = {"table-1", "figure-3", "figure-4", "leduc", "style-for-cost", "who-pays", "targets"}
    assert {path.stem for path in tmp_path.glob("*.png")} == names
