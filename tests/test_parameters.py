"""A function of more than eight parameters is a kernel, which takes what an object would hold, or a command."""

import ast
from collections.abc import Iterator
from pathlib import Path

import typer.main

import ruse
from ruse.cli import app

ROOT = Path(ruse.__file__).parent
MOST = 8
KERNELS = {"evaluate", "laws", "play", "solve", "styles", "tree"}  # where they are
COMMANDS: set[str] = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
COMPILED = {"match_preferred", "move", "update"}  # methods of parts that a protocol describes


def of_many(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Functions of more than so many parameters."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            every = [p.arg for p in (*node.args.args, *node.args.kwonlyargs)]
            if len(every) - (every[0] in ("self", "cls") if every else 0) > MOST:
                yield node


def is_kernel(node: ast.FunctionDef) -> bool:
    """Kernels and compiled methods have no types: Numba infers them. Protocols of methods have, and do nothing."""
    is_protocol = len(node.body) == 1 and isinstance(node.body[0], ast.Expr) and node.name in COMPILED
    return is_protocol or not (node.returns or any(p.annotation for p in (*node.args.args, *node.args.kwonlyargs)))


def test_functions_take_few_parameters() -> None:
    kernels = 0
    for path in ROOT.rglob("*.py"):
        room = path.relative_to(ROOT).parts[0]
        for node in of_many(ast.parse(path.read_text(encoding="utf-8"))):
            if room == "cli" and node.name in COMMANDS:  # whose options are its parameters
                continue
            assert is_kernel(node), f"{path.relative_to(ROOT)}: {node.name} takes more than {MOST} parameters"
            assert room in KERNELS
            kernels += 1
    assert kernels <= 41, "no more than there are: what a kernel takes can often be one part"


def test_the_test_sees() -> None:
    names = ", ".join("abcdefghi")
    text = f"def f({names.replace('a', 'a: int')}): ...\ndef g({names}): ...\ndef h(self, {names[3:]}): ..."
    found = list(of_many(ast.parse(text)))
    assert [node.name for node in found] == ["f", "g"]
    assert [is_kernel(node) for node in found] == [False, True]
