"""Replays: games that are over, those of tables and those that are dropped onto the page."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import ruse
from ruse.evaluate.explaining.worth import Judge, PlayedOut, margin_of
from ruse.play.records.forms import text_in_form
from ruse.play.records.retold import played_in
from ruse.play.session import Person, Session
from ruse.strategy import Strategy
from ruse.studio.play.table import larger_of


def recorded(spec: str, seed: int = 3) -> bytes:
    """A game of a person who takes the first action, as a file has it."""
    game = ruse.game(spec)
    session = Session.start(game, [Person(), *[ruse.RandomBot()] * (game.players - 1)], seed=seed)
    while not session.is_over:
        session.act(0, 0)
    return "".join(json.dumps(line) + "\n" for line in session.record()).encode()


def drop(client: TestClient, data: bytes, name: str = "games.jsonl") -> Any:
    return client.post("/api/records", params={"name": name}, content=data)


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "cheat", "holdem", "mahjong"])
def test_a_dropped_file_is_replayed_with_everything(client: TestClient, spec: str) -> None:
    file = drop(client, recorded(spec)).json()
    replay = client.get(f"/api/records/{file['id']}/1").json()
    assert replay["steps"][0]["player"] == -9
    assert replay["steps"][-1]["scene"]["payoffs"] == replay["payoffs"]
    hidden = [zone["hidden"] for step in replay["steps"] for zone in step["scene"]["zones"]]
    assert max(hidden) == 0
    decisions = [step for step in replay["steps"] if step["move"] is not None]
    assert len(decisions) == file["games"][0]["moves"]
    asked = {"move": decisions[0]["move"], "by": "random"}
    worth = client.get(f"/api/records/{file['id']}/1/worth", params=asked).json()
    assert worth["actions"][worth["chosen"]] == decisions[0]["action"]
    assert len(worth["value"]) == len(worth["actions"])


def test_a_saved_game_can_be_dropped_again(client: TestClient) -> None:
    first = drop(client, recorded("leduc") + recorded("leduc", seed=4)).json()
    assert [game["number"] for game in first["games"]] == [1, 2]
    saved = client.get(f"/api/records/{first['id']}/2/file")
    assert "attachment" in saved.headers["content-disposition"]
    again = drop(client, saved.content).json()
    ours, theirs = (client.get(f"/api/records/{id}/{n}").json() for id, n in ((first["id"], 2), (again["id"], 1)))
    assert ours["steps"] == theirs["steps"]


@pytest.mark.parametrize(("spec", "form"), [("mahjong", "mjai"), ("mahjong", "log"), ("holdem", "phh")])
def test_other_forms_are_replayed_too(client: TestClient, spec: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes(recorded(spec))
    text = text_in_form(list(played_in(path)), form)
    ours, theirs = (drop(client, data, "a").json() for data in (path.read_bytes(), text.encode()))
    first, second = (client.get(f"/api/records/{file['id']}/1").json() for file in (ours, theirs))
    assert [step["action"] for step in first["steps"]][2:] == [step["action"] for step in second["steps"]][2:]


def test_a_game_that_is_not_over_is_not_shown(client: TestClient) -> None:
    lines = recorded("leduc").splitlines(keepends=True)
    left = b"".join(lines[:-2]) + b'{"event": "pause"}\n'
    refused = drop(client, left)
    assert (refused.status_code, "no game that is over" in refused.json()["error"]) == (400, True)
    both = drop(client, recorded("leduc") + left).json()
    assert (len(both["games"]), "not over" in both["left_out"]) == (1, True)


@pytest.mark.parametrize("data", [b"", b"\x00\x01", b"hello", b"{}\n", b'{"event": "game"}\n', b"[" * 100_000])
def test_what_is_no_record_is_refused_in_a_sentence(client: TestClient, data: bytes) -> None:
    answer = drop(client, data, "<b>evil</b>.jsonl")
    assert answer.status_code == 400
    assert "/tmp" not in answer.json()["error"]


def test_a_dropped_file_runs_no_code(client: TestClient, tmp_path: Path) -> None:
    """It is told in the words that it has itself."""
    evil = tmp_path / "evil.py"
    evil.write_text("raise SystemExit('it was run')")
    lines = [json.loads(line) for line in recorded("kuhn").splitlines()]
    lines[0]["game"] = str(evil)
    file = drop(client, "".join(json.dumps(line) + "\n" for line in lines).encode()).json()
    replay = client.get(f"/api/records/{file['id']}/1").json()
    assert "have not run before" in replay["why_not"]
    assert replay["judge"] is None
    assert replay["steps"][-1]["scene"]["words"]
    assert client.get(f"/api/records/{file['id']}/1/worth", params={"move": 0}).status_code == 400


def test_a_forged_move_is_told_in_words(client: TestClient) -> None:
    lines = [json.loads(line) for line in recorded("kuhn").splitlines()]
    next(line for line in lines if line.get("player") == 0)["action"] = "dance"
    file = drop(client, "".join(json.dumps(line) + "\n" for line in lines).encode()).json()
    assert "no action" in client.get(f"/api/records/{file['id']}/1").json()["why_not"]


def test_words_that_are_not_those_of_the_moves_are_refused(client: TestClient) -> None:
    lines = [json.loads(line) for line in recorded("leduc").splitlines()]
    lines[3]["everything"] = "Ah Ah, no board"
    file = drop(client, "".join(json.dumps(line) + "\n" for line in lines).encode()).json()
    for asked in ("1", "1/file"):
        answer = client.get(f"/api/records/{file['id']}/{asked}")
        assert answer.status_code == 400
        assert answer.json()["error"] == (
            "games.jsonl is damaged: what it tells after its move 3 is not what the moves come to"
        )


def test_what_is_not_there(client: TestClient) -> None:
    file = drop(client, recorded("kuhn")).json()
    assert client.get(f"/api/records/{file['id']}/2").status_code == 404
    assert client.get("/api/records/x0123456789abcdef").status_code == 404
    assert client.get("/api/records/0123456789abcdef/1").status_code == 404
    assert client.get(f"/api/records/{file['id']}/1/worth", params={"move": 99}).status_code == 400
    assert client.get(f"/api/records/{file['id']}/1/worth", params={"move": 0}).status_code == 400  # chance's
    assert client.get("/api/records").json() == []


def test_a_judge_counts_small_games_out() -> None:
    """In Kuhn with both cards known: after pass and bet, to pass loses 1, and to bet wins or loses 2."""
    game = ruse.game("kuhn")
    state = ruse.State.of(game).after("K", "Q", "pass", "bet")
    worth = Judge(game, Strategy.uniform(game)).at(state)
    assert worth.value == [[-1.0, 1.0], [2.0, -2.0]]
    assert (worth.probability, worth.now, worth.margin) == ([0.5, 0.5], [0.5, -0.5], [0.0, 0.0])


def test_a_judge_plays_games_out_where_that_is_too_much() -> None:
    game = ruse.game("cheat")
    state = ruse.State.of(game)
    while state.is_chance:
        state = state.child(0)
    bot, strategy = (Judge(game, judge).at(state) for judge in (ruse.bot("heuristic", game), Strategy.uniform(game)))
    assert bot.probability is None
    assert strategy.probability is not None
    assert all(margin > 0.0 for margin in strategy.margin)
    assert all(value[0] == -value[1] for worth in (bot, strategy) for value in worth.value)


def test_a_margin_is_told_where_games_tell_one() -> None:
    """One game said 0, as if nothing could be otherwise."""
    assert [margin_of(values) for values in ([1.0], [1.0, 1.0], [1.0] * 58)] == [None] * 3
    assert margin_of([0.0, 1.0]) == pytest.approx(12.706 / 2, abs=1e-3)
    certain, open_still = (PlayedOut([[1.0, -1.0]] * 3, is_one_way=is_one_way) for is_one_way in (True, False))
    assert (certain.margin(0), open_still.margin(0)) == (0.0, None)
    assert (larger_of(0.0, 2.0), larger_of(None, 2.0), larger_of(0.0, 0.0)) == (2.0, None, 0.0)
