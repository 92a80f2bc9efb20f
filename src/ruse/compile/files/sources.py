"""The source files behind a kernel: a hash of all text that a module can reach.

That hash is why the kernels on disk are never stale: an edited game, or an edited file that it imports, is another one.
"""

import hashlib
import os
import stat
import sys
import sysconfig
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ruse.compile.files.game_files import imported, running

STARTED = time.time_ns()  # a file that has changed since may not be what was loaded
PYTHON = tuple(Path(sysconfig.get_paths()[k]).resolve() for k in ("stdlib", "platstdlib", "purelib", "platlib"))
INSTALLED = {"site-packages", "dist-packages"}  # wherever they are: a user's own, a system's, another environment's


@cache
def is_installed(path: Path) -> bool:
    """Whether a file is of Python or of what is installed: not read, but for the package that a part comes from."""
    where = path.resolve()
    return not INSTALLED.isdisjoint(where.parts) or any(where.is_relative_to(place) for place in PYTHON)


def module_name(path: Path) -> str:
    """A name for the main script as a module, which the next process will know it by: its stem and its content."""
    return f"ruse_file_{path.stem}_{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"


class Source(NamedTuple):
    """A module's text: its hash, and the modules that it names in its imports."""

    digest: str
    imports: list[str]


class Changed(Exception):
    """The text that runs cannot be told: the file has changed since."""


def fingerprint(module: str) -> str | None:
    """A hash of the module's source and of all sources that it imports, ours and the user's.

    None if the text that runs cannot be told: it was typed into an interpreter, or the file has changed since.
    """
    return next(iter(fingerprints([module])))


def fingerprints(modules: Iterable[str]) -> list[str | None]:
    """Those of several modules. They reach much the same files, and each file is looked at once."""
    looked: dict[tuple[str, bool], Source | None] = {}
    return [_fingerprint(module, looked) for module in modules]


def _fingerprint(module: str, looked: dict[tuple[str, bool], Source | None]) -> str | None:
    digests: dict[str, str] = {}
    waiting = [module]
    followed = {"ruse", module.split(".")[0]}  # packages that are hashed even where they are installed
    while waiting:
        name = waiting.pop()
        if name in digests or name == "ruse":  # a list of names: what it leads to depends on what else has been used
            continue
        place = name, name.split(".")[0] in followed
        if place not in looked:
            try:
                looked[place] = _source(*place)
            except Changed:
                return None
        if (source := looked[place]) is not None:
            digests[name] = source.digest
            waiting += source.imports
        elif name == module:
            return None
    return hashlib.sha256("".join(sorted(digests.values())).encode()).hexdigest()


def _source(name: str, is_followed: bool) -> Source | None:
    """The source of a module; None if it has no file, or one that is not read."""
    if name in running:  # a file that was run from what was read: no matter what it says now
        read, beside = running[name]
        return Source(_digest(name, read.content), [beside.get(other, other) for other in read.imports])
    path = getattr(sys.modules.get(name), "__file__", None)
    try:
        found = None if path is None else os.stat(path)
    except OSError:
        found = None
    if path is None or found is None or not stat.S_ISREG(found.st_mode):
        return None
    if not is_followed and is_installed(Path(path)):
        return None
    # What was loaded before may not be what the file says now; a main script is known by its content.
    is_main = name.startswith("ruse_file_")
    if (name != module_name(Path(path))) if is_main else found.st_mtime_ns > STARTED:
        raise Changed
    text, imports = _read(path, found.st_mtime_ns, name)
    return Source(_digest(name, text), imports)


def _digest(name: str, text: bytes) -> str:
    return hashlib.sha256(text + data).hexdigest() if (data := _data(name)) else _hashed(text)


@cache
def _hashed(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _data(name: str) -> bytes:
    """The numbers, words and arrays at the top of a user's module: kernels freeze them, wherever they come from."""
    if name.split(".")[0] == "ruse":
        return b""  # ours are as the text says
    values = [(key, plain_value(value)) for key, value in sorted(vars(sys.modules[name]).items()) if key[:2] != "__"]
    return repr([pair for pair in values if pair[1] is not None]).encode()


def plain_value(value: Any) -> str | None:
    """A value in words that say all of it; None if it is not of a kind that kernels freeze."""
    if isinstance(value, int | float | complex | str | bytes):
        return repr(value)
    if isinstance(value, tuple):
        inner = [plain_value(x) for x in value]
        return None if None in inner else repr(inner)
    if (type(value) is np.ndarray or isinstance(value, np.generic)) and not value.dtype.hasobject:
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    return None


@cache
def _read(path: str, mtime: int, name: str) -> tuple[bytes, list[str]]:
    """A source file and the modules that it names in its imports."""
    text = Path(path).read_bytes()
    return text, imported(text, name, path.endswith("__init__.py"))
