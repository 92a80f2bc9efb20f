"""Hold'em of Preference-CFR: tables 2 and 3, from a blueprint that knows nothing and few boards."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from places import ROOT
from rough_hands import few_buckets, rough_table

from ruse.games.holdem.lines import lines_of
from ruse.games.holdem.rules import Holdem
from ruse.horizon import preflop
from ruse.horizon.holdem_leaves import FlopLeaves, flops_of
from ruse.horizon.preflop import Preflop
from ruse.papers.evidence import Found, Kind, Verdict, counted
from ruse.papers.lab import Lab
from ruse.papers.page import digest, rows_in, with_tables
from ruse.papers.preference_cfr.holdem import hand_grids, table_2, table_3, two_and_three
from ruse.papers.preference_cfr.holdem.seat_solves import MeanSolve
from ruse.papers.preference_cfr.holdem.to_play import keep_to_play
from ruse.solve.solver.presets import dcfr
from ruse.strategy import Strategy

TWO = Holdem()


def nobodys(game: Holdem = TWO) -> Strategy:
    return Strategy(game, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())


@pytest.mark.slow
def test_table_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(table_2, "trained", lambda lab, size: nobodys())
    rows = table_2.run(Lab(quick=True, out=tmp_path))
    assert {path.stem for path in tmp_path.glob("*.png")} == {"figure-5", "style-for-price-holdem"}
    assert len(list((tmp_path / "runs").glob("leaves*"))) == 1 + table_2.QUICK.groups
    assert Strategy.load(tmp_path / "two-players" / "loose-passive.strategy").game == TWO
    assert [row.kind for row in rows].count(Kind.CLAIM) == 12
    (halved,) = (row for row in rows if "folds less and calls more" in row.name)
    assert halved.verdict is Verdict.NOT_REPRODUCED, "with a blueprint that knows nothing it says no"


@pytest.mark.slow
def test_table_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    for module in (table_3, two_and_three):
        monkeypatch.setattr(module, "trained", lambda lab, name, game, iterations: nobodys(game))
    rows = table_3.run(Lab(quick=True, out=tmp_path))
    assert {path.stem for path in tmp_path.glob("*.png")} == {"figure-6"}
    assert [row.kind for row in rows].count(Kind.CLAIM) == 9
    assert not [row.name for row in rows if row.verdict is Verdict.BROKEN], "a few deals break no check"
    (menus,) = (row for row in rows if "is it one game" in row.name)
    assert menus.verdict is Verdict.REFUTED
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").glob("before the flop*")}
    assert len(kept) == 16, "three styles for two and for three players, two seeds each; two menus, one way; on boards"
    assert len(list((tmp_path / "runs").glob("flops*"))) == 2
    assert table_3.run(Lab(quick=True, out=tmp_path, resumed=True)) == rows
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "what is done is not done again"


def test_a_style_that_wins_too_much_is_not_within_ten_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper says how far apart styles are, not who is better."""
    monkeypatch.setattr(table_2, "duel", lambda cut, small, big: cut + small - big)
    forms = [
        table_2.TrainedStyles(name, {
            style.name: SimpleNamespace(rows=wins)  # type: ignore[misc]
            for style, wins in zip(preflop.STYLES, (0.0, 0.009, 0.030), strict=True)
        })
        for name in ("our form", "as printed")
    ]  # fmt: skip
    rows = {row.name: row for row in table_2.matches(*forms, [0.070, 0.072, 0.074])}  # type: ignore[arg-type]
    aggressive, loose = (
        rows[f"Two players, {name} against Normal, our form: within 10 mBB/h"]
        for name in ("Aggressive", "Loose passive")
    )
    assert (aggressive.verdict, loose.verdict) == (Verdict.REPRODUCED, Verdict.NOT_REPRODUCED)
    assert loose.ours.startswith("loses -30.0 mBB/h")


def test_a_larger_shift_is_judged_by_its_interval() -> None:
    """Solve by solve, a style beside Normal on the same deals."""
    assert two_and_three.is_larger(Found(8.0, 2.0, 14.0, 4)) is Verdict.REPRODUCED
    assert two_and_three.is_larger(Found(8.0, -1.0, 17.0, 4)) is Verdict.CANNOT_BE_TOLD
    assert two_and_three.is_larger(Found(-8.0, -14.0, -2.0, 4)) is Verdict.NOT_REPRODUCED

    def both(*shifts: float) -> dict[str, MeanSolve]:
        normal = np.tile([0.5, 0.2, 0.3], (len(shifts), 1))
        moved = normal + np.outer(shifts, [-1.0, 1.0, 0.0])
        return {"Normal": MeanSolve(None, normal), "Loose passive": MeanSolve(None, moved)}

    row = two_and_three.larger("Loose passive", both(0.10, 0.12, 0.14), both(0.20, 0.22, 0.23))
    assert row.verdict is Verdict.NOT_REPRODUCED
    assert row.ours.startswith("12.0 (7.0 to 17.0) % of openings are others than Normal's, 21.7 (")
    assert "; -9.7 (-11.1 to -8.2) points more;" in row.ours
    assert two_and_three.larger("Loose passive", both(0.1, 0.2), both(0.1, 0.2)).verdict is Verdict.REPRODUCED
    wide = two_and_three.larger("Loose passive", both(0.1, 0.3), both(0.2, 0.2))
    assert wide.verdict is Verdict.CANNOT_BE_TOLD


@pytest.mark.slow
def test_what_an_opening_loses_if_all_else_is_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solution's own loses nothing, and always to go all-in does."""
    monkeypatch.setattr(preflop, "starting_equities", rough_table)
    lines = lines_of(Holdem(stack=8.0))
    nodes, game = tuple(flops_of(lines)), Preflop.of(lines)
    worth = np.array([lines.paid[n, 0] * (2.0 * rough_table().equity - 1.0) for n in nodes])[:, None, None]
    half = [FlopLeaves(nodes, worth * factor, 50, 0.1) for factor in (0.5, 1.5)]
    both = two_and_three.mean_of(half)
    np.testing.assert_allclose(both.worth, worth)
    assert (both.boards, both.error) == (100, pytest.approx(0.1 / 2**0.5))
    cut = game.valued(both)
    whole = preflop.solved(game, cut, dcfr(), iterations=500)
    assert two_and_three.worth_with(cut, {0: whole.rows[0]}) == pytest.approx(whole.judged.values[0], abs=2e-3)
    all_in = np.tile([float(name == "all-in") for name in game.names(0)], (169, 1))
    assert two_and_three.worth_with(cut, {0: all_in}) < whole.judged.values[0] - 0.05


def test_styles_are_kept_to_be_played_against(tmp_path: Path) -> None:
    keep_to_play(Lab(), "two players", {"Normal": nobodys()})
    names = ("Normal", "Loose passive", "Aggressive, all-in among the raises")
    keep_to_play(Lab(out=tmp_path), "two players", dict.fromkeys(names, nobodys()))
    kept = {path.name for path in (tmp_path / "two-players").iterdir()}
    assert kept == {f"{name}.strategy" for name in ("normal", "loose-passive", "aggressive-all-in-among-the-raises")}


class Titles:
    """A lab that keeps what is written over its pictures, and what their colours are said to be."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.colours: list[str] = []

    @contextmanager
    def figure(self, name: str, rows: int, columns: int, **options: Any) -> Iterator[Any]:
        axes = [[SimpleNamespace(set_title=lambda text, **how: self.kept.append(text), legend=lambda **how: None,
                                 bar=lambda x, y, label, **how: self.colours.append(label)) for _ in range(columns)]
                for _ in range(rows)]  # fmt: skip
        yield axes


def test_pictures_show_the_papers_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_grids, "draw_square", lambda panel, rows: None)
    lab, even = Titles(), np.full(5, 0.2)
    style = SimpleNamespace(rows=[None], opening=even)
    game = SimpleNamespace(names=lambda node: table_3.MENU)
    hand_grids.draw_openings(lab, game, table_2.OPENINGS, {"our form": dict.fromkeys(table_2.OPENINGS, style)})  # type: ignore[arg-type]
    assert lab.kept[1].endswith("\npaper: fold 0.3%, call 73.3%, raise 2bb 21.7%, raise 3bb 4.7%")
    hand_grids.draw_buttons(lab, table_3.MENU, table_3.OPENINGS, {"Normal": (even, even)} | {  # type: ignore[arg-type]
        name: (even, even) for name in ("Aggressive", "Loose passive")})  # fmt: skip
    assert lab.kept[-1].endswith("paper, %: fold 55.0, call 23.9, raise to 2 21.2, all-in 0.0")
    assert lab.colours == 2 * list(table_3.MENU)


def test_the_page_has_the_rows_of_its_folder() -> None:
    """Both were written by one command, and nobody has touched either since."""
    folder = ROOT / "docs" / "papers" / "figures-001-holdem"
    text, rows = (folder.parent / "preference-cfr-holdem.md").read_text(encoding="utf-8"), rows_in(folder / "rows.json")
    kept = json.loads((folder / "rows.json").read_text())
    assert with_tables(text, rows, kept["told"]) == text
    assert (kept["paper"], kept["quick"], kept["counted"]) == ("001", False, counted(rows))
    assert [part for run in kept["runs"] for part in run["parts"]] == ["table 2", "table 3"]
    assert kept["digest"] == digest(rows)
    assert not [row.name for row in rows if row.verdict is Verdict.BROKEN]
