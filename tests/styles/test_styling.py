"""Targets to preferences: what is asked for is met, the price is the true one, and what cannot be had is told."""

import json
from pathlib import Path

import pytest
from places import ROOT

import ruse
from ruse.cli import main
from ruse.errors import RuseError
from ruse.evaluate import price
from ruse.styles.search import Search
from ruse.styles.styled import MET, Styled, Target, target_of

COIN_TOSS = ROOT / "examples/coin_toss.py"
KING = "bet, player 0, with K, first"


def check(game: ruse.Game, found: Styled) -> None:
    """The strategy itself has the metric and the price that were told."""
    assert ruse.metric(game, found.target.name).of(found.strategy) == pytest.approx(found.chosen.value, abs=1e-9)
    measured = ruse.exploitability(game, found.strategy)
    assert measured == pytest.approx(found.chosen.exploitability, abs=1e-9)
    assert found.chosen.cost >= measured
    if found.chosen.exploitability_of_styled_player is None:
        assert max(measured.per_player) <= found.chosen.cost + 1e-9


def test_texts() -> None:
    assert target_of(" bet, player 0 , first =0.45") == Target("bet, player 0 , first", 0.45)
    for bad in ("bet", "bet=much", "bet=1.5", "=0.5", "bet=-0.1", "bet=nan", ""):
        with pytest.raises(RuseError, match="cannot read the target"):
            target_of(bad)


@pytest.mark.parametrize("value", [0.1, 0.3, 0.6, 0.95])
def test_equilibria_of_kuhn_are_free(value: float) -> None:
    """A King bets three times as often as a Jack bluffs, so any share up to 1 is an equilibrium."""
    found = ruse.style(ruse.Kuhn(), f"{KING} = {value}", max_exploitability=0.002)
    assert found.is_met
    assert found.chosen.beta == 0.0
    assert found.chosen.cost < 0.002
    check(ruse.Kuhn(), found)
    assert str(found).startswith(f"Styled(kuhn, {KING} = {value}: met, ")
    assert len(repr(found)) < 120 > len(repr(found.chosen))  # not all numbers of a strategy


def test_the_plain_solve_may_be_there() -> None:
    plain = ruse.style(ruse.Leduc(), "raise, player 0, first = 0.52")
    assert plain.is_met
    assert plain.rule is None
    assert len(plain.tried) == 1
    assert "already" in plain.why


@pytest.mark.parametrize("target", ["raise, player 0, first = 0.6", "bet = 0.45", "fold, player 1 = 0.35"])
def test_leduc_is_paid_for(target: str) -> None:
    found = ruse.style(ruse.Leduc(), target, max_exploitability=0.05)
    assert found.is_met
    assert abs(found.chosen.value - found.target.value) <= MET
    assert found.chosen.cost <= 0.05
    assert len(found.tried) <= 20
    check(ruse.Leduc(), found)


def test_what_costs_too_much_is_told() -> None:
    found = ruse.style(ruse.Leduc(), "raise, player 0, first = 0.9", max_exploitability=0.02)
    assert not found.is_met
    assert found.chosen.cost <= 0.02
    assert found.plain.value < found.chosen.value < 0.9
    assert "is not to be had for 0.02" in found.why
    assert not found.moves_freely
    check(ruse.Leduc(), found)


def test_the_program_is_asked_last() -> None:
    """No preference that is tried is so cheap, but some strategy is."""
    found = ruse.style(ruse.Leduc(), "raise, player 0, first = 0.6", max_exploitability=0.008)
    assert found.is_met
    assert found.chosen.how == "by linear program"
    assert found.chosen.exploitability_of_styled_player == pytest.approx(0.00661, abs=1e-4)
    check(ruse.Leduc(), found)


def test_a_mixture_is_between() -> None:
    """Half of two plans: the metric is between, and what is lost is no more than half of both."""
    game = ruse.Leduc()
    search = Search(game, Target("raise, player 0, first", 0.9), 0.02, ruse.dcfr(), 500, 20, lambda tried: None)
    low, high = search.solve(1.0, 0.0), search.solve(10.0, 0.2)
    half = search.mixed(low, high, 0.5)
    assert half.value == pytest.approx((low.value + high.value) / 2, abs=1e-6)  # reach of a first decision is chance's
    mean = (low.exploitability_of_styled_player + high.exploitability_of_styled_player) / 2
    assert half.exploitability_of_styled_player <= mean + 1e-9
    assert search.mixed(low, high, 1.0).value == pytest.approx(high.value)


def test_three_players() -> None:
    game = ruse.Kuhn(players=3)
    found = ruse.style(game, "bet, player 0, first = 0.3", max_exploitability=0.1)
    assert found.is_met
    check(game, found)
    assert found.chosen.exploitability_of_styled_player is None
    assert found.as_dict()["exploitability_of_styled_player"] is None
    assert found.as_dict()["bound"] is None  # the others are not those who were trained, and regret is no NashConv


def test_with_three_players_nobody_gains_more_than_the_cap(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """0.3 makes an exploitability of 0.0193, which is a mean: one player could gain 0.0313."""
    words = ["style", "kuhn", "--players", "3", "--target", "bet, player 0, first = 0.3"]
    code, out, _ = called(capsys, *words, "--out", str(tmp_path))
    assert code == 1
    assert "of its player alone not known; one player alone could gain" in out
    assert "in the limit" not in out
    game = ruse.Kuhn(players=3)
    measured = ruse.exploitability(game, ruse.Strategy.load(tmp_path / "style.strategy"))
    assert 0.0 < max(measured.per_player) <= 0.02
    assert json.loads((tmp_path / "style.json").read_text())["chosen"]["could_gain"] == max(measured.per_player)


def test_an_estimate_of_the_price_is_held_below_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a linear program the value of the game is known as closely as the plain solve tells it."""
    target = "raise, player 0, first = 0.6"
    exact = ruse.style(ruse.Leduc(), target, iterations=500).chosen
    monkeypatch.setattr(price, "EXACT", 5)
    about = ruse.style(ruse.Leduc(), target, iterations=500).chosen
    assert exact.exploitability_of_styled_player is not None
    assert 0.0 < about.price.margin < 0.001
    assert about.exploitability_of_styled_player == pytest.approx(
        exact.exploitability_of_styled_player, abs=about.price.margin
    )
    assert exact.exploitability_of_styled_player <= about.cost <= 0.02


def test_the_limit_is_that_of_what_was_trained() -> None:
    """The partner of a styled player comes elsewhere than a plain solve does."""
    target = Target("raise, player 0", 0.9)
    search = Search(ruse.Leduc(), target, 0.02, ruse.dcfr(), 500, 20, lambda tried: None)
    search.solve(1.0, 0.0)
    one = search.solve(10.0, 0.2)
    assert search.last is not None
    trained = search.last.price(search.last.exploitability())
    assert trained is not None
    assert one.bound == pytest.approx(trained.bound, abs=1e-12)
    assert one.price.bound != pytest.approx(trained.bound, abs=1e-3)


def test_a_game_of_ones_own() -> None:
    game = ruse.game(str(COIN_TOSS))
    plain = ruse.style(game, "guess heads = 0.5", max_exploitability=0.1)
    bold = ruse.style(game, f"guess heads = {min(plain.plain.value + 0.1, 0.9):.3f}", max_exploitability=0.5)
    assert bold.is_met
    check(game, bold)


def test_bad_targets() -> None:
    for target, told in (
        ("variance, player 0 = 0.5", "is not how often an action is taken"),
        ("dance = 0.5", "no action 'dance'"),
        ("bet, player 4 = 0.5", "there is no player 4"),
    ):
        with pytest.raises(RuseError, match=told):
            ruse.style(ruse.Kuhn(), target)
    with pytest.raises(RuseError, match="max_exploitability must be above 0, and a number, got 0"):
        ruse.style(ruse.Kuhn(), "bet = 0.5", max_exploitability=0.0)


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(words)
    return code, *capsys.readouterr()


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["style", "kuhn", "--target", f"{KING} = 0.9", "--iterations", "500", "--max-exploitability", "0.01"]
    code, out, _ = called(capsys, *words, "--json", "--out", str(tmp_path / "style"))
    told = json.loads(out)
    assert code == 0
    assert told["met"]
    assert abs(told["achieved"] - 0.9) <= MET
    assert told["cheapest"] == pytest.approx(0.0, abs=1e-6)
    assert told["solves"] == len(told["frontier"]) <= 20
    assert (tmp_path / "style/frontier.png").stat().st_size > 1_000
    code, out, _ = called(capsys, "evaluate", str(tmp_path / "style/style.strategy"), "--metric", KING)
    assert code == 0
    assert f"{told['achieved']:.6f}" in out
    code, out, _ = called(capsys, "style", "leduc", "--target", "raise, player 0, first = 1", "--iterations", "200")
    assert code == 1
    assert "not met" in out
    code, _, err = called(capsys, "style", "kuhn", "--target", "bet")
    assert code == 2
    assert "cannot read the target 'bet'" in err
