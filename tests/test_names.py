"""Two things never share a name."""

import ast
from collections import Counter, defaultdict
from pathlib import Path

import ruse

ROOT = Path(ruse.__file__).parent
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ROOT.rglob("*.py"))}

# Each game, each paper and each skin has words of its own; commands are called as what they do.
OWN = {"games", "papers", "cli", "studio"}
FACES = {"average_strategy", "begun", "iterate"}  # what engines have in common


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_classes_never_share_a_name() -> None:
    found = Counter(node.name for tree in TREES.values() for node in tree.body if isinstance(node, ast.ClassDef))
    assert sorted(name for name, times in found.items() if times > 1) == []


def test_functions_that_others_use_never_share_a_name() -> None:
    """Of the library; those that only their own module uses are read beside it."""
    used = {
        (node.module, alias.name)
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and path != ROOT / "__init__.py"
        for alias in node.names
    }
    homes = defaultdict(list)
    for path, tree in TREES.items():
        if path.relative_to(ROOT).parts[0] not in OWN:
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and (module_of(path), node.name) in used:
                    homes[node.name].append(module_of(path))
    assert {name: places for name, places in homes.items() if len(places) > 1 and name not in FACES} == {}
    assert all(len(homes[name]) > 1 for name in FACES), "take it from the list"
