"""A job on its way to another machine: games of one's own travel by content, and what cannot travel is refused."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import ruse
from ruse.errors import RuseError
from ruse.training.cluster.travel import Packed, packed, unpacked
from ruse.training.jobs.job import Job

ARRIVING = """
import pickle, sys
from ruse.training.cluster.travel import unpacked
job = unpacked(pickle.load(open(sys.argv[1], "rb")))
print(type(job.game).__name__, job.game.stake, job.game.num_actions(job.game.start()))
"""


def test_a_game_in_a_file_travels_by_its_content(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    source = Path(ruse.__file__).parent / "games" / "kuhn.py"
    text = source.read_text().replace("class Kuhn", "class Own").replace("Kuhn", "Own")
    (here / "own_rules.py").write_text("STAKE = 3\n")
    (here / "own.py").write_text(f"from own_rules import STAKE\n{text}\nOwn.stake = STAKE\n")
    job = Job(ruse.game(str(here / "own.py")), ruse.mccfr(), iterations=5)
    sent = packed(job)
    assert isinstance(sent, Packed)
    (tmp_path / "sent").write_bytes(pickle.dumps(sent))
    for file in here.iterdir():
        file.unlink()  # there is no such file where it arrives
    told = subprocess.run(
        [sys.executable, "-c", ARRIVING, str(tmp_path / "sent")], capture_output=True, text=True, check=True
    )
    assert told.stdout.split()[:2] == ["Own", "3"]
    assert unpacked(sent) == job


def test_what_was_typed_into_an_interpreter_stays_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class Typed(NamedTuple):
        players: int = 2

    monkeypatch.setattr(sys.modules["__main__"], "Typed", Typed, raising=False)
    Typed.__module__, Typed.__qualname__ = "__main__", "Typed"
    with pytest.raises(RuseError, match="cannot be sent to a cluster; put it into a file of its own"):
        packed(Typed())
    with pytest.raises(RuseError, match="cannot be sent to a cluster"):
        packed(lambda: 1)
