"""Gambit's reading of our files and ours of Gambit's: the same trees, the same values.

Gambit is optional: `pip install --pre pygambit` (40 MB, and pandas). What it has read it writes again, and the tree of
that is compared with the one that the file was made from.
"""

from pathlib import Path
from typing import Any

import programs
import pytest
import trees
from sides import side_by_side
from trees import kind_of

import ruse
from ruse.interop import efg

gambit = pytest.importorskip("pygambit", reason="pygambit is not installed: pip install --pre pygambit")
SEEDS = [pytest.param(range(20)), pytest.param(range(20, 200), marks=pytest.mark.slow)]


def through_gambit(path: Path) -> tuple[Any, str]:
    """The game as Gambit has read it, and what it writes."""
    game = gambit.read_efg(str(path))
    return game, str(game.to_efg())


def value_of(game: Any) -> float | None:
    """The first player's payoff in the equilibrium that Gambit finds by its linear program; None if it finds none.

    17.0.0b2 plays some decisions of one action with probability 0; by its own measure that is no equilibrium.
    """
    result = gambit.nash.lp_solve(game, rational=False)
    found = result.equilibrium if hasattr(result, "equilibrium") else result.equilibria[0]
    if float(found.max_regret() if callable(found.max_regret) else found.max_regret) > 1e-6:
        return None
    first = next(iter(game.players))
    if hasattr(found, "payoff"):
        return float(found.payoff(first))
    payoffs = found.payoffs() if callable(found.payoffs) else found.payoffs
    return float(payoffs[first])


@pytest.mark.parametrize("seeds", SEEDS)
def test_gambit_reads_what_we_write(seeds: range, tmp_path: Path) -> None:
    path, missed = tmp_path / "ours.efg", 0
    for seed in seeds:
        tree = trees.random_tree(seed, **kind_of(seed))
        efg.save(trees.as_explicit(tree), path)
        theirs, again = through_gambit(path)
        side_by_side(tree, efg.parse(again))
        if tree.players == 2 and tree.constant == 0:
            value = value_of(theirs)
            missed += value is None
            assert value is None or value == pytest.approx(programs.value_of(tree), abs=1e-6), seed
    assert missed <= len(seeds) // 10


@pytest.mark.parametrize("seeds", SEEDS)
def test_we_read_what_gambit_reads(seeds: range, tmp_path: Path) -> None:
    """Files with every feature: where Gambit takes one, we see the same game in it."""
    path, taken = tmp_path / "wild.efg", 0
    for seed in seeds:
        tree = trees.random_tree(seed, **kind_of(seed))
        for tame in (False, True):
            path.write_text(trees.as_efg(tree, seed, tame=tame), encoding="utf-8")
            try:
                _, again = through_gambit(path)
            except (ValueError, RuntimeError):  # two actions of one name, for example, are too much for some versions
                assert not tame
                continue
            taken += 1
            side_by_side(tree, efg.load(path))
            side_by_side(tree, efg.parse(again))
    assert taken >= len(seeds)


OURS = [ruse.Kuhn(), ruse.matching_pennies(), ruse.LiarsDice(sides=2), ruse.Goofspiel(cards=3)]


@pytest.mark.slow
@pytest.mark.parametrize("game", OURS, ids=repr)
def test_our_games_have_gambits_value(game: ruse.Game, tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    efg.save(game, path)
    theirs, again = through_gambit(path)
    assert value_of(theirs) == pytest.approx(ruse.solve_exactly(ruse.Expanded.of(game)).value, abs=1e-8)
    assert ruse.size(efg.parse(again)).histories == ruse.size(game).histories
