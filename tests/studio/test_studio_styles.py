"""The area Styles: dials are made, turned, and made a strategy of, which is kept where all areas find it."""

import time
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ruse.errors import FileTrouble
from ruse.games.leduc import Leduc
from ruse.strategy import Strategy
from ruse.styles.adapting import adapt

BLUFF = "open, player 0, with J"


def done(client: TestClient, errand: dict[str, Any]) -> Any:
    """An errand once it is over, as the page hears of it."""
    for _ in range(2_000):
        errand = client.get(f"/api/styles/errands/{errand['id']}").json()
        if errand["standing"] not in ("waiting", "running"):
            return errand
        time.sleep(0.05)
    raise AssertionError(errand)


def test_a_dial_is_turned_and_made_a_strategy(client: TestClient, tmp_path: Any) -> None:
    early = client.get("/api/styles/frontier", params={"game": "kuhn", "metric": BLUFF})
    assert (early.status_code, "not ready" in early.json()["error"]) == (409, True)
    first = client.post("/api/styles/dials", json={"game": "kuhn"}).json()
    dials = done(client, first)
    assert dials["standing"] == "done"
    assert client.post("/api/styles/dials", json={"game": "kuhn"}).json()["id"] == first["id"]  # not made again
    (bluff,) = [one for one in dials["data"]["dials"] if one["name"] == BLUFF]
    assert (bluff["lowest"], bluff["highest"]) == pytest.approx((0.0, 1 / 3), abs=1e-6)

    points = client.get("/api/styles/frontier", params={"game": "kuhn", "metric": BLUFF}).json()["points"]
    assert points[-1] == pytest.approx({"value": 1.0, "price": 2 / 9}, abs=1e-6)
    turned = client.get("/api/styles/turned", params={"game": "kuhn", "metric": BLUFF, "value": 0.3}).json()
    assert turned["price"] == pytest.approx(0.0, abs=1e-6)
    assert turned["values"]["open, player 0, with K"] == pytest.approx(0.9, abs=1e-3)
    assert turned["moved"][0]["styled"] != turned["moved"][0]["plain"]

    ask = {"game": "kuhn", "metric": BLUFF, "value": 0.3, "cap": 0.02, "iterations": 500}
    found = done(client, client.post("/api/styles/searches", json=ask).json())
    assert found["data"]["met"]
    assert found["data"]["achieved"] == pytest.approx(0.3, abs=0.011)
    assert found["data"]["tried"]
    kept = client.post("/api/styles/kept", json={"errand": found["id"], "name": "a bluffer"})
    assert kept.json()["id"] == "a-bluffer.strategy"
    assert kept.json()["note"] == f"{BLUFF} = 0.3"
    assert Strategy.load(tmp_path / "runs" / "a-bluffer.strategy")["J"]["bet"] == pytest.approx(0.3, abs=0.02)
    assert "a-bluffer.strategy" in [one["id"] for one in client.get("/api/explorer/sources").json()["sources"]]
    again = client.post("/api/styles/kept", json={"errand": found["id"], "name": "a bluffer"})
    assert (again.status_code, "already" in again.json()["error"]) == (409, True)


def test_an_opponent_is_answered_for_a_price(client: TestClient, tmp_path: Any) -> None:
    dials, asked = {"game": "kuhn"}, {"game": "kuhn", "opponent": "random", "cap": 0.05}
    assert client.post("/api/styles/adapted", json=asked).status_code == 409  # no dials yet
    done(client, client.post("/api/styles/dials", json=dials).json())
    whom = client.get("/api/styles/opponents", params=dials).json()
    assert [one["name"] for one in whom] == ["random"]
    errand = done(client, client.post("/api/styles/adapted", json=asked).json())
    plain, adapted, best = errand["data"]["answers"]
    same = adapt("kuhn", "random", max_exploitability=0.05)
    assert [one["mean"] for one in (plain, adapted, best)] == [a.mean for _, a in same.rows]
    assert plain["mean"] < adapted["mean"] < best["mean"] == pytest.approx(11 / 24, abs=1e-9)  # 1/2 and 5/12, by seat
    assert max(adapted["lost"]) <= 0.05 < max(best["lost"])
    assert errand["data"]["moved"]
    kept = client.post("/api/styles/kept", json={"errand": errand["id"], "name": "against random"}).json()
    assert [one["name"] for one in client.get("/api/styles/opponents", params=dials).json()] == [kept["id"], "random"]
    again = {"game": "kuhn", "opponent": kept["id"], "cap": 0.05}  # who is answered in turn
    assert done(client, client.post("/api/styles/adapted", json=again).json())["standing"] == "done"


def test_of_two_who_keep_under_one_name_at_once_one_is_refused(
    client: TestClient, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(client, client.post("/api/styles/dials", json={"game": "kuhn"}).json())
    ask = {"game": "kuhn", "metric": BLUFF, "value": 0.3, "cap": 0.02, "iterations": 50}
    found = done(client, client.post("/api/styles/searches", json=ask).json())
    asked = {"errand": found["id"], "name": "both"}
    others: list[Any] = []
    save = Strategy.save

    def slow(strategy: Strategy, path: Any) -> None:
        if not others:  # while the first is being written
            others.append(client.post("/api/styles/kept", json=asked))
        save(strategy, path)

    monkeypatch.setattr(Strategy, "save", slow)
    assert client.post("/api/styles/kept", json=asked).status_code == 200
    assert [(one.status_code, "already" in one.json()["error"]) for one in others] == [(409, True)]

    def full(strategy: Strategy, path: Any) -> None:
        raise FileTrouble("the disk is full")

    monkeypatch.setattr(Strategy, "save", full)
    assert client.post("/api/styles/kept", json=asked | {"name": "none"}).status_code == 400
    monkeypatch.setattr(Strategy, "save", save)
    assert [path.name for path in (tmp_path / "runs").glob("*.strategy")] == ["both.strategy"]
    assert client.post("/api/styles/kept", json=asked | {"name": "none"}).status_code == 200, "the name is free still"


def test_a_game_that_is_too_large_says_so(client: TestClient) -> None:
    found = done(client, client.post("/api/styles/dials", json={"game": "liars_dice:dice=3"}).json())
    assert found["standing"] == "failed"
    assert "too many to style while you wait" in found["error"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("dials", {"game": "nonsense"}, 400),
        ("dials", {}, 422),
        ("searches", {"game": "kuhn", "metric": BLUFF, "value": 0.5}, 409),
        ("searches", {"game": "kuhn", "metric": BLUFF, "value": 2}, 422),
        ("adapted", {"game": "kuhn", "opponent": "random", "cap": 0.0}, 422),
        ("adapted", {"game": "kuhn", "opponent": "random", "cap": "nan"}, 422),
        ("kept", {"errand": "style-99", "name": "x"}, 404),
        ("kept", {"errand": "style-99", "name": "../x"}, 422),
    ],
)
def test_what_cannot_be_is_refused(client: TestClient, path: str, body: dict[str, Any], status: int) -> None:
    answer = client.post(f"/api/styles/{path}", json=body)
    assert answer.status_code == status
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "name", ["../kuhn.strategy", "nobody", "evil.py", "/etc/passwd", "random:x=1", "leduc.strategy"]
)
def test_nobody_is_answered_who_is_not_there(client: TestClient, tmp_path: Any, name: str) -> None:
    """Another game's strategy, too."""
    (tmp_path / "runs").mkdir(exist_ok=True)
    Strategy.uniform(Leduc()).save(tmp_path / "runs" / "leduc.strategy")
    done(client, client.post("/api/styles/dials", json={"game": "kuhn"}).json())
    answer = client.post("/api/styles/adapted", json={"game": "kuhn", "opponent": name})
    assert answer.status_code in (400, 404, 409)
    assert answer.json()["error"]
