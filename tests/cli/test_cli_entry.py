"""Ctrl-C ends `ruse` without a traceback while its modules are imported, and after a command is over."""

import os
import subprocess
import sys

import pytest
from places import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")

# Ctrl-C at the moment when a module begins to be imported, or when the interpreter ends.
INTERRUPTED = """
import atexit, os, runpy, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)
at, sys.argv = sys.argv[1], ["ruse", "games"]

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == at:
            os.kill(os.getpid(), signal.SIGINT)

if at == "the end":
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
runpy.run_module("ruse", run_name="__main__")
"""


@pytest.mark.parametrize(
    "at", ["ruse.cli", "typer", "ruse.cli.commands.training.solve", "numpy", "ruse.games.leduc", "the end"]
)
def test_ctrl_c_while_modules_are_imported(at: str) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, at], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (130, "")


def test_the_entry_imports_nothing_heavy() -> None:
    """Until it listens; `typing` alone takes longer than all else that is needed."""
    code = "import sys; before = set(sys.modules); import ruse.entry; print(*(set(sys.modules) - before))"
    words, place = [sys.executable, "-S", "-c", code], {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(words, env=place, capture_output=True, text=True, timeout=300)
    assert {"typing", "numpy", "typer", "ruse.cli"}.isdisjoint(done.stdout.split()), done.stdout
    assert "ruse.entry" in done.stdout


def test_where_ctrl_c_is_ignored_it_stays_so() -> None:
    """As a shell has it for commands in the background."""
    code = INTERRUPTED.replace("signal.default_int_handler", "signal.SIG_IGN")
    done = subprocess.run([sys.executable, "-c", code, "numpy"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "leduc" in done.stdout
