"""Tables of the studio: played to their end by asking as a page does, left, killed, gone on with."""

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np
import pytest
from conftest import settings_in
from fastapi.testclient import TestClient

import ruse
from ruse.play.records.record import read_games
from ruse.studio.app import create_app
from ruse.studio.play.seating import SOLVED, about_histories
from ruse.studio.state import Studio
from ruse.training.jobs.kept import keep


def sit(client: TestClient, game: str, against: str = "random", **other: Any) -> Any:
    answer = client.post("/api/tables", json={"game": game, "against": [against], "seed": 3, **other})
    assert answer.status_code == 200, answer.text
    return answer.json()


def act(client: TestClient, view: Any, action: str | None = None) -> Any:
    """The first action, or this one."""
    asked = {"action": action or view["scene"]["actions"][0], "seen": view["seen"]}
    answer = client.post(f"/api/tables/{view['id']}/act", json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def play_out(client: TestClient, view: Any) -> Any:
    while not view["over"]:
        view = act(client, view)
    return view


def games_of(folder: Path) -> Path:
    """Where a studio keeps what was played."""
    return Studio(settings_in(folder)).games


def trained(folder: Path, spec: str = "kuhn", iterations: int = 100) -> str:
    """A run, as `ruse solve` leaves it."""
    job = ruse.Job(ruse.game(spec), ruse.dcfr(), iterations=iterations)
    run = keep(folder, job)
    ruse.train(job.game, job.solver, iterations=iterations, directory=run)
    return run.name


GAMES = [
    "kuhn",
    "leduc",
    "liars_dice",
    "goofspiel",
    "cheat",
    "holdem",
    "mahjong",
    "matching_pennies",
    "leduc:players=3",
]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end_in_every_seat(client: TestClient, game: str) -> None:
    players = client.get("/api/tables/choices", params={"game": game}).json()["players"]
    for seat in range(players):
        view = play_out(client, sit(client, game, seat=seat))
        assert view["seat"] == seat
        assert view["scene"]["payoffs"][seat] == view["score"]["total"]
        assert view["score"]["games"] == 1
        replay = client.get(f"/api/records/{view['record']}/1").json()
        assert replay["payoffs"] == view["scene"]["payoffs"]
        assert replay["why_not"] is None
        assert replay["people"] == [seat]
        assert [step["player"] for step in replay["steps"]][:: len(replay["steps"]) - 1] == [-9, -2]


def test_the_score_goes_on_from_game_to_game(client: TestClient) -> None:
    view = sit(client, "kuhn", seat=None)
    seats, total = set(), 0.0
    for k in range(12):
        view = play_out(client, view)
        seats.add(view["seat"])
        total += view["scene"]["payoffs"][view["seat"]]
        assert (view["score"]["games"], view["score"]["total"], view["deal"]) == (k + 1, total, k)
        unknown = k < 4 or len(set(view["score"]["payoffs"])) == 1
        assert (view["score"]["margin"] is None) == unknown
        assert client.post(f"/api/tables/{view['id']}/act", json={"action": "bet", "seen": 0}).status_code == 409
        view = client.post(f"/api/tables/{view['id']}/next").json()
    assert seats == {0, 1}
    assert view["score"]["margin"] > 0.0
    assert client.post(f"/api/tables/{view['id']}/next").status_code == 409


def test_an_opponent_for_each_seat(client: TestClient) -> None:
    asked = {"game": "leduc:players=3", "against": ["random", "random"], "seat": 1}
    assert client.post("/api/tables", json=asked).json()["names"] == ["random", "you", "random"]


# ---- hints and reviews -----------------------------------------------------------------------------------------------


def test_hints_and_a_graded_review_against_a_run(client: TestClient, tmp_path: Path) -> None:
    name = trained(tmp_path / "runs")
    offered = client.get("/api/tables/choices", params={"game": "kuhn"}).json()
    assert [run["name"] for run in offered["runs"]] == [name]
    view = sit(client, "kuhn", name)
    assert view["hints"]
    hint = client.get(f"/api/tables/{view['id']}/hint").json()
    assert (hint["by"], hint["actions"]) == (name, ["pass", "bet"])
    assert sum(hint["probability"]) == pytest.approx(1.0)
    worst = min(zip(hint["value"], hint["actions"], strict=True))[1]
    view = act(client, view, worst)
    review = client.get(f"/api/tables/{view['id']}/review").json()
    assert review["choices"][0]["chosen"] == worst
    assert review["choices"][0]["lost"] == pytest.approx(max(hint["value"]) - min(hint["value"]))
    assert not review["hindsight"]


def test_without_a_strategy_a_game_that_is_over_is_reviewed_in_hindsight(client: TestClient) -> None:
    view = sit(client, "cheat", "heuristic")
    hint = client.get(f"/api/tables/{view['id']}/hint").json()
    assert (hint["by"], hint["why_not"]) == (None, None)
    assert hint["advice"]["heuristic"] in view["scene"]["actions"]
    review = client.get(f"/api/tables/{view['id']}/review").json()
    assert (review["choices"], review["lost"]) == ([], None)
    view = play_out(client, view)
    review = client.get(f"/api/tables/{view['id']}/review").json()
    assert review["hindsight"]
    assert all(choice["lost"] >= 0.0 and choice["chosen"] in choice["actions"] for choice in review["choices"])
    assert client.get(f"/api/tables/{view['id']}/hint").status_code == 409


def test_policies_of_the_game_give_advice(client: TestClient) -> None:
    view = sit(client, "mahjong", "normal")
    advice = client.get(f"/api/tables/{view['id']}/hint").json()["advice"]
    assert {"normal", "pongponghu"} <= set(advice)


def test_a_small_game_is_solved_on_the_spot(client: TestClient) -> None:
    assert client.get("/api/tables/choices", params={"game": "kuhn"}).json()["solvable"] == SOLVED
    assert client.get("/api/tables/choices", params={"game": "holdem"}).json()["solvable"] is None
    view = sit(client, "kuhn", SOLVED)
    assert client.get(f"/api/tables/{view['id']}/hint").json()["by"] == SOLVED
    refused = client.post("/api/tables", json={"game": "holdem", "against": [SOLVED]})
    assert (refused.status_code, "too large" in refused.json()["error"]) == (400, True)


def test_dives_tell_about_how_large_a_game_is() -> None:
    assert 30 < about_histories(ruse.game("kuhn")) < 120
    assert 4_000 < about_histories(ruse.game("leduc")) < 20_000
    assert about_histories(ruse.game("mahjong")) > 1e9


# ---- left, killed, gone on with --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "against"), [("cheat", "heuristic"), ("leduc", "random"), ("mahjong", "mixed")])
def test_a_table_is_opened_again_from_its_files(tmp_path: Path, game: str, against: str) -> None:
    """Another studio, which knows the files alone, goes on as if nothing had been."""
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as first:
        view = play_out(first, sit(first, game, against))
        view = first.post(f"/api/tables/{view['id']}/next").json()
        view = act(first, view) if not view["over"] else view
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as second:
        assert second.get(f"/api/tables/{view['id']}").json() == view
        assert view["id"] in [table["id"] for table in second.get("/api/tables").json()]
        end = play_out(second, view)
        assert end["score"]["games"] == 2
        assert len(list(read_games(tmp_path / "runs" / ".games" / f"{view['id']}.jsonl"))) == 2


@pytest.mark.slow
def test_a_kill_of_the_server_loses_nothing(tmp_path: Path) -> None:
    """The process is killed between two moves, three times in one evening; what was answered is there."""
    view: Any = None
    for evening in range(3):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = ["studio", "--no-browser", "--port", str(port), "--runs", str(tmp_path / "runs")]
        with (
            subprocess.Popen([sys.executable, "-m", "ruse", *words], stdout=subprocess.PIPE, text=True) as server,
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
        ):
            try:
                assert server.stdout is not None
                server.stdout.readline()  # its socket is open by now
                view = view or sit(client, "cheat", "heuristic")
                assert client.get(f"/api/tables/{view['id']}").json() == view
                view = play_out(client, view)
                assert view["score"]["games"] == evening + 1
                view = client.post(f"/api/tables/{view['id']}/next").json()
                view = act(client, view)
                assert not view["over"]
            finally:
                server.kill()
    assert len(list(read_games(games_of(tmp_path) / f"{view['id']}.jsonl"))) == 3


def test_a_line_that_a_kill_has_cut_is_as_if_it_were_not_there(client: TestClient, tmp_path: Path) -> None:
    view = sit(client, "leduc")
    path = tmp_path / "runs" / ".games" / "open" / f"{view['id']}.jsonl"
    act(client, view)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:5])
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as again:
        assert again.get(f"/api/tables/{view['id']}").json() == view
        act(again, view)
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as once_more:
        assert once_more.get(f"/api/tables/{view['id']}").status_code == 200


def test_a_game_is_recorded_once_where_the_kill_came_after_its_record(client: TestClient, tmp_path: Path) -> None:
    view = play_out(client, sit(client, "kuhn"))
    games = tmp_path / "runs" / ".games"
    path = games / "open" / f"{view['id']}.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    assert b"over" in lines[-1]
    path.write_bytes(b"".join(lines[:-1]))
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as again:
        assert again.get(f"/api/tables/{view['id']}").json() == view
    assert len(list(read_games(games / f"{view['id']}.jsonl"))) == 1


def one_sided(path: Path, place: int) -> None:
    """Let a run always take its first action, or its last."""
    old = ruse.Strategy.load(path)
    shares = np.zeros_like(old.probability)
    shares[old.start[:-1] if place == 0 else old.start[1:] - 1] = 1.0
    ruse.Strategy(old.game, old.keys, old.start, shares).save(path)


def test_a_run_that_was_trained_on_takes_its_own_seat_over(client: TestClient, tmp_path: Path) -> None:
    name = trained(tmp_path / "runs", "leduc")
    path = tmp_path / "runs" / name / "strategy.safetensors"
    one_sided(path, 0)
    view = act(client, sit(client, "leduc", name), "call")
    assert not view["over"]
    one_sided(path, -1)
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as again:
        found = again.get(f"/api/tables/{view['id']}").json()
    assert found["scene"] == view["scene"]
    assert found["names"][1] == f"{name} (as it is now)"


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({"game": "chess", "against": ["random"]}, 400, "unknown game"),
        ({"game": "kuhn", "against": ["deep blue"]}, 404, "kuhn has random"),
        ({"game": "kuhn", "against": ["../secret.strategy"]}, 400, "a page cannot name files"),
        ({"game": "kuhn", "against": ["random", "random"]}, 400, "1 other seats"),
        ({"game": "kuhn", "against": ["random"], "seat": 2}, 400, "no seat 2"),
        ({"game": "kuhn", "against": []}, 422, "against"),
        ({"game": "kuhn\n", "against": ["random"]}, 400, "letters"),
        ({"game": "k" * 500, "against": ["random"]}, 422, "game"),
        ({"game": "cheat:ranks=-3", "against": ["random"]}, 400, "ranks"),
        ({"game": "kuhn", "against": ["random"], "seed": -1}, 422, "seed"),
        ({"game": "/etc/passwd.py", "against": ["random"]}, 404, "there is no file"),
    ],
)
def test_tables_that_cannot_be(client: TestClient, asked: Any, status: int, words: str) -> None:
    answer = client.post("/api/tables", json=asked)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_actions_that_cannot_be(client: TestClient) -> None:
    view = sit(client, "leduc")
    path = f"/api/tables/{view['id']}/act"
    assert client.post(path, json={"action": "dance", "seen": view["seen"]}).status_code == 400
    assert client.post(path, json={"action": "call", "seen": view["seen"] + 1}).status_code == 409
    assert client.post(path, content=b"\xff\x00").status_code == 422
    assert client.get("/api/tables/0123456789abcdef").status_code == 404
    assert client.get("/api/tables/..%2f..%2fx").status_code in (404, 422)
    assert client.get(f"/api/tables/{view['id']}").json() == view


def test_nobody_can_be_asked_where_there_is_neither_a_strategy_nor_a_bot(client: TestClient) -> None:
    view = sit(client, "kuhn")
    assert not view["hints"]
    assert "no strategy" in client.get(f"/api/tables/{view['id']}/hint").json()["why_not"]


def test_a_table_can_be_left_for_good(client: TestClient) -> None:
    view = play_out(client, sit(client, "kuhn"))
    assert client.delete(f"/api/tables/{view['id']}").status_code == 204
    assert client.get(f"/api/tables/{view['id']}").status_code == 404
    assert client.get(f"/api/records/{view['id']}/1").status_code == 200


OWN = '''"""Twenty-one matches, and whoever takes the last one loses."""
from typing import NamedTuple
import numpy as np
import ruse

@ruse.compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Nim(NamedTuple):
    players: int = 2
    heap: int = 5
    def start(self): return np.array([self.heap, 0], np.int64)
    def player(self, s): return ruse.OVER if s[0] <= 0 else s[1]
    def num_actions(self, s): return min(2, s[0])
    def chance(self, s, a): return 1.0
    def apply(self, s, a):
        s[0] -= a + 1
        s[1] = 1 - s[1]
    def infoset(self, s): return s[0] * 2 + s[1]
    def payoff(self, s, player): return 1.0 if s[1] == player else -1.0
    def action_name(self, s, a): return f"take {a + 1}"
    def describe(self, s, viewer): return f"{s[0]} matches"
'''


def test_a_game_of_ones_own_runs_only_if_it_was_run_before(client: TestClient, tmp_path: Path) -> None:
    path = tmp_path / "nim.py"
    path.write_text(OWN)
    refused = client.post("/api/tables", json={"game": str(path), "against": ["random"]})
    assert (refused.status_code, "ruse check" in refused.json()["error"]) == (400, True)
    ruse.game(str(path))  # as a person types it
    view = play_out(client, sit(client, str(path)))
    assert view["table"] == "plain"
    assert view["about"] == "Twenty-one matches, and whoever takes the last one loses."
    assert client.get(f"/api/records/{view['id']}/1").json()["why_not"] is None


def test_tables_beyond_those_at_hand_are_opened_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.studio.play.tables.AT_HAND", 2)
    views = [sit(client, "kuhn", seed=k) for k in range(4)]
    assert [client.get(f"/api/tables/{view['id']}").json() for view in views] == views
    monkeypatch.setattr("ruse.studio.play.tables.MOST", 3)
    assert client.post("/api/tables", json={"game": "kuhn", "against": ["random"]}).status_code == 429


def test_what_is_offered(client: TestClient, tmp_path: Path) -> None:
    name = trained(tmp_path / "runs")
    offers = client.get("/api/tables/games").json()
    assert {"kuhn", "cheat", "holdem", "mahjong"} <= {game["spec"] for game in offers["games"]}
    assert [run["name"] for run in offers["runs"]] == [name]
    cheat = next(game for game in offers["games"] if game["spec"] == "cheat")
    assert cheat["named"]["half"] == "cheat:half"
    assert cheat["table"] == "cheat"


def test_seeds_that_nobody_asked_for_cannot_be_searched(client: TestClient, tmp_path: Path) -> None:
    """A record tells the seed of its game, which is made of the table's: that must be too long to be tried out."""
    for _ in range(3):
        view = client.post("/api/tables", json={"game": "kuhn", "against": ["random"]}).json()
        paths = [path for path in tmp_path.rglob("*") if view["id"] in path.name and path.is_file()]
        (about,) = [json.loads(line)["table"] for path in paths for line in path.read_text().splitlines()[:1]]
        assert about["seed"] > 2**128
        assert str(about["seed"]) not in json.dumps(view)


def test_a_file_where_the_server_was_started_is_nobodys_opponent(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy = ruse.Strategy.uniform(ruse.Kuhn())
    strategy.save(tmp_path / "mine.strategy")
    monkeypatch.chdir(tmp_path)
    asked = {"game": "kuhn", "against": ["mine.strategy"]}
    assert client.post("/api/tables", json=asked).status_code == 404
    (tmp_path / "runs").mkdir(exist_ok=True)
    strategy.save(tmp_path / "runs" / "mine.strategy")
    assert client.post("/api/tables", json=asked).status_code == 200
