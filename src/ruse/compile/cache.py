"""Compiled kernels on disk, one file each. What is loaded is what was written, by oneself, from the same sources.

An entry is named by the text of every source file that the kernel and its parts can reach through imports, so an
edited game is a new entry and nothing is ever stale. Machine code runs as it is: an entry begins with a checksum of its
name and its content, so that it is not taken for another, and a folder or a file that others could have written is
refused.
"""

import hashlib
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ruse.compile.files.sources import fingerprints
from ruse.compile.interrupts import held_back
from ruse.compile.parts import _methods
from ruse.errors import RuseError

MAGIC = b"ruse kernel 3\n"
# Told the name of each kernel that has to be compiled; and when that is done.
watchers: list[tuple[Callable[[str], None], Callable[[], None]]] = []


def cache_dir() -> Path:
    """Where compiled kernels are kept: $RUSE_CACHE, or the user's own cache folder."""
    if chosen := os.environ.get("RUSE_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ruse"
    fallback = Path.home() / ("AppData/Local" if os.name == "nt" else ".cache")
    return Path(os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME") or fallback) / "ruse"


def refuse_open(path: Path, found: os.stat_result) -> None:
    """Raise if anybody else could have written this file or folder.

    Folders above it need no look: whoever can write those may take it away, or put another in its place, but cannot
    make one that belongs to us.
    """
    if os.name == "nt":
        return
    if found.st_uid not in (0, os.geteuid()):
        raise RuseError(f"{path} belongs to another user, so kernels are not run from it; set RUSE_CACHE to your own")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise RuseError(
            f"others can write {path}, so kernels are not run from it; delete it, or `chmod go-w` it if you trust what "
            f"it holds, or set RUSE_CACHE to another folder"
        )


def read_entry(path: Path) -> bytes | None:
    """What an entry holds; None if there is none, or if it is torn, changed, or that of another name."""
    if not path.is_file():
        return None
    refuse_open(path.parent, path.parent.stat())
    with suppress(OSError), open(path, "rb") as file:
        refuse_open(path, os.fstat(file.fileno()))  # of the very file that is read
        content = file.read()
        start = len(MAGIC) + hashlib.sha256().digest_size
        if content[:start] == sealed_head(path, content[start:]):
            return content[start:]
    return None


def sealed_head(path: Path, payload: bytes) -> bytes:
    """What an entry of this name begins with."""
    return MAGIC + hashlib.sha256(path.name.encode() + b"\n" + payload).digest()


def write_entry(path: Path, payload: bytes) -> None:
    """Put an entry into its place when all of it is on disk. A full disk costs the cache, not the solve."""
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        refuse_open(path.parent, path.parent.stat())
        with open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(sealed_head(path, payload) + payload)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()


def _part_classes(numba_type: Any) -> Iterator[type]:
    """The part classes inside a Numba type, however deep."""
    cls = getattr(numba_type, "instance_class", None)
    if cls is not None:
        yield cls
    for inner in getattr(numba_type, "types", ()):
        yield from _part_classes(inner)


def kernel_cache(function: Any, options: Any) -> Any:
    """A Numba cache of one file an entry, named by all that the machine code depends on."""
    import numba
    import numpy
    from numba.core import compiler
    from numba.core.caching import _Cache
    from numba.core.serialize import dumps

    class KernelCache(_Cache):
        """Numba's own cache looks at the kernel's file alone; this one at the parts' files too."""

        cache_path = str(cache_dir())

        def _path(self, sig: Any, codegen: Any) -> Path | None:
            classes = {cls for arg in sig for cls in _part_classes(arg)}
            prints = fingerprints(sorted({function.__module__, *(cls.__module__ for cls in classes)}))
            methods = [table[cls] for table in list(_methods.values()) for cls in classes if cls in table]
            if None in prints or any(f.__closure__ for f in (function, *methods)):  # no file tells what a closure holds
                return None
            versions = (numba.__version__, numpy.__version__, sys.version_info[:3], codegen.magic_tuple())
            place = (function.__module__, function.__qualname__, sorted(options.items()))
            names = sorted(f"{cls.__module__}.{cls.__qualname__}" for cls in classes)
            text = repr((MAGIC, place, [str(arg) for arg in sig], names, prints, versions))
            return cache_dir() / f"{function.__name__}-{hashlib.sha256(text.encode()).hexdigest()[:40]}.kernel"

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            import pickle

            path = self._path(sig, target_context.codegen())
            if path is not None and (payload := read_entry(path)) is not None:
                # What Numba cannot read is no reason to stop: the kernel is compiled again and written anew.
                with held_back(), suppress(Exception):
                    return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))
            for begins, _ in watchers:
                begins(function.__name__)
            return None

        def save_overload(self, sig: Any, data: Any) -> None:
            for _, ends in watchers:
                ends()
            path = self._path(sig, data.codegen)
            if path is None or any(not lifted.can_cache for lifted in data.lifted) or data.library.has_dynamic_globals:
                return
            write_entry(path, dumps(data._reduce()))

        def enable(self) -> None: ...

        def disable(self) -> None: ...

        def flush(self) -> None: ...

    return KernelCache()
