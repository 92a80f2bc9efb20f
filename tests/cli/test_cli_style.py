"""Style on the command line: what `ruse evaluate --style` and `ruse equilibria` print, keep and draw."""

import json
from pathlib import Path

import pytest

import ruse
from ruse.cli import main
from ruse.cli.commands.styling.equilibria import bar, ends_of
from ruse.strategy import Strategy
from ruse.styles import metrics as style
from ruse.styles.equilibria import Movable
from ruse.styles.family_charts import draw_family
from ruse.styles.polytope import Range
from ruse.tree.measure.size import TooLarge

PNG = b"\x89PNG\r\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with a uniform strategy."""
    monkeypatch.chdir(tmp_path)
    Strategy.uniform(ruse.Kuhn()).save("uniform.strategy")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


def test_style_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(capsys, "evaluate", "uniform.strategy", "--style", "--metric", "bet, player 0, first").splitlines()
    assert lines[4] == "style when all follow the strategy, exactly"
    rows = {name.strip(): float(value) for name, _, value in (line.rpartition("  ") for line in lines[6:])}
    assert next(iter(rows)) == "bet, player 0, first"  # what was asked for comes first
    assert rows["call, player 1, with Q"] == rows["bet, player 0, first"] == 0.5
    assert rows["payoff, player 0"] == -rows["payoff, player 1"] == 0.125
    found = json.loads(told(capsys, "evaluate", "uniform.strategy", "--metric", "call", "--json"))
    assert found["style"] == [{"name": "call", "value": pytest.approx(0.5), "interval": None}]
    assert "deals" not in found
    assert found["exploitability"] > 0.1


def test_style_of_a_game_too_large(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(strategy: Strategy) -> None:
        raise TooLarge("too large")

    monkeypatch.setattr(style, "Census", refuse)
    words = ("evaluate", "uniform.strategy", "--metric", "bet", "--deals", "200", "--seed", "3")
    lines = told(capsys, *words).splitlines()
    assert lines[0] == "kuhn: too large for exploitability; --lower-bound learns a bound"
    assert lines[1] == "style when all follow the strategy, in 200 deals with seed 3, and 95 % intervals"
    assert " to " in lines[3]
    found = json.loads(told(capsys, *words, "--json"))
    assert (found["exploitability"], found["deals"], found["seed"]) == (None, 200, 3)
    low, high = found["style"][0]["interval"]
    assert low < found["style"][0]["value"] < high


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("kuhn", "--target", "VPIP = 0.95"), "VPIP and PFR are habits of Hold'em for two"),
        (("kuhn", "--target", "PFR = 0.5", "--blueprint", "last"), "VPIP and PFR are habits of Hold'em for two"),
        (
            ("holdem", "--target", "3-bet = 0.2", "--blueprint", "last"),
            "there is no habit '3-bet'; there are VPIP, PFR",
        ),
    ],
)
def test_habits_are_of_holdem(words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Which is told before a blueprint is looked for."""
    assert main(["style", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_never_legal(capsys: pytest.CaptureFixture[str]) -> None:
    game = ruse.Kuhn()
    never = ruse.train(game, ruse.cfr(), iterations=1).strategy
    never.probability[::2], never.probability[1::2] = 1.0, 0.0
    never.save("never.strategy")
    assert "call, player 0  never legal" in told(capsys, "evaluate", "never.strategy", "--metric", "call, player 0")
    assert (
        json.loads(told(capsys, "evaluate", "never.strategy", "--metric", "call", "--json"))["style"][0]["value"]
        is None
    )


def test_equilibria_are_drawn_and_kept(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    pytest.importorskip("scipy")
    pytest.importorskip("matplotlib")
    out = told(capsys, "equilibria", "kuhn", "--out", "pictures")
    assert "18 of 26 are the same in all of these strategies" in out
    assert out.endswith("pictures and equilibria.json: pictures\n")
    for name in ("ranges.png", "family.png"):
        assert (folder / "pictures" / name).read_bytes().startswith(PNG)
    kept = json.loads((folder / "pictures" / "equilibria.json").read_text())
    assert kept["value"] == pytest.approx(-1 / 18)
    assert kept["family"]["name"] == "open, player 0, with J"
    assert kept["frontier"][-1] == pytest.approx([1, 2 / 9], abs=1e-6)
    assert kept["metrics"][0]["unique"] is False
    again = json.loads(told(capsys, "equilibria", "kuhn", "--metric", "open, player 0, with J", "--json"))
    assert again["family"]["lines"]["bet at K"][-1] == pytest.approx([1, 1], abs=1e-4)


def test_a_unique_metric(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("scipy")
    out = told(capsys, "equilibria", "kuhn", "--metric", "bet, player 1")
    assert "1 of 1 are the same in all of these strategies: no preference alone can move them" in out
    assert "nothing moves along bet, player 1" in out
    assert "variance, player 0" in told(capsys, "equilibria", "kuhn", "--metric", "variance, player 0")


def test_bars() -> None:
    assert bar(Movable("x", 0, 0.0, 1.0, 0.5)) == "=" * 14 + "o" + "=" * 15
    assert bar(Movable("x", 0, 0.0, 0.0, 0.0)) == "|"
    assert bar(Movable("x", 0, 1.0, 1.0, 1.0)) == " " * 29 + "|"
    assert ends_of(None) == "never"
    assert ends_of(Range(0.5, 0.5)) == "0.5000"
    assert ends_of(Range(0.25, 1)) == "0.2500 to 1.0000"


def test_nothing_to_draw(folder: Path) -> None:
    draw_family("x", [0.5], {}, [], folder / "no.png", title="x", own=0.5, within=0.0)
    assert not (folder / "no.png").exists()
