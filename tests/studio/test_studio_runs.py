"""The area Runs: a run is started, watched, stopped, gone on with and deleted, all by what lies on disk."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import ruse as library
from ruse.store.runs import RunDirectory
from ruse.studio.runs.following import Tail
from ruse.studio.runs.launching import Launched, Launcher
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep
from ruse.training.training import Training

STEPS = 200  # each a tenth of a second


def solved(folder: Path, iterations: int = 60) -> RunDirectory:
    """A run of Kuhn in this process, as a terminal would leave it."""
    job = Job(library.Kuhn(), iterations=iterations)
    directory = keep(folder / "runs", job)
    Training(job, directory).complete()
    return directory


def waited(client: TestClient, is_so: Any) -> Any:
    """The list of runs once it is as it should be."""
    for _ in range(10 * STEPS):
        listed = client.get("/api/runs").json()
        if is_so(listed):
            return listed
        time.sleep(0.1)
    raise AssertionError(listed)


def test_a_run_of_a_terminal_appears(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/api/runs").json()["runs"] == []
    run = solved(tmp_path)
    row = client.get("/api/runs").json()["runs"][0]
    assert (row["name"], row["title"], row["status"]) == (run.name, "kuhn", "finished")
    assert (row["iterations"], row["infosets"], row["has_strategy"]) == (60, 12, True)
    told = client.get(f"/api/runs/{run.name}").json()
    assert told["result"]["iterations"] == 60
    assert told["bytes"] > 1000
    curves = client.get(f"/api/runs/{run.name}/curves").json()
    assert curves["iteration"] == [row["iteration"] for row in run.metrics()]
    assert curves["pulse_iteration"][-1] == 60
    assert curves["speed"][-1] > 0
    later = client.get(f"/api/runs/{run.name}/curves", params={"since": curves["since"]}).json()
    assert (later["fresh"], later["iteration"]) == (False, [])


def test_a_part_is_told_by_what_it_loses_in_the_whole_game(client: TestClient, tmp_path: Path) -> None:
    """The curve is the part's, and so is the title."""
    job = Job(library.Leduc(), iterations=60, horizon="card:blueprint=30,ways=1")
    directory = keep(tmp_path / "runs", job)
    training = Training(job, directory)
    for progress in training:
        if progress.iteration >= 50:
            row = client.get("/api/runs").json()["runs"][0]
            assert (row["status"], row["exploitability"]) == ("running", None)
            break
    run = training.complete()
    row = client.get("/api/runs").json()["runs"][0]
    assert row["title"] == "leduc up to the next card"
    assert row["exploitability"] == run.facts["horizon"]["whole_exploitability"] > 2.0 * run.exploitability


def test_a_page_hears_what_is_new(client: TestClient, tmp_path: Path) -> None:
    run = solved(tmp_path)
    with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:
        feed.send_json({"listen": "runs"})
        heard = feed.receive_json()
        assert [row["name"] for row in heard["data"]["runs"]] == [run.name]
        feed.send_json({"leave": "runs"})
        feed.send_json({"listen": f"metrics/{run.name}"})
        heard = feed.receive_json()
        assert heard["data"]["iteration"][-1] == 60
        run.append_metrics({"iteration": 70, "seconds": 1.0, "exploitability": 0.5})
        assert feed.receive_json()["data"]["iteration"] == [70]
        run.rewind(60)  # as a run that is gone on with does
        run.append_metrics({"iteration": 61, "seconds": 1.0, "exploitability": 0.5})
        heard = feed.receive_json()["data"]
        assert heard["fresh"]
        assert heard["iteration"][-1] == 61


def test_a_page_says_nonsense(client: TestClient) -> None:
    with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:
        for text in ("", "{", "[]", '{"listen": 3}', "x" * 5000, '{"since": -1}', '{"listen": "nothing/at/all"}'):
            feed.send_text(text)
            assert feed.receive_json()["error"]
        feed.send_bytes(b"\x00\xff")
        assert feed.receive_json()["error"]
        feed.send_json({"listen": "metrics/../../etc"})
        assert "no run" in feed.receive_json()["error"]
        feed.send_json({"listen": "runs"})
        assert feed.receive_json()["data"]["runs"] == []


@pytest.mark.parametrize("name", ["nowhere", "..", "%2e%2e%2fruns", ".studio", "a%2fb"])
def test_only_runs_of_the_folder_are_found(client: TestClient, tmp_path: Path, name: str) -> None:
    (tmp_path / "runs").mkdir()
    for asked in (client.get, client.delete):
        answer = asked(f"/api/runs/{name}")
        assert answer.status_code in (404, 405, 422), answer.text
        assert "error" in answer.json()


def test_a_run_is_deleted_unless_it_is_trained(client: TestClient, tmp_path: Path) -> None:
    run = solved(tmp_path)
    with run.lock():
        answer = client.delete(f"/api/runs/{run.name}")
        assert answer.status_code == 409
        assert "stop it first" in answer.json()["error"]
        assert client.post(f"/api/runs/{run.name}/resume", json={}).status_code == 409
    assert client.delete(f"/api/runs/{run.name}").json() == {"done": True}
    assert [path.name for path in (tmp_path / "runs").iterdir()] == []
    assert client.delete(f"/api/runs/{run.name}").status_code == 404


def test_a_run_elsewhere_is_not_deleted_by_its_link(client: TestClient, tmp_path: Path) -> None:
    run = solved(tmp_path / "elsewhere")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "linked").symlink_to(run.path)
    before = sorted(tmp_path.rglob("*"))
    answer = client.delete("/api/runs/linked")
    assert answer.status_code == 409
    assert "lies elsewhere" in answer.json()["error"]
    assert sorted(tmp_path.rglob("*")) == before


def test_a_run_is_gone_on_with_once(client: TestClient, tmp_path: Path) -> None:
    """The first may not have come to the lock yet."""
    run = solved(tmp_path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as first:
        launcher = client.app.state.studio.of(Launcher)  # type: ignore[attr-defined]
        launcher.launched["x"] = Launched("x", ["resume", str(run.path), "--iterations", "70"], 0.0, first, tmp_path)
        answer = client.post(f"/api/runs/{run.name}/resume", json={"iterations": 80})
        first.communicate(b"\n")
    assert answer.status_code == 409
    assert "at work already" in answer.json()["error"]


def test_what_is_not_trained_cannot_be_stopped(client: TestClient, tmp_path: Path) -> None:
    run = solved(tmp_path)
    assert client.post(f"/api/runs/{run.name}/stop").status_code == 409
    answer = client.post(f"/api/runs/{run.name}/resume", json={})
    assert "is finished" in answer.json()["error"]


def test_a_damaged_result_is_told_and_can_be_made_anew(client: TestClient, tmp_path: Path) -> None:
    run = solved(tmp_path)
    result = run.result_path.read_bytes()
    run.result_path.write_bytes(result.replace(b'"iterations": ', b'"iterations": 9', 1))
    assert client.get("/api/runs").json()["runs"][0]["status"] == "interrupted", "the page offers to go on"
    found = client.get(f"/api/runs/{run.name}").json()
    assert found["result"] is None
    assert "does not have the checksum that it names" in found["log"][0]
    begun = client.post(f"/api/runs/{run.name}/resume", json={})
    assert begun.status_code == 200, begun.text
    waited(client, lambda listed: listed["runs"][0]["status"] == "finished")
    assert run.result == RunDirectory.open(run.path).result is not None


def test_a_number_in_a_lock_may_be_anybodys(client: TestClient, tmp_path: Path) -> None:
    """The process that is told to stop must be the one that has the lock, whatever the file says."""
    run = solved(tmp_path)
    with run.lock():
        (run.path / "lock").write_text("1\n")
        answer = client.post(f"/api/runs/{run.name}/stop")
    assert answer.status_code == 409
    assert "cannot see" in answer.json()["error"]


def test_a_run_from_the_form_to_the_end(client: TestClient, tmp_path: Path) -> None:
    """Started, stopped, gone on with after a kill, all while the studio only looks on."""
    job = {"game": "kuhn", "options": {"iterations": 400_000_000, "rule": "cfr"}}
    fits = client.post("/api/forms/fits", json=job).json()
    assert fits["trouble"] is None
    assert fits["command"] == "ruse solve kuhn --rule cfr --iterations 400000000"
    begun = client.post("/api/forms/start", json=job)
    assert begun.status_code == 200, begun.text
    listed = waited(client, lambda found: found["runs"] and found["runs"][0]["iterations"] > 0)
    name = listed["runs"][0]["name"]
    assert listed["started"] == []
    assert listed["runs"][0]["status"] == "running"
    assert client.post(f"/api/runs/{name}/stop").json() == {"done": True}
    listed = waited(client, lambda found: found["runs"][0]["status"] == "interrupted")
    reached = listed["runs"][0]["iterations"]
    assert reached > 0
    assert client.post(f"/api/runs/{name}/resume", json={"iterations": reached + 10}).status_code == 200
    waited(client, lambda found: found["runs"][0]["status"] == "finished")


def test_a_command_that_fails_is_told(client: TestClient, tmp_path: Path) -> None:
    """What only the training itself finds out stays on the list until it is taken off."""
    job = {"game": "kuhn", "options": {"iterations": 5, "memory": "1KB"}}
    id = client.post("/api/forms/start", json=job).json()["id"]
    listed = waited(client, lambda found: found["started"] and found["started"][0]["state"] == "failed")
    assert "too large" in " ".join(listed["started"][0]["told"])
    assert client.delete(f"/api/runs/started/{id}").json() == {"done": True}
    assert client.get("/api/runs").json()["started"] == []


def test_a_growing_file(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    tail = Tail(path)
    assert tail.look() == []
    path.write_text('{"iteration": 1}\nnonsense\n{"iteration"')
    assert tail.look() == [{"iteration": 1}]
    with open(path, "a") as file:
        file.write(": 2}\n")
    assert [row["iteration"] for row in tail.look()] == [1, 2]
    path.unlink()
    path.write_text('{"iteration": 9}\n')
    assert tail.look() == [{"iteration": 9}]
    assert tail.generation == 1
