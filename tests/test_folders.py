"""Tests stand in folders named as the package's, share by helper modules alone, and are short enough to be read."""

import ast
from pathlib import Path

import pytest
from places import ROOT

TESTS = ROOT / "tests"
FILES = sorted(path for path in TESTS.rglob("*.py"))
# Folders for what is not of one room: helpers, slow twins, what we did not write, the pages, numbers to compare with.
OTHERS = {"shared", "twins", "judges", "docs", "data"}


def named(path: Path) -> str:
    return str(path.relative_to(TESTS))


def imported(text: str) -> list[str]:
    """What a text imports, at its top or inside a function."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def imported_tests(text: str) -> list[str]:
    return [name for name in imported(text) if any(part.startswith("test_") for part in name.split("."))]


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_file_imports_a_test_module(path: Path) -> None:
    found = imported_tests(path.read_text(encoding="utf-8"))
    assert not found, f"put what it needs of {', '.join(found)} into tests/shared or a conftest.py"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, "split it by concept"


def test_no_two_files_have_the_same_name() -> None:
    """Folders of tests are no packages, so that modules are known by their last name alone."""
    names = [path.name for path in FILES if path.name != "conftest.py"]
    assert sorted(names) == sorted(set(names))


def test_folders_are_named_as_rooms() -> None:
    folders = {path.parent.relative_to(TESTS) for path in FILES} - {Path()}
    rooms = {path.parent.relative_to(ROOT / "src" / "ruse") for path in (ROOT / "src" / "ruse").rglob("*.py")}
    assert {folder for folder in folders if folder.parts[0] not in OTHERS} <= rooms


ASKED = "ruse.solve.solver.prefer"  # what is preferred, in fields


def test_twins_compute_for_themselves() -> None:
    """A formula that a twin asked its engine for would not be tested."""
    for path in (TESTS / "twins").glob("*.py"):
        asked = [name for name in imported(path.read_text(encoding="utf-8")) if name.startswith("ruse.solve")]
        assert all(name.startswith(ASKED) for name in asked), f"{path.name} asks {', '.join(asked)}"


def test_the_test_sees() -> None:
    text = "import test_a\nfrom test_b import c\ndef f():\n    from solve import test_d\n    import pytest, naive\n"
    assert imported_tests(text) == ["test_a", "test_b", "test_b.c", "solve.test_d"]
