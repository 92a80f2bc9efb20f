"""A Python file and the files beside it that it imports: read once, and run from what was read.

What is looked at is therefore what runs: nobody can change a file in between, no byte code from __pycache__ is taken
for it, and no other file that lies beside it is run because its name is that of a module.
"""

import ast
import hashlib
import importlib.util
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

Admit = Callable[[Path, bytes], None]  # raises for what may not be run
FILE = re.compile(r"(.*?\.(?:py|efg))(?::(.*))?", re.DOTALL)  # a path may have colons of its own


def split(spec: str) -> tuple[str, str]:
    """What names a game, and the text of its fields.

    >>> split("leduc:players=3"), split("at 10:30/my.py:stake=2"), split("C:/games/tree.efg")
    (('leduc', 'players=3'), ('at 10:30/my.py', 'stake=2'), ('C:/games/tree.efg', ''))
    """
    if not spec.startswith("openspiel:") and (found := FILE.fullmatch(spec)):
        return found[1], found[2] or ""
    name, _, fields = spec.partition(":")
    return name, fields


class Text(NamedTuple):
    """A file as it was read."""

    path: Path
    content: bytes
    imports: tuple[str, ...]  # all modules that it names, in full

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"


class GameFile(NamedTuple):
    """A file and those beside it that it reaches, by the names under which they are imported; it is itself ""."""

    texts: Mapping[str, Text]

    def reached(self, name: str) -> dict[str, Text]:
        """A file and all that it imports of these."""
        found: dict[str, Text] = {}
        waiting = [name]
        while waiting:
            if (one := waiting.pop()) not in found:
                found[one] = self.texts[one]
                waiting += [other for other in self.texts[one].imports if other in self.texts]
        return found

    def module_name(self, name: str = "") -> str:
        """What a file's module is called in this process: by its stem, and by its content and all that it reaches."""
        text = self.texts[name]
        digest = hashlib.sha256(text.content)
        for other, reached in sorted(self.reached(name).items()):
            if other != name:
                digest.update(f"{other} {hashlib.sha256(reached.content).hexdigest()}".encode())
        return f"ruse_file_{name.replace('.', '_') or text.path.stem}_{digest.hexdigest()[:16]}"


def read_game_file(path: Path, admit: Admit | None = None) -> GameFile:
    """A file and those that it imports from its own folder; `admit` sees each before anything looks into it."""
    folder = path.resolve().parent
    texts: dict[str, Text] = {}
    waiting = [("", path.absolute())]
    while waiting:
        name, place = waiting.pop()
        if name in texts:
            continue
        content = place.read_bytes()
        if admit is not None:
            admit(place, content)
        parts = [other.split(".") for other in imported(content, name, place.name == "__init__.py")]
        names = dict.fromkeys(".".join(part[: k + 1]) for part in parts for k in range(len(part)))  # packages first
        texts[name] = Text(place, content, tuple(names))
        waiting += [(other, where) for other in names if (where := beside(folder, other)) is not None]
    return GameFile(texts)


def beside(folder: Path, module: str) -> Path | None:
    """The file in a folder that an import of this name means; None if it means something else.

    The standard library, this package and whatever the process has loaded already come first.
    """
    top, *_ = parts = module.split(".")
    if top in sys.stdlib_module_names or top == "ruse" or not all(parts):
        return None
    if top in sys.modules and getattr(sys.modules[top], "__name__", None) not in running:
        return None
    place = folder.joinpath(*parts)
    for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
        if file.is_file():
            return file
    return None


@cache
def imported(content: bytes, module: str, is_package: bool) -> list[str]:
    """The modules that a source text names in its imports."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):  # whoever runs it is told
        return []
    package = module if is_package else module.rpartition(".")[0]
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent, base]) if base else ".".join(parent)
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return names


# ---- running ---------------------------------------------------------------------------------------------------------

running: dict[str, tuple[Text, dict[str, str]]] = {}  # by module: its text, and the modules of those beside it
_running_one = threading.RLock()  # one thread at a time, or another would be given half a module


def load_file(path: Path) -> ModuleType:
    """Import a Python file by its path; the same content is imported once."""
    return run(read_game_file(path), path.resolve().parent)


def run(file: GameFile, folder: Path | None = None) -> ModuleType:
    """Import a file that was read, once; from the folder, if one is given, also what it does not name in its text."""
    name = file.module_name()
    with _running_one:
        if name not in sys.modules or name not in running:
            module = importlib.util.module_from_spec(spec := _spec(file, "", name))
            assert spec.loader is not None
            with _found_first(file, folder):
                spec.loader.exec_module(module)
        return sys.modules[name]


@contextmanager
def _found_first(file: GameFile, folder: Path | None) -> Iterator[None]:
    """Let imports find the files that were read, and then whatever else is in the folder, if one is given."""
    for name in file.texts:
        ours = sys.modules.get(file.module_name(name))
        if name and ours is not None:
            sys.modules[name] = ours
        elif getattr(sys.modules.get(name), "__name__", None) in running:  # another file of the same name
            del sys.modules[name]
    finder = _Finder(file)
    sys.meta_path.insert(0, finder)
    if folder is not None:  # last: nothing in it hides what is installed
        sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if folder is not None:
            with suppress(ValueError):
                sys.path.remove(str(folder))


class _Finder(MetaPathFinder):
    """Finds what was read."""

    def __init__(self, file: GameFile) -> None:
        self.file = file

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return _spec(self.file, fullname, fullname) if fullname and fullname in self.file.texts else None


class _Runner(Loader):
    """Runs what was read, under a name that no other content has."""

    def __init__(self, file: GameFile, name: str) -> None:
        self.file, self.name = file, name

    def exec_module(self, module: ModuleType) -> None:
        text, unique = self.file.texts[self.name], self.file.module_name(self.name)
        module.__name__ = unique
        sys.modules[unique] = module
        running[unique] = text, {name: self.file.module_name(name) for name in self.file.texts if name}
        try:
            exec(compile(text.content, str(text.path), "exec", dont_inherit=True), vars(module))
        except BaseException:
            del sys.modules[unique], running[unique]
            raise


def _spec(file: GameFile, name: str, called: str) -> ModuleSpec:
    text = file.texts[name]
    inner: list[str] | None = [] if text.is_package else None  # what is inside is found by the finder alone
    spec = importlib.util.spec_from_file_location(
        called, text.path, loader=_Runner(file, name), submodule_search_locations=inner
    )
    assert spec is not None
    return spec
