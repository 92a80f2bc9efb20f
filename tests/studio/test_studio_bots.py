"""Bots that fail at a table of the studio: who sits opposite hears which one, and the log hears the rest."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from hostile_bots import CARDS, FAILING, written

import ruse
from ruse.games.kuhn import DEALT
from ruse.studio.play import ahead, seating
from ruse.studio.play.tables import PlayTables
from ruse.studio.serve import UNANSWERED
from ruse.studio.state import Studio


@pytest.fixture
def game(tmp_path: Path) -> str:
    """The game's file, which was run here before."""
    path = written(tmp_path)
    ruse.game(str(path))
    return str(path)


def all_bytes(client: TestClient, game: str, bot: str, seat: int) -> list[bytes]:
    """All that a person in this seat gets until the bot has failed, and afterwards."""
    studio: Studio = client.app.state.studio  # type: ignore[attr-defined]
    shutil.rmtree(studio.games, ignore_errors=True)
    studio.of(PlayTables).at_hand.forget("0" * 16)
    told: list[bytes] = []

    def ask(method: str, path: str, **asked: Any) -> Any:
        answer = client.request(method, path, **asked)
        told.append(repr((answer.status_code, sorted(answer.headers.items()))).encode() + answer.content)
        return answer.json()

    table = "/api/tables/" + "0" * 16
    view = ask("POST", "/api/tables", json={"game": game, "against": [bot], "seat": seat, "seed": 1})
    if "scene" in view:
        ask("POST", f"{table}/act", json={"action": "pass", "seen": view["seen"]})
    for path in ("", "/hint", "/review"):
        ask("GET", table + path)
    ask("POST", f"{table}/next")
    studio.of(PlayTables).at_hand.forget("0" * 16)  # and as another studio finds it
    ask("GET", table)
    with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:
        feed.send_json({"listen": "tables/" + "0" * 16})
        told.append(feed.receive_text().encode())
    return told


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("bot", FAILING)
def test_a_bot_that_fails_tells_nothing_of_its_card(
    client: TestClient,
    game: str,
    bot: str,
    seat: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """For each card of the person, whatever the bot has: the same bytes."""
    monkeypatch.setattr("ruse.studio.play.tables.secrets.token_hex", lambda size: "0" * 16)
    told: dict[str, list[list[bytes]]] = {}
    for one, other in permutations(range(3), 2):
        drawn = (one, other - (other > one))  # the second among those that are left
        monkeypatch.setattr("ruse.play.session.drawn", lambda game, row, count, u, drawn=drawn: drawn[row[DEALT]])
        told.setdefault(CARDS[(one, other)[seat]], []).append(all_bytes(client, game, bot, seat))
    assert len(told) == 3
    for own, (first, second) in told.items():
        assert first == second, own
        failed = [json.loads(each[each.index(b'{"error') :]) for each in first if b"has failed" in each]
        words = f"{bot} has failed as player {1 - seat}, so this game cannot go on; the studio's log tells what it did"
        assert failed
        assert {each["error"] for each in failed} == {words}
    heard = [record.getMessage() for record in caplog.records if record.name.startswith("ruse")]
    assert heard
    assert all(line.startswith(f"{bot} has failed as player {1 - seat}: ") for line in heard)


def test_a_bot_that_does_not_say_what_it_is_judges_as_it_plays(client: TestClient, game: str) -> None:
    view = client.post("/api/tables", json={"game": game, "against": ["masked"], "seat": 0, "seed": 1}).json()
    while not view["over"]:
        asked = {"action": "pass", "seen": view["seen"]}
        view = client.post(f"/api/tables/{view['id']}/act", json=asked).json()
    review = client.get(f"/api/tables/{view['id']}/review")
    assert (review.status_code, review.json().get("by")) == (200, "masked"), review.text


def test_fields_of_what_has_none_are_one_sentence(client: TestClient, game: str) -> None:
    answer = client.post("/api/tables", json={"game": game, "against": ["good:x=3"]})
    assert (answer.status_code, answer.json()["error"][:22]) == (400, "good is no NamedTuple,")


# ---- bots that take long ---------------------------------------------------------------------------------------------


def aside(do: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(do()), daemon=True)
    thread.start()
    return thread, found


@pytest.fixture
def held(game: str) -> Iterator[tuple[threading.Event, threading.Event]]:
    """One event tells that the bot "held" has begun to think, the other lets it go."""
    module = sys.modules[type(ruse.game(game)).__module__]
    module.BEGUN.clear()  # the same contents are the same module, in every test
    module.ENDS.clear()
    yield module.BEGUN, module.ENDS
    module.ENDS.set()


def sit(client: TestClient, game: str, bot: str) -> Any:
    answer = client.post("/api/tables", json={"game": game, "against": [bot], "seat": 0, "seed": 1})
    assert answer.status_code == 200, answer.text
    return answer.json()


def passes(client: Any, view: Any) -> Any:
    return client.post(f"/api/tables/{view['id']}/act", json={"action": "pass", "seen": view["seen"]})


def test_whoever_looks_does_not_wait_for_a_bot(
    client: TestClient, game: str, held: tuple[threading.Event, threading.Event]
) -> None:
    begun, ends = held
    view = sit(client, game, "held")
    thread, found = aside(lambda: passes(client, view))
    assert begun.wait(600)
    for _ in range(60):  # more than the server has threads
        assert client.get(f"/api/tables/{view['id']}").json() == view
    assert client.get("/api/about").status_code == 200
    assert not found
    ends.set()
    thread.join(600)
    assert found[0].json()["over"]
    assert client.get(f"/api/tables/{view['id']}").json() == found[0].json()


def test_moves_never_have_all_threads(
    client: TestClient, game: str, held: tuple[threading.Event, threading.Event]
) -> None:
    """However many tables such a bot sits at."""
    _, ends = held
    views = [sit(client, game, "held") for _ in range(ahead.MOVING + 1)]
    moves = [aside(partial(passes, client, view)) for view in views]
    while not any(found for _, found in moves):
        time.sleep(0.001)
    (refused,) = (found[0] for _, found in moves if found)
    assert (refused.status_code, "try again" in refused.json()["error"]) == (429, True)
    assert client.get("/api/about").status_code == 200
    ends.set()
    for thread, _ in moves:
        thread.join(600)
    assert sorted(found[0].status_code for _, found in moves) == [200] * ahead.MOVING + [429]


def test_a_table_that_is_opened_again_holds_few_who_look(
    client: TestClient, game: str, held: tuple[threading.Event, threading.Event]
) -> None:
    """Its bots are asked again, as long as they take."""
    begun, ends = held
    ends.set()
    view = sit(client, game, "held")
    view = passes(client, view).json()
    studio: Studio = client.app.state.studio  # type: ignore[attr-defined]
    studio.of(PlayTables).at_hand.forget(view["id"])
    begun.clear()
    ends.clear()
    looks = [aside(lambda: client.get(f"/api/tables/{view['id']}")) for _ in range(ahead.AT_A_TABLE + 1)]
    while not any(found for _, found in looks):
        time.sleep(0.001)
    assert begun.wait(600)
    ends.set()
    for thread, _ in looks:
        thread.join(600)
    assert sorted(found[0].status_code for _, found in looks) == [200] * ahead.AT_A_TABLE + [429]


def test_nobody_waits_for_another_judge(
    client: TestClient, game: str, held: tuple[threading.Event, threading.Event]
) -> None:
    begun, ends = held
    ends.set()
    slow, quick = (passes(client, sit(client, game, bot)).json() for bot in ("held", "good"))
    assert slow["over"]
    assert quick["over"]
    begun.clear()
    ends.clear()
    reviews = [aside(lambda: client.get(f"/api/tables/{slow['id']}/review")) for _ in range(seating.JUDGED + 1)]
    assert begun.wait(600)
    assert client.get(f"/api/tables/{quick['id']}/review").json()["by"] == "good"
    while not any(found for _, found in reviews):
        time.sleep(0.001)
    ends.set()
    for thread, _ in reviews:
        thread.join(600)
    assert sorted(found[0].status_code for _, found in reviews) == [200] * seating.JUDGED + [429]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("ctrl_c", [signal.SIG_DFL, signal.SIG_IGN], ids=["in front", "in the background"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_ends_while_a_bot_thinks(game: str, tmp_path: Path, number: signal.Signals, ctrl_c: Any) -> None:
    """No thread can be ended from without, so it is left behind, and a line says that something was."""
    command = [sys.executable, "-m", "ruse", "studio", "--port", "0", "--no-browser", "--runs", str(tmp_path / "runs")]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, ctrl_c),
    )  # fmt: skip
    with running, contextlib.ExitStack() as after:
        after.callback(running.kill)
        assert running.stdout is not None
        address = running.stdout.readline().split()[-1]
        with httpx.Client(base_url=address, timeout=600) as asked:
            answer = asked.post("/api/tables", json={"game": game, "against": ["held"], "seat": 0, "seed": 1})
            view = answer.json()
            thread, _ = aside(partial(passes, asked, view))
            while not (tmp_path / "begun").exists():
                assert running.poll() is None
                assert thread.is_alive()
                time.sleep(0.005)
            running.send_signal(number)
            _, said = running.communicate(timeout=300)
        thread.join(300)
    assert running.returncode == 128 + number
    assert said == f"ruse: {UNANSWERED}\n"
