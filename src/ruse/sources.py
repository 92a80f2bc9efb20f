"""The source files behind a kernel: importing a file by its path, and a hash of all text that a module can reach.

That hash is why the kernels on disk are never stale: an edited game, or an edited file that it imports, is another one.
"""

import ast
import hashlib
import importlib.util
import os
import sys
import sysconfig
import time
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

STARTED = time.time_ns()  # a file that has changed since may not be what was loaded
# Python and what is installed: not read, except for the package that a part itself comes from.
SKIPPED = tuple(Path(sysconfig.get_paths()[k]).resolve() for k in ("stdlib", "platstdlib", "purelib", "platlib"))


def module_name(path: Path) -> str:
    """The name under which a file outside any package is imported: its stem and its content."""
    return f"ruse_file_{path.stem}_{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"


def load_file(path: Path) -> ModuleType:
    """Import a Python file by its path; the same content is imported once."""
    name = module_name(path)
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        folder = str(path.resolve().parent)
        sys.path.insert(0, folder)  # so that a game may be split over files that lie side by side
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        finally:
            sys.path.remove(folder)
    return sys.modules[name]


def fingerprint(module: str) -> str | None:
    """A hash of the module's source and of all sources that it imports, ours and the user's.

    None if the text that runs cannot be told: it was typed into an interpreter, or the file has changed since.
    """
    texts: dict[str, bytes] = {}
    waiting = [module]
    followed = {"ruse", module.split(".")[0]}  # packages that are hashed even where they are installed
    while waiting:
        name = waiting.pop()
        if name in texts or name == "ruse":  # a list of names: what it leads to depends on what else has been used
            continue
        path = getattr(sys.modules.get(name), "__file__", None)
        if path is None or not Path(path).is_file():
            if name == module:
                return None
            continue
        if name.split(".")[0] not in followed and any(Path(path).resolve().is_relative_to(s) for s in SKIPPED):
            continue
        changed = os.stat(path).st_mtime_ns
        # What was loaded before may not be what the file says now; a file of our own naming is known by its content.
        if (name != module_name(Path(path))) if name.startswith("ruse_file_") else changed > STARTED:
            return None
        texts[name], imports = _read(path, changed, name)
        waiting += imports
    parts = sorted(hashlib.sha256(text + _data(name)).hexdigest() for name, text in texts.items())
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def _data(name: str) -> bytes:
    """The numbers, words and arrays at the top of a user's module: kernels freeze them, wherever they come from."""
    if name.split(".")[0] == "ruse":
        return b""  # ours are as the text says
    values = [(key, _plain(value)) for key, value in sorted(vars(sys.modules[name]).items()) if key[:2] != "__"]
    return repr([pair for pair in values if pair[1] is not None]).encode()


def _plain(value: Any) -> str | None:
    """A value in words that say all of it; None if it is not of a kind that kernels freeze."""
    if isinstance(value, int | float | complex | str | bytes):
        return repr(value)
    if isinstance(value, tuple):
        inner = [_plain(x) for x in value]
        return None if None in inner else repr(inner)
    if not isinstance(value, type) and hasattr(value, "tobytes") and not value.dtype.hasobject:  # a NumPy value
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    return None


@cache
def _read(path: str, mtime: int, name: str) -> tuple[bytes, list[str]]:
    """A source file and the modules that it names in its imports."""
    text = Path(path).read_bytes()
    package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
    imports = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imports += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent, base]) if base else ".".join(parent)
            imports += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return text, imports
