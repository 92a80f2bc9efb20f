"""At the terminal: what lies on the table, a score after Ctrl-C, a lock, and a bound where a game is too large."""

import json
from typing import Any

import pytest
from commands import Ruse

from ruse.cli import main
from ruse.tree.measure.size import TooLarge


def test_leducs_table_shows_pot_and_stakes(ruse: Ruse) -> None:
    told = ruse(
        "play", "leduc", "--against", "random", "--seed", "1", "--games", "1", typed=("raise",) * 4 + ("call",) * 9
    )
    assert told.code == 0
    assert "On the table: stakes you 1, player 1 1; pot 2" in told.out


def test_ctrl_c_tells_the_score(
    ruse: Ruse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ruse("games")  # to be in an empty folder
    answers = iter(["bet", "bet", "pass"])

    def answer(prompt: str = "") -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", answer)
    assert main(["play", "kuhn", "--against", "random", "--seed", "2"]) == 130
    out = capsys.readouterr().out
    assert out.strip().splitlines()[-1].endswith("in all")
    assert "game" in out.strip().splitlines()[-1]


def test_a_lock_is_told_and_kept(ruse: Ruse) -> None:
    found = json.loads(ruse("solve", "kuhn", "--lock", "J: bet", "--iterations", "200", "--out", "a", "--json").out)
    assert found["game"] == "kuhn"
    assert found["locked"] == ["J: bet"]
    assert found["gains"][1] == pytest.approx(2 / 9, abs=0.01)
    assert "bet 1.000" in ruse("show", "a", "--at", "J").out or "bet   1.000000" in ruse("show", "a", "--at", "J").out
    for words, sentence in (
        (("--lock", "J: raise"), "no action 'raise' at 'J'"),
        (("--lock", "J: bet", "--lock", "J: pass"), "'J' is locked twice, by 'J: bet' and by 'J: pass'"),
        (("--lock", "J: bet", "--runs", "x"), "no run is kept with --lock; leave --runs out"),
        (("--lock", "J: bet", "--checkpoint-seconds", "1"), "leave --checkpoint-seconds out"),
        (("--exact", "--runs", "x"), "no run is kept with --exact; leave --runs out"),
        (("--lock", "J: bet", "--exact"), "--lock is for solvers that iterate"),
        (("--resume", "last", "--lock", "J: bet"), "--resume last"),
    ):
        result = ruse("solve", *(() if "--resume" in words else ("kuhn",)), *words)
        assert result.code == 2
        assert sentence in result.err


def test_what_can_be_had_of_a_game_that_is_too_large(solved: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise TooLarge("kuhn is too large; 1 TiB needed")

    monkeypatch.setattr("ruse.evaluate.exploitability.exploitability", refuse)
    monkeypatch.setattr("ruse.cli.commands.looking.evaluate.LEARNED", 500)
    refused = solved("evaluate", "kuhn.strategy")
    assert refused.code == 2
    assert refused.err.strip().endswith("--estimate does what fits best")
    told = solved("evaluate", "kuhn.strategy", "--estimate")
    assert told.code == 0
    assert "exploitability" in told.out
    assert told.err.startswith("ruse: kuhn is too large, so exploitability is bounded from below")
    assert json.loads(solved("evaluate", "kuhn.strategy", "--estimate", "--json").out)["confidence"] == 0.95
