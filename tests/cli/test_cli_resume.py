"""`ruse resume`: it says where it goes on from, and when there is nothing to do."""

import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import Ruse

import ruse as api
from ruse.games.kuhn import Kuhn
from ruse.solve.solver.presets import cfr
from ruse.store.runs import RunDirectory, find
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep
from ruse.training.training import Training


def test_a_run_killed_before_its_first_checkpoint(ruse: Ruse) -> None:
    run = api.new_run("runs", api.Kuhn(), api.cfr(), rule="cfr", iterations=20)
    for iteration in (1, 2, 3, 2804):
        run.append_metrics({"iteration": iteration, "seconds": 0.1, "exploitability": 0.5})
    assert run.summary().iterations == 0
    assert run.summary().exploitability is None
    result = ruse("resume", "last")
    assert (result.code, result.err) == (0, "")
    assert f"going on with {run.path} from iteration 0\n" in result.out
    assert "20 iterations" in result.out


def test_a_finished_run_says_so(ruse: Ruse) -> None:
    assert ruse("solve", "kuhn", "--rule", "cfr", "--iterations", "20").code == 0
    path = find("runs", "last").path
    before = (path / "strategy.safetensors").read_bytes()
    hint = "to go on, say how far: ruse resume last --iterations 40"
    result = ruse("resume", "last")
    assert "going on" not in result.out
    assert f"{path} is finished, at iteration 20; {hint}\n" in result.out
    for stop in (["--iterations", "5"], ["--target", "10"]):  # it is there already
        assert hint in ruse("resume", "last", *stop).out
    result = ruse("resume", "last", "--iterations", "5")
    assert f"{path} has 20 iterations already, more than 5; {hint}\n" in result.out
    assert "going on" not in result.out
    assert (path / "strategy.safetensors").read_bytes() == before
    assert (
        hint.replace("last", str(path.absolute())) in ruse("resume", "last", "--runs", str(path.parent.absolute())).out
    )
    result = ruse("resume", "last", "--iterations", "40")
    assert f"going on with {path} from iteration 20\n" in result.out
    assert hint not in result.out


def test_what_is_refused_does_not_go_on(ruse: Ruse) -> None:
    assert ruse("solve", "kuhn", "--rule", "cfr", "--iterations", "20").code == 0
    for words in (["--iterations", "40", "--game", "leduc"], ["--iterations", "-3"], ["--seconds", "0"]):
        result = ruse("resume", "last", *words)
        assert (result.code, result.out) == (2, ""), result


def test_a_schedule_cannot_go_further(ruse: Ruse) -> None:
    assert ruse("solve", "kuhn", "--rule", "hs_dcfr", "--iterations", "20").code == 0
    assert "follows a schedule that ends there, so start a new run" in ruse("resume", "last").out


def test_a_schedule_that_was_out_of_time_can(ruse: Ruse) -> None:
    """It was told to have ended where the time had."""
    assert ruse("solve", "kuhn", "--rule", "hs_dcfr", "--iterations", "100", "--seconds", "1e-9").code == 0
    told = ruse("resume", "last").out
    assert "follows a schedule" not in told
    assert "say how far: ruse resume last --seconds " in told
    assert "going on with" in ruse("resume", "last", "--seconds", "60").out
    assert "so start a new run" in ruse("resume", "last").out


def test_one_bad_line_in_the_metrics(ruse: Ruse, caplog: pytest.LogCaptureFixture) -> None:
    assert ruse("solve", "kuhn", "--rule", "cfr", "--iterations", "20").code == 0
    run = find("runs", "last")
    lines = run.metrics_path.read_bytes().splitlines(keepends=True)
    run.metrics_path.write_bytes(b"".join([*lines[:5], b"\x00garbage\n", *lines[6:], b'{"iterat']))
    with caplog.at_level(logging.WARNING):
        assert ruse("resume", "last", "--iterations", "30").code == 0
    said = [record.getMessage() for record in caplog.records]
    assert said == [f"{run.metrics_path} is damaged: line 6 is no row of metrics, and is left out"]
    assert run.metrics()[-1]["iteration"] == 30
    assert ruse("runs").code == 0


def test_a_damaged_checkpoint_is_passed_over(ruse: Ruse, tmp_path: Path) -> None:
    assert ruse("solve", "kuhn", "--rule", "cfr", "--iterations", "20").code == 0
    assert ruse("resume", "last", "--iterations", "30").code == 0
    table = find("runs", "last").path / "checkpoints" / "00000030" / "tables.safetensors"
    table.write_bytes(table.read_bytes()[:-1] + b"x")
    result = ruse("resume", "last", "--iterations", "40")
    assert (result.code, "40 iterations" in result.out) == (0, True)


def test_a_checkpoint_of_another_run_is_refused(ruse: Ruse) -> None:
    """Its tables fit, so nothing else would tell."""
    asked = ["--walk", "external", "--rule", "mccfr", "--iterations", "30"]
    for own, other, told in (
        ([], ["--bet", "2"], "with another game;"),
        (["--seed", "1"], ["--seed", "2"], "with another seed, 2 instead of 1;"),
        ([], ["--rule", "cfr"], "with another solver, "),
    ):
        paths = []
        for words in (own, other):
            assert ruse("solve", "kuhn", *asked, *words).code == 0
            paths.append(find("runs", "last").path)
        shutil.rmtree(paths[0] / "checkpoints")
        shutil.copytree(paths[1] / "checkpoints", paths[0] / "checkpoints")
        before = (paths[0] / "strategy.safetensors").read_bytes()
        result = ruse("resume", paths[0].name, "--iterations", "40")
        assert result.code == 2
        assert f"its newest checkpoint is of a run {told}" in result.err
        assert result.err.count("\n") == 1
        assert (paths[0] / "strategy.safetensors").read_bytes() == before


def test_a_checkpoint_from_before_it_knew_its_run(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        save = RunDirectory.save_checkpoint

        def older(run: RunDirectory, iteration: int, arrays: Any, *, state: Any) -> None:
            save(run, iteration, arrays, state={name: state[name] for name in ("seconds", "start")})

        before.setattr(RunDirectory, "save_checkpoint", older)
        assert ruse("solve", "kuhn", "--rule", "cfr", "--iterations", "20").code == 0
    result = ruse("resume", "last", "--iterations", "40")
    assert (result.code, "40 iterations" in result.out) == (0, True)


def test_memory_is_asked_of_a_game_that_is_expanded_already(ruse: Ruse) -> None:
    """By the same process, when more was allowed."""
    assert ruse("solve", "kuhn", "--rule", "cfr", "--iterations", "20").code == 0
    result = ruse("resume", "last", "--iterations", "40", "--memory", "1KB")
    assert result.code == 2
    assert "too large to expand" in result.err
    assert "1000 B allowed" in result.err
    assert ruse("resume", "last", "--iterations", "40", "--memory", "1GB").code == 0


@pytest.mark.parametrize("typed", ["--seed 0", "--seed 5", "--view full", "--rule cfr", "--no-merge", "--no-run"])
def test_what_is_typed_beside_resume_counts(ruse: Ruse, typed: str) -> None:
    """Even with the value that it has if nobody types it: the run may have another one."""
    api.new_run("runs", api.Kuhn(), api.cfr(), iterations=20, seed=5)
    result = ruse("solve", "--resume", "last", *typed.split())
    option = typed.split()[0]
    assert (result.code, result.out) == (2, "")
    assert result.err == (f"ruse: --resume last goes on as it was asked for; leave {option} out, or start a new run\n")
    assert ruse("solve", "--resume", "last", "--iterations", "25").code == 0


@pytest.mark.parametrize("words", ["resume last", "solve --resume last"])
def test_where_it_goes_on_may_be_said(ruse: Ruse, words: str) -> None:
    api.new_run("runs", api.Kuhn(), api.cfr(), iterations=20)
    told = ruse(*words.split(), "--on", "abacus")
    assert (told.code, told.err) == (2, "ruse: there is no machine 'abacus' to solve on; there is cpu, gpu, ray\n")
    assert ruse(*words.split(), "--on", "cpu").code == 0


@pytest.mark.parametrize("less", ["--seconds 1e-9", "--target 100", "--iterations 1"])
def test_a_run_that_was_interrupted_is_not_finished_by_asking_less_of_it(ruse: Ruse, less: str) -> None:
    """Its list called it finished from then on."""
    job = Job(Kuhn(), cfr(), iterations=5_000)
    training = Training(job, keep("runs", job))
    for progress in training:
        if progress.iteration > 100:
            break
    done = training.done
    result = ruse("resume", "last", *less.split())
    assert result.code == 0
    assert f"has come further already than was asked for now, {done:,} iterations in " in result.out
    assert "so nothing was done; `ruse resume last` goes on to what it was begun for\n" in result.out
    assert json.loads(ruse("resume", "last", *less.split(), "--json").out)["iterations"] == done
    assert "interrupted" in ruse("runs").out
    assert ruse("resume", "last").code == 0
    assert find("runs", "last").result["iterations"] == 5_000
    assert "finished" in ruse("runs").out
