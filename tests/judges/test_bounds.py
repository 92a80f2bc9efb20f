"""Kernels compiled with bounds checking: nothing is read or written beyond an array, and the numbers are the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import bounded
import pytest

import ruse


def results(which: str, cache: Path) -> dict[str, float]:
    """What the solves give under bounds checking, with a cache of their own."""
    home = str(Path(ruse.__file__).parents[1])
    environment = os.environ | {"RUSE_BOUNDS": "1", "RUSE_CACHE": str(cache), "PYTHONPATH": home}
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("bounded.py")), which],
        env=environment, capture_output=True, text=True, cwd=Path(__file__).parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    return dict(json.loads(line) for line in done.stdout.splitlines())


def judge(which: str, cache: Path) -> None:
    checked = results(which, cache)
    usual = bounded.ALL if which == "all" else bounded.QUICK
    assert list(checked) == list(usual)
    for name, solve in usual.items():
        # Other instructions may round otherwise, which chaos makes larger.
        assert checked[name] == pytest.approx(solve(), rel=0.05, abs=1e-6), name


def test_a_walk(tmp_path: Path) -> None:
    judge("quick", tmp_path / "cache")


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_solves_of_every_kind(tmp_path: Path) -> None:
    judge("all", tmp_path / "cache")
