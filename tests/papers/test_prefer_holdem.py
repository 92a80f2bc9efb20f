"""Hold'em of Preference-CFR: tables 2 and 3, from a blueprint that knows nothing and few boards."""

from pathlib import Path

import numpy as np
import pytest
from rough_hands import few_buckets

from ruse.games.holdem.rules import Holdem
from ruse.papers.evidence import Kind, Verdict
from ruse.papers.lab import Lab
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
    assert halved.verdict is Verdict.REPRODUCED, "whatever the blueprint is"


@pytest.mark.slow
def test_table_3(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = table_3.run(Lab(quick=True, out=tmp_path))
    assert {path.stem for path in tmp_path.glob("*.png")} == {"figure-6"}
    assert [row.kind for row in rows].count(Kind.CLAIM) == 8
    (menus,) = (row for row in rows if "is it one game" in row.name)
    assert menus.verdict is Verdict.REFUTED
