"""The learned response is below the best one, near it, and is told with its error."""

import pytest

import ruse
from ruse.evaluate.against import Against
from ruse.evaluate.lower_bound import solver_for
from ruse.tree.expanded import Expanded


@pytest.fixture(scope="module")
def strategy() -> ruse.Strategy:
    return ruse.train(ruse.Leduc(), ruse.cfr(), iterations=30).strategy


def test_it_is_a_lower_bound_and_not_far_below(strategy: ruse.Strategy) -> None:
    exact = ruse.exploitability(ruse.Leduc(), strategy)
    bound = ruse.lower_bound(ruse.Leduc(), strategy, iterations=50_000, deals=200_000, seed=3)
    for gain, margin, best in zip(bound.gain, bound.margin, exact.per_player, strict=True):
        assert gain <= best + 2 * margin
        assert gain >= 0.8 * best - 2 * margin
    assert 0.5 * exact < bound.bound < exact
    assert f"at least {bound.bound:.4f}, with 95 % confidence" in str(bound)


def test_luck_is_not_a_bound() -> None:
    """Of a strategy that nobody beats by more than a trifle, what is said is too much as seldom as promised."""
    game = ruse.Kuhn()
    strategy = ruse.train(game, ruse.dcfr(), iterations=1_000).strategy
    truth = float(ruse.exploitability(game, strategy))
    found = [ruse.lower_bound(game, strategy, iterations=200, deals=300, seed=seed) for seed in range(100)]
    assert sum(one.bound > truth for one in found) <= 10  # 5 are to be expected
    assert sum(max(one.gain) > truth for one in found) > 30  # while the gains themselves are more by luck alone
    assert any(str(one).startswith("no lower bound on exploitability but 0") for one in found)


def test_against_fixed_others_the_best_response_is_exact(strategy: ruse.Strategy) -> None:
    """One player's game against the strategy: solving it must give the value of the exact best response."""
    game = ruse.Leduc()
    exact = ruse.exploitability(game, strategy)
    for player in range(2):
        facing = Against.of(game, player, strategy)
        form = Expanded.of(facing).merged
        assert form.node_start[1] - form.node_start[0] == (len(form.parent) if player == 0 else 0)
        run = ruse.train(facing, ruse.cfr_plus(), iterations=2_000)
        assert run.measured.best[player] == pytest.approx(exact.best[player], abs=1e-9)
        assert run.measured.values[player] == pytest.approx(exact.best[player], abs=1e-2)


def test_a_strategy_of_another_game_is_refused(strategy: ruse.Strategy) -> None:
    with pytest.raises(ruse.RuseError, match="the strategy is for Leduc"):
        ruse.lower_bound(ruse.Kuhn(), strategy)


def test_who_learns_where_games_need_not_end() -> None:
    """Exploring every action would never end an iteration, without an end or with one far away."""
    expected = {
        "leduc": "external", "cheat:hp=1": "external", "cheat:half": "probing", "cheat:half,max_turns=40": "probing"
    }  # fmt: skip
    for name, walk in expected.items():
        game = ruse.make_game(name)
        assert str(solver_for(game, game).walk).partition("(")[0].lower() == walk, name


@pytest.mark.slow
def test_a_response_in_a_game_that_need_not_end() -> None:
    game = ruse.make_game("cheat:half")
    strategy = ruse.train(game, "lcfr:walk=probing", view="memoryless+", iterations=50).strategy
    found = ruse.lower_bound(game, strategy, iterations=200, deals=500, seed=1)
    assert all(margin > 0.0 for margin in found.margin)
