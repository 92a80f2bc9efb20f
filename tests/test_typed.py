"""A user's script passes `mypy --strict`: games know the defaults of their fields, and names have their types."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

SCRIPT = """
import ruse

games: list[ruse.Game] = [
    ruse.Leduc(), ruse.Kuhn(players=3), ruse.LiarsDice(dice=2), ruse.Goofspiel(cards=3), ruse.Cheat(hp=1),
]
suits: int = ruse.Leduc(suits=3).suits
run = ruse.train(ruse.Leduc(), ruse.dcfr(), iterations=10)
worth: float = run.exploitability
print(ruse.Job(ruse.Kuhn(), ruse.mccfr("outcome"), iterations=10, seed=3), run.strategy["K, no board, raise"])
"""
WRONG = """
import ruse

ruse.Leduc(suit=3)
ruse.train(ruse.Leduc(), ruse.dcfr(), itrations=10)
"""


def checked(script: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """What mypy says of a script, to which the package is one that is installed."""
    pytest.importorskip("mypy")
    (folder / "script.py").write_text(script)
    words = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "script.py"]
    place = {**os.environ, "MYPYPATH": str(ROOT / "src"), "MYPY_CACHE_DIR": str(folder / "cache")}
    return subprocess.run(words, cwd=folder, env=place, capture_output=True, text=True, timeout=900)


@pytest.mark.slow
def test_a_script_is_typed(tmp_path: Path) -> None:
    done = checked(SCRIPT, tmp_path)
    assert done.returncode == 0, done.stdout
    done = checked(WRONG, tmp_path)
    assert done.stdout.count("[call-arg]") == 2, done.stdout


def test_games_say_nothing_that_would_be_taken_for_a_field() -> None:
    """An assignment alone in the body of a NamedTuple is a field without a default to type checkers."""
    found = []
    for path in (ROOT / "src" / "ruse" / "games").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases):
                alone = [s for s in node.body if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)]
                found += [f"{path.name}:{s.lineno} {ast.unparse(s.targets[0])}" for s in alone]
    assert not found
