"""Interruptions, full disks and closed pipes: nothing is lost and nothing is noisy."""

import errno
import json
import os
import random
import re
import signal
import time
from functools import partial
from pathlib import Path

import pytest
from commands import Ruse, process, wait_for

import ruse as api
from ruse.store.runs import find
from ruse.strategy import Strategy


def only_tells(err: str) -> bool:
    """Whether stderr has nothing but what is being done, which a slow machine says more often."""
    return all(re.fullmatch(r".*… \(\d+ (?:s|min)\)", line) for line in err.splitlines())


# ---- interruptions ---------------------------------------------------------------------------------------------------


def test_ctrl_c_saves_and_resume_goes_on(ruse: Ruse, tmp_path: Path) -> None:
    (tmp_path / "old.strategy").write_text("mine")
    running = process("solve", "liars_dice", "--iterations", "1000000", "--out", "old.strategy", folder=tmp_path)
    wait_for(lambda: any(tmp_path.glob("runs/*/metrics.jsonl")), running)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=900)
    assert running.returncode == 130
    assert only_tells(err)
    assert "go on with: ruse resume last" in out
    assert (tmp_path / "old.strategy").read_text() == "mine"
    run = find("runs", "last")
    assert run.summary().status == "interrupted"
    checkpoint = run.newest_checkpoint()
    assert checkpoint is not None
    assert Strategy.load(run.strategy_path).about["iterations"] == checkpoint.iteration
    told = json.loads(ruse("resume", "last", "--iterations", str(checkpoint.iteration + 20), "--json").out)
    assert told["iterations"] == checkpoint.iteration + 20
    assert told["finished"]


def test_ctrl_c_elsewhere_is_quiet(ruse: Ruse, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ruse.catalog.names.game", interrupted)
    assert ruse("check", "kuhn") == (130, "", "")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only where processes can be killed")
def test_killed_at_random_a_run_still_ends_with_the_same_bits(ruse: Ruse, tmp_path: Path) -> None:
    words = ("solve", "liars_dice", "--iterations", "700")
    assert ruse(*words, "--runs", "whole").code == 0
    dice = random.Random()
    often = ("--checkpoint-seconds", "0")  # so that many a kill hits a checkpoint that is being written
    running = process(*words, *often, folder=tmp_path)
    wait_for(lambda: any(tmp_path.glob("runs/*/checkpoints/*/manifest.json")), running)
    for longest in (0.3, 2.5):  # while it trains; then anywhere from the start of the process on
        time.sleep(dice.uniform(0.0, longest))
        running.kill()
        running.communicate()
        running = process("resume", "last", *often, folder=tmp_path)
    _, err = running.communicate(timeout=900)
    assert running.returncode == 0
    assert only_tells(err)
    whole, resumed = find("whole", "last"), find("runs", "last")
    assert resumed.strategy_path.read_bytes() == whole.strategy_path.read_bytes()
    measured = [[(row["iteration"], row["exploitability"]) for row in run.metrics()] for run in (whole, resumed)]
    assert measured[0] == measured[1]


# ---- disks and pipes -------------------------------------------------------------------------------------------------


def test_a_full_disk_leaves_the_old_file(solved: Ruse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = (tmp_path / "kuhn.strategy").read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    for words in (
        ["solve", "kuhn", "--no-run"],
        ["solve", "kuhn", "--exact"],
        ["export", "kuhn.strategy", "--format", "csv"],
    ):
        result = solved(*words, "--out", "kuhn.strategy")
        assert result.code == 2
        assert result.err == "ruse: cannot write kuhn.strategy: the disk is full; free some space and try again\n"
        assert [path.name for path in tmp_path.iterdir()] == ["kuhn.strategy"]
        assert (tmp_path / "kuhn.strategy").read_bytes() == before


def test_a_file_that_may_not_grow(solved: Ruse, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = (tmp_path / "kuhn.strategy").read_bytes()
    running = process(
        "solve", "kuhn", "--iterations", "50", "--no-run", "--out", "kuhn.strategy", folder=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256)),
    )  # fmt: skip
    _, err = running.communicate(timeout=900)
    told = err.splitlines()[-1:]  # a slow machine says before what it is waiting for
    assert (running.returncode, told) == (2, ["ruse: cannot write kuhn.strategy: File too large"])
    assert (tmp_path / "kuhn.strategy").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["kuhn.strategy"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_output_to_a_full_disk(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        running = process("games", folder=tmp_path, stdout=full)
        _, err = running.communicate(timeout=900)
    assert (running.returncode, err) == (2, "ruse: output: No space left on device\n")


def test_a_closed_pipe_is_no_trouble(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    running = process("games", folder=tmp_path, stdout=write)
    os.close(write)
    _, err = running.communicate(timeout=900)
    assert (running.returncode, err) == (0, "")


@pytest.mark.parametrize(
    ("words", "code"),
    [(["games"], 0), (["export", "uniform.strategy"], 0), (["games", "--json"], 0), (["check", "bad.efg"], 2)],
)
def test_the_exit_code_does_not_hang_on_the_reader(tmp_path: Path, words: list[str], code: int) -> None:
    """Whether it reads nothing, or all of it."""
    api.Strategy.uniform(api.Kuhn()).save(tmp_path / "uniform.strategy")
    (tmp_path / "bad.efg").write_text("nonsense")
    for is_read in (False, True):
        running = process(*words, folder=tmp_path)
        assert running.stdout is not None
        if not is_read:
            running.stdout.close()
            running.stdout = None
        _, err = running.communicate(timeout=900)
        assert (running.returncode, "Traceback" in err) == (code, False)


def close(handles: list[int]) -> None:
    for handle in handles:
        os.close(handle)


@pytest.mark.parametrize("words", [["games"], ["--version"], ["export", "uniform.strategy"]])
def test_closed_streams(tmp_path: Path, words: list[str]) -> None:
    """A closed stdout is told; a closed stderr is no trouble; both at once are quiet."""
    api.Strategy.uniform(api.Kuhn()).save(tmp_path / "uniform.strategy")
    told = "ruse: there is nowhere to write to: stdout is closed\n"
    for closed, expected in (([1], (2, False, told)), ([2], (0, True, "")), ([1, 2], (2, False, ""))):
        running = process(*words, folder=tmp_path, preexec_fn=partial(close, closed))
        out, err = running.communicate(timeout=900)
        assert (running.returncode, out != "", re.sub(r".*… \(.*\)\n", "", err)) == expected


def test_a_closed_stdin_is_an_end_of_input(tmp_path: Path) -> None:
    api.Strategy.uniform(api.Kuhn()).save(tmp_path / "uniform.strategy")
    ends = []
    for options in ({}, {"stdin": None, "preexec_fn": lambda: os.close(0)}):
        running = process("play", "uniform.strategy", "--seed", "1", folder=tmp_path, **options)
        out, err = running.communicate(timeout=900)
        ends.append((running.returncode, out, only_tells(err)))
    assert ends[0] == ends[1]


def test_a_run_is_kept_though_nobody_can_be_told(tmp_path: Path) -> None:
    running = process(
        "solve", "kuhn", "--rule", "cfr", "--iterations", "20", folder=tmp_path, preexec_fn=lambda: os.close(1)
    )
    assert "Traceback" not in running.communicate(timeout=900)[1]
    assert running.returncode == 2
    assert find(tmp_path / "runs", "last").is_finished


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
@pytest.mark.parametrize(
    "words",
    [["equilibria", "kuhn"], ["style", "kuhn", "--target", "bet = 0.5"], ["reproduce", "000"], ["solve", "kuhn"],
     ["export", "kuhn"]],
)  # fmt: skip
def test_where_to_write_is_looked_at_first(ruse: Ruse, words: list[str]) -> None:
    """Even the superuser can make nothing in /proc."""
    result = ruse(*words, "--out", "/proc/foo")
    assert (result.code, result.out) == (2, "")
    assert "cannot write /proc/foo: nothing can be made in /proc" in result.err


def test_a_file_is_no_folder_of_runs(ruse: Ruse) -> None:
    Path("some.strategy").write_text("x")
    for words in (["runs"], ["resume", "last"], ["show", "last"]):
        result = ruse(*words, "--runs", "some.strategy")
        assert (result.code, "some.strategy is a file, not a folder of runs" in result.err) == (2, True)
