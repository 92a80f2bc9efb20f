"""Records of games of Cheat: what they hold, replays of them, and damaged ones."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import SOLVE, Ruse, told
from places import ROOT

from ruse.games.cheat import table as cheat_table
from ruse.games.cheat.rules import Cheat
from ruse.protocol.game import EVERYTHING
from ruse.protocol.state import State
from ruse.store.runs import find


@pytest.fixture
def played(ruse: Ruse) -> Ruse:
    """Two recorded games."""
    line = "play cheat --against heuristic --seed 7 --games 2 --record games.jsonl"
    assert ruse(*line.split(), typed=("#1", "#2") * 60).code == 0
    return ruse


def test_a_record_has_everything(played: Ruse, tmp_path: Path) -> None:
    events = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    heads = [event for event in events if event["event"] == "game"]
    assert [(head["number"], head["seed"], head["seats"]) for head in heads] == [(0, 7, 2), (1, 7, 2)]
    assert {head["format"] for head in heads} == {"ruse-record/1"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", heads[0]["version"])
    assert (heads[0]["game"], heads[0]["players"]) == ("cheat", ["you", "heuristic"])
    state = State.of(Cheat())
    for event in events:
        if event["event"] == "game":
            state = State.of(Cheat())
        elif event["event"] == "action":
            before, state = state, state.child(event["number"])
            assert event["player"] == ("chance" if before.is_chance else before.player)
            assert before.actions[event["number"]] == event["action"]
            assert event["seen"] == [state.describe(p) for p in (0, 1)]
            said = cheat_table.told(Cheat(), before.row, event["number"], state.row, None)
            assert event["public"] == "; ".join(said)
        else:
            assert event["payoffs"] == state.payoffs
        assert event["everything"] == state.describe(EVERYTHING)


def test_replay_prints_all_steps(played: Ruse, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    first = lines[: next(k for k, line in enumerate(lines) if line["event"] == "end") + 1]
    result = played("replay", "games.jsonl", "--game", "1")
    assert (result.code, result.err) == (0, "")
    head, *steps = result.out.split("\n\n")
    assert head == "cheat, game 1, seed 7: player 0 is you, player 1 is heuristic"
    moves = [line for line in first if line.get("player") in (0, 1)]
    assert len(steps) == 1 + len(moves) + 1  # what chance does in a row is one step
    for move, step in zip(moves, steps[1:-1], strict=True):
        number, action, public, everything = re.split(r"\. |\n   ", step)
        assert (action, public) == (f"player {move['player']}: {move['action']}", move["public"])
        assert everything == move["everything"]
        assert number.isdecimal()
    assert "the end: player 0 " in steps[-1]
    assert "game 2, seed 7" in played("replay", "games.jsonl").out  # the last one, unless another is asked for


def test_replay_in_a_terminal(played: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["ruse.cli.commands.playing.replay"], "is_terminal", lambda: True)
    out = played("replay", "games.jsonl", "--game", "1", typed=("", "b", "b", "x", "n", "3", "q")).out
    assert [int(n) for n in re.findall(r"^(\d+)\. ", out, re.MULTILINE)] == [1, 2, 1, 1, 1, 2, 3]
    assert out.count("Enter: next") == 2
    out = played("replay", "games.jsonl", "--game", "1", typed=("",) * 99).out
    last = max(int(n) for n in re.findall(r"^(\d+)\. ", out, re.MULTILINE))
    assert f"[{last}/{last}] " in out
    assert played("replay", "games.jsonl").out.endswith("\n")  # nobody types


def test_replay_needs_neither_the_game_nor_numba(ruse: Ruse, tmp_path: Path) -> None:
    source = (ROOT / "examples/coin_toss.py").read_text()
    (tmp_path / "coin_toss.py").write_text(source)
    assert ruse("play", "coin_toss.py", "--games", "2", "--record", "g.jsonl", typed=("1",) * 9).code == 0
    (tmp_path / "coin_toss.py").unlink()
    script = (
        "import sys; from ruse.cli import main; code = main(['replay', 'g.jsonl']); "
        "assert 'numba' not in sys.modules; sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr.startswith(
        "as g.jsonl tells it, which cannot be compared with the rules: g.jsonl is for the game"
    )
    assert "the end: player 0 " in done.stdout


def test_records_of_before_are_replayed(played: Ruse, tmp_path: Path) -> None:
    """They say neither who were people nor what the rules did."""
    before, path = played("replay", "games.jsonl").out, tmp_path / "games.jsonl"
    for key in ("behaviour", "people"):
        path.write_text("\n".join(without("game", key)(without("game", key)(path.read_text().splitlines()))))
    assert '"people"' not in path.read_text()
    assert played("replay", "games.jsonl").out == before


def without(event: str, key: str) -> Callable[[list[str]], list[str]]:
    def change(lines: list[str]) -> list[str]:
        parsed = [json.loads(line) for line in lines]
        victim = next(line for line in parsed if line["event"] == event and key in line)
        del victim[key]
        return [json.dumps(line) for line in parsed]

    return change


def changed(old: str, new: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [line.replace(old, new) for line in lines]


DAMAGES: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "empty": (lambda lines: [], "is empty"),
    "cut in a line": (lambda lines: [*lines[:-1], lines[-1][:20]], "this is no JSON object; games 1 to 1 are whole"),
    "cut between lines": (lambda lines: lines[:-1], "the last game is cut short; games 1 to 1 are whole"),
    "headless": (lambda lines: lines[1:], "line 1: a game begins in the middle"),
    "endless": (lambda lines: [x for x in lines if '"end"' not in x], "a game ends with no end"),
    "not JSON": (lambda lines: ["shopping", *lines], "line 1: this is no JSON object"),
    "a list": (lambda lines: ["[1]", *lines], "line 1: this is no JSON object"),
    "unknown event": (lambda lines: ['{"event": "tea"}', *lines], "the event is 'tea', not one of game, action, end"),
    "no players": (without("game", "players"), "'players' is missing or of the wrong kind"),
    "no action": (without("action", "action"), "'action' is missing or of the wrong kind"),
    "no words": (without("action", "everything"), "'everything' is missing or of the wrong kind"),
    "no payoffs": (without("end", "payoffs"), "'payoffs' is missing or of the wrong kind"),
    "odd payoffs": (changed('"payoffs": [', '"payoffs": ["x", '), "'payoffs' is missing or of the wrong kind"),
    "too many payoffs": (changed('"payoffs": [', '"payoffs": [0, '), "not one payoff for each player"),
    "another format": (changed("ruse-record/1", "ruse-strategy/1"), "holds ruse-strategy, not ruse-record"),
    "a newer format": (changed("ruse-record/1", "ruse-record/2"), "newer version of ruse"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_records_are_refused(played: Ruse, tmp_path: Path, damage: str) -> None:
    change, words = DAMAGES[damage]
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(change(path.read_text().splitlines())))
    result = played("replay", "games.jsonl")
    assert result.code == 2
    assert words in result.err
    assert result.err.count("\n") == 1


def with_other(event: str, which: int, name: str, value: object) -> Callable[[list[str]], list[str]]:
    def change(lines: list[str]) -> list[str]:
        parsed = [json.loads(line) for line in lines]
        victim = [line for line in parsed if line["event"] == event][which]
        assert victim[name] != value
        victim[name] = value
        return [json.dumps(line) for line in parsed]

    return change


LIES: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "before": (with_other("game", -1, "everything", "a joker"), "is damaged: what it tells before its first move is"),
    "everything": (with_other("action", -2, "everything", "a joker"), "is damaged: what it tells after its move "),
    "seen": (with_other("action", -2, "seen", ["a joker", "none"]), "is damaged: what it tells after its move "),
    "public": (with_other("action", -2, "public", "player 0 has won"), "is damaged: what it tells after its move "),
    "after": (with_other("end", -1, "everything", "a joker"), "is damaged: what it tells at its end is not what"),
    "payoffs": (with_other("end", -1, "payoffs", [9.0, -9.0]), "has payoffs [9.0, -9.0] where the game pays ["),
    "a move": (with_other("action", -2, "number", 300), "cannot be played again: its move "),
    "no move": (without("action", "number"), "cannot be played again: its move 1 is no action there"),
}


@pytest.mark.parametrize("lie", LIES)
def test_words_that_are_not_those_of_the_moves_are_refused(played: Ruse, tmp_path: Path, lie: str) -> None:
    """One letter was enough for a card that nobody had."""
    change, words = LIES[lie]
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(change(path.read_text().splitlines())))
    result = played("replay", "games.jsonl", *(("--game", "1") if lie == "no move" else ()))
    assert (result.code, result.out) == (2, "")
    assert words in result.err
    assert result.err.count("\n") == 1
    exported = played("export", "games.jsonl", "--format", "record", "--out", "copy.jsonl")
    assert exported.code == 2
    assert not (tmp_path / "copy.jsonl").exists()


def test_a_card_that_was_never_dealt_is_not_shown(ruse: Ruse, tmp_path: Path) -> None:
    line = "play leduc --against random --seed 3 --games 1 --record g.jsonl"
    assert ruse(*line.split(), typed=("1",) * 9).code == 0
    path = tmp_path / "g.jsonl"
    whole = path.read_text()
    assert "Qs Ks, no board" in ruse("replay", "g.jsonl").out
    for k in range(whole.count("Qs Ks")):
        before, after = whole.split("Qs Ks", k + 1)[:-1], whole.split("Qs Ks", k + 1)[-1]
        path.write_text("Qs Ks".join(before) + "Qs Js" + after)
        result = ruse("replay", "g.jsonl")
        assert (result.code, result.out) == (2, "")
        assert "g.jsonl is damaged: what it tells " in result.err


def test_words_of_other_versions_are_put_as_now(played: Ruse, tmp_path: Path) -> None:
    """Another version may have called the same things otherwise: its moves tell what happened."""
    before, path = played("replay", "games.jsonl").out, tmp_path / "games.jsonl"
    text = re.sub(r'"version": "[^"]*"', '"version": "0.0.1"', path.read_text())
    path.write_text(re.sub(r'"everything": "[^"]*"', '"everything": "in other words"', text))
    assert played("replay", "games.jsonl").out == before


def test_whole_games_of_a_damaged_file_can_be_seen(played: Ruse, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    assert played("replay", "games.jsonl", "--game", "1").code == 0
    assert played("replay", "games.jsonl", "--game", "2").code == 2
    path.write_bytes(b"\xff\xfe\x00" + path.read_bytes())
    assert "no JSON object" in played("replay", "games.jsonl", "--game", "1").err
    assert "there is no game 3" not in played("replay", ".").err


def test_games_that_there_are_not(played: Ruse, tmp_path: Path) -> None:
    assert "games.jsonl has 2 games; there is no game 3" in played("replay", "games.jsonl", "--game", "3").err
    assert "--game counts from 1, got 0" in played("replay", "games.jsonl", "--game", "0").err
    assert "cannot read nowhere.jsonl: No such file" in played("replay", "nowhere.jsonl").err
    assert "cannot read ." in played("replay", ".").err


def test_a_record_cannot_steer_the_terminal(played: Ruse, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(path.read_text().replace("heuristic", "\\u001b[2J\\u0007x"))
    out = played("replay", "games.jsonl").out
    assert "\x1b" not in out
    assert "\x07" not in out


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("behaviour", '"1 played=0"', "the rules of cheat have changed since the record was made"),
        ("game", '"kujn"', "unknown game 'kujn'"),
        ("game_repr", '"Kuhn()"', "the record is of Kuhn"),
    ],
)
def test_what_could_not_be_compared_with_the_rules_is_said(
    played: Ruse, tmp_path: Path, key: str, value: str, reason: str
) -> None:
    """It is shown in the words of the file, which may be any: nobody is to take them for the game's."""
    path = tmp_path / "games.jsonl"
    path.write_text(re.sub(rf'"{key}": "[^"]*"', f'"{key}": {value}', path.read_text()))
    result = played("replay", "games.jsonl", "--game", "1")
    assert result.code == 0
    assert re.match(rf"as games.jsonl tells it, which cannot be compared with the rules: .*{reason}", result.err)
    assert result.err.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="only where there are terminals to pretend")
def test_replay_on_a_real_terminal(played: Ruse, tmp_path: Path) -> None:
    import pty

    master, slave = pty.openpty()
    words = [sys.executable, "-m", "ruse.cli", "replay", "games.jsonl", "--game", "1"]
    running = subprocess.Popen(words, cwd=tmp_path, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    os.write(master, b"\n\nb\nq\n")
    shown = b""
    try:
        while part := os.read(master, 65536):
            shown += part
    except OSError:  # the other end is closed
        pass
    assert running.wait(timeout=900) == 0
    os.close(master)
    assert re.findall(rb"\[(\d+)/\d+\] ", shown) == [b"1", b"2", b"3", b"2"]


def test_a_run_can_be_played_against(ruse: Ruse) -> None:
    told(ruse(*SOLVE.split(), "memoryless", "--json"))
    name = find("runs", "last").name
    for text in ("last", name):
        out = ruse(
            "play", "cheat", "--hp", "3", "--against", text, "--seed", "2", "--games", "1", typed=("#1",) * 50
        ).out
        assert f"The others play {text}." in out
        assert "1 game, " in out
