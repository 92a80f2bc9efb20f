"""SIGTERM and SIGHUP end a command as Ctrl-C does; a program that uses the library keeps its own handlers."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from commands import process, wait_for

import ruse
from ruse.cli import main
from ruse.cli.terminal import signals
from ruse.cli.terminal.signals import leave_threads_behind, listening
from ruse.store.runs import find
from ruse.strategy import Strategy

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


def started(folder: Path, ignoring: tuple[signal.Signals, ...] = ()) -> "subprocess.Popen[str]":
    """A solve that has begun, in a process that was to ignore these signals, whatever this one was to ignore."""

    def ignore() -> None:
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN if number in ignoring else signal.SIG_DFL)

    words = ("solve", "liars_dice", "--iterations", "1000000", "--out", "a.strategy")
    running = process(*words, folder=folder, preexec_fn=ignore)
    wait_for(lambda: any(folder.glob("runs/*/metrics.jsonl")), running)
    return running


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_run_is_saved(tmp_path: Path, number: signal.Signals, code: int) -> None:
    running = started(tmp_path)
    running.send_signal(number)
    out, err = running.communicate(timeout=900)
    assert running.returncode == code, err
    assert "go on with: ruse resume last" in out
    run = find(tmp_path / "runs", "last")
    checkpoint = run.newest_checkpoint()
    assert checkpoint is not None
    assert run.summary().status == "interrupted"
    assert run.summary().iterations == checkpoint.iteration
    assert Strategy.load(run.strategy_path).about["iterations"] == checkpoint.iteration
    assert not (tmp_path / "a.strategy").exists()


def test_nohup_and_background(tmp_path: Path) -> None:
    """What was to be ignored is; where a shell has Ctrl-C ignored, SIGTERM still saves."""
    running = started(tmp_path, (signal.SIGHUP, signal.SIGINT))
    running.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(timeout=0.5)
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=900)
    assert running.returncode == 143
    assert find(tmp_path / "runs", "last").newest_checkpoint() is not None


def test_a_terminal_that_hangs_up(tmp_path: Path) -> None:
    """Nothing can be printed any more; all is saved nevertheless."""
    read, write = os.pipe()
    running = process(
        "solve", "liars_dice", "--iterations", "1000000", folder=tmp_path, stdout=write, stderr=write,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )  # fmt: skip
    os.close(write)
    wait_for(lambda: any(tmp_path.glob("runs/*/metrics.jsonl")), running)
    os.close(read)
    running.send_signal(signal.SIGHUP)
    assert running.wait(timeout=900) == 129
    assert find(tmp_path / "runs", "last").newest_checkpoint() is not None


STUCK = """
import sys
import numpy as np
from ruse.catalog import names as catalog
from ruse.cli import main
from ruse.cli.terminal import signals
from ruse.compile import kernel

@kernel
def loop(x):
    while x[0] != 0:  # which it never is
        x[0] ^= x[0] << np.uint64(13)
        x[0] ^= x[0] >> np.uint64(7)
        x[0] ^= x[0] << np.uint64(17)

def stuck(*_, **__):
    while True:
        try:
            print("begun", flush=True)
            loop(np.ones(1, np.uint64))
        except KeyboardInterrupt:  # it came before the loop
            continue

loop(np.zeros(1, np.uint64))  # ends at once, and is compiled: what is tested is a loop, not a compiler
signals.GRACE = signals.SOON = 0.1
catalog.game = stuck
sys.exit(main(["check", "kuhn"]))
"""


def test_rules_that_loop_for_ever_inside_a_kernel(tmp_path: Path) -> None:
    """The first signal is never heard by Python; those after it end the process."""
    words = [sys.executable, "-c", STUCK]
    running = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        assert running.stdout.readline() == "begun\n"
        running.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(timeout=1.0)
        until = time.monotonic() + 300
        while running.poll() is None and time.monotonic() < until:
            running.send_signal(signal.SIGTERM)  # again and again: of those that come at once one is delivered
            time.sleep(0.2)
        assert running.poll() == 143
    finally:
        running.kill()
        _, err = running.communicate()
    assert err.count("ruse: still at work, and stops as soon as it can; a second Ctrl-C ends it in any case\n") == 1
    assert err.endswith("\nruse: ended in the middle of its work, as it did not stop; files are whole\n")


def test_a_second_signal_that_is_heard_is_nothing_special(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever ends in time ends as always, and leaves no thread and no listener behind."""

    def ended(*_: object, **__: object) -> None:
        for _ in range(2):
            try:
                signal.raise_signal(signal.SIGTERM)
            except KeyboardInterrupt:
                continue
        raise KeyboardInterrupt

    monkeypatch.setattr("ruse.catalog.names.game", ended)
    threads = set(threading.enumerate())
    assert main(["check", "kuhn"]) == 143
    assert not set(threading.enumerate()) - threads
    assert signal.set_wakeup_fd(-1) == -1


def test_elsewhere_they_end_quietly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr("ruse.catalog.names.game", ended)
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    assert main(["check", "kuhn"]) == 143
    assert capsys.readouterr() == ("", "")
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)] == before


def test_handlers_of_others_are_left_alone() -> None:
    def mine(*_: object) -> None: ...

    before = signal.signal(signal.SIGTERM, mine)
    try:
        with listening():
            assert signal.getsignal(signal.SIGTERM) is mine
    finally:
        signal.signal(signal.SIGTERM, before)


def test_the_library_takes_none() -> None:
    before, seen = signal.getsignal(signal.SIGTERM), []
    ruse.train(ruse.Kuhn(), ruse.cfr(), iterations=10, watch=lambda _: seen.append(signal.getsignal(signal.SIGTERM)))
    assert seen
    assert all(handler == before for handler in seen)


def test_outside_the_main_thread() -> None:
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["games"])))
    thread.start()
    thread.join()
    assert codes == [0]


def test_a_match_says_how_far_it_came(tmp_path: Path) -> None:
    def heed() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)

    running = process("match", "kuhn", "random", "random", "--deals", str(10**12), folder=tmp_path, preexec_fn=heed)
    assert running.stderr is not None
    while " of 1,000,000,000,000 deals" not in running.stderr.readline():  # said while it plays
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=900)
    assert (running.returncode, out) == (130, "")
    last = err.splitlines()[-1]
    assert re.fullmatch(r"ruse: stopped after [1-9][\d,]* of 1,000,000,000,000 deals", last), err


def test_a_thread_that_never_ends_does_not_keep_an_interrupted_command_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []
    monkeypatch.setattr(signals, "GRACE", 0.01)
    monkeypatch.setattr(os, "_exit", codes.append)
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        leave_threads_behind(130)
        assert codes
        assert set(codes) == {130}
    finally:
        over.set()
        thread.join()
