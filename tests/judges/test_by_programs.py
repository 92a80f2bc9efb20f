"""Random trees with every feature of the .efg format, judged by a linear program and brute force of our own."""

from fractions import Fraction

import numpy as np
import programs
import pytest
import trees
from sides import side_by_side
from trees import kind_of

import ruse
from ruse.interop import efg
from ruse.strategy import Strategy

pytest.importorskip("scipy")
TREES = [
    pytest.param(range(first, first + 20), marks=() if first == 0 else pytest.mark.slow, id=str(first))
    for first in range(0, 200, 20)
]


def strategy_of(game: ruse.Game, place_of: dict[int, tuple[int, int]], profile: programs.Profile) -> Strategy:
    keys = sorted(place_of)
    rows = [profile[place_of[key]] for key in keys]
    start = np.cumsum([0, *map(len, rows)])
    return Strategy(game, np.array(keys, np.uint64), start, np.array([x for row in rows for x in row]))


def random_profile(tree: trees.Tree, seed: int) -> programs.Profile:
    draw = np.random.default_rng(seed)
    profile = {}
    for place, options in tree.menus.items():
        row = draw.dirichlet(np.full(options, 0.5))
        if draw.random() < 0.3:
            row = np.eye(options)[draw.integers(options)]
        profile[place] = [float(x) for x in row]
    return profile


def complaints(seed: int) -> list[str]:
    """What is wrong with one tree, read from a file and built."""
    tree = trees.random_tree(seed, **kind_of(seed))
    told = []
    for how in ("efg", "built", "round trip"):
        try:
            game = trees.as_explicit(tree) if how == "built" else efg.parse(trees.as_efg(tree, seed))
            if how == "round trip":
                game = efg.parse(efg.dump(game))
            judge(tree, game, seed)
        except (AssertionError, ValueError, ruse.RuseError) as error:
            told.append(f"tree {seed}, {how}: {' '.join(str(error).split())[:200]}")
    return told


def judge(tree: trees.Tree, game: ruse.Game, seed: int) -> None:
    place_of = side_by_side(tree, game)
    profile = random_profile(tree, seed)
    strategy = strategy_of(game, place_of, profile)
    measured = ruse.exploitability(game, strategy)
    assert measured.values == pytest.approx(programs.expected(tree, profile), abs=1e-9)
    for player in range(tree.players):
        best = programs.best_response(tree, profile, player)
        assert measured.best[player] == pytest.approx(best, abs=1e-9)
    if tree.players == 2 and tree.constant is not None:
        value = programs.value_of(tree)
        expanded = ruse.Expanded.of(game)
        exact = ruse.solve_exactly(expanded)
        assert exact.value == pytest.approx(value, abs=1e-8)
        found = ruse.exploitability(game, Strategy.of(expanded, expanded.unmerged(exact.sigma)))
        assert abs(found) < 1e-8
        assert found.values[0] == pytest.approx(value, abs=1e-8)


@pytest.mark.parametrize("seeds", TREES)
def test_trees(seeds: range) -> None:
    assert [told for seed in seeds for told in complaints(seed)] == []


@pytest.mark.parametrize("seeds", TREES)
def test_a_solver_finds_the_value(seeds: range) -> None:
    """Of one tree in four, by 2,000 iterations of CFR+: within what it has left to lose, which is little."""
    for seed in list(seeds)[::4]:
        tree = trees.random_tree(seed)
        game = trees.as_explicit(tree)
        run = ruse.train(game, ruse.cfr_plus(), iterations=2_000)
        value = programs.value_of(tree)
        worst = 2 * run.exploitability + 1e-9
        assert abs(run.game_value - value) <= worst, seed
        assert run.exploitability < 0.05


@pytest.mark.parametrize("seeds", TREES)
def test_a_style_that_adapts_wins_all_that_its_price_allows(seeds: range) -> None:
    """Of one tree in four, from a random opponent, for a tenth of what is at stake, in both seats."""
    for seed in list(seeds)[::4]:
        tree = trees.random_tree(seed, **{} if seed % 8 else {"constant": Fraction(7, 3)})
        game, profile = trees.as_explicit(tree), random_profile(tree, seed)
        opponent = strategy_of(game, side_by_side(tree, game), profile)
        cap = 0.1 * max(abs(programs.value_of(tree)), 1.0)
        found = ruse.styles.adapt(game, opponent, max_exploitability=cap)
        for player in range(2):
            most = programs.most_within(tree, profile, player, cap)
            assert found.chosen.won[player] == pytest.approx(most, abs=1e-5), seed
        assert ruse.exploitability(game, found.strategy) <= cap


def test_the_trees_have_every_feature() -> None:
    """Among twenty there is each thing that the format knows."""
    texts = [trees.as_efg(trees.random_tree(seed, **kind_of(seed)), seed) for seed in range(20)]
    whole = "\n".join(texts)
    for feature in ("\nc ", "\np ", "\nt ", '""', '\\"', "\\\\", "a comment", ", ", "e-3", "/", '"x (2)"', "π", "\t"):
        assert feature in whole, feature
    kinds = [trees.random_tree(seed, **kind_of(seed)) for seed in range(40)]
    inner = [node for tree in kinds for node in nodes(tree.root) if node.player is not None]
    assert any(node.payoffs is not None for node in inner), "payoffs on the way"
    assert any(0 in node.chances for node in inner), "outcomes that never happen"
    assert any(len(node.children) == 1 for node in inner), "decisions without a choice"
    assert {tree.players for tree in kinds} == {1, 2, 3, 4}


def nodes(node: trees.Node) -> list[trees.Node]:
    return [node, *(below for child in node.children for below in nodes(child))]
