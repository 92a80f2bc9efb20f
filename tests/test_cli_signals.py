"""SIGTERM and SIGHUP end a command as Ctrl-C does; a program that uses the library keeps its own handlers."""

import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from test_cli import process, wait_for

import ruse
from ruse.cli import main
from ruse.cli.signals import listening
from ruse.runs import find
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


def test_elsewhere_they_end_quietly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr("ruse.catalog.game", ended)
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
