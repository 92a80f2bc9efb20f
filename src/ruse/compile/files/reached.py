"""The code behind a class, as it is meant: what its rules reach in a person's own files, without comments and words.

Of a module only those statements count that the class leads to, name by name. Two texts with the same meaning give the
same digest if they differ in comments, layout, docstrings and in what a game shows to people.
"""

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ruse.compile.files.game_files import running
from ruse.compile.files.sources import is_installed, plain_value

WORDS = ("describe", "action_name", "scene")  # methods that no rule depends on
ALL = "*"  # every name of a module


class Statement(NamedTuple):
    """A statement at the top of a module."""

    binds: frozenset[str]
    uses: frozenset[str]
    imports: tuple[tuple[str, str, str], ...]  # the name here, the module, and its name there (ALL: the module itself)
    text: str


def code_digest(classes: Iterable[type]) -> str | None:
    """A digest of a person's own code behind these classes; None if there is none, or if nothing tells its text."""
    waiting = [(cls.__module__, cls.__qualname__.partition(".")[0]) for cls in classes]
    followed = {name.partition(".")[0] for name, _ in waiting} - {"ruse"}
    seen: set[tuple[str, str]] = set()
    found: set[str] = set()
    while waiting:
        module, name = waiting.pop()
        content = None if (module, name) in seen else content_of(module, followed)
        seen.add((module, name))
        if content is None:
            continue
        found |= set(values_of(module, name))
        for statement in statements(content, package_of(module)):
            if name != ALL and name not in statement.binds:
                continue
            found.add(statement.text)
            waiting += [(module, used) for used in statement.uses]
            for here, base, there in statement.imports:
                if name in (here, ALL):
                    found.add(f"{here} is {there} of {base}")
                    waiting.append((beside(module, base), there))
                    waiting.append((beside(module, f"{base}.{there}"), ALL))  # if that is a module
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()[:16] if found else None


def content_of(module: str, followed: set[str]) -> bytes | None:
    """The text of a module if it is a person's own."""
    if module in running:
        return running[module][0].content
    path = getattr(sys.modules.get(module), "__file__", None)
    top = module.partition(".")[0]
    if top == "ruse" or path is None or not Path(path).is_file():
        return None
    if top not in followed and is_installed(Path(path)):
        return None
    return Path(path).read_bytes()


def beside(module: str, other: str) -> str:
    """What a module that is named in another one is called in this process."""
    return running[module][1].get(other, other) if module in running else other


def package_of(module: str) -> str:
    """The package that a module is in, as its own imports call it."""
    path = getattr(sys.modules.get(module), "__file__", None) or ""
    names = running[module][1] if module in running else {}
    name = next((plain for plain, unique in names.items() if unique == module), module)
    return name if Path(path).name == "__init__.py" else name.rpartition(".")[0]


def values_of(module: str, name: str) -> Iterator[str]:
    """The numbers, words and arrays of a name: they may come from anywhere, and kernels freeze them."""
    for key, value in vars(sys.modules[module]).items() if module in sys.modules else ():
        meant = key == name or (name == ALL and not key.startswith("__"))
        if meant and (told := plain_value(in_single(value))) is not None:
            yield f"{key} is {told}"


def in_single(value: Any) -> Any:
    """Numbers in single precision: another machine may compute them otherwise in the last bits."""
    if isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype == np.float64):
        with np.errstate(all="ignore"):
            return np.float32(value)
    return tuple(map(in_single, value)) if type(value) is tuple else value


@cache
def statements(content: bytes, package: str) -> list[Statement]:
    """The statements at the top of a text, each with the names that it binds and uses."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return []
    return [statement_of(node, package) for node in tree.body]


def statement_of(node: ast.stmt, package: str) -> Statement:
    inner = [node] if isinstance(node, ast.FunctionDef | ast.ClassDef) else list(ast.walk(node))
    binds = {name for one in inner for name in bound(one)}
    imports = tuple(name for one in ast.walk(node) for name in imported_names(one, package))
    bare(node)
    uses = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    text = "" if isinstance(node, ast.Import | ast.ImportFrom) else ast.unparse(node)  # a line may import more than one
    return Statement(frozenset(binds | {here for here, _, _ in imports}), frozenset(uses), imports, text)


def bound(node: ast.AST) -> Iterator[str]:
    """The names that a node gives a value, or changes a part of."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name | ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield next(one.id for one in ast.walk(node) if isinstance(one, ast.Name))  # of the whole, as in TABLE[2] = 3


def imported_names(node: ast.AST, package: str) -> Iterator[tuple[str, str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0], alias.name, ALL
    elif isinstance(node, ast.ImportFrom):
        parents = package.split(".")
        parents = parents[: len(parents) + 1 - node.level] if node.level else []
        base = ".".join([*parents, *([node.module] if node.module else [])])
        for alias in node.names:
            yield alias.asname or alias.name, base, alias.name


def bare(node: ast.AST) -> None:
    """Take docstrings, annotations of functions and words for people out of a statement."""
    for part in ast.walk(node):
        if isinstance(part, ast.ClassDef):
            part.body = [one for one in part.body if getattr(one, "name", None) not in WORDS] or [ast.Pass()]
        if isinstance(part, ast.ClassDef | ast.FunctionDef):
            first = part.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                part.body = part.body[1:] or [ast.Pass()]
        if isinstance(part, ast.FunctionDef):
            part.returns = None
            for argument in (*part.args.posonlyargs, *part.args.args, *part.args.kwonlyargs):
                argument.annotation = None
