"""Runs that started from something: stopped, killed, resumed, and kept to their start."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from marks import posix
from starting import KUHN, LEDUC, teacher

import ruse
from ruse.errors import RuseError
from ruse.store.runs import RunDirectory
from ruse.training.progress import Progress


class Stopped(Exception):
    """Whatever may stop a process."""


def stopping(at: int) -> Any:
    def watch(progress: Progress) -> None:
        if progress.iteration >= at:
            raise Stopped

    return watch


def starts() -> dict[str, tuple[Any, Any]]:
    sampled = ruse.train(LEDUC, ruse.mccfr(), iterations=300, seed=9)
    close = teacher(second_raise=5)
    return {
        "warm": (ruse.cfr(), ruse.WarmStart(close.strategy)),
        "copied": (ruse.cfr(), ruse.Copied(close, factor=0.5)),
        "unmerged": (ruse.cfr(), ruse.Copied(sampled)),
        "sampled": (ruse.mccfr(), ruse.Copied(sampled)),
        "leaning": (ruse.mccfr(), ruse.Leaning(close.strategy)),
    }


@pytest.mark.parametrize("name", ["warm", "copied", "unmerged", "sampled", "leaning"])
def test_stopped_and_resumed_is_the_same_to_the_bit(name: str, tmp_path: Path) -> None:
    solver, start = starts()[name]
    runs = [ruse.new_run(tmp_path, LEDUC, solver, iterations=80, start=start) for _ in range(2)]
    assert runs[0].settings["start"] == repr(start)
    whole = ruse.train(LEDUC, solver, iterations=80, directory=runs[0], start=start)
    with pytest.raises(Stopped):
        ruse.train(LEDUC, solver, iterations=80, directory=runs[1], start=start, watch=stopping(20))
    kept = runs[1].newest_checkpoint()
    assert kept is not None
    assert kept.iteration == 0  # right after the start
    rest = ruse.resume(RunDirectory.open(runs[1].path))
    assert rest.strategy.probability.tobytes() == whole.strategy.probability.tobytes()
    assert rest.start == whole.start == rest.facts["start"] == rest.strategy.about["start"]
    assert [row[2] for row in rest.curve] == [row[2] for row in whole.curve]
    ends = [run.newest_checkpoint() for run in runs]
    for key, table in ends[0].arrays.items():  # type: ignore[union-attr]
        assert table.tobytes() == ends[1].arrays[key].tobytes(), key  # type: ignore[union-attr]
    saved = ruse.Strategy.load(runs[1].strategy_path)
    assert saved.about["start"] == whole.start
    assert runs[1].result is not None
    assert runs[1].result["start"] == whole.start
    assert ruse.resume(runs[1], iterations=90).start == whole.start


KILLED = """
import os, signal, sys
import ruse
from ruse.store.runs import RunDirectory

source = ruse.train(ruse.Leduc(second_raise=5), ruse.cfr(), iterations=50)
start = ruse.WarmStart(source.strategy)
steady, killed = (ruse.new_run(sys.argv[1], ruse.Leduc(), ruse.cfr(), iterations=200, start=start) for _ in range(2))
whole = ruse.train(ruse.Leduc(), ruse.cfr(), iterations=200, directory=steady, start=start)

def kill(progress):
    if progress.iteration >= 30:
        os.kill(os.getpid(), signal.SIGKILL)

child = os.fork()
if child == 0:
    ruse.train(ruse.Leduc(), ruse.cfr(), iterations=200, directory=killed, start=start, watch=kill)
    os._exit(1)
assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
rest = ruse.resume(RunDirectory.open(killed.path))
assert rest.strategy.probability.tobytes() == whole.strategy.probability.tobytes()
print(rest.start["iterations"])
"""


@posix
def test_killed_and_resumed(tmp_path: Path) -> None:
    program = [sys.executable, "-c", KILLED, str(tmp_path)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(program, capture_output=True, text=True, env=environment, timeout=900)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1


def test_a_run_keeps_to_the_start_that_it_was_made_for(tmp_path: Path) -> None:
    start = ruse.Leaning(teacher(second_raise=5).strategy)
    plain = ruse.new_run(tmp_path, LEDUC, ruse.cfr(), iterations=10)
    with pytest.raises(RuseError, match=r"was made to start from nothing, not from Leaning\(Strategy\(Leduc\("):
        ruse.train(LEDUC, ruse.cfr(), iterations=10, directory=plain, start=start)
    leaning = ruse.new_run(tmp_path, LEDUC, ruse.cfr(), iterations=10, start=start)
    with pytest.raises(RuseError, match=r"was made to start from Leaning\(.*\), not from nothing$"):
        ruse.resume(leaning)  # it was stopped before there was a checkpoint
    run = ruse.resume(leaning, start=start)
    assert run.start is not None
    assert run.iterations == 10
    with pytest.raises(RuseError, match=r"not from Leaning\(.*weight=3\.0\)$"):
        ruse.resume(leaning, start=start._replace(weight=3.0))


def test_a_run_from_nothing_tells_of_no_start() -> None:
    run = ruse.train(KUHN, ruse.cfr(), iterations=5)
    assert run.start is None
    assert "start" not in run.facts
    assert "start" not in run.strategy.about
