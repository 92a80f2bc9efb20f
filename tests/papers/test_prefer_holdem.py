"""Hold'em of Preference-CFR: tables 2 and 3, from a blueprint that knows nothing and few boards."""

import json
from pathlib import Path

import numpy as np
import pytest
from places import ROOT
from rough_hands import few_buckets

from ruse.games.holdem.rules import Holdem
from ruse.papers.evidence import Kind, Verdict, counted
from ruse.papers.lab import Lab
from ruse.papers.page import digest, rows_in, with_tables
from ruse.papers.preference_cfr import table_2, table_3
from ruse.strategy import Strategy


def nobodys() -> Strategy:
    return Strategy(Holdem(), np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())


@pytest.mark.slow
def test_table_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(table_2, "trained", lambda lab, size: nobodys())
    rows = table_2.run(Lab(quick=True, out=tmp_path))
    assert {path.stem for path in tmp_path.glob("*.png")} == {"figure-5", "style-for-price-holdem"}
    assert len(list((tmp_path / "runs").glob("leaves*"))) == 1 + table_2.QUICK.groups
    assert [row.kind for row in rows].count(Kind.CLAIM) == 11
    (halved,) = (row for row in rows if "folds less and calls more" in row.name)
    assert halved.verdict is Verdict.NOT_REPRODUCED, "with a blueprint that knows nothing it says no"


@pytest.mark.slow
def test_table_3(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = table_3.run(Lab(quick=True, out=tmp_path))
    assert {path.stem for path in tmp_path.glob("*.png")} == {"figure-6"}
    assert [row.kind for row in rows].count(Kind.CLAIM) == 8
    (menus,) = (row for row in rows if "is it one game" in row.name)
    assert menus.verdict is Verdict.REFUTED


def test_the_page_has_the_rows_of_its_folder() -> None:
    """Both were written by one command, and nobody has touched either since."""
    folder = ROOT / "docs" / "papers" / "figures-001-holdem"
    text, rows = (folder.parent / "preference-cfr-holdem.md").read_text(encoding="utf-8"), rows_in(folder / "rows.json")
    kept = json.loads((folder / "rows.json").read_text())
    assert with_tables(text, rows, kept["told"]) == text
    assert (kept["paper"], kept["quick"], kept["counted"]) == ("001", False, counted(rows))
    assert [run["parts"] for run in kept["runs"]] == [["table 2"], ["table 3"]]
    assert kept["digest"] == digest(rows)
    assert not [row.name for row in rows if row.verdict is Verdict.BROKEN]
