"""The area Explorer: nodes, what is meant by typing, two strategies side by side, and what is refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import settings_in
from fastapi.testclient import TestClient
from solved_games import kuhn_run

from ruse.catalog.names import game
from ruse.evaluate.explaining.explain import what_here
from ruse.solve.solver.presets import cfr
from ruse.store.runs import RunDirectory
from ruse.strategy import Strategy
from ruse.studio.app import create_app


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("explorer")


@pytest.fixture(scope="module")
def runs(folder: Path) -> tuple[RunDirectory, RunDirectory]:
    """Kuhn solved well, and badly."""
    return kuhn_run(folder / "runs"), kuhn_run(folder / "runs", cfr(), 3)


@pytest.fixture(scope="module")
def asked(folder: Path, runs: Any) -> Iterator[TestClient]:
    with TestClient(create_app(settings_in(folder)), base_url="http://127.0.0.1") as made:
        yield made


def get(asked: TestClient, path: str, **query: Any) -> Any:
    answer = asked.get(f"/api/explorer/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_what_there_is_to_look_at(asked: TestClient, runs: tuple[RunDirectory, RunDirectory]) -> None:
    found = get(asked, "sources")
    assert [(one["id"], one["kind"], one["title"]) for one in found["sources"]] == [
        (run.name, "strategy", "kuhn") for run in runs[::-1]
    ]
    assert found["sources"][1]["iterations"] == 200
    assert "mahjong" in found["games"]


def test_a_node_has_what_the_library_tells(asked: TestClient, runs: tuple[RunDirectory, RunDirectory]) -> None:
    node = get(asked, "node", source=runs[0].name, place="1.1.0.1")
    told = what_here(Strategy.load(runs[0].strategy_path), ["Q", "K", "pass", "bet"])
    (side,) = node["sides"]
    assert (node["kind"], node["player"], node["name"]) == ("decision", 0, told.name)
    assert [one["probability"] for one in side["actions"]] == told.probability
    assert [one["value"] for one in side["actions"]] == told.value
    assert all(isinstance(one["regret"], float) for one in side["actions"])  # its checkpoint is there
    assert [(step["name"], step["place"]) for step in node["steps"]][-1] == ("bet", "1.1.0.1")
    assert [zone["shown"] for zone in node["scene"]["zones"][:2]] == [["Q"], ["K"]]  # nothing is hidden
    after = get(asked, "node", source=runs[0].name, place=side["actions"][0]["place"])
    assert (after["kind"], after["payoffs"]) == ("end", [-1.0, 1.0])


def test_a_game_without_a_strategy_has_a_tree(asked: TestClient) -> None:
    node = get(asked, "node", source="game:leduc:suits=3")
    assert (node["kind"], len(node["sides"][0]["actions"])) == ("chance", 9)
    assert node["sides"][0]["source"]["title"] == "leduc:suits=3"


def test_two_stand_side_by_side(asked: TestClient, runs: tuple[RunDirectory, RunDirectory]) -> None:
    good, bad = (run.name for run in runs)
    node = get(asked, "node", source=good, place="0.1", other=bad)
    ours, theirs = ([one["probability"] for one in side["actions"]] for side in node["sides"])
    assert node["sides"][1]["distance"] == pytest.approx(sum(abs(a - b) for a, b in zip(ours, theirs, strict=True)) / 2)
    found = get(asked, "differences", source=good, other=bad)
    assert found["count"] == len(found["differences"]) > 3  # no two hands of Kuhn are alike
    weights = [one["reach"] * one["distance"] for one in found["differences"]]
    assert weights == sorted(weights, reverse=True)
    for one in found["differences"]:
        there = get(asked, "node", source=good, place=one["place"], other=bad)
        assert there["name"] == one["name"]
        assert there["sides"][1]["distance"] == pytest.approx(one["distance"])
    assert get(asked, "differences", source=good, other=good)["count"] == 0


def test_what_here_by_typing(asked: TestClient, runs: tuple[RunDirectory, RunDirectory]) -> None:
    by_words = get(asked, "search", source=runs[0].name, text="k bet")
    assert {place["name"] for place in by_words["places"]} == {"K, bet", "K, pass bet"}
    by_moves = get(asked, "search", source=runs[0].name, text="K, J, pass")
    assert by_moves["way"] == "2.0.0"
    nothing = get(asked, "search", source=runs[0].name, text="seven")
    assert (nothing["count"], nothing["way"]) == (0, None)
    assert "no action 'seven'" in nothing["trouble"]


@pytest.mark.parametrize(
    ("query", "status", "why"),
    [
        ({"source": "nothing"}, 404, "there is no strategy 'nothing'"),
        ({"source": "../runs"}, 404, "there is no strategy"),
        ({"source": "/etc/passwd"}, 404, "there is no strategy"),
        ({"source": ".."}, 404, "there is no strategy"),
        ({"source": "game:nonsense"}, 400, "unknown game 'nonsense'"),
        ({"source": "game:/etc/hosts.py"}, 404, "hosts.py"),
        ({"source": "game:spot.toml"}, 400, "in words here"),
        ({"source": "game:kuhn", "place": "9"}, 400, "there is no move 9"),
        ({"source": "game:kuhn", "place": "-1"}, 422, "place"),
        ({"source": "game:kuhn", "place": "0." * 3000 + "0"}, 400, "too long to be followed"),
        ({"source": "game:kuhn", "other": "game:leduc"}, 409, "not of the same game"),
    ],
)
def test_what_is_wrong_is_one_sentence(asked: TestClient, query: dict[str, str], status: int, why: str) -> None:
    answer = asked.get("/api/explorer/node", params=query)
    assert answer.status_code == status
    assert why in answer.json()["error"]


def test_a_file_of_code_that_nobody_ran_is_not_run(asked: TestClient, tmp_path: Path) -> None:
    mark = tmp_path / "run"
    (tmp_path / "game.py").write_text(f"open({str(mark)!r}, 'w')\n")
    answer = asked.get("/api/explorer/node", params={"source": f"game:{tmp_path / 'game.py'}"})
    assert (answer.status_code, mark.exists()) == (400, False)
    assert "a page runs no such code" in answer.json()["error"]


def test_a_strategy_of_such_a_file_says_what_to_do(asked: TestClient, folder: Path, tmp_path: Path) -> None:
    """A file that was run once, when the strategy was made, and has changed since."""
    source = (Path(__file__).parents[2] / "src/ruse/games/kuhn.py").read_text()
    own = tmp_path / "own.py"
    own.write_text(source)
    Strategy.uniform(game(str(own))).save(folder / "runs" / "own.strategy")
    own.write_text(source + "\nBANG = 1\n")
    answer = asked.get("/api/explorer/node", params={"source": "own.strategy"})
    assert answer.status_code == 400
    assert f"type `ruse check {own}` once in a terminal" in answer.json()["error"]
    game(str(own))  # which is what that command does
    assert get(asked, "node", source="own.strategy")["kind"] == "chance"
    (folder / "runs" / "own.strategy").unlink()
