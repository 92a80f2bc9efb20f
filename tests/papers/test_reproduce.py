"""The experiments: rows are compared as they claim, and the command tells them."""

import json
import os
import signal
from pathlib import Path

import pytest

import ruse
from ruse.cli import main
from ruse.errors import FileTrouble
from ruse.games.cheat.views import HpAware
from ruse.papers import page as pages
from ruse.papers.evidence import Evidence, Found, Verdict, check, claim
from ruse.papers.lab import Lab
from ruse.papers.ordered_abstraction import PARTS, figure_1, figure_2, figure_3, tables, times
from ruse.papers.ordered_abstraction.agents import NAMES, PLUS, BotShares, engine_for, strategy_of
from ruse.papers.ordered_abstraction.curves import AgentCurves


def verdicts(rows: list[Evidence]) -> list[Verdict]:
    return [row.verdict for row in rows]


def test_counts_are_judged_around_the_papers() -> None:
    good = tables.counts("memoryless", 4, tables.TableCell([292] * 9 + [288]))
    assert good.verdict is Verdict.REPRODUCED
    assert (good.theirs, good.seeds) == ("292", 10)
    assert tables.counts("history+", 3, tables.TableCell([1332, 1340, 1336])).verdict is Verdict.NOT_REPRODUCED
    assert tables.counts("history", 3, tables.TableCell([10_200, 11_400, 10_700])).verdict is Verdict.CANNOT_BE_TOLD
    more = tables.counts("history", 5, tables.TableCell([1_144_480, 1_145_000, 1_144_000]))
    assert more.verdict is Verdict.NOT_REPRODUCED
    near = tables.counts("history", 5, tables.TableCell([1_144_480, 1_159_119, 1_165_555]))
    assert near.verdict is Verdict.NOT_REPRODUCED, "what cannot be is not near"
    assert "more than the 1,181,620 that there are" in more.ours


def test_more_infosets_than_there_are_is_broken() -> None:
    assert tables.enumerated("hp", 3, tables.TableCell([1320] * 9 + [1339])).verdict is Verdict.HOLDS
    assert tables.enumerated("hp", 3, tables.TableCell([1320] * 9 + [1340])).verdict is Verdict.BROKEN


def test_growth_and_savings_can_fail() -> None:
    counts = {"memoryless": 292, "hp": 1331, "history": 10689, "general": 11433}
    grow = {"memoryless": 1, "hp": 2, "history": 10, "general": 10}
    cells = {(a, hp): tables.TableCell([n * grow[a] ** (hp - 3)] * 3) for a, n in counts.items() for hp in (3, 4)}
    cells |= {(f"{a}+", hp): tables.TableCell([n // 2 * grow[a] ** (hp - 3)] * 3)
              for a, n in counts.items() for hp in (3, 4)}  # fmt: skip
    there = [Verdict.REPRODUCED, Verdict.REFUTED, Verdict.MEASURED, Verdict.REPRODUCED, Verdict.REPRODUCED]
    assert verdicts(tables.growth(cells, (3, 4))) == there, "the square of the points is no power of 2"
    assert verdicts(tables.fewer(cells, (3, 4))) == [Verdict.REPRODUCED] * 4
    flat = cells | {("history", 4): cells["history", 3], ("hp+", 4): cells["hp", 4]}
    assert tables.growth(flat, (3, 4))[3].verdict is Verdict.NOT_REPRODUCED
    assert tables.fewer(flat, (3, 4))[1].verdict is Verdict.NOT_REPRODUCED


def test_times_can_fail() -> None:
    seconds = {(agent, hp): 4.0**hp * (1.1 if agent in PLUS else 1.0) for agent in (*NAMES, *PLUS)
               for hp in times.POINTS}  # fmt: skip
    assert verdicts(times.judged(seconds)) == [Verdict.REPRODUCED] * 2
    assert times.judged(dict.fromkeys(seconds, 1.0))[0].verdict is Verdict.NOT_REPRODUCED
    cheaper = {key: s / 2 if key[0] in ("history+", "general+") else s for key, s in seconds.items()}
    assert times.judged(cheaper)[1].verdict is Verdict.CANNOT_BE_TOLD
    assert times.measure(Lab(quick=True), ["memoryless+"], 3)["memoryless+"] > 0.0


def test_counts_of_one_training() -> None:
    cell = tables.measure(Lab(quick=True), "memoryless+", 3)
    assert cell.infosets == [100, 100, 100]
    assert tables.counts("memoryless+", 3, cell).verdict is Verdict.REPRODUCED


def curves(*ends: float, bot: str = "random", first: float = 0.5) -> AgentCurves:
    """One curve for each end."""
    other = 0.5
    made = [[BotShares(x, other) if bot == "random" else BotShares(other, x)
             for x in (first, (first + 3 * end) / 4, end)]
            for end in ends]  # fmt: skip
    return AgentCurves([1, 20, 100], made)


def test_learning_is_measured_where_it_happens() -> None:
    assert figure_1.slopes_of(curves(0.9, 0.9), "random") == pytest.approx((0.3 / 19, 0.1 / 80))
    steady = AgentCurves([1, 20, 100], [[BotShares(0.5, 0.5), BotShares(0.5 + 0.0019 * 2, 0.5), BotShares(0.7, 0.5)]])
    found = figure_1.steepness({agent: curves(0.9, 0.9) for agent in (*NAMES, *PLUS)})
    assert verdicts(found) == [Verdict.REPRODUCED, Verdict.NOT_REPRODUCED], "a flat line is not steep"
    assert verdicts(figure_1.steepness({agent: steady for agent in (*NAMES, *PLUS)})) == [Verdict.NOT_REPRODUCED] * 2


def test_figure_1_can_fail() -> None:
    agents = {agent: curves(0.86, 0.87, 0.865) for agent in (*NAMES, *PLUS)}
    assert figure_1.above("x", "most", NAMES, agents, 0.8).verdict is Verdict.REPRODUCED
    assert figure_1.above("x", "most", NAMES, agents, 0.9).verdict is Verdict.NOT_REPRODUCED
    assert figure_1.above("x", "three", NAMES, agents, 0.8, most=3).verdict is Verdict.NOT_REPRODUCED, "four are not"
    three = agents | {"hp": curves(0.7, 0.71)}
    assert figure_1.above("x", "three", NAMES, three, 0.8, most=3).verdict is Verdict.REPRODUCED
    unsure = agents | {"hp": curves(0.7, 0.9), "history": curves(0.7, 0.9)}
    assert figure_1.above("x", "most", NAMES, unsure, 0.8).verdict is Verdict.CANNOT_BE_TOLD
    weak = {agent: curves(0.616, 0.617, 0.615, bot="heuristic") for agent in (*NAMES, *PLUS)}
    found = figure_1.without(weak, 0.8)
    assert [row.verdict for row in found[2:]] == [Verdict.NOT_REPRODUCED, *[Verdict.REPRODUCED] * 3], "75, and over 60"
    assert verdicts(figure_1.with_abstraction(weak, 0.8)[1:5]) == [Verdict.NOT_REPRODUCED] * 4, "no points higher"


def test_a_gain_in_percent_is_read_both_ways() -> None:
    def judged(low: float, high: float, share: float) -> Verdict:
        return figure_1.higher("x", Found((low + high) / 2, low, high, 30), share).verdict

    assert judged(0.055, 0.08, 0.9) is Verdict.REPRODUCED, "6 to 9 % of 90 %, too"
    assert judged(0.035, 0.045, 0.55) is Verdict.CANNOT_BE_TOLD, "less than 5 points, and 6 to 8 % of 55 %"
    assert judged(0.007, 0.022, 0.545) is Verdict.NOT_REPRODUCED
    better = {agent: curves(0.7, 0.71, 0.72) for agent in NAMES} | {agent: curves(0.8, 0.81, 0.82) for agent in PLUS}
    assert figure_1.improved(better, "random").verdict is Verdict.REPRODUCED
    assert figure_1.improved(better | {"hp+": curves(0.6, 0.72, 0.83)}, "random").verdict is Verdict.CANNOT_BE_TOLD
    assert figure_1.improved(better | {"hp+": curves(0.6, 0.61, 0.62)}, "random").verdict is Verdict.NOT_REPRODUCED


def test_figure_3_can_fail() -> None:
    scratch, higher, same = curves(0.8, 0.8), curves(0.85, 0.85, first=0.7), curves(0.8, 0.8)
    assert figure_3.helped("x", scratch, higher, "random").verdict is Verdict.REPRODUCED
    assert figure_3.helped("x", scratch, same, "random").verdict is Verdict.NOT_REPRODUCED
    assert figure_3.helped("x", scratch, curves(0.7, 0.7, first=0.7), "random").verdict is Verdict.NOT_REPRODUCED
    fading = curves(0.75, 0.86, first=0.7)
    assert figure_3.helped("x", scratch, fading, "random").verdict is Verdict.CANNOT_BE_TOLD, "ahead on average alone"
    assert figure_3.unhelped("x", scratch, same, "random").verdict is Verdict.REPRODUCED
    assert figure_3.unhelped("x", scratch, higher, "random").verdict is Verdict.NOT_REPRODUCED
    row = figure_3.helped("x", scratch, fading, "random")
    assert row.interval is not None
    ends = f"({100 * row.interval[0]:+z.1f} to {100 * row.interval[1]:+z.1f}) after 100"
    assert row.ours.endswith(ends), "what is judged is what is told and kept"
    noisy = curves(0.7, 0.9)
    assert figure_3.unhelped("x", scratch, noisy, "random").verdict is Verdict.CANNOT_BE_TOLD, "noise shows nothing"


def test_challenges_are_counted() -> None:
    row = figure_2.challenges(Lab(quick=True))
    assert row.verdict is Verdict.NOT_REPRODUCED
    assert row.ours.startswith("Random 1.7 in 3.4 turns, "), "half of 3.4 claims are challenged"


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


def some(lab: Lab) -> list[Evidence]:
    lab.tell("something")
    with lab.figure("a-figure", 1, 2) as axes:
        axes[0][1].plot([1, 2], [3, 4])
    return [
        check("good", "1", True, "1"),
        claim("missed", "75 %", "61.6 %", Verdict.NOT_REPRODUCED, "5 points"),
    ]


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ruse.papers.ordered_abstraction.PARTS", {"figure 1": some, "figure 2": some})
    assert main(["reproduce", "000", "--quick", "--out", "figures", "--json"]) == 0, (
        "a claim that is missed is no error"
    )
    rows = json.loads(capsys.readouterr().out)
    assert [set(row) for row in rows] == [set(Evidence._fields)] * 4
    kept = json.loads(Path("figures/rows.json").read_text())
    (run,) = kept["runs"]
    assert run["parts"] == ["figure 1", "figure 2"]
    drawn = pytest.importorskip("PIL.Image").open("figures/a-figure.png").text["Description"]
    assert f"One run, seed 0: {drawn}." == kept["told"], "a picture says which run it is of"
    assert main(["reproduce", "000", "--only", "figure 2"]) == 0
    out = capsys.readouterr().out
    assert "holds           good: 1" in out
    assert "not reproduced  missed: 61.6 % (paper: 75 %; margin: 5 points)" in out
    assert "Of 1 claim: 1 not reproduced. Of 1 check: 1 holds." in out
    monkeypatch.setattr("ruse.papers.ordered_abstraction.PARTS", {"x": lambda lab: [check("bad", "2", False, "1")]})
    assert main(["reproduce", "000"]) == 1, "a result of ours has changed"
    assert "broken          bad" in capsys.readouterr().out


def test_a_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    written = Path("page.md")

    def edited(lab: Lab) -> list[Evidence]:
        """Somebody writes on the page while experiments run."""
        written.write_text(written.read_text().replace("words", "other words"))
        return some(lab)

    monkeypatch.setattr("ruse.papers.ordered_abstraction.PARTS", {"figure 1": edited, "figure 2": some})
    written.write_text("\n".join(["words", *pages.COUNT, *pages.ROWS, ""]))
    assert main(["reproduce", "000", "--out", "figures", "--page", "page.md"]) == 0
    text = written.read_text()
    assert text.startswith("other words\n")
    assert "**Of 2 claims: 2 not reproduced. Of 2 checks: 2 holds.**" in text
    kept = Path("figures/rows.json")
    assert text == pages.with_tables(text, pages.rows_in(kept), json.loads(kept.read_text())["told"])
    assert "\n\nOne run, seed 0: began " in text
    written.write_text("no marks")
    capsys.readouterr()
    assert main(["reproduce", "000", "--out", "figures", "--page", "page.md"]) == 2
    assert "the page has no place for its rows" in capsys.readouterr().err
    assert main(["reproduce", "000", "--out", "figures", "--page", "none.md"]) == 2
    assert "none.md" in capsys.readouterr().err
    written.write_bytes(b"\xff\xfe")
    assert main(["reproduce", "000", "--out", "figures", "--page", "page.md"]) == 2
    assert "page.md is no page: it is not text in UTF-8" in capsys.readouterr().err


def test_parts_that_are_done_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    asked: list[str] = []

    def first(lab: Lab) -> list[Evidence]:
        asked.append("first")
        return [check(f"seed {lab.seed}", "1", True, "1")]

    def second(lab: Lab) -> list[Evidence]:
        asked.append("second")
        if len(asked) == 2:
            raise KeyboardInterrupt
        return [check("two", "1", True, "1")]

    monkeypatch.setattr("ruse.papers.ordered_abstraction.PARTS", {"first": first, "second": second})
    words = ["reproduce", "000", "--out", "kept"]
    assert main(words) == 130
    assert "stopped in 'second'; --out kept --resume goes on" in capsys.readouterr().err
    assert main([*words, "--resume", "--json"]) == 0
    assert asked == ["first", "second", "second"]
    told = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in told] == ["seed 0", "two"]
    assert json.loads(Path("kept/rows.json").read_text())["rows"] == told
    assert main([*words, "--resume", "--seed", "1", "--only", "first"]) == 0
    assert asked[3:] == ["first"], "another seed is another experiment"
    assert [row.name for row in pages.rows_in(Path("kept/rows.json"))] == ["seed 1"]
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


def test_a_training_of_which_nothing_is_kept_is_begun_anew(tmp_path: Path) -> None:
    """A kill between making the folder of a run and its first file leaves it empty."""
    root = tmp_path / "runs" / "x, seed 0"
    (root / "20261119T000000Z-kuhn-cfr").mkdir(parents=True)
    lab, game, solver = Lab(out=tmp_path, resumed=True), ruse.Kuhn(), ruse.cfr()
    run = lab.trained("x", game, solver, iterations=20)
    assert run.iterations == 20
    assert run.directory is not None
    again = lab.trained("x", game, solver, iterations=20)
    assert again.directory is not None
    assert again.directory.path == run.directory.path, "what is there is gone on with"
    kept = run.directory.path / "run.toml"
    kept.write_bytes(kept.read_bytes()[:40])
    with pytest.raises(FileTrouble) as caught:
        lab.trained("x", game, solver, iterations=20)
    assert str(caught.value).startswith(f"{kept} ")
    assert str(caught.value).endswith(f"; put that file back, or delete {run.directory.path}")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["reproduce", "000", "--resume"], "--resume goes on with what a folder holds; name it, as in --out"),
        (["reproduce", "000", "--page", "x.md"], "--page takes its rows from a folder; name it, as in --out"),
        (["reproduce", "007"], "unknown paper '007'; there is 000 (Ordered Abstraction for Cheat), 001 ("),
        (
            ["reproduce", "000", "--only", "figure 9"],
            "unknown part 'figure 9'; there are tables 1 and 2, times, figure 1",
        ),
    ],
)
def test_bad_words(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.slow
def test_no_check_is_broken() -> None:
    rows = [row for run in PARTS.values() for row in run(Lab(quick=True))]
    assert len(rows) > 50
    assert not [str(row) for row in rows if row.verdict is Verdict.BROKEN]
