"""Two things never share a name."""

import ast
from collections import Counter
from pathlib import Path

import ruse

ROOT = Path(ruse.__file__).parent


def test_two_things_never_share_a_name() -> None:
    """Of classes, and of the function `find`, which once were four."""
    found: Counter[str] = Counter()
    for path in ROOT.rglob("*.py"):
        if "papers" not in path.parts:  # each paper speaks for itself
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found.update(node.name for node in tree.body if isinstance(node, ast.ClassDef))
            found.update({node.name for node in tree.body if isinstance(node, ast.FunctionDef)} & {"find"})
    assert sorted(name for name, times in found.items() if times > 1) == []
