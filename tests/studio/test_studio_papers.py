"""The area Papers: theirs beside ours, pictures, and a part that is run again."""

import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ruse.papers.known import PAPERS
from ruse.papers.page import parts_in
from ruse.studio.runs.papers import documents, parts_of, prose


def test_all_papers_are_there(client: TestClient) -> None:
    listed = client.get("/api/papers").json()
    assert [paper["number"] for paper in listed] == list(PAPERS)
    assert all(count["count"] > 0 for paper in listed for count in paper["claims"])
    assert {count["verdict"] for count in listed[0]["claims"]} >= {"reproduced", "refuted"}


@pytest.mark.parametrize("number", PAPERS)
def test_a_paper_has_rows_pictures_and_prose(client: TestClient, number: str) -> None:
    paper = client.get(f"/api/papers/{number}").json()
    assert paper["rows"]
    assert paper["page"].startswith("# ")
    assert "written by `ruse reproduce`" not in paper["page"]
    names = {part["name"] for part in paper["parts"]}
    assert {row["part"] for row in paper["rows"]} <= names | {None}
    assert {part["state"] for part in paper["parts"]} == {"idle"}
    picture = client.get(f"/api/papers/{number}/figures/{paper['figures'][0]}")
    assert picture.headers["content-type"] == "image/png"


@pytest.mark.parametrize(
    "path", ["999", "000/figures/rows.json", "000/figures/..%2f..%2fREADME.md", "000/figures/x.png"]
)
def test_nothing_else_is_shown(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/papers/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_an_unknown_part_is_refused(client: TestClient) -> None:
    answer = client.post("/api/papers/003/run", json={"part": "--help"})
    assert answer.status_code == 400
    assert "numbers" in answer.json()["error"]


def test_parts_are_those_of_the_experiments() -> None:
    for number in PAPERS:
        found = documents()
        assert found is not None
        told = parts_in(found / f"figures-{number}" / "rows.json")
        assert set(told) <= set(parts_of(number))


def test_parts_that_do_not_add_up_are_none(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    for parts in ('{"one": 3}', '{"one": -1}', '["one"]', '{"one": "2"}'):
        path.write_text(f'{{"rows": [1, 2], "parts": {parts}}}')
        assert parts_in(path) == []
    path.write_text('{"rows": [1, 2], "parts": {"one": 1, "two": 1}}')
    assert parts_in(path) == ["one", "two"]


def test_prose_is_what_is_not_counted() -> None:
    page = "a\n<!-- count: written by `ruse reproduce` -->\n\nof 3\n\n<!-- end of count -->\nb"
    assert prose(page) == "a\n\nb"


@pytest.mark.slow
def test_a_part_is_run_again(client: TestClient) -> None:
    assert client.post("/api/papers/003/run", json={"part": "numbers"}).status_code == 200
    assert client.post("/api/papers/003/run", json={"part": "numbers"}).status_code == 409
    for _ in range(1200):
        paper = client.get("/api/papers/003").json()
        state = next(part for part in paper["parts"] if part["name"] == "numbers")
        if state["state"] != "running":
            break
        time.sleep(0.2)
    assert state["state"] == "done", state
    assert sum(row["again"] is not None for row in paper["rows"]) >= 10
