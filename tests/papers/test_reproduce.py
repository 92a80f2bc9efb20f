"""The experiments: rows are compared as they claim, and the command tells them."""

import json
import os
import signal
from pathlib import Path

import pytest

import ruse
from ruse.cli import main
from ruse.games.cheat.views import HpAware
from ruse.papers.lab import Lab, Row
from ruse.papers.ordered_abstraction import PARTS, figure_1, figure_2, figure_3, tables
from ruse.papers.ordered_abstraction.agents import Score, engine_for, strategy_of


def test_a_cell_is_judged_by_every_run() -> None:
    good = tables.compare("memoryless", 4, tables.Cell([292] * 9 + [288], 1.0))
    assert good.ok
    assert good.theirs == "292, 860 s"
    assert not tables.compare("memoryless", 4, tables.Cell([292] * 9 + [286], 1.0)).ok
    assert not tables.compare("memoryless", 4, tables.Cell([291] * 10, 1.0)).ok
    assert not tables.compare("hp", 3, tables.Cell([1320] * 9 + [1340], 1.0)).ok, "more than there are"
    assert not tables.compare("history", 3, tables.Cell([10950] * 9 + [10500], 1.0)).ok
    assert tables.compare("general+", 5, tables.Cell([20_000], 1.0)).ok is None


def test_counts_of_one_training() -> None:
    cell = tables.measure(Lab(quick=True), "memoryless+", 3)
    assert cell.infosets == [100, 100, 100]
    assert tables.compare("memoryless+", 3, cell).ok


def test_learning_is_measured_where_it_happens() -> None:
    curve = [(1, Score(0.5, 0.3)), (20, Score(0.69, 0.4)), (100, Score(0.77, 0.5))]
    first, rest = figure_1.steepness(curve)
    assert first == pytest.approx(0.01)
    assert rest == pytest.approx(0.001)
    gaps = figure_3.gains(curve, [(t, Score(score.random + 0.1, 0.0)) for t, score in curve])
    assert list(gaps.values()) == pytest.approx([0.1, 0.1, 0.1])


def test_an_agent_goes_abroad_with_its_points_clipped() -> None:
    engine = engine_for("hp", ruse.Cheat(hp=2), 0)
    engine.run(0, 500)
    home, abroad = strategy_of(engine), strategy_of(engine, ruse.Cheat(hp=5))
    assert home.view == HpAware()
    assert abroad.view == HpAware(hp_clip=2)
    state = ruse.State.of(ruse.Cheat(hp=5))
    while state.is_chance:
        state = state.child(0)
    key = int(abroad.view.key(state.game, state.row)) & 0xFFFFFFFFFFFFFFFF
    assert key in home.keys.tolist(), "five points each are seen as two"
    assert figure_2.called(-1) == "C-inf"


def told(lab: Lab) -> list[Row]:
    lab.tell("something")
    with lab.figure("a-figure", 1, 2) as axes:
        axes[0][1].plot([1, 2], [3, 4])
    return [Row("good", "1", "1", "1", True), Row("open", "2", "3", "none", None)]


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ruse.papers.ordered_abstraction.PARTS", {"figure 1": told, "figure 2": told})
    assert main(["reproduce", "000", "--quick", "--out", "figures", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [set(row) for row in rows] == [{"name", "theirs", "ours", "band", "ok"}] * 4
    assert Path("figures/a-figure.png").stat().st_size > 1_000
    assert main(["reproduce", "000", "--only", "figure 2"]) == 0
    assert "ok      good: 1" in capsys.readouterr().out
    monkeypatch.setattr("ruse.papers.ordered_abstraction.PARTS", {"x": lambda lab: [Row("bad", "1", "2", "1", False)]})
    assert main(["reproduce", "000"]) == 1
    assert "NOT MET bad" in capsys.readouterr().out


def test_parts_that_are_done_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    asked: list[str] = []

    def first(lab: Lab) -> list[Row]:
        asked.append("first")
        return [Row(f"seed {lab.seed}", "1", "1", "1", True)]

    def second(lab: Lab) -> list[Row]:
        asked.append("second")
        if len(asked) == 2:
            raise KeyboardInterrupt
        return [Row("two", "1", "1", "1", None)]

    monkeypatch.setattr("ruse.papers.ordered_abstraction.PARTS", {"first": first, "second": second})
    words = ["reproduce", "000", "--out", "kept"]
    assert main(words) == 130
    assert "stopped in 'second'; --out kept --resume goes on" in capsys.readouterr().err
    assert main([*words, "--resume", "--json"]) == 0
    assert asked == ["first", "second", "second"]
    told = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in told] == ["seed 0", "two"]
    assert json.loads(Path("kept/rows.json").read_text()) == told
    assert main([*words, "--resume", "--seed", "1", "--only", "first"]) == 0
    assert asked[3:] == ["first"], "another seed is another experiment"
    assert [row["name"] for row in json.loads(Path("kept/rows.json").read_text())] == ["seed 1"]
    assert main([*words, "--only", "second"]) == 0
    assert asked[4:] == ["second"], "without --resume everything is run"


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_long_training_is_gone_on_with(tmp_path: Path) -> None:
    def stop(text: str) -> None:
        if len(told) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        told.append(text)

    told: list[str] = []
    settings = {"view": HpAware(), "iterations": 300}
    game, solver = ruse.Cheat(hp=2), ruse.mccfr("external")
    straight = Lab().trained("x", game, solver, **settings)
    with pytest.raises(KeyboardInterrupt):
        Lab(out=tmp_path, tell=stop).trained("x", game, solver, **settings)
    assert told[0].startswith("x: ")
    run = Lab(out=tmp_path, resumed=True).trained("x", game, solver, **settings)
    assert run.strategy.probability.tobytes() == straight.strategy.probability.tobytes()
    assert run.directory is not None
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["x, seed 0"]
    assert len(list((tmp_path / "runs" / "x, seed 0").glob("*cheat*"))) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["reproduce", "000", "--resume"], "--resume goes on with what a folder holds; name it, as in --out"),
        (["reproduce", "007"], "unknown paper '007'; there is 000 (Ordered Abstraction for Cheat), 001 ("),
        (["reproduce", "000", "--only", "figure 9"], "unknown part 'figure 9'; there are tables 1 and 2, figure 1"),
    ],
)
def test_bad_words(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.slow
def test_everything_is_within_its_band() -> None:
    rows = [row for run in PARTS.values() for row in run(Lab(quick=True))]
    assert len(rows) > 50
    assert not [str(row) for row in rows if row.ok is False]
