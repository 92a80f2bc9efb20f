"""The area Arena: a round robin is begun, told as it goes, stopped, kept over a restart, and forgotten."""

import itertools
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import settings_in
from fastapi.testclient import TestClient
from solved_games import kuhn_run

import ruse
from ruse.play.round_robin import RoundRobin
from ruse.strategy import Strategy
from ruse.studio.app import create_app
from ruse.studio.look import arena, errands
from ruse.studio.look.arena import Arena, ArenaRow, ArenaTable, rows_of


def waited(client: TestClient, id: str, *standings: str) -> Any:
    for _ in range(2_000):
        table = client.get(f"/api/arena/tables/{id}").json()
        if table["standing"] in standings:
            return table
        time.sleep(0.05)
    raise AssertionError(table)


def test_everybody_plays_everybody(client: TestClient, tmp_path: Path) -> None:
    run = kuhn_run(tmp_path / "runs").name
    (kuhn,) = [one for one in client.get("/api/arena/games").json() if one["game"] == "kuhn"]
    assert [(one["name"], one["kind"]) for one in kuhn["entrants"]] == [(run, "strategy"), ("random", "bot")]
    begun = client.post("/api/arena", json={"game": "kuhn", "entrants": [run, "random"], "deals": 400, "seed": 1})
    assert begun.status_code == 200, begun.text
    table = waited(client, begun.json()["id"], "done", "failed")
    assert (table["standing"], table["played"], table["planned"]) == ("done", 400, 400)
    first, second = table["rows"]
    assert first["cells"][0] is None
    assert first["cells"][1] == first["overall"]
    assert first["overall"]["mean"] > first["overall"]["margin"] > 0.0  # it beats who plays at random, beyond luck
    assert second["overall"]["mean"] == pytest.approx(-first["overall"]["mean"])

    with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:
        feed.send_json({"listen": f"arena/{table['id']}"})
        assert feed.receive_json()["data"] == table
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as later:
        assert later.get("/api/arena").json()["tables"] == [table]
        assert later.delete(f"/api/arena/tables/{table['id']}").json()["tables"] == []
    assert list((tmp_path / "runs" / ".arena").iterdir()) == []


def test_two_that_are_begun_at_once_are_two(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes long is done before one has its name; a second one had the same, and the first was lost."""
    others, entered = list[Any](), Arena.entered
    run = kuhn_run(tmp_path / "runs").name
    asked = {"game": "kuhn", "entrants": ["random", run], "deals": 10, "seed": 1}

    def slow(room: Arena, *given: Any) -> Any:
        if not others:
            others.append(None)
            others.append(client.post("/api/arena", json=asked).json()["id"])
        return entered(room, *given)

    monkeypatch.setattr(Arena, "entered", slow)
    begun = client.post("/api/arena", json=asked).json()["id"]
    assert begun != others[1]
    assert {table["id"] for table in client.get("/api/arena").json()["tables"]} == {begun, others[1]}
    for id in (begun, others[1]):
        waited(client, id, "done")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """A tournament waits after its second round: one event tells that it has come there, the other lets it go on."""
    come, go = threading.Event(), threading.Event()
    rounds = itertools.count(1)

    def waiting(robin: RoundRobin) -> list[ArenaRow]:
        if next(rounds) == 2:
            come.set()
            go.wait(600)
        return rows_of(robin)

    monkeypatch.setattr(arena, "rows_of", waiting)
    yield come, go
    go.set()


LONG = {"game": "kuhn", "entrants": ["random", "random:"], "deals": 1_000}


def test_one_that_runs_is_stopped_where_it_is(
    client: TestClient, held: tuple[threading.Event, threading.Event]
) -> None:
    come, go = held
    id = client.post("/api/arena", json=LONG).json()["id"]
    assert come.wait(600)
    assert client.delete(f"/api/arena/tables/{id}").status_code == 409
    assert client.post(f"/api/arena/tables/{id}/stop").json()["standing"] == "running"
    go.set()
    table = waited(client, id, "stopped", "done", "failed")
    assert (table["standing"], table["error"]) == ("stopped", None)
    assert 0 < table["played"] < table["planned"]


def test_a_killed_studio_leaves_what_was_played(
    client: TestClient, tmp_path: Path, held: tuple[threading.Event, threading.Event]
) -> None:
    id = client.post("/api/arena", json=LONG).json()["id"]
    assert held[0].wait(600)
    with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:
        feed.send_json({"listen": f"arena/{id}"})
        heard = feed.receive_json()
        assert heard["data"]["standing"] == "running"
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as later:  # as after a kill
        (table,) = later.get("/api/arena").json()["tables"]
        with later.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:  # a page that was left open
            feed.send_json({"listen": f"arena/{table['id']}", "since": heard["since"]})
            assert feed.receive_json()["data"]["standing"] == "stopped"
    assert table["standing"] == "stopped"
    assert 0 < table["played"] < table["planned"]
    assert table["rows"][0]["overall"]["deals"] > 0


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ({"game": "kuhn", "entrants": ["random", "nobody"]}, 404, "there is no strategy 'nobody'"),
        ({"game": "kuhn", "entrants": ["random", "random"]}, 400, "once"),
        ({"game": "kuhn:players=3", "entrants": ["random", "random:"]}, 400, "3 seats"),
        ({"game": "kuhn", "entrants": ["random"]}, 422, "entrants"),
        ({"game": "kuhn", "entrants": ["random", "../../x.strategy"]}, 404, "there is no strategy"),
    ],
)
def test_what_cannot_be_played_is_refused(client: TestClient, body: dict[str, Any], status: int, why: str) -> None:
    answer = client.post("/api/arena", json=body)
    assert answer.status_code == status
    assert why in answer.json()["error"]
    assert client.get("/api/arena").json()["tables"] == []


def test_who_cannot_play_the_game_is_refused_when_entered(client: TestClient, tmp_path: Path) -> None:
    """And not when it is his turn, after others have played."""
    runs = tmp_path / "runs"
    run = kuhn_run(runs)
    other, unfinished = runs / "leduc.strategy", runs / "cut.strategy"
    Strategy.uniform(ruse.game("leduc")).save(other)
    unfinished.write_bytes(run.strategy_path.read_bytes()[:-3])
    for name, why in ((other.name, "leduc"), (unfinished.name, "cut short")):
        answer = client.post("/api/arena", json={"game": "kuhn", "entrants": [run.path.name, "random", name]})
        assert answer.status_code == 400, answer.text
        assert why in answer.json()["error"].lower()
        assert "\n" not in answer.json()["error"]
    assert client.get("/api/arena").json()["tables"] == []


def test_a_damaged_file_is_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / ".arena"
    folder.mkdir(parents=True)
    (folder / "20260101T000000Z.json").write_text("{")
    (folder / "elsewhere.json").write_text(
        ArenaTable(
            id="../../x", game="kuhn", title="kuhn", players=2, entrants=[], deals=2, seed=0, created="",
            standing="done", told="", played=0, planned=0, rows=[],
        ).model_dump_json()
    )  # fmt: skip
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as client:
        assert client.get("/api/arena").json() == {"tables": []}


def test_one_that_never_answers_is_left_to_itself(
    client: TestClient, held: tuple[threading.Event, threading.Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And others are played in its place, though no more than one at a time."""
    monkeypatch.setattr(errands, "AT_ONCE", 1)
    monkeypatch.setattr(errands, "PATIENCE", 0.05)
    id = client.post("/api/arena", json=LONG).json()["id"]
    assert held[0].wait(600)
    client.post(f"/api/arena/tables/{id}/stop")
    left = waited(client, id, "stopped", "done", "failed")
    assert (left["standing"], left["told"]) == ("stopped", errands.LEFT)
    other = client.post("/api/arena", json=LONG | {"seed": 2}).json()["id"]
    assert waited(client, other, "stopped", "done", "failed")["standing"] == "done"
    held[1].set()
    assert client.get(f"/api/arena/tables/{id}").json()["standing"] == "stopped"
