"""The form of a run: made from the schema of a job, and honest about what goes together."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from ruse.catalog.names import GAMES
from ruse.studio.app import create_app
from ruse.studio.state import StudioSettings
from ruse.training.jobs.schema import OPTIONS


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One studio for all: the process that is asked aside takes a second to start."""
    settings = StudioSettings(runs=tmp_path_factory.mktemp("forms"), burst=10_000)
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as made:
        yield made


def test_the_form_has_all_games_and_options(client: TestClient) -> None:
    form = client.get("/api/forms").json()
    assert [game["name"] for game in form["games"]] == list(GAMES)
    assert [option["name"] for option in form["options"]] == [option.name for option in OPTIONS]
    leduc = next(game for game in form["games"] if game["name"] == "leduc")
    assert leduc["fields"][0] == {"name": "players", "kind": "whole", "default": "2"}


def test_what_does_not_go_together_says_why(client: TestClient) -> None:
    asked = {"game": "cheat", "options": {"prune": "brp", "rule": "dcfr"}}
    fits = client.post("/api/forms/fits", json=asked).json()
    assert "weighs old regret anew" in fits["trouble"]
    rules = {choice["value"]: choice["why_not"] for choice in fits["offers"]["rule"]}
    assert rules["cfr"] is None
    assert "brp" in rules["cfr_plus"]
    assert all("fits" not in choice for choice in fits["offers"]["walk"])
    started = client.post("/api/forms/start", json=asked)
    assert started.status_code == 400
    assert started.json()["error"] == fits["trouble"]


def test_a_game_is_measured_first(client: TestClient) -> None:
    size = client.post("/api/forms/size", json={"game": "kuhn"}).json()
    assert (size["histories"], size["infosets"], size["is_exact"]) == (58, 12, True)
    assert "58 histories" in size["told"]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("nonsense", {}),
        ("kuhn:players=99", {}),
        ("--help", {}),
        ("kuhn", {"rule": "--out=/tmp/x"}),
        ("kuhn", {"nonsense": 1}),
        ("kuhn", {"iterations": "many"}),
        ("kuhn", {"shared": 3}),
        ("/etc/passwd.py", {}),
        ("../game.py", {}),
        ("/etc/hosts.txt", {}),
        ("kuhn", {"iterations": -3}),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(client: TestClient, game: str, options: dict[str, object]) -> None:
    for path in ("fits", "start"):
        answer = client.post(f"/api/forms/{path}", json={"game": game, "options": options})
        if answer.status_code == 200:
            assert answer.json()["trouble"]
        else:
            assert answer.status_code in (400, 404, 422), answer.text
            assert answer.json()["error"]
    assert client.get("/api/runs").json()["started"] == []
