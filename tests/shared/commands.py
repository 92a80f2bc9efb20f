"""The command line in tests: what a command did, and commands in a process of their own."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

COMMANDS = [
    "games", "solve", "resume", "sweep", "runs", "plot", "show", "evaluate", "equilibria", "style", "match", "play",
    "replay", "export", "equity", "check", "reproduce", "studio", "bench", "completion",
]  # fmt: skip


class Result(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Ruse = Callable[..., Result]


def process(*words: str, folder: Path, **options: object) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, "text": True}
    return subprocess.Popen([sys.executable, "-m", "ruse.cli", *words], cwd=folder, **(pipes | options))  # type: ignore[call-overload, no-any-return]


def wait_for(path: Callable[[], bool], running: subprocess.Popen[str], seconds: float = 900.0) -> None:
    until = time.monotonic() + seconds
    while not path() and running.poll() is None and time.monotonic() < until:
        time.sleep(0.005)


SOLVE = "solve cheat --walk chance --iterations 20 --seed 0 --view"


def told(result: Result) -> Any:
    assert (result.code, result.err, result.out.count("\n")) == (0, "", 1)
    return json.loads(result.out)
