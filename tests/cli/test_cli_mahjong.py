"""Mahjong on the command line: a game played through and replayed; settings that cannot be."""

import json
from pathlib import Path

import pytest
from commands import Ruse


def test_a_game_is_played_through_and_replayed(ruse: Ruse, tmp_path: Path) -> None:
    line = "play mahjong --against random --seed 3 --record game.jsonl --games 1 --dead_wall 26"
    result = ruse(*line.split(), typed=("#1",) * 200)
    assert result.code == 0
    assert "you are dealt" in result.out
    assert "your hand: " in result.out
    events = [json.loads(text) for text in (tmp_path / "game.jsonl").read_text().splitlines()]
    assert [event["player"] for event in events[1:65]] == ["chance"] * 64
    assert sum(events[-1]["payoffs"]) == 0
    replayed = ruse("replay", "game.jsonl")
    assert (replayed.code, replayed.err) == (0, "")
    assert events[-1]["everything"] in replayed.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("show mahjong:dead_wall=38", "dead_wall must be 0 to 37"),
        ("show mahjong:selfdraw_factor=0", "selfdraw_factor must be 1 to 100"),
        ("show mahjong:rob_kong=2", "rob_kong of mahjong must be true or false, got 2"),
        ("show mahjong:furiten=true", "mahjong has no field 'furiten'"),
    ],
)
def test_bad_fields_are_told(ruse: Ruse, line: str, words: str) -> None:
    result = ruse(*line.split())
    assert result.code == 2
    assert words in result.err
    assert "Traceback" not in result.err
