"""A run directory to write to."""

from pathlib import Path

import pytest

from ruse.store.runs import RunDirectory


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return RunDirectory.create(tmp_path / "runs", "leduc", slug="dcfr", settings={"rule": "dcfr", "seed": 7})
