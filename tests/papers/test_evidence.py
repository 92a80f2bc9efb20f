"""Verdicts can say no, and a page says what its rows say."""

import json
import math
import re
from importlib import import_module
from pathlib import Path

import pytest

from ruse.cli.commands.training.reproduce import PAPERS
from ruse.errors import RuseError
from ruse.papers import origin, page
from ruse.papers.evidence import (
    AFTER,
    OF_KIND,
    Evidence,
    Found,
    Kind,
    Verdict,
    agreed,
    at_least,
    at_most,
    beyond,
    check,
    claim,
    counted,
    near,
    no_worse,
    refuted_if,
    so,
    told,
)

PAGES = {
    "000": "ordered-abstraction.md",
    "001": "preference-cfr.md",
    "002": "best-response-pruning.md",
    "003": "cfr-p.md",
}
OF_ONE_RUN = ["000", "001", "002", "003"]
ASKED_FOR = {"an-hour.png"}  # of a part that is only run if asked for, with a seed of its own; the page says so
DOCS = Path(__file__).resolve().parents[2] / "docs" / "papers"


def test_a_claim_is_judged_around_the_papers_number() -> None:
    assert near(0.6, Found(0.59, 0.57, 0.61), 0.05) is Verdict.REPRODUCED
    assert near(0.6, Found(0.50, 0.48, 0.52), 0.05) is Verdict.NOT_REPRODUCED
    assert near(0.6, Found(0.70, 0.68, 0.72), 0.05) is Verdict.NOT_REPRODUCED, "better is not the same"
    assert near(0.6, Found(0.56, 0.50, 0.62), 0.05) is Verdict.CANNOT_BE_TOLD
    assert at_least(0.6, Found(0.65, 0.61, 0.69)) is Verdict.REPRODUCED
    assert at_least(0.6, Found(0.65, 0.58, 0.72)) is Verdict.CANNOT_BE_TOLD
    assert at_least(0.6, Found(0.50, 0.48, 0.52)) is Verdict.NOT_REPRODUCED
    assert at_least(0.6, Found(0.59, 0.585, 0.595), less=0.02) is Verdict.REPRODUCED
    assert at_most(0.6, Found(0.5, 0.4, 0.59)) is Verdict.REPRODUCED
    assert at_most(0.6, Found(0.7, 0.65, 0.75)) is Verdict.NOT_REPRODUCED
    assert [so(x) for x in (True, False, None)] == [
        Verdict.REPRODUCED, Verdict.NOT_REPRODUCED, Verdict.CANNOT_BE_TOLD
    ]  # fmt: skip
    assert refuted_if(True, so(False)) is Verdict.REFUTED
    assert refuted_if(False, so(False)) is Verdict.NOT_REPRODUCED
    assert agreed(so(True), so(True)) is Verdict.REPRODUCED
    assert agreed(so(True), so(False)) is Verdict.CANNOT_BE_TOLD, "one reading alone decides nothing"


def test_noise_makes_non_inferiority_harder() -> None:
    assert no_worse(Found(0.0, -0.01, 0.01), 0.02) is True
    assert no_worse(Found(0.0, -0.05, 0.05), 0.02) is None, "an interval that reaches zero shows nothing"
    assert no_worse(Found(-0.05, -0.06, -0.04), 0.02) is False
    assert no_worse(Found(-0.015, -0.019, -0.011), 0.02) is True, "worse for sure, but by less than counts"


def test_intervals() -> None:
    found = Found.of([1.0, 2.0, 3.0])
    assert found.value == 2.0
    assert found.high - found.value == pytest.approx(4.302653 * 1.0 / math.sqrt(3))
    assert found.seeds == 3
    alone = Found.of([1.0])
    assert near(1.0, alone, 0.5) is Verdict.CANNOT_BE_TOLD, "one seed alone has no interval"
    assert claim("x", "1", "1", Verdict.CANNOT_BE_TOLD, "0.5", found=alone).interval is None
    assert Found.ratio([2.0, 0.5]).value == pytest.approx(1.0)
    assert beyond("x", "1", found=Found.ratio([2.0])).interval is None
    assert told(Found(0.578, 0.569, 0.587), ".1f", scale=100, unit=" %") == "57.8 % (56.9 to 58.7)"
    assert told(alone, ".1f") == "1.0"
    assert told(Found.exactly(3.18), ".2f", unit=" times") == "3.18 times"


def test_a_row_tells_what_it_has() -> None:
    first, _, counts, more = map(str, ROWS)
    assert first == "reproduced      first: 0.21 (paper: 0.2; margin: 0.02)"
    assert counts == "holds           counts: 58 (expected: 58)", "no paper stands behind a check"
    assert more == "measured        more: 0.5 (paper: not tried)"
    assert str(beyond("alone", "1")) == "measured        alone: 1"


def test_each_kind_has_its_own_verdicts() -> None:
    with pytest.raises(AssertionError):
        claim("x", "1", "1", Verdict.HOLDS, "none")
    assert check("x", "1", True, "1").verdict is Verdict.HOLDS
    assert check("x", "1", False, "1").verdict is Verdict.BROKEN
    assert check("x", "1", None, "1").verdict is Verdict.CANNOT_BE_TOLD
    assert beyond("x", "1").verdict is Verdict.MEASURED
    assert set(OF_KIND) == set(Kind)


ROWS = [
    claim("first", "0.2", "0.21", Verdict.REPRODUCED, "0.02", found=Found(0.21, 0.2, 0.22, 3), margin_set=AFTER),
    claim("second | of two", "75 %", "61.6 %", Verdict.NOT_REPRODUCED, "5 points"),
    check("counts", "58", True, "58"),
    beyond("more", "0.5", theirs="not tried"),
]


def test_rows_are_kept_and_read_again(tmp_path: Path) -> None:
    book = page.Book(tmp_path, "000", seed=0, quick=False)
    book.write("a part", ROWS)
    assert book.read("a part") == ROWS
    assert book.read("another") is None
    for other in (page.Book(tmp_path, "001", seed=0, quick=False), page.Book(tmp_path, "000", seed=1, quick=False),
                  page.Book(tmp_path, "000", seed=0, quick=True)):  # fmt: skip
        assert other.read("a part") is None, "of another paper, seed or length"
    assert book.sum_up(["a part", "another"]).rows == ROWS
    assert page.rows_in(tmp_path / "rows.json") == ROWS
    assert json.loads((tmp_path / "rows.json").read_text())["rows"][0] == {
        "kind": "claim", "name": "first", "theirs": "0.2", "ours": "0.21", "verdict": "reproduced", "margin": "0.02",
        "margin_set": "after", "interval": [0.2, 0.22], "seeds": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "holds"}, {"kind": "guess"}, {"kind": ["claim"]}, {"verdict": {}}, {"interval": [1]},
        {"interval": [0.0, math.nan]}, {"interval": [0.0, math.inf]}, {"interval": [2.0, 1.0]},
        {"interval": [False, True]}, {"interval": [None, None]}, {"interval": [0, 10**400]}, {"seeds": 1.5},
        {"seeds": -1}, {"seeds": 0}, {"seeds": True}, {"seeds": None}, {"name": 3}, {"ours": "0.2 |\n| more"},
        {"ours": "<script>alert(1)</script>"}, {"margin_set": "whenever"}, {"margin_set": ""}, {"more": 1},
    ],
)  # fmt: skip
def test_what_is_no_row_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    (tmp_path / "rows.json").write_text(json.dumps({"rows": [{**ROWS[0].as_dict(), **change}]}))
    with pytest.raises(RuseError, match="has no rows of evidence"):
        page.rows_in(tmp_path / "rows.json")
    book = page.Book(tmp_path, "000", seed=0, quick=False)
    book.write("a part", ROWS)
    path = tmp_path / "parts" / "a part.json"
    kept = json.loads(path.read_text())
    kept["rows"][0].update(change)
    path.write_text(json.dumps(kept))
    assert book.read("a part") is None, "it is done anew"


def test_a_folder_says_which_run_its_rows_are_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def begun(at: str, code: str = "0" * 12) -> page.Book:
        monkeypatch.setattr(origin.Origin, "now", lambda: origin.Origin(at, code))
        return page.Book(tmp_path, "000", seed=0, quick=False)

    parts = ["first", "second", "third"]
    first = begun("2026-11-16 10:00:00")
    first.write("first", ROWS)
    again = begun("2026-11-16 11:00:00")
    again.resume(parts)
    again.write("second", ROWS)
    assert again.sum_up(parts).runs == f"One run, seed 0: began 2026-11-16 10:00:00 UTC, code {'0' * 12}."
    other = begun("2026-11-16 12:00:00", "1" * 12)
    other.resume(parts)
    other.write("third", ROWS)
    told = other.sum_up(parts).runs
    assert told.startswith("Rows of 2 runs, seed 0: began 2026-11-16 10:00:00 UTC"), "other code is another run"
    assert f"code {'1' * 12} (third)" in told
    kept = json.loads((tmp_path / "rows.json").read_text())
    assert [run["parts"] for run in kept["runs"]] == [["first", "second"], ["third"]]
    begun("2026-11-16 13:00:00").write("second", ROWS)
    assert len(json.loads((tmp_path / "rows.json").read_text())["runs"]) == 2
    assert begun("2026-11-16 13:30:00").sum_up(parts).runs.startswith("Rows of 3 runs"), "one part alone was done anew"


@pytest.mark.parametrize(
    "run", [None, {}, {"began": "now", "code": "0" * 12}, {"began": "2026-11-16 10:00:00", "code": "<b>"}]
)
def test_a_part_of_no_known_run_is_done_anew(tmp_path: Path, run: object) -> None:
    book = page.Book(tmp_path, "000", seed=0, quick=False)
    book.write("a part", ROWS)
    path = tmp_path / "parts" / "a part.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"run": run}))
    assert book.read("a part") is None


def test_a_part_whose_files_have_changed_is_done_again(tmp_path: Path) -> None:
    """Pictures and strategies are of the rows beside them; another seed's may have been written over them."""
    book = page.Book(tmp_path, "000", seed=0, quick=False)
    picture, strategy = tmp_path / "a.png", tmp_path / "styles" / "b.strategy"
    strategy.parent.mkdir()
    for path in (picture, strategy):
        path.write_bytes(b"as it was")
        book.keep(path)
    book.write("a part", ROWS)
    book.write("another", ROWS)
    assert book.read("a part") == book.read("another") == ROWS
    strategy.write_bytes(b"another seed's")
    assert (book.read("a part"), book.read("another")) == (None, ROWS)
    assert book.kept("a part") is not None, "its rows are still there"
    strategy.write_bytes(b"as it was")
    assert book.read("a part") == ROWS
    picture.unlink()
    assert book.read("a part") is None
    path = tmp_path / "parts" / "a part.json"
    for files in ([], {"a.png": 7}, {"../a.png": page.hash_of(strategy)}, {"\0": "x"}):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"files": files}))
        assert book.read("a part") is None


def test_code_is_known_by_its_text() -> None:
    assert origin.code() == origin.Origin.now().code
    assert origin.Origin.read(origin.Origin.now()._asdict()) is not None


def test_no_seed_is_not_seed_0(tmp_path: Path) -> None:
    book = page.Book(tmp_path, "000", seed=0, quick=False)
    book.write("a part", ROWS)
    path = tmp_path / "parts" / "a part.json"
    path.write_text(path.read_text().replace('"seed": 0', '"seed": false'))
    assert book.read("a part") is None


def test_tables_go_between_the_marks() -> None:
    text = f"# Title\n\n{page.COUNT[0]}stale{page.COUNT[1]}\n\n{page.ROWS[0]}\nstale\n{page.ROWS[1]}\n\nMore.\n"
    assert "\n\nOne run.\n\n<!-- end of count -->" in page.with_tables(text, ROWS, "One run.")
    new = page.with_tables(text, ROWS)
    assert new == page.with_tables(new, ROWS), "writing them again changes nothing"
    assert new.startswith(f"# Title\n\n{page.COUNT[0]}\n\n**Of 2 claims: 1 reproduced")
    assert new.endswith(f"{page.ROWS[1]}\n\nMore.\n")
    assert "stale" not in new
    assert "Of 2 claims: 1 reproduced, 1 not reproduced. Of 1 check: 1 holds." in new
    assert "| second / of two | 75 % | 61.6 % | 5 points | before | **not reproduced** |" in new
    for lost in (*page.COUNT, *page.ROWS):
        with pytest.raises(RuseError, match="has no place for its rows"):
            page.with_tables(text.replace(lost, ""), ROWS)


def test_count() -> None:
    rows: list[Evidence] = [*ROWS, claim("third", "1", "2", Verdict.REFUTED, "a counterexample")]
    assert counted(rows) == "Of 3 claims: 1 reproduced, 1 not reproduced, 1 refuted. Of 1 check: 1 holds."


@pytest.mark.parametrize("paper", PAGES)
def test_a_page_has_the_rows_of_its_folder(paper: str) -> None:
    """Both were written by one command, with one seed, and nobody has touched either since."""
    text, rows = (
        (DOCS / PAGES[paper]).read_text(encoding="utf-8"),
        page.rows_in(DOCS / f"figures-{paper}" / "rows.json"),
    )
    assert rows
    kept = json.loads((DOCS / f"figures-{paper}" / "rows.json").read_text())
    assert page.with_tables(text, rows, kept.get("told", "")) == text
    assert (kept["paper"], kept["quick"]) == (paper, False)
    assert kept["counted"] == counted(rows)
    broken = [row.name for row in rows if row.verdict is Verdict.BROKEN]
    assert not broken


@pytest.mark.parametrize("paper", OF_ONE_RUN)
def test_a_page_is_of_one_run(paper: str) -> None:
    """Rows, tables and pictures: what was put in from another run, or by hand, is seen."""
    image = pytest.importorskip("PIL.Image")
    folder, text = DOCS / f"figures-{paper}", (DOCS / PAGES[paper]).read_text(encoding="utf-8")
    kept, rows = json.loads((folder / "rows.json").read_text()), page.rows_in(folder / "rows.json")
    (run,) = kept["runs"]
    whose = origin.Origin.read({name: run[name] for name in origin.Origin._fields})
    assert whose is not None
    assert kept["told"] == origin.told({whose: run["parts"]}, kept["seed"])
    assert kept["told"] in text
    assert kept["digest"] == page.digest(rows)
    shown = set(re.findall(rf"figures-{paper}/([\w-]+\.png)", text)) - ASKED_FOR
    assert shown
    assert {name: image.open(folder / name).text.get("Description") for name in shown} == dict.fromkeys(
        shown, str(whose)
    )
    assert not [row.name for row in rows if not is_shown(row)], "one number, one source"
    experiments = import_module(PAPERS[paper][0])
    assert run["parts"] == [part for part in experiments.PARTS if part not in getattr(experiments, "ONLY_IF_ASKED", ())]


def is_shown(row: Evidence) -> bool:
    """Whether a row tells the interval that it keeps, as a number or in percent."""
    if row.interval is None or row.interval[0] == row.interval[1]:
        return True
    for pair in re.findall(r"\(([+-]?[\d.,]+) to ([+-]?[\d.,]+)", row.ours):
        half = 0.5000001 * 10.0 ** -len(pair[0].partition(".")[2])
        ends = [float(end.replace(",", "")) for end in pair]
        if any(all(abs(x - scale * y) <= half for x, y in zip(ends, row.interval, strict=True)) for scale in (1, 100)):
            return True
    return False


def test_an_interval_that_is_not_the_told_one_is_seen() -> None:
    row = claim("x", "60 %", "57.8 % (56.9 to 58.7)", Verdict.NOT_REPRODUCED, "2", found=Found(0.578, 0.569, 0.587, 3))
    assert is_shown(row)
    assert is_shown(row._replace(interval=(0.5691, 0.5868)))
    assert not is_shown(row._replace(interval=(0.567, 0.587)))
    assert not is_shown(row._replace(ours="57.8 %"))
