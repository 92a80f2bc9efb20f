"""Opponents that look ahead, at tables and in the arena: who can, for how long, and who waits for whom."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import settings_in
from fastapi.testclient import TestClient
from rough_hands import few_buckets
from solved_games import holdem_run, kuhn_run

from ruse.catalog.titles import spec
from ruse.games.holdem import views
from ruse.games.holdem.rules import Holdem
from ruse.horizon.search.agent import Searching
from ruse.studio.answers import Overfull
from ruse.studio.app import create_app
from ruse.studio.play import ahead
from ruse.studio.play.ahead import Queue, Thinking

GAME = "holdem:stack=8"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A blueprint in the folder of runs, whose searches are short."""
    few = SimpleNamespace(cards=few_buckets().cards, words=lambda lies, bucket: f"bucket {bucket}")
    monkeypatch.setattr(views, "card_buckets", lambda sizes, seed: few)
    monkeypatch.setattr("ruse.horizon.search.agent.RUNOUTS", 1)
    return holdem_run(tmp_path / "runs", Holdem(stack=8.0)).name


def sit(client: TestClient, against: str, **other: Any) -> Any:
    return client.post("/api/tables", json={"game": GAME, "against": [against], "seed": 3, **other})


def calls(view: Any) -> dict[str, Any]:
    """To check or to call."""
    actions = view["scene"]["actions"]
    return {"action": next(name for name in actions if name in ("check", "call")), "seen": view["seen"]}


def played(client: TestClient, view: Any) -> Any:
    while not view["over"]:
        answer = client.post(f"/api/tables/{view['id']}/act", json=calls(view))
        assert answer.status_code == 200, answer.text
        view = answer.json()
    return view


def test_who_can_look_ahead_is_offered(client: TestClient, tmp_path: Path, run: str) -> None:
    kuhn_run(tmp_path / "runs")
    found = client.get("/api/tables/choices", params={"game": GAME}).json()["ahead"]
    assert found == {"runs": [run], "seconds": ahead.USUAL_SECONDS, "most": ahead.MOST_SECONDS}
    with_other_bets = f"{GAME},flop_bets=50%/100%"
    assert client.get("/api/tables/choices", params={"game": with_other_bets}).json()["ahead"]["runs"] == [run]
    for game in ("kuhn", "holdem:stack=9", "holdem:stack=8,players=3"):
        assert client.get("/api/tables/choices", params={"game": game}).json()["ahead"] is None, game


def test_a_hand_is_played_left_and_gone_on_with(client: TestClient, tmp_path: Path, run: str) -> None:
    name = f"{run}:play=search,seconds=9,iterations=1"
    answer = sit(client, name)
    assert answer.status_code == 200, answer.text
    view = answer.json()
    assert view["names"] == ["you", name]
    assert client.get(f"/api/tables/{view['id']}/hint").json()["by"] == run  # its blueprint is asked
    while view["scene"]["zones"] and not view["over"] and "flop" not in str(view["scene"]["words"]):
        view = client.post(f"/api/tables/{view['id']}/act", json=calls(view)).json()
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as later:
        again = later.get(f"/api/tables/{view['id']}").json()
        assert again["scene"] == view["scene"]
        over = played(later, again)
        assert over["score"]["games"] == 1
        assert later.get(f"/api/tables/{view['id']}/review").status_code == 200
        assert later.get(f"/api/records/{over['record']}/1").json()["why_not"] is None


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (",seconds=11", "a move takes more than 0 and at most 10 seconds here, got 11"),
        (",seconds=0", "at most 10 seconds here, got 0"),
        (",depth=3", "search has no field 'depth'"),
        (",seconds=abc", "seconds"),
    ],
)
def test_what_is_refused(client: TestClient, run: str, fields: str, sentence: str) -> None:
    name = f"{run}:play=search{fields}"
    for refused in (
        sit(client, name),
        client.post("/api/arena", json={"game": GAME, "entrants": [name, "call"], "deals": 2}),
    ):
        assert refused.status_code == 400
        assert sentence in refused.json()["error"]


def test_it_looks_ahead_in_its_own_game_and_from_runs_alone(client: TestClient, tmp_path: Path, run: str) -> None:
    kuhn = kuhn_run(tmp_path / "runs").name
    for name, status in {f"{kuhn}:play=search": 400, "nobody:play=search": 404, "../x:play=search": 400}.items():
        assert sit(client, name).status_code == status, name
    other = client.post("/api/tables", json={"game": "holdem:stack=9", "against": [f"{run}:play=search"]})
    assert "searches there alone" in other.json()["error"]


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """A search that takes as long as a test wants: one event tells that it has begun, the other ends it."""
    begun, ends = threading.Event(), threading.Event()
    plain = Searching.decide

    def slow(self: Searching, *asked: Any) -> int:
        begun.set()
        assert ends.wait(600)
        return plain(self, *asked)

    monkeypatch.setattr(Searching, "decide", slow)
    yield begun, ends
    ends.set()


def aside(do: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(do()), daemon=True)
    thread.start()
    return thread, found


def test_other_tables_play_on_while_one_thinks(
    client: TestClient, run: str, held: tuple[threading.Event, threading.Event]
) -> None:
    begun, ends = held
    view = sit(client, f"{run}:play=search").json()
    thread, found = aside(lambda: client.post(f"/api/tables/{view['id']}/act", json=calls(view)))
    assert begun.wait(600)
    quick = sit(client, "call").json()
    assert played(client, quick)["over"]
    assert not found
    for _ in range(ahead.AT_A_TABLE + 50):  # whoever looks does not wait, and sees what was there before
        assert client.get(f"/api/tables/{view['id']}").json() == view
    assert not found
    again = (f"/api/tables/{view['id']}/act", calls(view))
    waiting = [aside(lambda: client.post(again[0], json=again[1])) for _ in range(ahead.AT_A_TABLE + 3)]
    while not any(answers for _, answers in waiting):
        time.sleep(0.01)
    refused = next(answers[0] for _, answers in waiting if answers)
    ends.set()
    for each, _ in [(thread, found), *waiting]:
        each.join(600)
    assert (refused.status_code, refused.json()["error"]) == (429, "whoever sits opposite thinks; wait for the move")
    assert found[0].status_code == 200
    statuses = sorted(answers[0].status_code for _, answers in waiting)
    assert statuses.count(409) == ahead.AT_A_TABLE - 1  # one of them was the move, and these came after it
    assert client.get(f"/api/tables/{view['id']}").json() == found[0].json()


def test_few_think_at_once_and_few_wait() -> None:
    thinking: Any = Thinking(None)  # type: ignore[arg-type]
    ends, inside, most = threading.Event(), [], []

    def think() -> None:
        with thinking.turn(True):
            inside.append(1)
            most.append(len(inside))
            ends.wait(600)
            inside.pop()

    threads = [aside(think)[0] for _ in range(ahead.WAITING)]
    while thinking._queue._here < ahead.WAITING:
        time.sleep(0.001)
    with pytest.raises(Overfull, match="try again"), thinking.turn(True):
        pass
    with thinking.turn(False):
        pass
    ends.set()
    for thread in threads:
        thread.join(600)
    assert len(most) == ahead.WAITING
    assert max(most) <= ahead.AT_ONCE
    with thinking.turn(True):  # who has thought makes room
        pass
    with pytest.raises(ZeroDivisionError), Queue(1, 1):
        _ = 1 / 0


def test_it_takes_part_in_the_arena(client: TestClient, run: str) -> None:
    games = {one["game"]: one["entrants"] for one in client.get("/api/arena/games").json()}
    name = f"{run}:play=search,seconds=2"
    assert [one["name"] for one in games[spec(Holdem(stack=8.0))] if "search" in one["name"]] == [name]
    assert not [one for one in games["kuhn"] if "search" in one["name"]]
    too_many = client.post("/api/arena", json={"game": GAME, "entrants": [name, "call"], "deals": 501})
    assert too_many.status_code == 400
    assert "at most 500 deals at all tables, not 501" in too_many.json()["error"]
    name = f"{run}:play=search,seconds=9,iterations=1"
    begun = client.post("/api/arena", json={"game": GAME, "entrants": [name, "call"], "deals": 2}).json()
    while (table := client.get(f"/api/arena/tables/{begun['id']}").json())["standing"] in ("waiting", "running"):
        time.sleep(0.05)
    assert (table["standing"], table["played"], table["error"]) == ("done", 2, None)
