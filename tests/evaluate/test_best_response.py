"""Values, best responses and exploitability: equal to their slow twins, and zero where theory says so."""

import pickle

import naive
import numpy as np
import pytest
from random_games import random_game

from ruse.evaluate.best_response import Exploitability, exploitability_of, sequence_values
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.matrix import matching_pennies, matrix, rock_paper_scissors
from ruse.protocol.game import Game
from ruse.solve.full.engine import Tables
from ruse.tree.expanded import Expanded

GAMES: dict[str, Game] = {
    "kuhn": Kuhn(),
    "kuhn_3": Kuhn(players=3),
    "leduc_of_four_cards": Leduc(ranks=2),
    "pennies": matching_pennies(),
    **{f"random_{seed}": random_game(seed) for seed in range(4)},
    **{f"random_{seed}_general": random_game(seed, zero_sum=False) for seed in range(4)},
    **{f"random_{seed}_three": random_game(seed, players=3) for seed in range(4)},
    **{f"random_{seed}_three_general": random_game(seed, players=3, zero_sum=False) for seed in range(4)},
}


def by_slot(game: Expanded, strategy: naive.Strategy) -> np.ndarray:
    """A strategy as the engine has it."""
    rows = {naive.key_of(infoset): row for infoset, row in strategy.items()}
    sigma = np.zeros(game.form.num_sequences)
    for j, key in enumerate(game.keys.tolist()):
        sigma[game.form.first[j] : game.form.first[j + 1]] = rows[key]
    return sigma


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_equals_its_twin(name: str, seed: int) -> None:
    game, players = GAMES[name], GAMES[name].players
    root = naive.tree(game)
    strategy = naive.random_strategy(root, seed)
    expanded = Expanded.of(game)
    found = exploitability_of(expanded.form, by_slot(expanded, strategy))
    values = [naive.expected_value(root, strategy, p) for p in range(players)]
    best = [naive.best_response_value(root, strategy, p) for p in range(players)]
    assert found.values == pytest.approx(values, abs=1e-12)
    assert found.best == pytest.approx(best, abs=1e-12)
    assert found.per_player == pytest.approx(naive.gains(root, strategy, players), abs=1e-12)
    assert found.nash_conv == pytest.approx(naive.nash_conv(root, strategy, players), abs=1e-12)
    assert found == pytest.approx(found.nash_conv / players, abs=1e-15)
    assert min(found.per_player) > -1e-12
    assert found > 1e-3, "a strategy that cannot be exploited tests nothing"


@pytest.mark.parametrize("name", ["kuhn_3", "random_1_three_general", "leduc_of_four_cards"])
def test_best_response_is_no_worse_than_other_strategies(name: str) -> None:
    """A best response found by definition: of many strategies, none does better, and it is one of them."""
    game = GAMES[name]
    root = naive.tree(game)
    strategy = naive.random_strategy(root, 0)
    expanded = Expanded.of(game)
    best = exploitability_of(expanded.form, by_slot(expanded, strategy)).best
    for seed in range(1, 20):
        other = naive.random_strategy(root, seed)
        for p in range(game.players):
            mixed = {infoset: (other if infoset[0] == p else strategy)[infoset] for infoset in strategy}
            assert naive.expected_value(root, mixed, p) <= best[p] + 1e-12


def kuhn_equilibrium(game: Expanded, alpha: float) -> np.ndarray:
    """Kuhn's family of equilibria (1950): the first player's with alpha from 0 to 1/3, the second player's only one."""
    bets = {
        (0, "J"): alpha,
        (0, "Q"): 0.0,
        (0, "K"): 3 * alpha,
        (0, "J, pass bet"): 0.0,
        (0, "Q, pass bet"): alpha + 1 / 3,
        (0, "K, pass bet"): 1.0,
        (1, "J, pass"): 1 / 3,
        (1, "Q, pass"): 0.0,
        (1, "K, pass"): 1.0,
        (1, "J, bet"): 0.0,
        (1, "Q, bet"): 1 / 3,
        (1, "K, bet"): 1.0,
    }
    sigma = np.zeros(game.form.num_sequences)
    for infoset in game.infosets:
        assert infoset.actions == ["pass", "bet"]
        bet = bets.pop((infoset.player, infoset.name))
        sigma[game.form.first[infoset.node] :][:2] = [1 - bet, bet]
    assert not bets
    return sigma


@pytest.mark.parametrize("alpha", [0.0, 0.05, 1 / 6, 0.25, 1 / 3])
def test_kuhn_equilibria(alpha: float) -> None:
    game = Expanded.of(Kuhn())
    found = exploitability_of(game.form, kuhn_equilibrium(game, alpha))
    assert abs(found) < 1e-12
    assert max(map(abs, found.per_player)) < 1e-12
    assert found.values == pytest.approx([-1 / 18, 1 / 18], abs=1e-12)


@pytest.mark.parametrize("infoset", range(12))
def test_off_the_family_kuhn_is_exploitable(infoset: int) -> None:
    """Each of the twelve decisions counts: a tenth of probability the other way costs something."""
    game = Expanded.of(Kuhn())
    sigma = kuhn_equilibrium(game, 1 / 6)
    row = sigma[game.form.first[infoset] :][:2]
    row[:] = [row[0] - 0.1, row[1] + 0.1] if row[0] >= 0.1 else [row[0] + 0.1, row[1] - 0.1]
    assert exploitability_of(game.form, sigma) > 1e-3


def test_uniform_leduc() -> None:
    """OpenSpiel's nash_conv of the uniform policy is 4.747222, twice this."""
    expanded = Expanded.of(Leduc())
    for form in (expanded.form, expanded.merged):
        assert exploitability_of(form, Tables.start(form).sigma) == pytest.approx(2.3736111, abs=5e-8)


def test_merged_and_unmerged_agree() -> None:
    game = Expanded.of(Leduc())
    draw = np.random.default_rng(0)
    weights = draw.random(game.merged.num_sequences)
    sigma = np.ones_like(weights)
    for j in range(len(game.merged.parent)):
        row = slice(int(game.merged.first[j]), int(game.merged.first[j + 1]))
        sigma[row] = weights[row] / weights[row].sum()
    small, large = exploitability_of(game.merged, sigma), exploitability_of(game.form, game.unmerged(sigma))
    assert small.values == pytest.approx(large.values, abs=1e-12)
    assert small.best == pytest.approx(large.best, abs=1e-12)


def test_a_player_who_never_moves() -> None:
    """Rows are enough to tell what the others' payoffs are, and there is nothing to gain."""
    form = Expanded.of(matrix([[[1, 3]], [[2, 4]]])).form
    found = exploitability_of(form, np.array([1.0, 1.0, 1.0, 0.5, 0.5]))
    assert found.values == (2.0, 3.0)
    assert found.best == (2.0, 4.0)
    assert found.per_player == (0.0, 1.0)
    assert float(found) == 0.5


def test_sequence_values() -> None:
    form = Expanded.of(rock_paper_scissors()).form
    sigma = np.array([1, 1, 0.5, 0.5, 0, 0, 0, 1])  # rock and paper against scissors
    assert sequence_values(form, sigma).tolist() == [0, 0, 1, -1, 0, -0.5, 0.5, 0]


def test_exploitability_is_a_number() -> None:
    found = Exploitability((1.0, -1.0), (1.5, -0.75))
    assert found == 0.375
    assert found + 1 == 1.375
    assert f"{found:.2f}" == "0.38"
    copy = pickle.loads(pickle.dumps(found))
    assert (copy, copy.values, copy.best) == (0.375, (1.0, -1.0), (1.5, -0.75))
