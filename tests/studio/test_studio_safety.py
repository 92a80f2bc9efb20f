"""Who may ask a studio, how much and how often; and that it answers whatever it is asked."""

import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from conftest import Served
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from ruse.catalog.recorded import recorded_game
from ruse.errors import RuseError
from ruse.studio.answers import said_on_a_page
from ruse.studio.app import create_app
from ruse.studio.names import is_file_name
from ruse.studio.safety import Rates
from ruse.studio.serve import addresses, listening_socket, own_host, safe_for, typed_host
from ruse.studio.state import StudioSettings

OURS = {"origin": "http://127.0.0.1"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = StudioSettings(runs=tmp_path_factory.mktemp("safety"), burst=100_000)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as made:
        yield made


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil.example:8765", "0.0.0.0"]
)
def test_another_name_is_not_answered(client: TestClient, host: str) -> None:
    """A page elsewhere can make its own name mean this machine."""
    assert client.get("/api/about", headers={"host": host}).status_code == 403
    assert client.get("/", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8765", "localhost:1", "LOCALHOST", "[::1]:8765"])
def test_our_names_are(client: TestClient, host: str) -> None:
    assert client.get("/api/about", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:99", "https://127.0.0.1.evil.example", "http://["]
)
def test_another_page_changes_nothing(client: TestClient, origin: str) -> None:
    for method, path in (("POST", "/api/forms/start"), ("DELETE", "/api/runs/x"), ("POST", "/api/runs/x/stop")):
        answer = client.request(method, path, headers={"origin": origin}, content=b"{}")
        assert answer.status_code == 403, (method, path)
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/feed", headers={"origin": origin}):
        pass
    assert client.get("/api/runs", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_our_page_does(client: TestClient) -> None:
    assert client.post("/api/runs/x/stop", headers=OURS).status_code == 404
    with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1", **OURS}) as feed:
        feed.send_json({"listen": "runs"})
        assert feed.receive_json()["topic"] == "runs"


def test_a_token_is_asked_for(tmp_path: Path) -> None:
    settings = safe_for("0.0.0.0", StudioSettings(runs=tmp_path))
    assert settings.token is not None
    assert len(settings.token) >= 24
    with TestClient(create_app(settings), base_url="http://127.0.0.1", follow_redirects=False) as client:
        for path in ("/", "/api/about", "/openapi.json", "/?token=wrong", "/api/about?token="):
            assert client.get(path).status_code == 401, path
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/feed"):
            pass
        assert client.get("/api/about", headers={"authorization": f"Bearer {settings.token}"}).status_code == 200
        opened = client.get(f"/?token={settings.token}")
        assert opened.status_code == 303
        assert settings.token not in opened.headers["location"]
        assert "HttpOnly" in opened.headers["set-cookie"]
        assert client.get("/api/about").status_code == 200  # the cookie


def test_this_machine_alone_needs_none() -> None:
    assert safe_for("127.0.0.1", StudioSettings()).token is None
    assert safe_for("10.0.0.5", StudioSettings()).names == ("10.0.0.5",)


def test_a_request_may_be_so_large(client: TestClient) -> None:
    large = b"x" * ((1 << 20) + 1)
    assert client.post("/api/forms/start", content=large).status_code == 413
    assert client.post("/api/forms/start", content=iter([large])).status_code == 413  # says no length before
    assert client.post("/api/forms/start", content=b"x", headers={"content-length": "-5"}).status_code == 413


def test_a_visitor_may_ask_so_often(tmp_path: Path) -> None:
    settings = StudioSettings(runs=tmp_path, rate=0.001, burst=3)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        assert [client.get("/api/about").status_code for _ in range(4)] == [200, 200, 200, 429]
        assert "wait" in client.get("/api/about").json()["error"]


def test_what_is_said_over_a_websocket_counts_as_often(tmp_path: Path) -> None:
    settings = StudioSettings(runs=tmp_path, rate=0.001, burst=4)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:
            for _ in range(4):  # to connect was one
                feed.send_text("nonsense")
            for _ in range(3):
                assert feed.receive_json()["error"]
            with pytest.raises(WebSocketDisconnect) as closed:
                feed.receive_json()
        assert closed.value.code == 1008
        assert client.get("/api/about").status_code == 429


def test_rates_recover_and_are_forgotten() -> None:
    rates = Rates(rate=2.0, burst=2, visitors=2)
    assert [rates.allow("a", 0.0) for _ in range(3)] == [True, True, False]
    assert rates.allow("a", 0.5)
    assert not rates.allow("a", 0.5)
    for other in ("b", "c"):
        assert rates.allow(other, 1.0)
    assert len(rates.buckets) == 2


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'{"game": null}', b"\xff\xfe", b'{"game": 3, "options": []}']
)
def test_what_is_malformed_is_answered(client: TestClient, body: bytes) -> None:
    for path in ("fits", "size", "start"):
        answer = client.post(f"/api/forms/{path}", content=body)
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]


def test_a_nested_body_is_answered(client: TestClient) -> None:
    answer = client.post("/api/forms/fits", content=b"[" * 200_000)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "path", ["/nothing", "/api/nothing", "/assets/../../app.py", "/..%2f..%2fapp.py", "/%2e%2e/app.py"]
)
def test_only_the_page_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


@pytest.mark.parametrize(
    "name", ["a" * 300, "é" * 150, "a" * 245, ".."], ids=["long", "in bytes", "with more behind", "up"]
)
def test_a_name_that_no_file_can_have_is_answered(client: TestClient, name: str) -> None:
    asked = {
        "node": client.get("/api/explorer/node", params={"source": name}),
        "search": client.get("/api/explorer/search", params={"source": name, "text": "x"}),
        "square": client.get("/api/squares/place", params={"source": name}),
        "run": client.get(f"/api/runs/{quote(name, safe='')}x"),
        "opponent": client.post("/api/tables", json={"game": "kuhn", "against": [name]}),
        "coach": client.post("/api/tables", json={"game": "kuhn", "against": ["random"], "coach": name}),
        "game": client.post("/api/tables", json={"game": f"{name}.py", "against": ["random"]}),
        "entrant": client.post("/api/arena", json={"game": "kuhn", "entrants": ["random", name]}),
    }
    assert {what: answer.status_code for what, answer in asked.items() if answer.status_code not in (404, 422)} == {}
    with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:
        feed.send_json({"listen": f"metrics/{name[:250]}"})
        assert "there is no run" in feed.receive_json()["error"]


@pytest.mark.parametrize("said", ['{"listen": ""}', "{}", '{"leave": "", "since": 3}', '{"listen": null}', "[]"])
def test_what_is_no_message_to_the_feed_is_answered(client: TestClient, said: str) -> None:
    with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:
        feed.send_text(said)
        assert feed.receive_json()["error"] == "a message to the feed is listen or leave, with since"
        feed.send_json({"listen": "nothing"})
        assert "nothing to hear" in feed.receive_json()["error"]


def test_what_is_no_text_closes_the_feed_and_is_no_trouble_of_ours(served: Served) -> None:
    records: list[logging.LogRecord] = []
    heard, log = logging.Handler(), logging.getLogger("uvicorn.error")
    heard.emit = records.append  # type: ignore[method-assign]
    log.addHandler(heard)
    try:
        with connect(served.address.replace("http", "ws") + "api/feed") as feed:
            feed.send(b"\xff\xfe", text=True)
            with pytest.raises(ConnectionClosedError) as closed:
                feed.recv(timeout=600)
    finally:
        log.removeHandler(heard)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1007
    assert [record.getMessage() for record in records] == []
    with urllib.request.urlopen(served.address + "api/about", timeout=600) as answer:
        assert answer.status == 200


def test_half_a_letter_is_no_name() -> None:
    assert [is_file_name(name) for name in ("a", "\ud800", "a\0", "", "a/b", ".")] == [True] + 5 * [False]


def test_every_answer_keeps_others_out(client: TestClient) -> None:
    for path in ("/", "/api/about", "/nothing", "/api/runs/x"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_the_page_asks_nobody_else() -> None:
    """No font, script or picture comes from another machine."""
    static = Path(__file__).parents[2] / "src" / "ruse" / "studio" / "static"
    for file in static.rglob("*"):
        if file.suffix in (".html", ".css"):
            assert not re.search(r"(src|href|url)[=(]\s*[\"']?(https?:)?//", file.read_text(encoding="utf-8")), file


def test_a_page_is_not_told_what_to_type_in_a_terminal(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "new.py").write_text(f"x = 1  # nobody has trusted {tmp_path}")
    (tmp_path / "torn.efg").write_text("x")
    for spec, told in (
        ("gone.py", "put that file back"),
        ("new.py", "if you trust it, type `ruse check"),
        ("torn.efg", "cannot be read as a .efg file"),
        ("openspiel:nobodys", "type `ruse check openspiel:nobodys`"),
    ):
        with pytest.raises(RuseError) as found:
            recorded_game(spec, tmp_path / "a.strategy")
        assert "--game" in str(found.value)
        sentence = said_on_a_page(found.value)
        assert told in sentence
        assert "--game" not in sentence
        assert "in Python" not in sentence
    assert not [option for option in client.get("/api/forms").json()["options"] if "--" in option["help"]]
    answer = client.post("/api/tables", json={"game": "gone.py", "against": ["random"]})
    assert answer.json()["error"] == "there is no file gone.py; type the whole path of the game's file"


def test_an_address_for_others_can_be_typed_there() -> None:
    assert [typed_host(host) for host in ("0.0.0.0", "10.0.0.5", "fe80::1")] == [
        socket.gethostname(), "10.0.0.5", "[fe80::1]",
    ]  # fmt: skip
    assert typed_host("0.0.0.0") in safe_for("0.0.0.0", StudioSettings()).names
    assert [own_host(host) for host in ("0.0.0.0", "::", "10.0.0.5")] == ["127.0.0.1", "[::1]", "10.0.0.5"]


def test_a_machine_is_found_by_the_address_that_others_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own name may stand for 127.0.1.1 alone, as on Debian."""
    monkeypatch.setattr("ruse.studio.serve.ELSEWHERE", ("127.0.0.9", 9))
    monkeypatch.setattr("ruse.studio.serve.socket.getaddrinfo", lambda *_: [(0, 0, 0, "", ("127.0.1.1", 0))])
    assert {"127.0.0.1", "127.0.1.1"} <= set(addresses())


def test_a_port_that_is_taken_is_told() -> None:
    with listening_socket("127.0.0.1", 0, 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(RuseError, match="give another --port"):
            listening_socket("127.0.0.1", port, 0)
        with listening_socket("127.0.0.1", None, port) as other:
            assert other.getsockname()[1] != port
    with pytest.raises(RuseError, match="65535"):
        listening_socket("127.0.0.1", 70_000, 0)


def test_the_command_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ruse", "studio", "--port", "0", "--no-browser", "--runs", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert found is not None
        with urllib.request.urlopen(found[0] + "openapi.json", timeout=60) as answer:
            told = json.load(answer)
        assert "/api/runs" in told["paths"]
        with urllib.request.urlopen(found[0], timeout=60) as answer:
            assert b"ruse studio" in answer.read()
        os.kill(process.pid, signal.SIGINT)
        _, complaints = process.communicate(timeout=60)
    assert process.returncode in (0, 130)
    assert complaints == ""
