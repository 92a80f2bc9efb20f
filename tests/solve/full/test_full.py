"""The full-width engine equals its slow twin, merged or not, in one go or in pieces."""

from functools import cache
from typing import NamedTuple

import naive
import numpy as np
import pytest
from forgetful_views import CardAlone, NoCardLater, SecondRoundAlone
from random_games import random_game

from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.protocol.game import CHANCE, Game
from ruse.protocol.view import Full, View
from ruse.solve.full.engine import Tables, average_strategy, iterate, run
from ruse.solve.solver.presets import PRESETS, Solver, dcfr
from ruse.solve.solver.walks import FullWidth
from ruse.tree.expanded import Expanded
from ruse.tree.sequence_form import SequenceForm

NAMES = ("regret", "sigma", "average")


class Case(NamedTuple):
    """A game, what its players remember, and for how many iterations the twin is run."""

    game: Game
    iterations: int
    view: View = Full()
    perfect_recall: bool = True


CASES: dict[str, Case] = {
    "kuhn": Case(naive.Tilted.of(Kuhn()), 10),
    "kuhn_3": Case(naive.Tilted.of(Kuhn(players=3)), 6),
    "leduc": Case(Leduc(ranks=2), 3),
    "random_2": Case(random_game(2), 8),
    "random_2_general": Case(random_game(4, zero_sum=False), 8),
    "random_3": Case(random_game(2, players=3), 8),
    "random_3_general": Case(random_game(3, players=3, zero_sum=False), 8),
    "kuhn_card_alone": Case(naive.Tilted.of(Kuhn()), 8, CardAlone(2), perfect_recall=False),
    "kuhn_3_no_card_later": Case(naive.Tilted.of(Kuhn(players=3)), 6, NoCardLater(3), perfect_recall=False),
    "leduc_second_round_alone": Case(Leduc(ranks=2), 3, SecondRoundAlone(), perfect_recall=False),
}
LARGE: dict[str, Case] = {"leduc_whole": Case(Leduc(), 3)}  # slow in plain Python: not with every rule

every_case = pytest.mark.parametrize("case", CASES)
every_preset = pytest.mark.parametrize("preset", naive.RULES)
both_orders = pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])


@cache
def twin_tree(case: str) -> naive.Node:
    game, _, view, _ = (CASES | LARGE)[case]
    return naive.tree(game, view)


@cache
def expanded(case: str) -> Expanded:
    game, _, view, _ = (CASES | LARGE)[case]
    return Expanded.of(game, view)


def solved(form: SequenceForm, solver: Solver, iterations: int) -> Tables:
    tables = Tables.start(form)
    iterate(solver, form, tables, 0, iterations, iterations)
    return tables


def test_every_preset_has_a_twin() -> None:
    """Those that sample have other tests."""
    assert naive.RULES.keys() == {name for name, preset in PRESETS.items() if isinstance(preset().walk, FullWidth)}


@every_case
def test_nodes_share_rows_only_where_players_forget(case: str) -> None:
    form = expanded(case).form
    assert form.perfect_recall == CASES[case].perfect_recall
    assert (len(np.unique(form.slot)) < len(form.slot)) == (not CASES[case].perfect_recall)
    assert len(np.unique(form.slot)) == len(naive.infosets(twin_tree(case)))


@both_orders
@every_preset
@every_case
def test_engine_equals_its_twin(case: str, preset: str, alternating: bool) -> None:
    (game, iterations, _, _), rule = (CASES | LARGE)[case], naive.RULES[preset]
    twin = naive.Cfr(twin_tree(case), game.players, rule, alternating=alternating).run(iterations, planned=iterations)
    form = expanded(case).form
    tables = solved(form, PRESETS[preset](alternating=alternating), iterations)
    averaged, twin_averaged = average_strategy(form, tables), twin.average_strategy()
    by_key = {naive.key_of(infoset): infoset for infoset in twin.strategy}
    seen = set()
    for j, key in enumerate(expanded(case).keys.tolist()):
        infoset = by_key[key]
        seen.add(infoset)
        row = slice(int(form.slot[j]), int(form.slot[j]) + int(form.first[j + 1] - form.first[j]))
        regret, twin_regret = tables.regret[row], np.array(twin.regret[infoset])
        if rule.accumulates_values:  # ours are regrets: the same numbers but for one that is common to the row
            regret, twin_regret = regret - regret[0], twin_regret - twin_regret[0]
        for name, ours, theirs, tolerance in (
            ("regret", regret, twin_regret, 1e-12),
            ("strategy", tables.sigma[row], twin.strategy[infoset], 1e-12),
            ("average", tables.average[row], twin.average[infoset], 1e-12),
            ("average strategy", averaged[row], twin_averaged[infoset], 1e-9),  # a quotient: its row may be tiny
        ):
            np.testing.assert_allclose(ours, theirs, tolerance, tolerance, err_msg=f"{name} of {infoset}")
    assert seen == twin.strategy.keys()


@pytest.mark.parametrize("preset", ["cfr_plus", "dcfr", "pdcfr_plus", "cfvfp"])
def test_whole_leduc_equals_its_twin(preset: str) -> None:
    test_engine_equals_its_twin("leduc_whole", preset, alternating=True)


@pytest.mark.parametrize(
    "preset", [name for name in naive.RULES if name not in ("pdcfr_plus", "cfvfp")]
)  # these meet ties
@pytest.mark.parametrize(("players", "iterations"), [(2, 10), (3, 6)])
def test_plain_kuhn(players: int, iterations: int, preset: str) -> None:
    game = Kuhn(players=players)
    twin = naive.Cfr(naive.tree(game), players, naive.RULES[preset]).run(iterations, planned=iterations)
    ours = Expanded.of(game)
    averaged = average_strategy(ours.form, solved(ours.form, PRESETS[preset](), iterations))
    strategy = {naive.key_of(infoset): row for infoset, row in twin.average_strategy().items()}
    theirs = [p for key in ours.keys.tolist() for p in strategy[key]]
    np.testing.assert_allclose(averaged[players:], theirs, rtol=1e-12, atol=1e-12)


@both_orders
@every_preset
@every_case
def test_merged_equals_unmerged(case: str, preset: str, alternating: bool) -> None:
    game, iterations = expanded(case), CASES[case].iterations
    solver = PRESETS[preset](alternating=alternating)
    merged, plain = solved(game.merged, solver, iterations), solved(game.form, solver, iterations)
    for name in NAMES:
        ours, theirs = game.unmerged(getattr(merged, name)), getattr(plain, name)
        own = game.form.players  # the empty sequences have no row
        np.testing.assert_allclose(ours[own:], theirs[own:], rtol=1e-12, atol=1e-12, err_msg=name)


@both_orders
@every_preset
@pytest.mark.parametrize("case", ["leduc", "random_3_general", "leduc_second_round_alone"])
def test_pieces_give_the_same_bits(case: str, preset: str, alternating: bool) -> None:
    """10 and 20 iterations are 30, also by way of what a checkpoint holds."""
    form, solver = expanded(case).merged, PRESETS[preset](alternating=alternating)
    whole = solved(form, solver, 30)
    pieces = Tables.start(form)
    iterate(solver, form, pieces, 0, 10, 30)
    saved = {name: array.copy() for name, array in pieces.saved().items()}
    iterate(solver, form, pieces, 10, 20, 30)
    restored = Tables.restored(form, saved)
    iterate(solver, form, restored, 10, 20, 30)
    for name in (*NAMES, "reach"):
        assert getattr(pieces, name).tobytes() == getattr(whole, name).tobytes(), name
        assert getattr(restored, name).tobytes() == getattr(whole, name).tobytes(), f"restored {name}"


@every_case
def test_order_of_updates_matters(case: str) -> None:
    """Or the two would not both have been tested."""
    form = expanded(case).form
    one, other = (solved(form, dcfr(alternating=alternating), 3) for alternating in (True, False))
    assert not np.allclose(one.regret, other.regret)


@pytest.mark.skipif(not hasattr(run, "signatures"), reason="nothing is compiled under NUMBA_DISABLE_JIT=1")
def test_sweep_compiles_nothing_new() -> None:
    form = expanded("kuhn").merged
    solved(form, dcfr(), 1)
    before = len(run.signatures)
    for alpha in (1.0, 1.25, 1.75, 2.0):
        for gamma in (1.0, 2.0, 3.0):
            solved(form, dcfr(alpha, 0.5, gamma), 1)
    solved(form, PRESETS["lcfr"](), 1)
    solved(form, PRESETS["hs_dcfr"](), 1)
    assert len(run.signatures) == before


def test_parts_that_look_alike_are_told_apart() -> None:
    """Games are remembered once they are expanded: by all that they are, not by how they print or compare."""
    assert Kuhn(2, 1, 6) == LiarsDice(2, 1, 6)  # to Python they are tuples of the same numbers
    assert len(Expanded.of(Kuhn(2, 1, 6)).keys) == 12
    assert len(Expanded.of(LiarsDice(2, 1, 6)).keys) == 24_576
    game = random_game(2)
    chance = int(np.flatnonzero(game.actor == CHANCE)[0])
    child, n = int(game.first_child[chance]), int(game.num_children[chance])
    probability = game.probability.copy()
    probability[child : child + n] = [0.9, 0.1] if n == 2 else [0.9, 0.05, 0.05]
    other = game._replace(probability=probability)
    assert repr(game) == repr(other)
    assert not np.allclose(Expanded.of(game).form.value, Expanded.of(other).form.value)
    kuhn = Expanded.of(Kuhn())
    assert CardAlone(2) == NoCardLater(2)
    assert len(np.unique(kuhn.keys_of(CardAlone(2)))) == 6
    assert len(np.unique(kuhn.keys_of(NoCardLater(2)))) == 10
    assert len(np.unique(kuhn.keys_of(Full()))) == 12
