"""The experiments on the half deck: what they count is what there is, and they run."""

import numpy as np
import pytest

from ruse.games.cheat.rules import Cheat
from ruse.papers.best_response_pruning import PARTS, half_deck, lengths, strength
from ruse.papers.best_response_pruning.agents import HALF, OPPONENTS, TRAINING, VIEWS, AgentScore, Share, judged
from ruse.papers.evidence import Verdict
from ruse.papers.lab import Lab
from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.solver.presets import mccfr
from ruse.strategy import Strategy


def test_the_half_deck_is_the_papers() -> None:
    assert Cheat(ranks=7, copies=4, deal=6, hp=-1) == HALF
    assert (TRAINING.max_turns, HALF.max_turns) == (40, 0)
    assert set(OPPONENTS) == {"naive", "heuristic_002", "heuristic"}


def test_lengths_are_turns() -> None:
    found = lengths.turns(HALF, 200, seed=0)
    assert 11 < found.mean() < 18  # 14.5 in the long run
    assert found.min() >= 2
    assert np.array_equal(found[:20], lengths.turns(HALF, 20, seed=0))


@pytest.mark.slow
def test_knuths_estimate_is_the_size_of_a_walk() -> None:
    game = Cheat(max_turns=3)
    estimate = half_deck.estimated(game, 20_000, seed=0)
    counted = []
    for seed in range(400):  # an iteration from nothing, when all strategies are uniform
        engine = SampledEngine(game, mccfr("external"), seed=seed)
        engine.run(0, 1)
        counted.append(engine.facts.nodes)
    error = np.std(counted, ddof=1) / np.sqrt(len(counted))
    # The second player's walk meets what the first has learned, so they differ a little.
    assert estimate.mean == pytest.approx(np.mean(counted), abs=5 * np.hypot(error, estimate.error), rel=0.05)


def test_costs_stop_at_the_limit() -> None:
    costs = half_deck.measured(Cheat(hp=-1), 0.02, seed=0)
    assert [cost.turns for cost in costs] == list(range(1, len(costs) + 1))
    assert 1 < len(costs) < half_deck.LONGEST
    assert costs[-1].nodes > costs[0].nodes


def score(seconds: float, naive: float, heuristic: float) -> AgentScore:
    shares = dict(zip(OPPONENTS, (Share(x, x - 0.01, x + 0.01) for x in (naive, heuristic, 0.1)), strict=True))
    return AgentScore(100, seconds, 1, 1, shares, {bot: {"lies": 0.5} for bot in OPPONENTS})


def test_when_an_agent_is_as_strong_as_the_papers() -> None:
    curve = [score(1.0, 0.7, 0.1), score(2.0, 0.59, 0.3), score(3.0, 0.6, 0.2), score(4.0, 0.9, 0.5)]
    assert strength.reached(curve) == 3.0
    assert strength.reached(curve[:2]) == float("inf")
    assert str(curve[0].shares["naive"]) == "70.0 % (69.0 to 71.0)"
    assert [row.ours for row in strength.rates(curve[:2])] == ["0.5 after 100, 0.5 after 100"]


def test_agents_are_judged_with_intervals() -> None:
    strategy = Strategy(HALF, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=VIEWS["Sketch"])
    shares, rates = judged(strategy, deals=200, seed=0)
    assert list(shares) == list(OPPONENTS)
    assert all(share.low < share.rate < share.high for share in shares.values() if share.rate > 0)
    assert list(rates) == list(OPPONENTS)
    assert all({"lies", "challenges", "challenges won"} <= set(own) for own in rates.values())


def test_one_against_several() -> None:
    """Every seat in turn, and a share of all games."""
    found = lengths.wins(Lab(quick=True), HALF._replace(players=3), "naive")
    assert found.low < 1 / 3 < found.high, "three alike win a third each"
    assert lengths.Lengths(np.array([1, 2, 2, 5])).tail == 0.25


@pytest.mark.slow
def test_no_check_is_broken() -> None:
    rows = [row for run in PARTS.values() for row in run(Lab(quick=True))]
    assert not [str(row) for row in rows if row.verdict is Verdict.BROKEN]
