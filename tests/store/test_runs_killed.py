"""Run directories under fire: processes that are killed at any moment, and two that want the same run."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from marks import posix
from saved_runs import kept, save

from ruse.errors import RuseError
from ruse.store import locks
from ruse.store.runs import RunDirectory

TRAINING = """
import os, random, signal, sys, time
import numpy as np
from ruse.store.runs import RunDirectory

run, iterations, kills = RunDirectory.open(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])

heard, tell = os.pipe()

def train():
    with run.lock():
        start = run.newest_checkpoint()
        t = start.iteration if start else 0
        table = start.arrays["table"].copy() if start else np.ones((200, 3))
        run.rewind(t)
        print("ready", flush=True)
        os.write(tell, b"r")
        while t < iterations:
            t += 1
            table = table * 1.0000001 + np.sin(table * t)
            run.append_metrics({"iteration": t, "sum": table.sum(), "seconds": time.time()})
            if t % 5 == 0:
                run.save_checkpoint(t, {"table": table}, state={"t": t})
        run.finish({"sum": table.sum()})

rng, reached = random.Random(0), 0
for n in range(kills):
    child = os.fork()
    if child == 0:
        train()
        os._exit(1)
    if n % 3:  # two of three are killed in the midst of training, the others wherever they are
        os.read(heard, 1)
    time.sleep(rng.uniform(0, 0.06))
    os.kill(child, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    newest = run.newest_checkpoint()
    assert newest is not None or reached == 0, reached
    if newest is not None:
        assert newest.iteration >= reached and newest.state == {"t": newest.iteration}, (newest, reached)
        reached = newest.iteration
if not kills:
    train()
"""


def train(run: RunDirectory, iterations: int, *, kills: int = 0) -> "subprocess.Popen[bytes]":
    """A process that trains, or one that lets others train and kills them at random moments."""
    program = [sys.executable, "-c", TRAINING, str(run.path), str(iterations), str(kills)]
    return subprocess.Popen(program, stdout=subprocess.PIPE, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})


def timeless(run: RunDirectory) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in run.metrics()]


@posix
def test_a_run_killed_again_and_again_ends_like_one_never_killed(tmp_path: Path) -> None:
    killed = RunDirectory.create(tmp_path, "kuhn", slug="killed", settings={})
    steady = RunDirectory.create(tmp_path, "kuhn", slug="steady", settings={})
    with train(killed, 10**9, kills=20) as process:
        assert process.stdout is not None
        assert process.stdout.read().count(b"ready") > 10
    assert process.returncode == 0
    last = killed.metrics()[-1]["iteration"] + 7
    for run in (killed, steady):
        with train(run, last) as process:
            assert process.wait() == 0
    assert timeless(killed) == timeless(steady)
    assert [row["iteration"] for row in timeless(steady)] == list(range(1, last + 1))
    assert killed.result == steady.result
    ends = [run.newest_checkpoint() for run in (killed, steady)]
    assert ends[0] is not None
    assert ends[1] is not None
    assert ends[0].iteration == ends[1].iteration
    assert ends[0].arrays["table"].tobytes() == ends[1].arrays["table"].tobytes()
    assert kept(killed) == kept(steady)


STEPS = """
import os, shutil, signal, sys
from pathlib import Path
import numpy as np
from ruse.store import runs

def fail(*args):
    raise AssertionError(args)

runs.log.warning = fail  # no checkpoint may ever look whole and be damaged
first, iteration, before = runs.RunDirectory.open(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])

def save(run):
    run.save_checkpoint(iteration, {"x": np.full(9, 7)}, state={"t": "new"})

step, code = 0, -1
while code != 0:
    step += 1
    path = first.path.with_name(f"step-{step}")
    shutil.copytree(first.path, path)
    run = runs.RunDirectory.open(path)
    child = os.fork()
    if child == 0:
        count = 0
        def hook(event, args):  # told of each call that opens, makes, renames or deletes something
            global count
            count += event == "open" or event.startswith(("os.", "shutil."))
            if count == step:
                os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(hook)
        save(run)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL), code
    newest = run.newest_checkpoint()
    assert newest.state["t"] in (20, "new") and (newest.state["t"] == "new" or code != 0), (step, newest)
    save(run)
    assert run.newest_checkpoint().state["t"] == "new", step
    kept = sorted(os.listdir(path / "checkpoints"))
    assert len(kept) == 2 and kept[0] == f"{before:08d}" and kept[1].startswith(f"{iteration:08d}"), kept
print(step)
"""


@posix
@pytest.mark.parametrize(("iteration", "before"), [(30, 20), (20, 10), (15, 10)])
def test_a_kill_before_any_step_of_a_save(run: RunDirectory, iteration: int, before: int) -> None:
    save(run, 10, 20)
    program = [sys.executable, "-c", STEPS, run.path, str(iteration), str(before)]
    done = subprocess.run(program, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


# ---- one at a time ---------------------------------------------------------------------------------------------------


@posix
def test_the_lock_is_exclusive_and_freed_by_a_kill(run: RunDirectory) -> None:
    with train(run, 10**9) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert run.is_running
        assert run.summary().status == "running"
        with pytest.raises(RuseError, match=rf"is being trained by process {process.pid}: wait for it"), run.lock():
            pytest.fail("two hold the lock")
        process.send_signal(signal.SIGKILL)
    assert not run.is_running
    assert run.summary().status == "interrupted"
    leftover = run.path / ".strategy.safetensors.1-ab.tmp"
    leftover.touch()
    with run.lock():
        assert run.is_running
        assert not leftover.exists()
        with pytest.raises(RuseError, match=f"process {os.getpid()}"), RunDirectory.open(run.path).lock():
            pytest.fail("two hold the lock")
    assert not run.is_running


def test_without_locks_a_run_still_works(run: RunDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "fcntl", None)
    with run.lock():
        assert not run.is_running
