"""Benchmarks and examples, which no test runs whole, call what there is, with as many arguments as it takes."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted([*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "examples").glob("*.py")])


def calls(tree: ast.Module) -> Iterator[tuple[ast.Call, Any]]:
    """Calls of what is imported from the package by name, or reached from there by dots, and what that is."""
    known: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "ruse":
            for alias in node.names:
                home = import_module(str(node.module))
                inner = f"{node.module}.{alias.name}"
                known[alias.asname or alias.name] = (
                    getattr(home, alias.name) if hasattr(home, alias.name) else import_module(inner)
                )
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "ruse":
                    home = import_module(alias.name)
                    known[alias.asname or "ruse"] = home if alias.asname else import_module("ruse")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (called := reached(node.func, known)) is not None:
            yield node, called


def reached(node: ast.expr, known: dict[str, Any]) -> Any:
    """What a dotted name is, as far as it leads through modules and classes; None of anything else."""
    match node:
        case ast.Name(id=name):
            return known.get(name)
        case ast.Attribute(value=home, attr=name) if inspect.ismodule(at := reached(home, known)) or inspect.isclass(
            at
        ):
            return getattr(at, name)
    return None


def misfit(call: ast.Call, called: Any) -> str:
    """Why the call cannot be made; nothing is told of calls with starred arguments."""
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(word.arg is None for word in call.keywords):
        return ""
    try:
        inspect.signature(called).bind(*call.args, **{str(word.arg): word for word in call.keywords})
    except (TypeError, ValueError) as error:
        return f"line {call.lineno}, {ast.unparse(call)}: {error}"
    return ""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_call_of_the_package_can_be_made(script: Path) -> None:
    tree = ast.parse(script.read_text(encoding="utf-8"))
    assert [why for call, called in calls(tree) if (why := misfit(call, called))] == []


def test_a_wrong_call_is_seen() -> None:
    tree = ast.parse("from ruse.tree.sequence_form import expand\nexpand(1, 2, 3)\nexpand(*[1, 2, 3])\n")
    assert [bool(misfit(call, called)) for call, called in calls(tree)] == [True, False]


@pytest.mark.parametrize(
    ("imported", "name"),
    [
        ("import ruse", "ruse.styles.adapt"), ("import ruse as r", "r.Strategy.load"),
        ("import ruse.tree.sequence_form as form", "form.expand"),
        ("from ruse.tree import sequence_form", "sequence_form.expand"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_seen_however_its_name_is_reached(imported: str, name: str) -> None:
    tree = ast.parse(f"{imported}\n{name}(1, 2, 3, 4, 5, 6)\nunknown.{name}(1, 2, 3, 4, 5, 6)\n")
    assert [bool(misfit(call, called)) for call, called in calls(tree)] == [True]
    with pytest.raises(AttributeError):
        list(calls(ast.parse(f"{imported}\n{name.rpartition('.')[0]}.nothing_there()\n")))
