"""The experiments of paper 002: they measure what they claim, and compare as they say."""

import math
import threading
from itertools import pairwise

import numpy as np
import pytest

from ruse.games.cheat.rules import Cheat
from ruse.games.kuhn import Kuhn
from ruse.papers.best_response_pruning import (
    average_value,
    paper_agent,
    pruned_strength,
    two_points,
)
from ruse.papers.best_response_pruning.agents import TOLD, AgentScore, Share
from ruse.papers.best_response_pruning.savings import costs, decks, hybrid, pruning_curves, warm_start
from ruse.papers.best_response_pruning.savings.pruning_curves import CurvePoint
from ruse.papers.evidence import Evidence, Found, Verdict, no_worse
from ruse.papers.lab import Lab
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.solver.presets import mccfr
from ruse.solve.start.learned import Learned
from ruse.strategy import Strategy

YES, NO, UNKNOWN = Verdict.REPRODUCED, Verdict.NOT_REPRODUCED, Verdict.CANNOT_BE_TOLD


def verdicts(rows: list[Evidence]) -> list[Verdict]:
    return [row.verdict for row in rows]


def test_curves_count_nodes_alike() -> None:
    """Without pruning every history is visited; partial pruning visits some of them, for the same strategy."""
    rows = pruning_curves.rows_of(Kuhn())
    plain = pruning_curves.curve(pruning_curves.made(Kuhn(), None), 100, rows=rows)
    partial = pruning_curves.curve(pruning_curves.made(Kuhn(), "partial"), 100, rows=rows)
    assert plain[-1].nodes == 100 * rows
    assert rows < partial[-1].nodes < plain[-1].nodes
    assert partial[-1].exploitability == pytest.approx(plain[-1].exploitability)


def test_rows_are_judged() -> None:
    plain = [CurvePoint(t, 100.0 * t, 1.0 * t, 1.0 / t) for t in range(1, 9)]
    better = [CurvePoint(t, 10.0 * t, 0.5 * t, 1.05 / t) for t in range(1, 9)]
    worse = [CurvePoint(t, 110.0 * t, 0.5 * t, 1.2 / t) for t in range(1, 9)]
    fast, slow, unsure = [2.0, 2.1], [0.7, 0.71], [0.5, 2.0]

    def judged(pruned: list[CurvePoint], alone: list[float], crowded: list[float]) -> list[Verdict]:
        return verdicts(pruning_curves.compared("x", plain, pruned, pruning_curves.Timed(alone, crowded)))

    assert judged(better, fast, fast) == [Verdict.MEASURED, YES, Verdict.HOLDS]
    assert judged(worse, slow, slow) == [Verdict.MEASURED, NO, Verdict.BROKEN]
    assert judged(better, unsure, unsure)[1] is UNKNOWN
    assert judged(better, fast, slow)[1] is UNKNOWN, "it is the machine"
    assert pruning_curves.beginning(plain, better) == pytest.approx(1.05)
    assert pruning_curves.unchanged({"x": 1.01}).verdict is YES
    half, none = pruning_curves.Live(100, 50), pruning_curves.Live(100, 95)
    assert pruning_curves.space({"x": half}).verdict is YES
    assert pruning_curves.space({"x": half, "y": none}).verdict is NO
    assert pruning_curves.unchanged({"x": 1.01, "y": 1.2}).verdict is NO


def test_convergence_is_judged_by_time_on_cheat() -> None:
    plain = [CurvePoint(t, 100.0 * t, 1.0 * t, 1.0 / t) for t in range(1, 21)]
    pruned = [CurvePoint(t, 10.0 * t, 0.25 * t, 1.0 / t) for t in range(1, 21)]
    assert pruning_curves.seconds_to(plain, 0.2) == 5.0
    assert pruning_curves.seconds_to(plain, 2.0) == 1.0
    assert pruning_curves.speed_up(plain, pruned) == pytest.approx(4.0)
    assert pruning_curves.converges({"Leduc": 0.6, "Cheat, 2": 4.0, "Cheat, 3": 6.0}).verdict is YES
    assert pruning_curves.converges({"Leduc": 3.0, "Cheat, 2": 0.4, "Cheat, 3": 0.5}).verdict is NO
    assert pruning_curves.converges({"Cheat, 2": 4.0, "Cheat, 3": 1.1}).verdict is UNKNOWN


def test_time_is_judged_by_the_papers_factor() -> None:
    assert costs.as_fast("x", [9.0, 9.5, 9.2]).verdict is YES
    assert costs.as_fast("x", [4.7, 4.8, 4.6]).verdict is NO
    assert costs.as_fast("x", [30.0, 31.0, 30.5]).verdict is NO
    assert costs.as_fast("x", [3.0, 12.0]).verdict is UNKNOWN
    made = lambda: pruning_curves.started(Kuhn(), None)  # noqa: E731
    before = set(threading.enumerate())  # of which those of other tests may end meanwhile
    with costs.neighbour():
        (neighbour,) = set(threading.enumerate()) - before
        factors = costs.timed(made, made, 2_000, 3)
    assert not neighbour.is_alive()
    assert len(factors) == 3
    assert all(0.1 < factor < 10 for factor in factors)


def test_nodes_to_a_target() -> None:
    points = [
        CurvePoint(1, 10.0, 0.0, 1.0),
        CurvePoint(2, 100.0, 0.0, 0.1),
        CurvePoint(3, 200.0, 0.0, 0.3),
        CurvePoint(4, 800.0, 0.0, 0.03),
    ]
    assert warm_start.nodes_to(points, 0.03) == pytest.approx(800.0)
    assert warm_start.nodes_to(points, math.sqrt(0.3 * 0.03)) == pytest.approx(400.0), "where it stays below"
    assert warm_start.nodes_to(points, 2.0) == 10.0
    assert warm_start.nodes_to(points, 0.01) == math.inf


def test_the_average_value_is_that_of_the_game() -> None:
    engine = SampledEngine(Kuhn(), mccfr(), seed=0)
    means = average_value.running_mean(engine, 20_000)
    assert means.value[-1] == pytest.approx(-1 / 18, abs=0.03)
    assert means.nodes[-1] == engine.facts.nodes
    assert np.all(np.diff(means.nodes) > 0)


def test_figure_4_can_fail() -> None:
    rise = np.concatenate([np.linspace(0.0, 0.1, 200), np.linspace(0.1, 0.12, 800)])
    flat, nodes = np.linspace(0.0, 0.02, 1_000), np.arange(1, 1_001)
    theirs = {"no pruning": [average_value.Means(flat, nodes)] * 2, "threshold": [average_value.Means(rise, nodes)] * 2}
    assert verdicts(average_value.judged(theirs)) == [YES, YES, YES, YES]
    swapped = dict(zip(theirs, reversed(theirs.values()), strict=True))
    assert verdicts(average_value.judged(swapped)) == [NO, NO, NO, YES], "a straight line rises as fast at the end"


@pytest.mark.slow
def test_a_deck_by_sampling() -> None:
    """At equal iterations thresholds cost little: 1.016 times (0.995 to 1.037) over 40 labs of three seeds."""
    cells = [decks.by_sampling(Lab(quick=True, seed=seed), Cheat(hp=2)) for seed in (0, 3, 6)]
    for cell in cells:
        assert cell.pruned < cell.plain
        assert cell.iterations == 1_000
        assert cell.margin == decks.WORSE
        assert cell.compared.startswith("exploitability")
    assert np.mean([cell.gain.value for cell in cells]) > -0.1
    assert decks.called(decks.WHOLE[-1]) == "5x3, 4 cards, 1 HP, 2 turns"


def test_agents_of_a_deck_are_compared_both_ways() -> None:
    """Those who have not learned are worse than those who have, exactly and in matches."""
    game, lab = Cheat(hp=2), Lab(quick=True)
    weak, strong = ([decks.trained(game, ExternalSampling(), n, seed).engine for seed in range(3)] for n in (3, 2_000))
    for first, second, expected in ((weak, strong, False), (strong, weak, True), (strong, strong, True)):
        pairs = [
            [Strategy(game, *engine.rows(), view=engine.view) for engine in pair]
            for pair in zip(first, second, strict=True)
        ]
        assert no_worse(decks.exactly(game, pairs)[1], decks.WORSE) is expected
        assert no_worse(decks.by_matches(lab, game, pairs)[1], decks.LESS) is expected


def test_growth_is_by_hands() -> None:
    def cell(deal: int, faster: float) -> decks.DeckCell:
        game = Cheat(ranks=7, copies=4, deal=deal)
        return decks.DeckCell(
            game, 300, 100.0 / faster, 100.0, Found.exactly(faster), "", Found.exactly(0.0), decks.WORSE
        )

    def growth(*cells: decks.DeckCell) -> Evidence:
        by_time, by_nodes = decks.growth("", list(cells))
        assert by_nodes.verdict is Verdict.MEASURED
        assert by_nodes.ours.startswith("no: "), "it is the other way round there"
        return by_time

    assert growth(cell(2, 4.7), cell(2, 4.3), cell(3, 8.0), cell(3, 7.0)).verdict is YES
    assert growth(cell(2, 4.7), cell(3, 8.0), cell(3, 4.2)).verdict is NO
    assert decks.growth("", [cell(2, 4.7), cell(3, 4.6)])[0].verdict is UNKNOWN, "nearer than times can be told apart"
    assert decks.growth("", [cell(2, 4.7), cell(3, 4.2)])[0].verdict is NO
    assert decks.growth("", [cell(2, 0.4), cell(3, 1.6)])[0].verdict is NO, "slower is no reduction"
    assert growth(cell(2, 4.7), cell(2, 4.3), cell(3, 8.0)).ours == "2 cards 4.70, 4.30; 3 cards 8.00"
    assert growth(cell(2, 4.7), cell(3, 8.0)).seeds == 1


def score(iterations: int, nodes: int, naive: float, heuristic: float = 0.2) -> AgentScore:
    shares = {"naive": Share(naive, 0.0, 1.0), "heuristic_002": Share(heuristic, 0.0, 1.0)}
    rates = {bot: dict.fromkeys(TOLD, 0.5) for bot in shares}
    return AgentScore(iterations, nodes / 1e6, nodes, nodes // 2, shares, rates)


def test_the_papers_agent_is_judged_by_its_own_numbers() -> None:
    def judged(naive: float, heuristic: float, fewer: float) -> list[Verdict]:
        plain = [score(1_000, 930_000 + k, 0.5 + 0.001 * k, 0.1) for k in range(3)]
        pruned = [score(1_000, int(930_000 / fewer) + k, naive + 0.002 * k, heuristic) for k in range(3)]
        return verdicts(
            paper_agent.compared("x", {"no pruning": [[s] for s in plain], "threshold": [[s] for s in pruned]})
        )

    told = Verdict.MEASURED
    assert judged(0.6, 0.2, 9.3) == [YES, YES, Verdict.HOLDS, YES, YES, Verdict.HOLDS, YES, YES, told, YES, told]
    assert judged(0.45, 0.02, 1.05) == [NO, NO, Verdict.BROKEN, NO, NO, Verdict.BROKEN, NO, YES, told, NO, told]
    assert judged(0.45, 0.02, 0.95)[6:8] == [NO, NO], "slower is not accelerated"


def test_longer_walks_are_judged_after_as_many_iterations_as_were_timed() -> None:
    def judged(fewer: float) -> list[Evidence]:
        plain = [score(t, 930_000 * t, 0.6) for t in two_points.STOPS["no pruning"]]
        pruned = [score(t, int(930_000 * t / fewer), 0.58) for t in two_points.STOPS["threshold"]]
        return two_points.compared([{"no pruning": plain, "threshold": pruned}] * 3)

    told = Verdict.MEASURED
    assert verdicts(judged(9.3)) == [told, told, NO, NO, YES, YES, told, YES]
    assert verdicts(judged(3.0)) == [told, told, NO, NO, NO, YES, told, YES], "faster, and not as much"
    assert judged(3.0)[0].ours.startswith("58.0 % and 20.0 % after 10, 58.0 %")
    assert {row.seeds for row in judged(3.0)} == {3}


def test_the_papers_agent_trained_on() -> None:
    ends = [score(60_000, 1, 0.62 + 0.001 * k, 0.27 + 0.001 * k) for k in range(3)]
    rows = paper_agent.strengths("x", ends, ends)
    told = [row for row in rows if row.theirs.endswith("% after 1,000")]
    assert verdicts(told) == [Verdict.MEASURED] * 2, "theirs is no claim about 60,000 iterations"
    plain, pruned = ([score(60_000, nodes + k, 0.62) for k in range(3)] for nodes in (930, 100))
    assert verdicts(paper_agent.savings("x", plain, pruned)[:2]) == [Verdict.MEASURED, YES]
    runs = [[score(1_000, 1, 0.61, 0.02), end] for end in ends]
    assert verdicts(paper_agent.stable("x", runs, 0)) == [YES, NO], "it still learns"


def test_the_last_strategy_plays_positive_regret() -> None:
    """What the engine says of it, beside what is learned: the positive regrets of each infoset, in proportion."""
    engine = SampledEngine(paper_agent.SETTINGS["1 Health Point, no cut"].game, mccfr(), view=paper_agent.AGENT)
    engine.run(0, 50)
    keys, start, share = engine.current_rows()
    learned = Learned.of_table(engine.table, engine.clock, 50)
    assert (keys.tolist(), start.tolist()) == (learned.keys.tolist(), learned.start.tolist())
    for first, last in pairwise(start[:1_000].tolist()):
        positive = np.maximum(learned.regret[first:last], 0.0)
        expected = positive / positive.sum() if positive.any() else np.full(last - first, 1.0 / (last - first))
        assert share[first:last] == pytest.approx(expected)


def test_hybrid_pruning_is_judged() -> None:
    def run(nodes: float, worse: float) -> dict[str, hybrid.Trained]:
        plain = (100.0, 10.0, 0.01)
        return {"no pruning": plain, "hybrid": (nodes, nodes / 10, 0.01 * worse), "threshold": plain}

    assert verdicts(hybrid.compared("x", [run(50, 1.0), run(51, 1.01)], "hybrid")) == [
        Verdict.MEASURED,
        YES,
        Verdict.HOLDS,
    ]
    assert verdicts(hybrid.compared("x", [run(120, 1.5), run(121, 1.51)], "hybrid")) == [
        Verdict.MEASURED,
        NO,
        Verdict.BROKEN,
    ]
    assert hybrid.compared("x", [run(50, 1.0), run(51, 1.01)], "threshold")[0].verdict is Verdict.MEASURED


def test_strong_agents_are_compared_at_equal_nodes() -> None:
    plain = [score(1_000, 1_000, 0.4), score(2_000, 100_000, 0.6), score(3_000, 1_000_000, 0.8)]
    assert pruned_strength.at_nodes(plain, 10_000, "naive") == pytest.approx(0.5)
    for rate, expected in ((0.80, Verdict.HOLDS), (0.77, Verdict.BROKEN)):
        curves = {"no pruning": [plain, plain], "threshold": [[score(3_000, 100_000, rate)]] * 2}
        rows = pruned_strength.compared("x", curves)
        assert [row.verdict for row in rows if "against naive" in row.name] == [Verdict.MEASURED, expected]
        assert "60.0 % after as many nodes" in rows[2].ours


def test_a_start_may_be_magnified_and_too_dear() -> None:
    nodes = {"neither": 1000.0, "warm start": 800.0, "pruning": 100.0, "both": 50.0}
    saves, worth = warm_start.compared("x", 0.1, nodes, 300.0)
    assert saves.ours.endswith("the start saves 1.25 times without pruning, 2.00 times with it")
    assert worth.ours.startswith("no: it took 3e+02 nodes")
    assert warm_start.compared("x", 0.1, nodes, 100.0)[1].ours.startswith("without pruning: it took")
    more, less, none = (1.25, 2.0), (1.25, 1.25), (0.9, 0.95)
    assert warm_start.magnified({"a": more, "b": none}).verdict is YES
    assert warm_start.magnified({"a": more, "b": less}).verdict is NO
    assert warm_start.magnified({"b": none}).verdict is UNKNOWN
