"""A training can be stepped, stopped from anywhere, left and entered again; several run side by side."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.compile.files.game_files import load_file
from ruse.protocol.values.recent import Recent
from ruse.store.runs import RunDirectory
from ruse.training import training as at_work
from ruse.training.engines.marks import run_to
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep, kept_job
from ruse.training.training import Training
from ruse.tree import expanded

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()
JOBS = {
    "full": Job(LEDUC, ruse.dcfr(), iterations=60),
    "pruned": Job(LEDUC, ruse.cfr(prune="brp"), iterations=60, rule="cfr:prune=brp"),
    "sampled": Job(LEDUC, ruse.mccfr("external"), iterations=2_000, seed=7),
    "chunks": Job(LEDUC, ruse.mccfr("external"), iterations=2_000, seed=7, threads=2),
}


def bits(run: ruse.Run) -> tuple[bytes, ...]:
    strategy = run.strategy
    return strategy.keys.tobytes(), strategy.start.tobytes(), strategy.probability.tobytes()


# ---- one at a time ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", JOBS)
def test_a_loop_is_what_train_does(kind: str) -> None:
    job = JOBS[kind]
    training = Training(job)
    seen = [progress.iteration for progress in training]
    assert seen == sorted(set(seen))
    assert seen[-1] == job.iterations
    assert training.result.is_finished
    whole = ruse.train(
        *job[:2], **{name: value for name, value in job._asdict().items() if name not in job._fields[:2]}
    )
    assert bits(training.result) == bits(whole)
    assert [point[0] for point in training.result.curve] == [point[0] for point in whole.curve]


@pytest.mark.parametrize("is_kept", [False, True])
def test_left_and_entered_again(is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_work, "SLICE", 1e-9)  # one iteration a slice
    job = JOBS["full"]
    training = Training(job, keep(tmp_path, job) if is_kept else None)
    for progress in training:
        if progress.iteration == 7:
            break
    assert not training.result.is_finished
    assert training.result.iterations == 7
    if training.directory is not None:
        assert training.directory.saved_iteration == 7  # whoever leaves has saved
        assert not training.directory.is_running
    assert next(iter(training)).iteration == 8
    assert training.complete().is_finished
    assert bits(training.result) == bits(Training(job).complete())


def test_stopped_from_another_thread(tmp_path: Path) -> None:
    job = JOBS["full"]._replace(iterations=10**9)
    training = Training(job, keep(tmp_path, job))
    begun = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(training.complete, lambda progress: begun.set())
        assert begun.wait(60)
        with pytest.raises(ruse.RuseError, match="being run already"):
            next(iter(training))
        training.stop()
        run = running.result(60)
    assert not run.is_finished
    assert run.iterations > 0
    directory = RunDirectory.open(tmp_path / run.directory.name)  # type: ignore[union-attr]
    assert directory.saved_iteration == run.iterations
    further = Training(kept_job(directory)._replace(iterations=run.iterations + 10), directory).complete()
    assert bits(further) == bits(ruse.train(LEDUC, ruse.dcfr(), iterations=run.iterations + 10))


def test_a_stop_ends_one_loop() -> None:
    training = Training(JOBS["full"])
    with pytest.raises(ruse.RuseError, match="has no result before"):
        _ = training.result
    training.stop()
    assert list(training) == []
    assert training.result.iterations == 0
    assert training.complete().iterations == 60


def test_torn_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is raised inside an iteration leaves tables of no iteration; only a checkpoint can be gone on with."""
    job = JOBS["sampled"]
    alone, kept = Training(job), Training(job, keep(tmp_path, job))
    for training in (alone, kept):
        run = training.engine.run

        def torn(done: int, iterations: int, run: Callable[[int, int], None] = run) -> None:
            run(done, iterations)
            if done > 100:
                raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(training.engine, "run", torn)
            with pytest.raises(KeyboardInterrupt):
                training.complete()
    with pytest.raises(ruse.RuseError, match="in the middle of an iteration"):
        alone.complete()
    assert bits(kept.complete()) == bits(Training(job).complete())


def test_from_mark_to_mark() -> None:
    calls: list[tuple[int, int]] = []

    class Counting:
        def run(self, done: int, iterations: int) -> None:
            calls.append((done, iterations))

    marks = list(run_to(Counting(), (1, 5, 20)))
    assert [mark.iteration for mark in marks] == [1, 5, 20]
    assert calls == [(0, 1), (1, 4), (5, 15)]
    assert marks[0].seconds <= marks[-1].seconds


# ---- side by side ----------------------------------------------------------------------------------------------------


def test_trainings_side_by_side(tmp_path: Path) -> None:
    """Of the same game and of others, with and without a folder: the same bits as one after the other."""
    games = [ruse.Leduc(ante=n) for n in (1, 2, 3)] + [ruse.Kuhn(ante=n) for n in (1, 2, 3, 4)]
    jobs = [*JOBS.values(), *(Job(game, ruse.dcfr(), iterations=30) for game in games)]
    alone = [bits(Training(job).complete()) for job in jobs]
    expanded._recent.clear()
    together = threading.Barrier(4)

    def one(number: int) -> tuple[bytes, ...]:
        job = jobs[number % len(jobs)]
        if number < 4:
            together.wait(60)
        return bits(Training(job, keep(tmp_path, job) if number % 3 == 0 else None).complete())

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(one, range(2 * len(jobs))))
    assert found == 2 * alone


def test_a_game_is_expanded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    expanded._recent.clear()
    begun, go_on, calls = threading.Event(), threading.Event(), []
    expand: Any = expanded.expansion_of

    def slow(*asked: Any) -> Any:
        calls.append(asked[0].game)
        begun.set()
        assert go_on.wait(60)
        return expand(*asked)

    monkeypatch.setattr(expanded, "expansion_of", slow)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(ruse.Expanded.of, KUHN)
        assert begun.wait(60)
        others = [pool.submit(ruse.Expanded.of, KUHN) for _ in range(2)]
        time.sleep(0.1)  # in which they would begin, too
        go_on.set()
        assert {id(other.result(60)) for other in others} == {id(first.result(60))}
    assert calls == [KUHN]


def test_recent() -> None:
    kept = Recent[int](2)
    made: list[str] = []

    def making(name: str) -> Callable[[], int]:
        def make() -> int:
            made.append(name)
            return len(made)

        return make

    def failing() -> int:
        raise ruse.RuseError("no")

    assert [kept.of(name, making(name)) for name in ("a", "b", "a", "c", "a", "b")] == [1, 2, 1, 3, 1, 4]
    with pytest.raises(ruse.RuseError):
        kept.of("d", failing)
    assert [kept.of(name, making(name)) for name in ("a", "b", "d")] == [1, 4, 5]
    # Different things are made side by side: each of these waits for the other.
    meet = threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(lambda name: kept.of(name, lambda: meet.wait(60)), ("e", "f"))) == [0, 1]


def test_a_file_is_run_once(tmp_path: Path) -> None:
    """A second thread waits, instead of being given half a module."""
    file = tmp_path / "slowly.py"
    file.write_text("import time\ntime.sleep(0.2)\nMADE = object()\n")
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: load_file(file).MADE, range(3)))
    assert len(set(found)) == 1


COLD = """
import hashlib, threading
import ruse

jobs = [ruse.Job(ruse.Kuhn(), ruse.dcfr(), iterations=50), ruse.Job(ruse.Kuhn(), ruse.mccfr(), iterations=50)]
found, gate = {}, threading.Barrier(4)

def one(number):
    gate.wait()
    run = ruse.Training(jobs[number % 2]).complete()
    found[number] = hashlib.sha256(run.strategy.probability.tobytes()).hexdigest()

threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print([found.get(number) for number in range(4)])
"""


@pytest.mark.slow
def test_threads_that_compile_for_the_first_time(tmp_path: Path) -> None:
    """Nothing is imported, compiled or on disk yet when they begin."""

    def printed() -> str:
        environment = {**os.environ, "RUSE_CACHE": str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", COLD], env=environment, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout

    cold = printed()
    assert "None" not in cold
    assert printed() == cold  # now they are loaded
