"""The walks through the house are as the page tells them."""

import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

PAGE = ROOT / "docs" / "design.md"
TRACER = Path(__file__).with_name("stations.py")


@pytest.mark.parametrize("name", ["leduc", "cheat", "prefer"])
def test_the_page_lists_what_a_walk_crosses(name: str) -> None:
    traced = subprocess.run([sys.executable, str(TRACER), name], capture_output=True, text=True, check=True).stdout
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert " ".join(traced.split()) in text, (
        f"write what `python tests/docs/stations.py {name}` prints into {PAGE.name}"
    )
