"""Kernels: functions that Numba compiles, without the interpreter's lock, and that are kept on disk."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, update_wrapper
from types import ModuleType
from typing import Any, TypeVar

from ruse.compile.cache import kernel_cache, watchers
from ruse.compile.collector import uncollected
from ruse.compile.interrupts import held_back
from ruse.compile.parts import OPTIONS, declare

F = TypeVar("F", bound=Callable[..., Any])

BOUNDS = {"boundscheck": True}  # an index out of range is an IndexError, not a look at another's memory
EVERYWHERE = BOUNDS if os.environ.get("RUSE_BOUNDS") else {}  # for those who look for such an index


def kernel(function: F) -> F:
    """Compile a function with Numba, without the interpreter's lock, and keep the result on disk."""
    return _compiled_kernel(function, OPTIONS | EVERYWHERE)


def lean_kernel(function: F) -> F:
    """A kernel that creates no arrays, and so needs no reference counts: half the time in short loops."""
    return _compiled_kernel(function, OPTIONS | EVERYWHERE | {"_nrt": False})


def lanes_kernel(function: F) -> F:
    """A lean kernel that works on lanes (`ruse.compile.lanes`): loops of a few rounds become straight code."""
    return Waiting(function, OPTIONS | EVERYWHERE | {"_nrt": False}, "UnrolledPipeline")  # type: ignore[return-value]


def checked_kernel(function: F) -> F:
    """A kernel for code that is not trusted yet: every index is looked at, in the parts that it calls too."""
    return _compiled_kernel(function, OPTIONS | BOUNDS)


def _compiled_kernel(function: F, options: Any) -> F:
    return Waiting(function, options)  # type: ignore[return-value]


class Waiting:
    """A kernel of which Numba is told when it is first called: a command that calls none does not import Numba."""

    def __init__(self, function: Callable[..., Any], options: Any, pipeline: str = "KernelPipeline") -> None:
        update_wrapper(self, function)
        self._function, self._options, self._pipeline = function, options, pipeline
        self._dispatcher: Any = None
        self._twin: Waiting | None = None
        self._lock = threading.Lock()

    def __call__(self, *arguments: Any) -> Any:
        return (self._dispatcher or self._made())(*arguments)

    @property
    def checked(self) -> "Waiting":
        """The same with every index looked at, for a call with parts that are not trusted."""
        with self._lock:
            if self._twin is None:
                self._twin = Waiting(self._function, self._options | BOUNDS, self._pipeline)
            return self._twin

    def __getattr__(self, name: str) -> Any:
        """What else Numba's dispatcher has, its type among it: so kernels can call kernels."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._made(), name)

    def _made(self) -> Any:
        with self._lock:
            if self._dispatcher is None:
                numba = _numba()
                from ruse.compile import once

                pipeline = getattr(once, self._pipeline)
                made = numba.njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=pipeline, **self._options)(
                    self._function
                )
                if hasattr(made, "enable_caching"):  # not so under NUMBA_DISABLE_JIT=1
                    made._cache = kernel_cache(self._function, self._options)
                self._dispatcher = made
            return self._dispatcher


@contextmanager
def on_compile(begins: Callable[[str], None], ends: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Call `begins` with the name of each kernel that is not on disk yet and has to be compiled, `ends` after it."""
    watchers.append((begins, ends))
    try:
        yield
    finally:
        watchers.remove((begins, ends))


def _numba() -> ModuleType:
    """Numba, imported by whichever thread is the first to make a kernel, and whole: half of it cannot be mended."""
    with _importing, held_back():
        return _imported_numba()


_importing = threading.RLock()


@cache
def _imported_numba() -> ModuleType:
    """Import Numba and fill its registries, about twice as fast as it does by itself."""
    # Numba imports SciPy (0.5 s) only to offer BLAS inside kernels, which ours never use.
    block = "scipy" not in sys.modules and not os.environ.get("RUSE_BLAS")
    if block:
        sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        with uncollected():
            import numba
            from numba.core.registry import cpu_target

            cpu_target.typing_context.refresh()
            cpu_target.target_context.refresh()
    finally:
        if block:
            del sys.modules["scipy"]
    declare()
    return numba
