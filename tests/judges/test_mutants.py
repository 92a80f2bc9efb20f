"""Thousands of damaged and forged files: the same result, or one sentence; no crash, no hang, no code run."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import ruse

BATCH = 500
FINE = ("same", "other", "refused")
KINDS = ["strategy", "forged_strategy", "checkpoint", "forged_checkpoint", "run", "metrics", "record", "efg", "kernel"]


def complaints(kind: str, folder: Path, first: int, last: int) -> tuple[list[str], Counter[str]]:
    """What went wrong with these mutants, and how often they came to what."""
    environment = os.environ | {"PYTHONPATH": str(Path(ruse.__file__).parents[1])}
    told: list[str] = []
    counted: Counter[str] = Counter()
    while first < last:
        upto = min(first + BATCH, last)
        place = folder / f"from_{first}"  # what the mutants before have left would be found damaged
        place.mkdir()
        if kind == "kernel":
            environment["RUSE_CACHE"] = str(place / "cache")
        command = [
            sys.executable,
            str(Path(__file__).with_name("mutants.py")),
            kind,
            str(place),
            str(first),
            str(upto),
        ]
        out = place / "verdicts"
        with open(out, "wb") as file:
            try:
                done = subprocess.run(
                    command, stdout=file, stderr=subprocess.PIPE, env=environment, cwd=place, timeout=280
                )
                code, words = done.returncode, done.stderr.decode(errors="replace")[-300:]
            except subprocess.TimeoutExpired:
                code, words = -9, "no end"
        lines = out.read_text(errors="replace").splitlines()
        counted.update(line.split(" ", 1)[1] if line.split(" ", 1)[1] in FINE else "wrong" for line in lines)
        told += [f"{kind} {line}" for line in lines if line.split(" ", 1)[1] not in FINE]
        reached = max([int(line.split()[0]) for line in lines if line.split()[0].isdigit()], default=first - 1) + 1
        if code != 0:
            told.append(f"{kind} {reached}: the process ended with {code}: {words}")
            reached += 1
        if len(told) > 20:
            break
        first = reached if code != 0 else upto
    return told, counted


@pytest.mark.parametrize("kind", KINDS)
def test_a_dozen(kind: str, tmp_path: Path) -> None:
    told, counted = complaints(kind, tmp_path, 0, 12)
    assert told == []
    assert counted["refused"] > 0 or kind == "metrics", counted  # a bad line of metrics does not stop a run
    assert sum(counted.values()) == 12


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kind", KINDS)
def test_five_thousand(kind: str, tmp_path: Path) -> None:
    told, counted = complaints(kind, tmp_path, 12, 5_000)
    assert told == []
    assert sum(counted.values()) == 4_988


def test_the_list_is_whole() -> None:
    source = Path(__file__).with_name("mutants.py").read_text()
    assert all(f'"{kind}": ' in source for kind in KINDS)
