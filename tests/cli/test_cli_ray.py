"""Ctrl-C and SIGTERM on Ray: what is at work is saved, no process is left, and it goes on to the same bits."""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster_rounds import undisturbed
from commands import process, wait_for
from marks import posix

from ruse import Leduc, mccfr
from ruse.compile.cache import cache_dir
from ruse.store.runs import RunDirectory, find
from ruse.strategy import Strategy
from ruse.training.jobs.job import Job
from ruse.training.train import train

pytest.importorskip("ray")
pytestmark = [posix, pytest.mark.slow]


@pytest.fixture
def around() -> Iterator[dict[str, str]]:
    """What a command must know to start Ray in a folder of its own; at the end nobody works there any more."""
    with tempfile.TemporaryDirectory(prefix="rs") as folder:  # a short path: names of sockets are short
        known = {"HOME": folder, "RAY_TMPDIR": folder, "RAY_ADDRESS": "local", "RUSE_CACHE": str(cache_dir())}
        yield os.environ | known
        assert not processes_of(folder)


def processes_of(folder: str) -> list[str]:
    """The command lines of all who were started with this folder."""
    found = []
    for process_folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"RAY_TMPDIR={folder}".encode() in (process_folder / "environ").read_bytes().split(b"\0"):
                found.append((process_folder / "cmdline").read_text().replace("\0", " "))
        except OSError:  # it has ended meanwhile
            continue
    return found


def saved_at(run: RunDirectory) -> int:
    """How far a run had come when it was stopped: no checkpoint was due before."""
    checkpoint = run.newest_checkpoint()
    assert checkpoint is not None
    return checkpoint.iteration


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_training(number: signal.Signals, code: int, around: dict[str, str], tmp_path: Path) -> None:
    words = ("solve", "leduc", "--rule", "mccfr", "--seed", "1", "--threads", "1", "--checkpoint-seconds", "1000")
    running = process(*words, "--iterations", "1e9", "--on", "ray", folder=tmp_path, env=around, start_new_session=True)
    wait_for(lambda: any(tmp_path.glob("runs/*/metrics.jsonl")), running)
    os.killpg(running.pid, number)  # as a terminal does, or a batch system: all of them hear it
    said, err = running.communicate(timeout=900)
    assert running.returncode == code, err
    assert "Traceback" not in err
    assert "go on with: ruse resume last" in said
    run = find(tmp_path / "runs", "last")
    reference = undisturbed(Job(Leduc(), mccfr(), seed=1, iterations=saved_at(run), threads=1))
    assert Strategy.load(run.strategy_path).probability.tobytes() == reference.rows()[2].tobytes()


def test_a_sweep(around: dict[str, str], tmp_path: Path) -> None:
    words = ("sweep", "kuhn", "--rule", "mccfr", "--iterations", "1e9", "--checkpoint-seconds", "1000", "--out", "out")
    running = process(*words, "--on", "ray", folder=tmp_path, env=around, start_new_session=True)
    wait_for(lambda: any(tmp_path.glob("out/*/metrics.jsonl")), running)
    os.killpg(running.pid, signal.SIGINT)
    said, err = running.communicate(timeout=900)
    assert running.returncode == 130, err
    assert "Traceback" not in err
    assert said.splitlines()[-1] == "stopped; the same command goes on"
    run = RunDirectory.open(tmp_path / "out" / "kuhn-mccfr-seed-0")
    reference = train("kuhn", "mccfr", iterations=saved_at(run), seed=0)
    assert Strategy.load(run.strategy_path).probability.tobytes() == reference.strategy.probability.tobytes()
