"""The rooms and the walks through the house are as the page tells them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

SOURCE = ROOT / "src" / "ruse"
PAGE = ROOT / "docs" / "design.md"
TRACER = Path(__file__).with_name("stations.py")


@pytest.mark.parametrize("name", ["leduc", "cheat", "prefer"])
def test_the_page_lists_what_a_walk_crosses(name: str) -> None:
    traced = subprocess.run([sys.executable, str(TRACER), name], capture_output=True, text=True, check=True).stdout
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert " ".join(traced.split()) in text, (
        f"write what `python tests/docs/stations.py {name}` prints into {PAGE.name}"
    )


WITHOUT = ("papers/", "cli/commands/")  # their own folders: one a paper, and one for what commands are for


def test_the_page_names_every_room() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/]+)/`", text[text.index("| room |") : text.index("## Parts")]))
    rooms = {str(path.parent.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if path.parent != SOURCE}
    missing = {room for room in rooms if not any(room == name or room.endswith(f"/{name}") for name in named)}
    assert sorted(room for room in missing if not room.startswith(WITHOUT)) == []
    built = {"static"}  # which holds no Python
    assert {name for name in named if not any(f"/{room}".endswith(f"/{name}") for room in rooms)} == built
