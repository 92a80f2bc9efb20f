"""Preferences in the full-width engine: equal to their slow twin with every rule, merged or not, in pieces or not."""

from functools import cache
from typing import Any

import naive
import numpy as np
import prefer_twin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_game

import ruse
from ruse.errors import RuseError
from ruse.games.explicit import Builder
from ruse.protocol.decisions import Asked
from ruse.protocol.game import Game
from ruse.solve.full.engine import average_strategy
from ruse.solve.prefer.favour import Best, Most, Shares, Times
from ruse.solve.solver.prefer import Prefer, preference
from ruse.solve.solver.presets import PRESETS, Solver
from ruse.training.engines.full_width import FullWidthEngine

GAMES: dict[str, tuple[Game, list[str]]] = {
    "kuhn": (naive.Tilted.of(ruse.Kuhn()), ["bet, player 0, first: delta=10, beta=0.1"]),
    "kuhn_both": (
        naive.Tilted.of(ruse.Kuhn()),
        ["bet, player 0: delta=3, beta=0.05", "pass, player 1, bet: delta=7", "bet, K: delta=2, beta=0.3"],
    ),
    "kuhn_3": (naive.Tilted.of(ruse.Kuhn(players=3)), ["bet: delta=4, beta=0.1"]),
    "leduc": (ruse.Leduc(ranks=2), ["raise, player 0, first: delta=5, beta=0.1"]),
    "random_2": (random_game(2), ["a0: delta=5, beta=0.2"]),
    "random_3": (random_game(3, players=3, zero_sum=False), ["a0, player 1: delta=5, beta=0.2", "a1: delta=2"]),
}
PRICELESS = {"hedge"}  # where beta is refused
every_game = pytest.mark.parametrize("game", GAMES)
both_orders = pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])
ITERATIONS = 8


@cache
def tree(game: str) -> naive.Node:
    return naive.tree(GAMES[game][0])


def rules_for(game: str, preset: str) -> list[Any]:
    rules = [preference(text) for text in GAMES[game][1]]
    return [rule._replace(beta=0.0) for rule in rules] if preset in PRICELESS else rules


def engine(game: Game, solver: Solver, *, merging: bool = False) -> FullWidthEngine:
    return FullWidthEngine(ruse.Job(game, solver, iterations=ITERATIONS, merging=merging))


def assert_equal(ours: FullWidthEngine, twin: naive.Cfr) -> None:
    form, tables = ours.form, ours.tables
    averaged, twin_averaged = average_strategy(form, tables), twin.average_strategy()
    by_key = {naive.key_of(infoset): infoset for infoset in twin.strategy}
    for j, key in enumerate(ours.expanded.keys.tolist()):
        infoset = by_key[key]
        first = int(ours.expanded.renamed[ours.expanded.form.slot[j]])
        row = slice(first, first + len(twin.strategy[infoset]))
        for name, mine, theirs, tolerance in (
            ("regret", tables.regret[row], twin.regret[infoset], 1e-12),
            ("strategy", tables.sigma[row], twin.strategy[infoset], 1e-9),
            ("average", averaged[row], twin_averaged[infoset], 1e-9),
        ):
            np.testing.assert_allclose(mine, theirs, tolerance, tolerance, err_msg=f"{name} of {infoset}")


@both_orders
@pytest.mark.parametrize(
    ("game", "preset"),
    [
        pytest.param(game, preset, marks=() if game == "kuhn" or preset in ("cfr", "dcfr") else pytest.mark.slow)
        for game in GAMES
        for preset in prefer_twin.RULES
    ],
)
def test_engine_equals_its_twin(game: str, preset: str, alternating: bool) -> None:
    played, rules = GAMES[game][0], rules_for(game, preset)
    ours = engine(played, PRESETS[preset](alternating=alternating, prefer=rules))
    ours.run(0, ITERATIONS)
    choose = prefer_twin.best(1.0) if preset == "cfvfp" else prefer_twin.weighted
    wanted = prefer_twin.wishes(played, rules)
    assert ours.preferred is not None
    assert {naive.key_of(infoset) for infoset in wanted} == set(ours.preferred.keys.tolist())
    twin = prefer_twin.PreferenceCfr(
        tree(game), played.players, prefer_twin.RULES[preset], wanted, choose, alternating=alternating
    )
    assert_equal(ours, twin.run(ITERATIONS, planned=ITERATIONS))
    plain = engine(played, PRESETS[preset](alternating=alternating))
    plain.run(0, ITERATIONS)
    assert not np.allclose(plain.tables.regret, ours.tables.regret)


@pytest.mark.parametrize(
    ("form", "choose"),
    [
        (Best(0.0), prefer_twin.best(0.0)),
        (Best(1.0, Most()), prefer_twin.best(1.0, prefer_twin.most)),
        (Best(1.0, Shares()), prefer_twin.best(1.0)),
    ],
    ids=["equation 16", "the authors' Leduc", "the authors' Kuhn"],
)
@every_game
def test_literal_forms_equal_their_twins(game: str, form: Any, choose: prefer_twin.Choose) -> None:
    played, rules = GAMES[game][0], rules_for(game, "cfvfp")
    ours = engine(played, ruse.cfvfp(alternating=False, prefer=Prefer(tuple(rules), form)))
    ours.run(0, ITERATIONS)
    wanted = prefer_twin.wishes(played, rules)
    twin = prefer_twin.PreferenceCfr(
        tree(game), played.players, prefer_twin.RULES["cfvfp"], wanted, choose, alternating=False
    )
    assert_equal(ours, twin.run(ITERATIONS))


# ---- merging ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["cfr", "dcfr", "cfr_plus", "pcfr_plus"])
@every_game
def test_merged_equals_unmerged(game: str, preset: str) -> None:
    solver = PRESETS[preset](prefer=rules_for(game, preset))
    merged, whole = (engine(GAMES[game][0], solver, merging=merging) for merging in (True, False))
    for one in (merged, whole):
        one.run(0, ITERATIONS)
    own = whole.expanded.form.players
    for name in ("regret", "sigma", "average"):
        mine, theirs = (one.expanded.unmerged(getattr(one.tables, name)) for one in (merged, whole))
        np.testing.assert_allclose(mine[own:], theirs[own:], rtol=1e-10, atol=1e-12, err_msg=name)


def test_leduc_stays_merged_where_suits_are_preferred_alike() -> None:
    alike = engine(ruse.Leduc(), ruse.dcfr(prefer="raise, player 0, first: delta=5, beta=0.1"), merging=True)
    assert len(alike.form.parent) == 288
    spades = engine(ruse.Leduc(), ruse.dcfr(prefer="raise, player 0, with Ks, first: delta=5"), merging=True)
    assert 288 < len(spades.form.parent) < 936
    assert spades.preferred is not None
    assert len(spades.preferred.keys) == 1


def two_bets(reach: float) -> Game:
    """Player 0 learns where he is, and bets half as much where he is twice as likely to be: the same to CFR."""
    tree = Builder("two bets", 2)
    child = tree.chance(0, outcomes=["left", "right", "out"], probabilities=[reach, 0.25, 0.75 - reach])
    for k, share in ((0, reach), (1, 0.25)):
        bet = tree.decide(child + k, player=0, infoset=("left", "right")[k], actions=["bet", "pass"])
        answer = tree.decide(bet, player=1, infoset=f"after {k}", actions=["call", "fold"])
        stake = 0.25 / share
        tree.end(answer, [-stake, stake])
        tree.end(answer + 1, [stake, -stake])
        tree.end(bet + 1, [0.0, 0.0])
    tree.end(child + 2, [0.0, 0.0])
    return tree.game()


def test_infosets_of_different_reach_are_not_merged_where_a_visit_has_a_price() -> None:
    """Merging looks at payoff times chance, which is the same at both; the price is by the visit, which is not."""
    priced, free = (ruse.dcfr(prefer=f"bet, player 0: delta=5, beta={beta}") for beta in (0.1, 0.0))
    assert len(engine(two_bets(0.25), priced, merging=True).form.parent) == 2
    assert len(engine(two_bets(0.5), free, merging=True).form.parent) == 2
    apart = engine(two_bets(0.5), priced, merging=True)
    assert len(apart.form.parent) == 4
    whole = engine(two_bets(0.5), priced, merging=False)
    for one in (apart, whole):
        one.run(0, 20)
    np.testing.assert_allclose(apart.expanded.unmerged(apart.tables.regret), whole.tables.regret, 1e-12, 1e-12)


# ---- in pieces -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["dcfr", "pdcfr_plus", "cfvfp"])
@every_game
def test_pieces_give_the_same_bits(game: str, preset: str) -> None:
    solver = PRESETS[preset](prefer=rules_for(game, preset))
    whole, pieces, restored = (engine(GAMES[game][0], solver, merging=True) for _ in range(3))
    whole.run(0, 30)
    pieces.run(0, 10)
    restored.restore({name: array.copy() for name, array in pieces.saved().items()})
    for one in (pieces, restored):
        one.run(10, 20)
        for name in ("regret", "sigma", "average"):
            assert getattr(one.tables, name).tobytes() == getattr(whole.tables, name).tobytes(), name


def test_a_start_from_a_copy_keeps_preferences() -> None:
    """Random tables tell suits apart, so nothing may be merged any more."""
    solver = ruse.cfr(prefer="raise, player 0, first: delta=5, beta=0.1")
    first = ruse.train(ruse.Leduc(), solver, iterations=20)
    learned = first.engine.learned(20)
    noisy = learned._replace(regret=learned.regret + np.random.default_rng(0).random(len(learned.regret)))
    run = ruse.train(ruse.Leduc(), solver, iterations=2_000, start=ruse.Copied(noisy))
    assert run.facts["infosets_merged"] == 936
    assert run.price is not None
    assert run.strategy["Ks, no board"]["raise"] > 0.8


# ---- the bound -------------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000), beta=st.sampled_from([0.0, 0.1, 0.5]), delta=st.sampled_from([1.5, 5.0, 20.0]),
    preset=st.sampled_from(["cfr_plus", "dcfr", "pdcfr_plus"]), player=st.sampled_from([None, 0, 1]),
)  # fmt: skip
def test_the_tax_keeps_the_bound(seed: int, beta: float, delta: float, preset: str, player: int | None) -> None:
    """Whatever the game: NashConv is at most the bound, once the rule has converged."""
    game = random_game(seed)
    rule = ruse.Preference(Asked("a0", player), delta, beta)
    run = ruse.train(game, PRESETS[preset](prefer=rule), iterations=2_000)
    assert run.price is not None
    assert run.price.nash_conv <= run.price.bound + 0.003
    assert run.price.bound >= 0.0


def test_the_bound_is_not_idle() -> None:
    """A price that is paid is seen: without the tax the same preference costs nothing."""
    rule = "bet, player 0, first: delta=5, beta={}"
    costs = [
        ruse.train(ruse.Kuhn(), ruse.dcfr(prefer=rule.format(beta)), iterations=3_000).measured.nash_conv
        for beta in (0.0, 0.05, 0.2)
    ]
    assert costs[0] < 1e-3
    assert 0.02 < costs[1] < 0.05
    assert 0.08 < costs[2] < 0.2


# ---- forms -----------------------------------------------------------------------------------------------------------


def test_hedge_has_a_prior_and_no_price() -> None:
    with pytest.raises(RuseError, match="hedge sees only how regrets differ"):
        ruse.train(ruse.Kuhn(), ruse.hedge(prefer="bet, player 0: delta=5, beta=0.1"), iterations=1)
    towards, away = (
        ruse.train(ruse.Kuhn(), ruse.hedge(prefer=f"{a}, player 0, first: delta=1000"), iterations=3_000)
        for a in ("bet", "pass")
    )
    assert towards.strategy["J"]["bet"] > away.strategy["J"]["bet"] + 0.05
    assert max(towards.exploitability, away.exploitability) < 0.01


def test_a_rule_of_ones_own_is_multiplied() -> None:
    solver = ruse.Solver(
        "mine", ruse.Discount(), ruse.Hedge(2.0), prefer=Prefer((preference("bet: delta=3"),), Times(ruse.Hedge(2.0)))
    )
    usual = ruse.hedge(2.0, prefer="bet: delta=3")
    one, other = (ruse.train(ruse.Kuhn(), s, iterations=50) for s in (solver, usual))
    assert one.strategy.probability.tobytes() == other.strategy.probability.tobytes()


def test_a_bare_engine_refuses_preferences() -> None:
    from ruse.solve.full.engine import Tables, iterate

    form = ruse.Expanded.of(ruse.Kuhn()).merged
    with pytest.raises(RuseError, match="preferences belong to a game"):
        iterate(ruse.cfr(prefer="bet: delta=3"), form, Tables.start(form), 0, 1, 0)


def test_a_warm_start_refuses_preferences() -> None:
    run = ruse.train(ruse.Kuhn(), ruse.cfr(), iterations=50)
    with pytest.raises(RuseError, match="without preferences"):
        ruse.train(ruse.Kuhn(), ruse.cfr(prefer="bet: delta=3"), iterations=5, start=ruse.WarmStart(run.strategy))
