"""Pruning leaves out only what does not matter: it equals its slow twins, and no pruned action would be played."""

from typing import Any, NamedTuple

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pruned_games import (
    FIXED,
    GAMES,
    PARTS,
    RUNS,
    TERMS,
    TILTED,
    both_orders,
    every_part,
    exploitability,
    grown_tree,
    plainly_solved,
    planted,
    solved,
)
from pruned_twin import PrunedCfr
from random_games import random_game

import ruse
from ruse.compile import compiled
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.protocol.game import Game
from ruse.solve.pruned.engine import brought_back, iterate
from ruse.solve.pruned.tables import CHECKED, FIRST, LOOKED_AT, SCALE, VISITED, PrunedTables
from ruse.solve.solver.presets import PRESETS
from ruse.solve.solver.pruning import OpenEnded, grown, lasts
from ruse.tree.expanded import Expanded
from ruse.tree.histories import trees

# ---- equal to the twins ----------------------------------------------------------------------------------------------


@both_orders
@pytest.mark.parametrize("preset", ["cfr", pytest.param("cfr_plus", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
def test_partial_pruning_changes_no_number(name: str, preset: str, alternating: bool) -> None:
    """Neither with three players, nor with payoffs that do not cancel."""
    tree, rule = planted(name), naive.RULES[preset]
    twin = naive.Cfr(grown_tree(name), GAMES[name].players, rule, alternating=alternating).run(12, planned=12)
    solver = PRESETS[preset](alternating=alternating, prune="partial")
    tables = solved(tree, solver, 12)
    by_key = {naive.key_of(infoset): infoset for infoset in twin.strategy}
    for j, key in enumerate(Expanded.of(GAMES[name], merging=False).keys.tolist()):
        row, infoset = slice(tree.form.first[j], tree.form.first[j + 1]), by_key[key]
        np.testing.assert_allclose(tables.regret[row], twin.regret[infoset], 1e-12, 1e-12)
        np.testing.assert_allclose(tables.sigma[row], twin.strategy[infoset], 1e-12, 1e-12)
        average = tables.average[row] / tables.clock[SCALE]
        np.testing.assert_allclose(average, twin.average[infoset], 1e-12, 1e-12)


@every_part
@pytest.mark.parametrize("name", TILTED)
def test_pruned_engine_equals_its_twin(name: str, part: str) -> None:
    tree, solver = planted(name), ruse.cfr(prune=PARTS[part])
    tables = solved(tree, solver, 60)
    twin = PrunedCfr(grown_tree(name), TERMS[part], first=FIRST).run(60)
    by_key = {naive.key_of(infoset): infoset for infoset in twin.actions}
    assert twin.allowance  # or nothing was tested
    for j, key in enumerate(Expanded.of(GAMES[name], merging=False).keys.tolist()):
        infoset, first, last = by_key[key], int(tree.form.first[j]), int(tree.form.first[j + 1])
        np.testing.assert_allclose(tables.average[first:last], twin.average[infoset], 1e-10, 1e-10)
        if twin.is_dead(infoset):
            assert tables.dead[first:last].all()
            assert not tables.sigma[first:last].any()
            continue
        assert tables.total[j] == pytest.approx(twin.total[infoset], abs=1e-10)
        assert tables.sigma[first:last] == pytest.approx(twin.strategy[infoset], abs=1e-10)
        for a, s in enumerate(range(first, last)):
            if (infoset, a) in twin.allowance:
                assert tables.regret[s] == -np.inf
                assert tables.allowance[s] == pytest.approx(twin.allowance[infoset, a], abs=1e-10)
            else:
                assert tables.regret[s] == pytest.approx(twin.regret[infoset][a], abs=1e-10)


@every_part
def test_twins_see_actions_come_back(part: str) -> None:
    """Or that would not have been tested."""
    twins = [PrunedCfr(grown_tree(name), TERMS[part], first=FIRST).run(60) for name in TILTED]
    assert sum(twin.came_back for twin in twins) > 0


@pytest.mark.parametrize("part", ["partial", "brp", "rbp"])
def test_merged_equals_unmerged(part: str) -> None:
    solver = ruse.cfr(prune=part)
    merged, whole = trees(Expanded.of(Leduc())), trees(Expanded.of(Leduc(), merging=False))
    ours, theirs = solved(merged, solver, 40), solved(whole, solver, 40)
    own = whole.form.players
    for name in ("average", "faced", "dead", "regret", "sigma"):
        table = getattr(ours, name)[merged.renamed]
        np.testing.assert_allclose(table[own:], getattr(theirs, name)[own:], 1e-9, 1e-9, err_msg=name)


@both_orders
@pytest.mark.parametrize("part", ["partial", "brp", "rbp"])
def test_pieces_give_the_same_bits(part: str, alternating: bool) -> None:
    """25 and 75 iterations are 100, also by way of what a checkpoint holds, and after space was given back."""
    tree, solver = trees(Expanded.of(Leduc())), ruse.cfr(prune=part, alternating=alternating)
    whole, pieces = solved(tree, solver, 100), PrunedTables.start(tree, solver)
    iterate(solver, tree, pieces, 0, 25, 100)
    restored = PrunedTables.restored(tree, solver, {k: array.copy() for k, array in pieces.saved().items()})
    for tables in (pieces, restored):
        tables.give_back()
        iterate(solver, tree, tables, 25, 75, 100)
        for name, array in whole.saved().items():
            assert getattr(tables, name).tobytes() == array.tobytes(), name


# ---- the invariant ---------------------------------------------------------------------------------------------------


@compiled("next_review", "is_worth", "allowance", "keeps")
class Misprinted(NamedTuple):
    """Best-response pruning for T' as eq. 12 of the paper on Cheat and eq. 6 of 2017 print it: psi without its T."""

    length: Any = OpenEnded()
    growth: float = 1.3
    patience: float = 0.1

    def next_review(self, t):
        return grown(t, self.growth)

    def is_worth(self, allowance, spending, t):
        return lasts(allowance, spending, t, self.patience * (grown(t, self.growth) - t))

    def allowance(self, regret, total, best, t):
        return total - best / t if best <= total else -1.0

    def keeps(self):
        return False


class Watched(NamedTuple):
    """What was seen of pruned actions over a whole run."""

    looks: int
    violations: int  # looks at a pruned action whose regret would be positive
    exploitability: float


def watched(game: Game, pruning: Any, iterations: int, *, alternating: bool = True) -> Watched:
    """Look at every pruned action after every iteration: what would its regret be if it came back now?"""
    tree, solver = trees(Expanded.of(game)), ruse.cfr(prune=pruning, alternating=alternating)
    tables = PrunedTables.start(tree, solver)
    looks = violations = 0
    for t in range(iterations):
        iterate(solver, tree, tables, t, 1, 0)
        if tables.dead.any():
            regret = brought_back(solver, tree, tables).regret[tables.regret == -np.inf]
            looks += len(regret)
            violations += int((regret > 1e-9 * (t + 1)).sum())
    return Watched(looks, violations, exploitability(tree, tables))


@pytest.mark.parametrize(
    "alternating", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["alternating", "simultaneous"]
)
@every_part
@pytest.mark.parametrize("name", RUNS)
def test_no_pruned_action_would_have_been_played(name: str, part: str, alternating: bool) -> None:
    game, iterations = RUNS[name]
    seen = watched(game, PARTS[part], iterations, alternating=alternating)
    assert seen.looks > 2_000
    assert seen.violations == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_the_misprint_would_be_seen(name: str) -> None:
    """A test that finds nothing must be able to find something: psi needs its T."""
    game, iterations = RUNS[name]
    seen = watched(game, Misprinted(), iterations, alternating=False)
    assert seen.violations > 50
    assert seen.exploitability > plainly_solved(game, ruse.cfr(alternating=False), iterations)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), zero_sum=st.booleans(), alternating=st.booleans())
def test_random_games(seed: int, zero_sum: bool, alternating: bool) -> None:
    game = random_game(seed, zero_sum=zero_sum)
    for part in ("brp_eager", "rbp_eager"):
        assert watched(game, PARTS[part], 60, alternating=alternating).violations == 0
    tree, plain = trees(Expanded.of(game)), ruse.cfr(alternating=alternating)
    tables = solved(tree, ruse.cfr(prune="partial", alternating=alternating), 30)
    assert exploitability(tree, tables) == pytest.approx(plainly_solved(game, plain, 30), rel=1e-6, abs=1e-9)


# ---- what it costs and saves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["brp", "rbp", *(pytest.param(part, marks=pytest.mark.slow) for part in FIXED)])
@pytest.mark.parametrize("name", RUNS)
def test_exploitability_is_no_worse(name: str, part: str) -> None:
    """Within a tenth of the run that leaves nothing out, on average over four moments: single ones scatter more."""
    game, _ = RUNS[name]
    tree, last = trees(Expanded.of(game)), 300 if name == "dice" else 3_000
    moments = [last // 4, last // 2, 3 * last // 4, last]
    ours = [exploitability(tree, solved(tree, ruse.cfr(prune=part), t)) for t in moments]
    theirs = [plainly_solved(game, ruse.cfr(), t) for t in moments]
    assert np.mean(np.array(ours) / theirs) < 1.1


@pytest.mark.parametrize(("name", "iterations", "factor"), [("leduc", 3_000, 3.0), ("dice", 1_000, 15.0)])
def test_pruning_saves_more_than_its_checks_cost(name: str, iterations: int, factor: float) -> None:
    """Counted as the papers do: histories visited, and all that best responses look at."""
    tree = trees(Expanded.of(RUNS[name][0]))
    rows = len(tree.histories.weight)
    for part in ("brp", "rbp"):
        touched = solved(tree, ruse.cfr(prune=part), iterations).touched / iterations
        assert factor * (touched[VISITED] + touched[CHECKED]) < rows
        assert touched[CHECKED] < touched[LOOKED_AT]
    partial = solved(tree, ruse.cfr(prune="partial"), iterations).touched / iterations
    assert touched[VISITED] + touched[CHECKED] < partial[VISITED]


@pytest.mark.skipif("sys.platform != 'linux'", reason="pages are given back on Linux only")
def test_space_is_given_back() -> None:
    tree, solver = trees(Expanded.of(LiarsDice())), ruse.cfr(prune="brp")
    tables, other = solved(tree, solver, 300), solved(tree, solver, 300)
    assert tables.share_pruned > 0.7
    assert tables.give_back() > 50_000
    for name, array in other.saved().items():
        assert getattr(tables, name).tobytes() == array.tobytes(), name
    iterate(solver, tree, tables, 300, 50, 0)
    iterate(solver, tree, other, 300, 50, 0)
    assert tables.average.tobytes() == other.average.tobytes()
    assert solved(tree, ruse.cfr(prune="rbp"), 300).give_back() == 0
