"""A style that answers an opponent's mistakes, for a price. That nothing wins more is judged in tests/judges."""

import doctest
import json
import math
from pathlib import Path

import numpy as np
import pytest
from strategies import lopsided

import ruse
from ruse.cli import main
from ruse.errors import RuseError
from ruse.styles import adapting, polytope
from ruse.styles.adapting import adapt

pytest.importorskip("scipy")
KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()


def won_by(strategy: ruse.Strategy, opponent: ruse.Strategy) -> list[float]:
    """What it wins in each seat, by the values of the two profiles that are mixed of both."""
    expanded, found = ruse.Expanded.of(strategy.game), []
    form = expanded.form
    for p in range(2):
        sigma = opponent.on(expanded).copy()
        own = slice(int(form.first[form.node_start[p]]), int(form.first[form.node_start[p + 1]]))
        sigma[own] = strategy.on(expanded)[own]
        found.append(ruse.exploitability(strategy.game, ruse.Strategy.of(expanded, sigma)).values[p])
    return found


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=["kuhn", "leduc"])
def test_more_may_be_paid_and_more_is_won(game: ruse.Game) -> None:
    opponent = lopsided(game)
    found = [adapt(game, opponent, max_exploitability=cap) for cap in (0.001, 0.05, 0.1, 100.0)]
    won = [one.chosen.mean for one in found]
    assert found[0].plain.mean < won[0] < won[1] < won[2] < won[3]
    assert won[1] - won[0] > won[2] - won[1]  # a little mistrust is cheap: what is won is concave in the price
    best = ruse.find_best_response(game, opponent)
    assert found[-1].chosen.won == pytest.approx(best.values, abs=1e-6)
    assert found[0].best.won == pytest.approx(best.values, abs=1e-6)
    for one in found:
        measured = ruse.exploitability(game, one.strategy)
        assert max(one.chosen.lost) <= one.cap
        assert one.chosen.exploitability == pytest.approx(float(measured), abs=1e-9)
        np.testing.assert_allclose(one.chosen.won, won_by(one.strategy, opponent), atol=1e-9)


@pytest.mark.parametrize("cap", [1e-9, 1e-7])
def test_a_small_cap_is_kept_as_it_is_measured(cap: float) -> None:
    """Programs allow themselves 1e-10, which was given away on top of the cap."""
    for game in (KUHN, LEDUC):
        found = adapt(game, lopsided(game), max_exploitability=cap)
        assert max(found.chosen.lost) <= cap
        assert float(ruse.exploitability(game, found.strategy)) <= cap
        assert found.gain > 0.01


def test_a_price_that_nothing_costs_is_any_price() -> None:
    """Of 1e19 and more the program said that no strategy is as cheap, and to allow more."""
    found = adapt(KUHN, "random", max_exploitability=1e300)
    assert found.chosen == found.best
    assert found.cap == 1e300


def test_programs_that_are_less_exact_are_asked_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one has to be solved with more leeway, the cap is kept, or else refused."""
    monkeypatch.setattr(polytope, "ROUNDING", (1e-8,))
    assert max(adapt(KUHN, lopsided(KUHN), max_exploitability=1e-7).chosen.lost) <= 1e-7
    with pytest.raises(RuseError, match=r"linear programs are not exact to 1e-09 in .*; allow more"):
        adapt(KUHN, lopsided(KUHN), max_exploitability=1e-9)


def test_nothing_is_paid_for_what_wins_nothing() -> None:
    """An equilibrium makes no mistake in the seat that is answered, so that nothing can be won but what it is worth."""
    exact = ruse.find_equilibrium(KUHN)
    found = adapt(KUHN, exact, max_exploitability=0.3)
    assert found.chosen.won == pytest.approx((exact.value, -exact.value), abs=1e-9)
    assert max(found.chosen.lost) < 1e-6  # and the cheapest of the answers is given


@pytest.mark.parametrize("name", ["heuristic", "naive"])
def test_a_bot_that_plays_by_its_infoset_is_answered(name: str) -> None:
    """What is told to be won from it is won from it in a match."""
    game = ruse.Cheat(hp=1)
    found = adapt(game, name, max_exploitability=0.02)
    assert found.plain.mean < found.chosen.mean <= found.best.mean
    played = ruse.match(game, [found.strategy, name], deals=20_000, seed=3)
    for p, won in enumerate(found.chosen.won):
        assert played.by_seat[0][p] == pytest.approx(won, abs=0.04)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -1.0, 2.0])
def test_a_strategy_that_nobody_can_play_is_refused(wrong: float) -> None:
    """One made in a program: a file of it is refused. SciPy had choked on it, or it was answered."""
    known = lopsided(KUHN)
    shares = known.probability.copy()
    shares[0] = wrong
    for probability in (shares, known.probability[:-1]):
        with pytest.raises(RuseError, match="the opponent's strategy cannot be played: "):
            adapt(KUHN, ruse.Strategy(KUHN, known.keys, known.start, probability))
    assert adapt(KUHN, ruse.Strategy.uniform(KUHN)).chosen == adapt(KUHN, "random").chosen


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(RuseError, match="has 3 players; a style that adapts can be found for two players"):
        adapt(ruse.Kuhn(players=3), "random")
    for wrong in (-1.0, 0, math.nan, "0.05", None, True):
        for find in (
            lambda cap: adapt(KUHN, "random", max_exploitability=cap),
            lambda cap: ruse.style(KUHN, "bet = 0.5", max_exploitability=cap),
        ):
            with pytest.raises(RuseError, match="max_exploitability must be above 0, and a number, got "):
                find(wrong)
    with pytest.raises(RuseError, match="max_exploitability must be finite"):
        adapt(KUHN, "random", max_exploitability=math.inf)
    with pytest.raises(RuseError, match=r"which take 20,000 sequences, and by random dives it has about 1\.8e"):
        adapt("liars_dice:dice=2", "random")  # at once: to be counted it would take a quarter of a minute
    with pytest.raises(RuseError, match="must be at least 1e-09, got 1e-10: linear programs are no more exact"):
        adapt(KUHN, "random", max_exploitability=1e-10)
    with pytest.raises(RuseError, match=r"is called 'heuristic'|there is no run"):
        adapt(KUHN, "heuristic")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    lopsided(KUHN).save("he.strategy")
    words = ["style", "kuhn", "--adapt-to", "he.strategy", "--max-exploitability", "0.05", "--out", "answer"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("kuhn: wins ")
    assert [line.split("  ")[0] for line in lines[3:6]] == ["plain solve", "adapted", "best response"]
    assert lines[-1] == "style.strategy and style.json: answer"
    kept = json.loads(Path("answer/style.json").read_text())
    assert kept["gain"] == pytest.approx(kept["adapted"]["mean"] - kept["plain_solve"]["mean"])
    assert ruse.exploitability(KUHN, ruse.Strategy.load("answer/style.strategy")) <= 0.05
    assert main([*words[:6], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == kept


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["kuhn"], "say what the style is: --target"),
        (["kuhn", "--adapt-to", "random", "--target", "bet = 0.5"], "say what the style is: --target"),
        (["kuhn", "--adapt-to", "random", "--rule", "cfr"], "kuhn has no use for --rule with --adapt-to; leave it out"),
        (["kuhn", "--adapt-to", "random", "--max-exploitability", "0"], "must be above 0, got 0"),
        (["holdem", "--adapt-to", "last"], "in Hold'em a style adapts on top of a blueprint"),
        (["holdem", "--adapt-to", "last", "--solves", "5"], "holdem has no use for --solves with --adapt-to"),
    ],
)
def test_the_command_refuses(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["style", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_the_example_runs() -> None:
    assert doctest.testmod(adapting).failed == 0
