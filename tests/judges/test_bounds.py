"""Kernels compiled with bounds checking: nothing is read or written beyond an array, and the numbers are the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def results(which: str, cache: Path | None) -> dict[str, float]:
    """What the solves give; with a cache of their own, under bounds checking."""
    environment = dict(os.environ)
    if cache is not None:
        environment |= {"RUSE_BOUNDS": "1", "RUSE_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("bounded.py")), which],
        env=environment, capture_output=True, text=True, cwd=Path(__file__).parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    return dict(json.loads(line) for line in done.stdout.splitlines())


def judge(which: str, cache: Path) -> int:
    checked, usual = results(which, cache), results(which, None)
    assert checked.keys() == usual.keys()
    for name, found in checked.items():
        # An iteration repeats bits; other instructions may round otherwise, which chaos makes larger.
        assert found == pytest.approx(usual[name], rel=0.05, abs=1e-6), name
    return len(checked)


def test_a_small_solve(tmp_path: Path) -> None:
    assert judge("quick", tmp_path / "cache") == 1


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_solves_of_every_kind(tmp_path: Path) -> None:
    assert judge("all", tmp_path / "cache") > 20
