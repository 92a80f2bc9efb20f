"""Many equilibria: Kuhn's family, Leduc's one root, prices, and programs that agree with what strategies measure."""

import math

import numpy as np
import pytest
from exact_games import PRISONERS, forgetful, raised
from places import ROOT
from random_games import random_game

import ruse
from ruse.errors import RuseError
from ruse.evaluate.best_response import exploitability_of
from ruse.protocol.decisions import asked
from ruse.solve.exact import solve_exactly
from ruse.strategy import Strategy
from ruse.styles.census import Census, Ratio
from ruse.styles.equilibria import Equilibria, Movable, plain_equilibrium
from ruse.styles.polytope import Polytope, Range, colours_of
from ruse.tree.expanded import Expanded

pytest.importorskip("scipy")

KUHN, LEDUC, CHEAT = ruse.Kuhn(), ruse.Leduc(), ruse.Cheat(hp=1)
COIN = ruse.game(str(ROOT / "examples" / "coin_toss.py"))


@pytest.fixture(scope="module")
def kuhn() -> Equilibria:
    return ruse.equilibria(KUHN)


@pytest.fixture(scope="module")
def leduc() -> Equilibria:
    return ruse.equilibria(LEDUC)


def by_name(found: Equilibria) -> dict[str, Movable]:
    return {m.name: m for m in found.metrics}


# ---- known values ----------------------------------------------------------------------------------------------------


def test_the_family_of_kuhn(kuhn: Equilibria) -> None:
    """Preference-CFR, table 1: J bets a, Q never, K 3a; Q calls with 1/3 + a; a from 0 to 1/3. One second player."""
    assert kuhn.value == pytest.approx(-1 / 18, abs=1e-9)
    ranges = {
        "open, player 0, with J": (0, 1 / 3), "open, player 0, with Q": (0, 0), "open, player 0, with K": (0, 1),
        "open, player 0": (0, 4 / 9), "call, player 0, with J": (0, 0), "call, player 0, with Q": (1 / 3, 2 / 3),
        "call, player 0, with K": (1, 1), "open, player 1, with J": (1 / 3, 1 / 3), "open, player 1, with Q": (0, 0),
        "open, player 1, with K": (1, 1), "call, player 1, with J": (0, 0), "call, player 1, with Q": (1 / 3, 1 / 3),
        "call, player 1, with K": (1, 1),
    }  # fmt: skip
    found = by_name(kuhn)
    for name, ends in ranges.items():
        assert (found[name].lowest, found[name].highest) == pytest.approx(ends, abs=1e-7), name
        assert found[name].is_unique is (ends[0] == ends[1])
        assert ends[0] - 1e-7 <= found[name].own <= ends[1] + 1e-7
    assert kuhn.chosen.name == "open, player 0, with J"
    family = kuhn.family(kuhn.chosen.name, points=5)
    a = np.array(family.at)
    assert a == pytest.approx(np.linspace(0, 1 / 3, 5), abs=1e-6)
    truth = {"J": a, "J, pass bet": 0 * a, "Q": 0 * a, "Q, pass bet": 1 / 3 + a, "K": 3 * a, "K, pass bet": 0 * a + 1}
    assert family.lines.keys() == {f"bet at {name}" for name in truth}
    for name, values in truth.items():
        for ends, value in zip(family.lines[f"bet at {name}"], values, strict=True):
            assert ends == pytest.approx((value, value), abs=1e-5), name


def test_the_variance_of_kuhn(kuhn: Equilibria) -> None:
    """The bolder the family, the more its payoff varies: the ends are those of a = 0 and a = 1/3."""
    risk = by_name(kuhn)["variance, player 0"]
    opponent, measure = kuhn.own, ruse.metric(KUHN, "variance, player 0")
    for a, value in ((0.0, risk.lowest), (1 / 3, risk.highest)):
        bets = {"J": a, "Q": 0.0, "K": 3 * a, "J, pass bet": 0.0, "Q, pass bet": 1 / 3 + a, "K, pass bet": 1.0}
        assert measure.of(changed(opponent, bets)) == pytest.approx(value, abs=1e-6)
    assert by_name(kuhn)["variance, player 1"].is_unique


def changed(strategy: Strategy, bets: dict[str, float]) -> Strategy:
    """The same strategy with other probabilities of betting at player 0's infosets."""
    expanded = Expanded.of(strategy.game)
    sigma = strategy.on(expanded)
    for infoset in expanded.infosets:
        if infoset.name in bets and infoset.player == 0:
            first = expanded.form.first[infoset.node]
            sigma[first : first + 2] = 1 - bets[infoset.name], bets[infoset.name]
    return Strategy.of(expanded, sigma)


def test_the_root_of_leduc_is_unique(leduc: Equilibria) -> None:
    """Measured by many solvers as about .073, .742 and .753, whatever the preference; these are the digits."""
    found = by_name(leduc)
    for card, share in (("J", 0.072350), ("Q", 0.741861), ("K", 0.751908)):
        first = found[f"raise, player 0, with {card}, first"]
        assert first.is_unique
        assert (first.lowest, first.highest) == pytest.approx((share, share), abs=2e-6)
    assert found["variance, player 0"].is_unique
    later = found["raise, player 1"]
    assert (later.lowest, later.highest) == pytest.approx((0.4273, 0.4553), abs=1e-3)  # weighted by a near-equilibrium
    assert not later.is_unique
    assert leduc.chosen.name == "raise, player 0"


def test_a_game_of_ones_own() -> None:
    """Coin toss: player 0 may sell always or never; player 1 must guess heads a quarter of the time."""
    found = by_name(ruse.equilibria(COIN))
    assert (found["sell, player 0"].lowest, found["sell, player 0"].highest) == pytest.approx((0, 1), abs=1e-7)
    assert found["guess heads, player 1"].is_unique
    assert found["guess heads, player 1"].lowest == pytest.approx(0.25, abs=1e-7)
    # Selling is worth half a point or minus half, and the play a whole one or minus one: 1/4 and 1 squared.
    risk = found["variance, player 0"]
    assert (risk.lowest, risk.highest) == pytest.approx((0.25, 1), abs=1e-7)


def test_cheat_has_many() -> None:
    found = by_name(ruse.equilibria(CHEAT))
    assert not found["challenge, player 0"].is_unique
    assert 0 < found["lie, player 0"].lowest < found["lie, player 0"].highest < 1


# ---- programs and strategies agree -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [KUHN, CHEAT, *(random_game(seed) for seed in (0, 3, 5))], ids=lambda game: type(game).__name__
)
def test_the_plain_solve_lies_in_between(game: ruse.Game) -> None:
    """An equilibrium is among the equilibria, and a strategy that loses a little among those that may."""
    found = ruse.equilibria(game)
    assert exploitability_of(found.expanded.form, found.own.on(found.expanded)) < 1e-7
    for m in found.metrics:
        assert m.lowest - 1e-5 <= m.own <= m.highest + 1e-5 or math.isnan(m.lowest)
    wider = ruse.equilibria(game, [m.name for m in found.metrics if "variance" not in m.name], within=0.05)
    for m, w in zip(found.metrics, wider.metrics, strict=False):
        assert (w.lowest <= m.lowest + 1e-7 and w.highest >= m.highest - 1e-7) or math.isnan(m.lowest)


def losses(strategy: Strategy) -> float:
    """What player 0's part of the strategy loses to a best response."""
    expanded = Expanded.of(strategy.game)
    measured = exploitability_of(expanded.form, strategy.on(expanded))
    return solve_exactly(expanded).value + measured.best[1]


@pytest.mark.parametrize("within", [0.0, 0.03])
def test_no_strategy_does_better(within: float) -> None:
    """Brute force over a grid of Kuhn strategies: none that loses so little has a metric outside its range."""
    texts = ["bet, player 0", "bet, player 0, with J, first", "pass, player 0, first"]
    found = ruse.equilibria(KUHN, texts, within=within)
    seen = {m.name: [m.own] for m in found.metrics}
    for a in np.linspace(0, 0.5, 6):
        for k in np.linspace(0, 1, 6):
            for c in np.linspace(0, 1, 7):
                bets = {"J": a, "Q": 0.0, "K": k, "J, pass bet": 0.0, "Q, pass bet": c, "K, pass bet": 1.0}
                strategy = changed(found.own, bets)
                if losses(strategy) <= within + 1e-12:
                    for name, values in seen.items():
                        values.append(ruse.metric(KUHN, name).of(strategy))
    for m in found.metrics:
        assert len(seen[m.name]) > 1 + (within > 0)
        assert m.lowest - 1e-7 <= min(seen[m.name]) <= max(seen[m.name]) <= m.highest + 1e-7


def test_prices(kuhn: Equilibria) -> None:
    """Free up to a = 1/3, then a third of what is more. What may be had for a price is the inverse."""
    frontier = kuhn.frontier("open, player 0, with J", points=7)
    for a, price in frontier:
        assert price == pytest.approx(max(a - 1 / 3, 0) / 3, abs=1e-7)
    assert len(frontier) >= 7
    dear = ruse.equilibria(KUHN, ["open, player 0, with J"], within=0.05).metrics[0]
    assert dear.highest == pytest.approx(1 / 3 + 3 * 0.05, abs=1e-7)
    with pytest.raises(RuseError, match="'variance, player 0' is not linear"):
        kuhn.frontier("variance, player 0")


@pytest.mark.parametrize(
    ("game", "text"),
    [(LEDUC, "raise, player 1"), (LEDUC, "raise, player 0, with Ks, first"), (random_game(1), "a1, player 0")],
    ids=["alike", "one suit", "random"],
)
def test_merging_changes_nothing(game: ruse.Game, text: str) -> None:
    """The range over the merged game is that over the whole one, for metrics that respect what is merged and others."""
    expanded = Expanded.of(game)
    census, wanted = Census(plain_equilibrium(expanded)), asked(text, 2)
    player, ratio = wanted.player or 0, census.ratio(wanted)
    value = solve_exactly(expanded).value * (1 if player == 0 else -1)
    merged = Polytope(expanded.form, player, value=value, ratios=[ratio])
    every = np.arange(expanded.form.num_sequences, dtype=float)
    apart = Ratio(every, every)  # a metric that treats no two sequences alike
    whole = Polytope(expanded.form, player, value=value, ratios=[ratio, apart])
    assert len(set(colours_of([apart], len(every)))) == len(every)
    assert whole.payoff.shape[0] >= merged.payoff.shape[0]
    assert merged.range(0) == pytest.approx(whole.range(0), abs=5e-6)


def test_where_play_never_comes() -> None:
    """A decision that no equilibrium comes to has no frequency there."""
    game = ruse.matrix([[1, 1], [0, 0]])
    found = ruse.equilibria(game).metrics[0]
    assert (found.lowest, found.highest) == pytest.approx((1, 1))
    expanded = Expanded.of(KUHN)
    nothing = np.zeros(expanded.form.num_sequences)
    assert Polytope(expanded.form, 0, value=-1 / 18, ratios=[Ratio(nothing, nothing)]).range(0) is None
    assert Movable("x", 0, float("nan"), float("nan"), float("nan")).is_unique
    assert Range(0.25, 0.75).width == 0.5


@pytest.mark.parametrize("paid", [2.5, -100.0])
def test_a_constant_sum_changes_no_style(paid: float) -> None:
    """The same strategies are equilibria, and they lose the same, if both players are paid for playing."""
    game = random_game(4)
    ours = ruse.equilibria(game, within=0.1)
    more = raised(game, paid / 4, 3 * paid / 4)
    theirs = Equilibria(more, within=0.1, against=Strategy.of(Expanded.of(more), ours.own.on(Expanded.of(game))))
    assert theirs.value == pytest.approx(ours.value + paid / 4, abs=1e-6)
    assert theirs.payoff_sum == pytest.approx(paid)
    assert len(ours.metrics) > 4
    assert not all(m.is_unique for m in ours.metrics)
    for one, other in zip(ours.metrics, theirs.metrics, strict=True):
        assert one[2:5] == pytest.approx(other[2:5], abs=1e-6, nan_ok=True), one.name


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (ruse.Kuhn(players=3), "has 3 players; equilibria can be mapped for two players"),
        (PRISONERS, "only games of zero or constant sum have an exact answer"),
        (forgetful(), "forget; equilibria can be mapped where they recall"),
    ],
    ids=["three players", "prisoners", "forgetful"],
)
def test_refusals(game: ruse.Game, words: str) -> None:
    with pytest.raises(RuseError, match=words):
        ruse.equilibria(game)


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.styles.equilibria.MOST", 100)
    with pytest.raises(
        RuseError, match=r"is too large: equilibria can be mapped by linear programs, which take 100 .* has 674"
    ):
        ruse.equilibria(LEDUC)


@pytest.mark.parametrize(
    ("text", "within", "words"),
    [
        ("bet", -1.0, "within must be at least 0, and a number, got -1.0"),
        ("bet", math.inf, "got inf"),
        ("payoff, player 0", 0.0, "'payoff' cannot be mapped"),
        ("variance", 0.1, "the variance can be mapped among equilibria alone"),
        ("bett", 0.0, "no action 'bett'"),
    ],
)
def test_bad_questions(text: str, within: float, words: str) -> None:
    with pytest.raises(RuseError, match=words):
        ruse.equilibria(KUHN, [text], within=within)


def test_unknown_metric(kuhn: Equilibria) -> None:
    with pytest.raises(RuseError, match="no metric 'bet' here; there is 'open, player 0, with J'"):
        kuhn.family("bet")
    assert [m.name for m in ruse.equilibria(KUHN, ["bet"]).metrics] == ["bet, player 0", "bet, player 1"]
    assert [m.name for m in ruse.equilibria(COIN, ["sell"]).metrics] == ["sell, player 0"]
