"""Pruning leaves out only what does not matter: it equals its slow twins, and no pruned action would be played."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pruned_twin import PrunedCfr
from random_games import random_game
from test_full import CardAlone

import ruse
from ruse.cli import main
from ruse.compile import compiled
from ruse.evaluate.best_response import exploitability_of
from ruse.game import OVER, Game
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.solve.expanded import Expanded
from ruse.solve.full import Tables
from ruse.solve.full import average_strategy as plain_average
from ruse.solve.full import iterate as iterate_plain
from ruse.solve.histories import AFTER, END, NODE, OTHERS, OWN, PAST, Trees, shorten, trees
from ruse.solve.presets import PRESETS, Solver
from ruse.solve.prune import Threshold
from ruse.solve.pruned import average_strategy, brought_back, iterate
from ruse.solve.pruned_tables import CHECKED, FIRST, LOOKED_AT, SCALE, VISITED, PrunedTables
from ruse.solve.pruning import (
    PRUNINGS,
    BestResponse,
    FixedLength,
    OpenEnded,
    Partial,
    PrunedWidth,
    RegretBased,
    grown,
    lasts,
)
from ruse.solve.walks import ExternalSampling

EAGER = {"growth": 1.1, "patience": 0.01}  # prunes so much so soon that much must come back
PARTS: dict[str, Any] = {
    "brp": BestResponse(),
    "rbp": RegretBased(),
    "brp_fixed": BestResponse(FixedLength()),
    "rbp_fixed": RegretBased(FixedLength()),
    "brp_eager": BestResponse(**EAGER),
    "rbp_eager": RegretBased(**EAGER),
}
TILTED = {"kuhn": naive.Tilted.of(Kuhn())} | {f"random_{k}": naive.Tilted.of(random_game(k)) for k in (0, 2, 3, 5)}
GAMES: dict[str, Game] = {
    **TILTED,
    "kuhn_3": naive.Tilted.of(Kuhn(players=3)),
    "random_general": random_game(4, zero_sum=False),
    "random_3_general": random_game(3, players=3, zero_sum=False),
}

every_part = pytest.mark.parametrize("part", PARTS)
both_orders = pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])


@cache
def planted(game: str) -> Trees:
    return trees(Expanded.of(GAMES[game], merging=False))


@cache
def grown_tree(game: str) -> naive.Node:
    return naive.tree(GAMES[game])


def solved(tree: Trees, solver: Solver, iterations: int) -> PrunedTables:
    tables = PrunedTables.start(tree, solver)
    iterate(solver, tree, tables, 0, iterations, iterations)
    return tables


def plainly_solved(game: Game, solver: Solver, iterations: int) -> float:
    form = Expanded.of(game).merged
    tables = Tables.start(form)
    iterate_plain(solver, form, tables, 0, iterations, iterations)
    return float(exploitability_of(form, plain_average(form, tables)))


def exploitability(tree: Trees, tables: PrunedTables) -> float:
    return float(exploitability_of(tree.form, average_strategy(tree, tables)))


# ---- equal to the twins ----------------------------------------------------------------------------------------------


@both_orders
@pytest.mark.parametrize("preset", ["cfr", "cfr_plus"])
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
    tree, pruning, solver = planted(name), PARTS[part], ruse.cfr(prune=PARTS[part])
    tables = solved(tree, solver, 60)
    twin = PrunedCfr(grown_tree(name), pruning, first=FIRST).run(60)
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
    twins = [PrunedCfr(grown_tree(name), PARTS[part], first=FIRST).run(60) for name in TILTED]
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


# ---- histories -------------------------------------------------------------------------------------------------------


def told_apart(node: naive.Node, players: int) -> list[tuple[set[object], dict[object, float]]]:
    """For each player, the own decisions and the ends that differ in what anybody did at any own decision before."""
    found: list[tuple[set[object], dict[object, float]]] = [(set(), {}) for _ in range(players)]

    def visit(node: naive.Node, chance: float, path: tuple[Any, ...], before: tuple[tuple[object, ...], ...]) -> None:
        for p in range(players) if node.player == OVER else [node.player] if node.infoset is not None else []:
            actions = tuple(tuple(step for step in path if step[0][0] == q) for q in range(players))
            here = (*before[p], (node.infoset, actions))
            if node.player == OVER:
                found[p][1][here] = found[p][1].get(here, 0.0) + chance * node.payoffs[p]
            else:
                found[p][0].add(here)
                before = (*before[:p], here, *before[p + 1 :])
        for a, child in enumerate(node.children):
            if node.infoset is None:
                visit(child, chance * node.chances[a], path, before)
            else:
                visit(child, chance, (*path, (node.infoset, a)), before)

    visit(node, 1.0, (), ((),) * players)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_histories_are_those_of_the_game(name: str) -> None:
    tree, players = planted(name), GAMES[name].players
    rows, weight, start = tree.histories.rows, tree.histories.weight, tree.histories.start
    for p, (decisions, ends) in enumerate(told_apart(grown_tree(name), players)):
        mine = slice(start[p], start[p + 1])
        is_end = rows[mine, NODE] == END
        assert (~is_end).sum() == len(decisions)
        values = [value for value in ends.values() if value != 0.0]
        assert np.sort(weight[mine][is_end]) == pytest.approx(np.sort(values), abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_jumps_leave_out_what_follows_and_no_more(name: str) -> None:
    tree = planted(name)
    rows, form = tree.histories.rows.astype(np.int64), tree.form
    for k, row in enumerate(rows):
        assert k < row[AFTER] <= row[PAST] <= len(rows)
        for below in range(k + 1, row[AFTER]):  # follows it: below an action of the node
            assert rows[below, AFTER] <= row[AFTER]
            s = rows[below, OWN]
            while not form.first[row[NODE]] <= s < form.first[row[NODE] + 1]:
                s = form.parent[np.searchsorted(form.first, s, side="right") - 1]
        assert (rows[row[AFTER] : row[PAST], OWN] >= row[OWN]).all()


def test_short_list_leaves_out_what_follows_pruned_actions() -> None:
    tree = planted("random_3")
    histories, form = tree.histories, tree.form
    dead = np.zeros(form.num_sequences, np.uint8)
    for s in (3, 11, form.num_sequences - 2):
        dead[s] = 1
        dead[form.first[tree.ranges.below[s]] : form.first[tree.ranges.beyond[s]]] = 1
    short = type(histories)(*(np.empty_like(array) for array in histories))
    shorten(histories, short, dead)
    rows = histories.rows
    wanted = np.flatnonzero(~(dead[rows[:, OWN]] | dead[rows[:, OTHERS]]).astype(bool))
    kept = short.rows[: short.start[-1]]
    assert 0 < len(kept) < len(rows)
    assert kept[:, PAST].tolist() == wanted.tolist()
    assert np.array_equal(short.weight[: len(kept)], histories.weight[wanted])
    for row, now in zip(wanted, kept, strict=True):
        assert now[AFTER] == np.searchsorted(wanted, rows[row, AFTER])


# ---- the invariant ---------------------------------------------------------------------------------------------------


@compiled("next_review", "is_worth", "allowance", "spend", "keeps")
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

    def spend(self, arrived, value, highest, lowest, most):
        return self.length.spent(arrived, value, highest, lowest, most)

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


RUNS: dict[str, tuple[Game, int]] = {"kuhn": (Kuhn(), 1_000), "leduc": (Leduc(), 1_000), "dice": (LiarsDice(), 100)}


@both_orders
@every_part
@pytest.mark.parametrize("name", RUNS)
def test_no_pruned_action_would_have_been_played(name: str, part: str, alternating: bool) -> None:
    game, iterations = RUNS[name]
    seen = watched(game, PARTS[part], iterations, alternating=alternating)
    assert seen.looks > 2_000
    assert seen.violations == 0


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


@pytest.mark.parametrize("part", ["brp", "rbp", "brp_fixed", "rbp_fixed"])
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


# ---- what goes together ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "fields", "reason"),
    [
        ("cfr_plus", {"prune": "brp"}, "cfr_plus forgets negative regret, which tells brp what to leave out"),
        ("cfr_plus", {"prune": "rbp"}, "cfr_plus forgets negative regret"),
        ("dcfr", {"prune": "brp"}, "dcfr weighs old regret anew on every iteration"),
        ("lcfr", {"prune": "partial"}, "lcfr weighs old regret anew on every iteration"),
        ("hs_dcfr", {"prune": "rbp_fixed"}, "hs_dcfr weighs old regret anew"),
        ("pcfr_plus", {"prune": "partial"}, "pcfr_plus expects the last regret to come again"),
        ("hedge", {"prune": "partial"}, "hedge does not play by regret matching"),
        ("cfvfp", {"prune": "brp-fixed"}, "cfvfp does not play by regret matching"),
        ("cfr", {"prune": "threshold"}, "threshold pruning is for walk='external' and walk='average', not for full"),
        ("mccfr", {"prune": "brp"}, "brp looks at whole iterations, and the external walk samples them"),
        ("cfr", {"prune": "rbp", "walk": "chance"}, "rbp looks at whole iterations, and the chance walk samples them"),
        ("cfr_plus", {"prune": "threshold", "walk": "external"}, "cfr_plus soon forgets negative regret"),
        ("dcfr", {"prune": "threshold", "walk": "external"}, "dcfr soon forgets negative regret"),
        ("cfr", {"prune": "bpr"}, "unknown pruning 'bpr'; there are partial, rbp"),
    ],
)
def test_bad_rules_are_refused(preset: str, fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(ruse.RuseError, match=reason) as error:
        PRESETS[preset](**fields)
    assert str(error.value).count("\n") == 0


def test_linear_averages_are_refused() -> None:
    late = ruse.cfr()._replace(name="late", weighting=ruse.Discount(gamma=1.0), walk=PrunedWidth(BestResponse()))
    with pytest.raises(ruse.RuseError, match="late averages later iterations with more weight"):
        ruse.train(Kuhn(), late, iterations=10)


def test_bad_games_are_refused() -> None:
    with pytest.raises(ruse.RuseError, match=r"brp is for two players, .* has 3: use the pruning partial"):
        ruse.train(Kuhn(players=3), ruse.cfr(prune="brp"), iterations=10)
    with pytest.raises(ruse.RuseError, match="partial needs players who forget nothing"):
        ruse.train(Kuhn(), ruse.cfr(prune="partial"), iterations=10, view=CardAlone(2))
    with pytest.raises(ruse.TooLarge, match="too large to prune"):
        ruse.train(Leduc(), ruse.cfr(prune="partial"), iterations=10, memory=1_000_000)


def test_good_combinations() -> None:
    assert ruse.cfr(prune="rbp-fixed").walk == PrunedWidth(RegretBased(FixedLength()))
    assert ruse.cfr(prune=BestResponse(growth=1.1)).walk == PrunedWidth(BestResponse(growth=1.1))
    assert ruse.lcfr(walk="external", prune="threshold").walk == ExternalSampling(Threshold())
    assert ruse.cfr_plus(gamma=2.0, prune="partial").weighting == ruse.Discount(gamma=2.0, floor=0.0)
    assert list(PRUNINGS) == ["partial", "rbp", "rbp_fixed", "brp", "brp_fixed", "threshold"]
    assert str(ruse.cfr(prune="brp").walk) == "full, brp"
    assert PrunedWidth(Partial()).pruning == PRUNINGS["partial"]


# ---- training --------------------------------------------------------------------------------------------------------


def test_training_tells_what_is_pruned(tmp_path: Path) -> None:
    seen = []
    run = ruse.train(Leduc(), ruse.cfr(prune="brp"), iterations=500, watch=seen.append)
    assert run.exploitability < 0.03
    assert run.facts["walk"] == "full, brp"
    assert 0.2 < run.facts["pruned"] < 0.8
    assert run.facts["given_back"] == 0  # Leduc's tables are smaller than a page
    assert 0 < run.facts["visited"] < run.facts["nodes"]
    assert seen[-1].pruned == run.facts["pruned"]
    assert run.expanded.form.players == 2

    directory = ruse.new_run(tmp_path, Leduc(), ruse.cfr(prune="brp"), rule="cfr:prune=brp", iterations=200)
    ruse.train(Leduc(), ruse.cfr(prune="brp"), iterations=200, directory=directory)
    longer = ruse.resume(directory, iterations=500)
    assert longer.exploitability == run.exploitability
    assert longer.facts["nodes"] == run.facts["nodes"]


def test_a_start_is_refused_and_a_copy_is_given() -> None:
    run = ruse.train(Kuhn(), ruse.cfr(prune="rbp"), iterations=100)
    with pytest.raises(ruse.RuseError, match="a pruned training counts on all that was played"):
        ruse.train(Kuhn(), ruse.cfr(prune="rbp"), iterations=10, start=ruse.Copied(run))
    assert run.facts["pruned"] > 0
    further = ruse.train(Kuhn(), ruse.cfr(), iterations=10, start=ruse.Copied(run))
    assert further.exploitability < 1.5 * run.exploitability


def test_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def solve(*words: str) -> tuple[int, str, str]:
        code = main(["solve", *words])
        told = capsys.readouterr()
        return code, told.out, told.err

    monkeypatch.chdir(tmp_path)
    code, out, _ = solve("leduc", "--prune", "brp", "--iterations", "300", "--no-run")
    assert code == 0
    assert "leduc, cfr: 300 iterations" in out
    assert "of all actions are pruned, 0 bytes given back" in out
    code, _, err = solve("leduc", "--prune", "brp", "--rule", "dcfr")
    assert code == 2
    assert err == "ruse: dcfr weighs old regret anew on every iteration, and brp leaves infosets out; use cfr\n"
    code, _, err = solve("kuhn", "--players", "3", "--prune", "brp")
    assert code == 2
    assert "brp is for two players" in err
    assert not (tmp_path / "runs").exists()
