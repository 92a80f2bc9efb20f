"""Whoever waits is told what for, with or without a terminal; whoever does not wait is told nothing."""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import COMMANDS, Ruse

from ruse.cli.terminal import progress
from ruse.cli.terminal.progress import watching, working
from ruse.compile import cache
from ruse.training.progress import Progress
from ruse.words.long_work import tell_listeners

LINES = (  # every command that may take long; others read a few files and print
    "solve kuhn --iterations 5 --no-run",
    "solve kuhn --exact",
    "solve kuhn --walk external --rule mccfr --iterations 5",
    "resume last --iterations 8",
    "sweep kuhn --iterations 5 --jobs 1",
    "show kuhn.strategy",
    "show kuhn.strategy --at K",
    "show kuhn",
    "evaluate kuhn.strategy",
    "evaluate kuhn.strategy --against kuhn.strategy",
    "evaluate kuhn.strategy --style",
    "equilibria kuhn --metric bet",
    "style kuhn --target 'bet, player 0, first = 0.1' --iterations 50 --solves 2",
    "match kuhn.strategy random --deals 5",
    "play kuhn.strategy",
    "play kuhn.strategy --seat 1 --games 1",
    "play kuhn --coach",
    "export kuhn.strategy",
    "equity AsKs QQ --board QsJh2h",
    "check kuhn",
    "bench --seconds 0.001",
    "reproduce 000 --quick --only nonsense",
)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.005)


def said(err: str, what: str) -> bool:
    return any(re.fullmatch(rf"{what}.*… \(\d+ s\)", line) for line in err.splitlines())


@pytest.mark.usefixtures("impatient")
def test_something_is_said_after_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    with working("counting sheep") as tell:
        until(lambda: said(capsys.readouterr().err, "counting sheep"))
        tell("the black ones")
        until(lambda: said(capsys.readouterr().err, "counting sheep: the black ones"))
        for begins, _ in cache.watchers:
            begins("leap")
        until(lambda: said(capsys.readouterr().err, r"compiling kernels, once \(leap\)"))
        for _, ends in cache.watchers:
            ends()
        until(lambda: said(capsys.readouterr().err, "counting sheep: the black ones"))
        tell_listeners("building a fence, once: 2 MiB", None)
        assert "building a fence, once: 2 MiB\n" in capsys.readouterr().err
        tell_listeners("posts", 0.25)
        until(lambda: said(capsys.readouterr().err, "posts, 25%"))
    with watching("kuhn") as watch:
        watch(Progress(50, 200, 2.0, 0.01, None, None))
        until(lambda: said(capsys.readouterr().err, "kuhn: 50/200, exploitability 0.01, 25 it/s, 6 s left"))
    capsys.readouterr()
    time.sleep(0.05)
    assert capsys.readouterr() == ("", ""), "nothing is said when it is over"
    assert cache.watchers == []


def until(is_so: Callable[[], bool], seconds: float = 600.0) -> None:
    """Wait until it is so; the limit is a safety net."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_lines_grow_rare(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """After 1 s, then when twice as long has passed, then once a minute."""
    clock = [0.0]

    class Over:
        """An event that never comes, and whose waits take no time."""

        def wait(self, seconds: float) -> bool:
            clock[0] += seconds
            return clock[0] > 400

    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    lines = progress.PlainLines("long")
    lines.is_over = Over()  # type: ignore[assignment]
    lines.speak()
    told = capsys.readouterr().err
    assert re.findall(r"\((.*)\)", told) == [
        "1 s", "2 s", "4 s", "8 s", "16 s", "32 s", "64 s", "2 min", "3 min", "4 min", "5 min", "6 min",
    ]  # fmt: skip


WATCHED = """
import sys
from ruse.cli import main
from ruse.cli.terminal import progress
from ruse.compile import cache

voices, silent = [], []
begin, read = progress.PlainLines.__init__, cache.read_entry

def heard(self, what):
    begin(self, what)
    voices.append(self)

def loaded(path):
    if not any(voice.voice.is_alive() for voice in voices):
        silent.append(path.name)
    return read(path)

progress.PlainLines.__init__, cache.read_entry = heard, loaded
progress.PATIENCE = 1e6
code = main(sys.argv[1:])
assert voices or code == 2, "nothing is said"
assert not silent, silent
sys.exit(code)
"""


@pytest.mark.slow
def test_no_kernel_is_waited_for_in_silence(solved: Ruse, tmp_path: Path) -> None:
    """Kernels are loaded, and may be compiled, only while something says what for. Each line in a process of its own:
    here they are loaded already.
    """
    assert solved("solve", "kuhn", "--iterations", "5").code == 0
    for line in LINES:
        words = [sys.executable, "-c", WATCHED, *shlex.split(line)]
        done = subprocess.run(words, cwd=tmp_path, input="quit\n", capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1, 2), f"{line}: {done.stderr}"
        assert "Traceback" not in done.stderr, f"{line}: {done.stderr}"


def test_every_command_is_listed() -> None:
    quick = {"games", "runs", "replay", "plot", "completion", "studio"}
    assert {line.split()[0] for line in LINES} | quick == set(COMMANDS)
