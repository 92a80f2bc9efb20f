"""Parts and kernels: the only file that knows Numba's extension API.

A *part* is a NamedTuple whose methods run in plain Python and inside kernels. A *kernel* is a function that Numba
compiles once and keeps on disk. The disk cache is never stale: an entry is named by the text of every source file
that the kernel and its parts can reach through imports, so an edited game is a new entry.

Numba is imported by the first kernel, not by the first part: listing games or printing help stays quick.
"""

import gc
import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from ruse.sources import fingerprint, module_name

C = TypeVar("C", bound=type)
F = TypeVar("F", bound=Callable[..., Any])

_methods: dict[str, dict[type, FunctionType]] = {}  # method name -> {part class: its function}
_functions: dict[FunctionType, FunctionType] = {}  # function -> what kernels run in its place, often itself
_instructions: dict[FunctionType, FunctionType] = {}  # function -> what writes the instruction for it
_declared: set[Any] = set()  # the methods' names and the functions that Numba has been told about
_watchers: list[Callable[[str], None]] = []  # told the name of each kernel that has to be compiled

OPTIONS: Any = {"error_model": "numpy"}  # a division by zero gives an infinity, as in NumPy, and needs no branch
INLINED: Any = OPTIONS | {
    "forceinline": True,
    "_nrt": False,
}  # a call passes seven words for each array: it must vanish


# ---- parts -----------------------------------------------------------------------------------------------------------


def compiled(*names: str) -> Callable[[C], C]:
    """Class decorator: let kernels call these methods of this NamedTuple.

    The method is picked by the part's type while a kernel compiles, so it costs nothing at run time.
    """

    def register(cls: C) -> C:
        if not getattr(cls, "_fields", ()):
            raise TypeError(f"{cls.__name__} must be a NamedTuple with a field, such as nothing: int = 0")
        for name in names:
            if not isinstance(vars(cls).get(name), FunctionType):
                raise TypeError(f"{cls.__name__} has no method {name!r}, which @compiled names")
            _check_parameters(cls, name)
            _methods.setdefault(name, {})[cls] = vars(cls)[name]
        _settle(cls)
        _rename_if_taken(cls)
        _declare_if_loaded()
        return cls

    return register


def _check_parameters(cls: type, name: str) -> None:
    """Refuse a second signature for a method's name: kernels know a method by its name alone."""
    for other, function in _methods.get(name, {}).items():
        theirs, ours = (list(inspect.signature(f).parameters) for f in (function, vars(cls)[name]))
        if theirs != ours:
            raise TypeError(
                f"{cls.__name__}.{name}({', '.join(ours)}) must have the parameters of {other.__name__}.{name}"
                f"({', '.join(theirs)}); rename them, or give the method another name"
            )


def is_compiled(part: Any, *names: str) -> bool:
    """Whether kernels can call these methods of a part."""
    return all(type(part) in _methods.get(name, ()) for name in names)


def compiled_function(function: F) -> F:
    """Let parts and kernels call this plain function."""
    _functions[function] = function  # type: ignore[index,assignment]
    _declare_if_loaded()
    return function


def compiled_twin(function: Callable[..., Any]) -> Callable[[F], F]:
    """Let kernels run the decorated function wherever `function` is called, with the same parameters."""

    def register(twin: F) -> F:
        _functions[function] = twin  # type: ignore[index,assignment]
        _declare_if_loaded()
        return twin

    return register


def compiled_instruction(function: Callable[..., Any]) -> Callable[[F], F]:
    """Let kernels run an instruction of the machine wherever `function(array, k, *values)` is called.

    The decorated function is given Numba's context, LLVM's builder, the address of array[k] and the values. It may
    return a number of the array's type.
    """

    def register(build: F) -> F:
        _instructions[function] = build  # type: ignore[index,assignment]
        _declare_if_loaded()
        return build

    return register


def _intrinsic(function: FunctionType, build: FunctionType) -> Any:
    """What Numba runs for a compiled instruction."""
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    names = list(inspect.signature(function).parameters)
    returns = inspect.signature(function).return_annotation is not None

    def typed(typing: Any, array: Any, k: Any, *values: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            data = context.make_array(kind)(context, builder, arguments[0])
            place = context.cast(builder, arguments[1], signature.args[1], types.intp)
            indices = [place] + [context.get_constant(types.intp, 0)] * (kind.ndim - 1)
            pointer = cgutils.get_item_pointer(context, builder, kind, data, indices, wraparound=False)
            given = [
                context.cast(builder, value, old, kind.dtype)
                for value, old in zip(arguments[2:], signature.args[2:], strict=True)
            ]
            result = build(context, builder, pointer, given)
            return context.get_dummy_value() if result is None else result

        return (array.dtype if returns else types.void)(array, k, *values), generate

    scope = {"typed": typed}
    exec(f"def instruction(typing, {', '.join(names)}): return typed(typing, {', '.join(names)})", scope)
    scope = {"instruction": intrinsic(scope["instruction"])}
    exec(f"def {function.__name__}({', '.join(names)}): return instruction({', '.join(names)})", scope)
    return scope[function.__name__]


def _settle(cls: type) -> None:
    """Give a part of the main script a module name that the next process will know it by."""
    if cls.__module__ in ("__main__", "__mp_main__"):
        main = sys.modules[cls.__module__]
        path = getattr(main, "__file__", None)
        if path and Path(path).is_file():
            cls.__module__ = module_name(Path(path))
            sys.modules[cls.__module__] = main


def _rename_if_taken(cls: type) -> None:
    """Give a second part of one name another: Numba tells tuples apart by name, and would run the first one's code.

    So it is with two files that both define `Poker`, and with an edited cell of a notebook. It prints as before.
    """
    label, number = cls.__name__, 1
    taken = {other.__name__ for table in _methods.values() for other in table if other is not cls}
    while cls.__name__ in taken:
        number += 1
        cls.__name__ = f"{label}_{number}"

    def shown(self: Any) -> str:
        return f"{label}({', '.join(f'{k}={v!r}' for k, v in self._asdict().items())})"

    if number > 1 and vars(cls)["__repr__"].__globals__["__name__"] == "collections":  # not one of its own
        cls.__repr__ = shown  # type: ignore[method-assign,assignment]


# ---- kernels ---------------------------------------------------------------------------------------------------------


def kernel(function: F) -> F:
    """Compile a function with Numba, without the interpreter's lock, and keep the result on disk."""
    return _compiled_kernel(function, OPTIONS)


def lean_kernel(function: F) -> F:
    """A kernel that creates no arrays, and so needs no reference counts: half the time in short loops."""
    return _compiled_kernel(function, OPTIONS | {"_nrt": False})


def _compiled_kernel(function: F, options: Any) -> F:
    dispatcher = _numba().njit(nogil=True, **options)(function)
    if hasattr(dispatcher, "enable_caching"):  # not so under NUMBA_DISABLE_JIT=1
        dispatcher._cache = _kernel_cache(function)
    return dispatcher  # type: ignore[no-any-return]


@contextmanager
def on_compile(watcher: Callable[[str], None]) -> Iterator[None]:
    """Call `watcher` with the name of each kernel that is not on disk yet and has to be compiled."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


@cache
def _numba() -> ModuleType:
    """Import Numba and fill its registries, about twice as fast as it does by itself."""
    # Numba imports SciPy (0.5 s) only to offer BLAS inside kernels, which ours never use. The collector would walk the
    # hundreds of thousands of objects that the import creates again and again.
    block = "scipy" not in sys.modules and not os.environ.get("RUSE_BLAS")
    collecting = gc.isenabled()
    gc.disable()
    if block:
        sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        import numba
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()
    finally:
        if block:
            del sys.modules["scipy"]
        if collecting:
            gc.enable()
    _declare()
    return numba


def _declare_if_loaded() -> None:
    if _declared:
        _declare()


def _declare() -> None:
    """Tell Numba about methods and functions that it has not heard of: one overload a name, for all classes."""
    from numba.core import types
    from numba.core.typing.templates import infer_getattr, make_overload_method_template
    from numba.extending import overload

    # Numba matches overloads by parameter name, so `pick` must be written with the protocol's own names. What it
    # returns has an underscore, so that no parameter is called the same.
    def pick(function: FunctionType, result: str, **scope: Any) -> Any:
        exec(f"def pick({', '.join(inspect.signature(function).parameters)}): return {result}", scope)
        return scope["pick"]

    for name in _methods.keys() - _declared:
        _declared.add(name)
        table = _methods[name]
        chooser = pick(next(iter(table.values())), "_table.get(self.instance_class)", _table=table)
        overload(chooser, jit_options=INLINED)(chooser)
        for tuple_type in (types.NamedTuple, types.NamedUniTuple):
            template = make_overload_method_template(tuple_type, name, chooser, inline="never")
            infer_getattr(_only_for(table, template))
    for function in _functions.keys() - _declared:
        _declared.add(function)
        overload(function, jit_options=INLINED)(pick(function, "_twin", _twin=_functions[function]))
    for function in _instructions.keys() - _declared:
        _declared.add(function)
        code = _intrinsic(function, _instructions[function])
        overload(function, jit_options=INLINED)(pick(function, "_code", _code=code))


def _only_for(table: dict[type, FunctionType], template: Any) -> type:
    """A method template that leaves other tuples alone, so that they may have a field of the method's name."""

    class Guarded(template):  # type: ignore[misc]
        def _resolve(self, typ: Any, attr: str) -> Any:
            return super()._resolve(typ, attr) if typ.instance_class in table else None

    return Guarded


# ---- the cache -------------------------------------------------------------------------------------------------------


def cache_dir() -> Path:
    """Where compiled kernels are kept: $RUSE_CACHE, or the user's own cache folder."""
    if chosen := os.environ.get("RUSE_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ruse"
    fallback = Path.home() / ("AppData/Local" if os.name == "nt" else ".cache")
    return Path(os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME") or fallback) / "ruse"


def _part_classes(numba_type: Any) -> Iterator[type]:
    """The part classes inside a Numba type, however deep."""
    cls = getattr(numba_type, "instance_class", None)
    if cls is not None:
        yield cls
    for inner in getattr(numba_type, "types", ()):
        yield from _part_classes(inner)


def _kernel_cache(function: Any) -> Any:
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
            prints = [fingerprint(m) for m in sorted({function.__module__, *(cls.__module__ for cls in classes)})]
            methods = [table[cls] for table in _methods.values() for cls in classes if cls in table]
            if None in prints or any(f.__closure__ for f in (function, *methods)):  # no file tells what a closure holds
                return None
            versions = (numba.__version__, numpy.__version__, sys.version_info[:3], codegen.magic_tuple())
            place = (function.__module__, function.__qualname__)
            names = sorted(f"{cls.__module__}.{cls.__qualname__}" for cls in classes)
            text = repr((place, [str(arg) for arg in sig], names, prints, versions))
            return cache_dir() / f"{function.__name__}-{hashlib.sha256(text.encode()).hexdigest()[:40]}.kernel"

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            import pickle

            path = self._path(sig, target_context.codegen())
            if path is not None and path.is_file():
                # A torn or foreign file is no reason to stop: the kernel is compiled again and written anew.
                with suppress(Exception):
                    return compiler.CompileResult._rebuild(target_context, *pickle.loads(path.read_bytes()))
            for watcher in _watchers:
                watcher(function.__name__)
            return None

        def save_overload(self, sig: Any, data: Any) -> None:
            path = self._path(sig, data.codegen)
            if path is None or any(not lifted.can_cache for lifted in data.lifted) or data.library.has_dynamic_globals:
                return
            temporary = path.with_suffix(f".{os.getpid()}.tmp")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                temporary.write_bytes(dumps(data._reduce()))
                os.replace(temporary, path)
            except OSError:  # a full disk or a read-only home costs the cache, not the solve
                with suppress(OSError):
                    temporary.unlink()

        def enable(self) -> None: ...

        def disable(self) -> None: ...

        def flush(self) -> None: ...

    return KernelCache()
