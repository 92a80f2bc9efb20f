"""No training of a paper's experiments ends by the clock: the same seed would give other digits on another machine."""

import ast
from collections.abc import Iterator

import pytest
from places import ROOT

PAPERS = ROOT / "src" / "ruse" / "papers"
# Rows of these are told in the processor's seconds: there the clock is what is measured.
OF_TIME = {
    "best_response_pruning/agents.py",
    "best_response_pruning/savings/costs.py",
    "best_response_pruning/half_deck.py",
    "best_response_pruning/savings/hybrid.py",
    "best_response_pruning/savings/pruning_curves.py",
    "cfr_p/figure_5.py",
    "ordered_abstraction/beyond.py",
    "ordered_abstraction/times.py",
}


def experiments() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PAPERS.rglob("*.py")):
        yield path.relative_to(PAPERS).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def limited(tree: ast.AST) -> list[int]:
    """The lines on which something is asked for by `seconds`."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [call.lineno for call in calls if any(given.arg == "seconds" for given in call.keywords)]


def reads_a_clock(tree: ast.AST) -> bool:
    return any(
        (isinstance(node, ast.Import) and any(name.name == "time" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "time")
        for node in ast.walk(tree)
    )


def test_no_training_is_given_seconds() -> None:
    assert [(path, lines) for path, tree in experiments() if (lines := limited(tree))] == []


def test_a_clock_is_read_where_time_is_told_and_nowhere_else() -> None:
    assert {path for path, tree in experiments() if reads_a_clock(tree)} == OF_TIME


@pytest.mark.parametrize("line", ["lab.trained('x', game, seconds=480.0)", "train(game, solver, seconds=size.seconds)"])
def test_what_is_looked_for_is_found(line: str) -> None:
    assert limited(ast.parse(line)) == [1]
    assert reads_a_clock(ast.parse("from time import monotonic")) is True
    assert reads_a_clock(ast.parse("import time")) is True
    assert limited(ast.parse(line.replace("seconds=", "iterations="))) == []
