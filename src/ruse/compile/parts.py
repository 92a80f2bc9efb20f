"""Parts: NamedTuples whose methods run in plain Python and inside kernels, and how Numba is told about them."""

import inspect
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from ruse.compile.files.sources import module_name

C = TypeVar("C", bound=type)
F = TypeVar("F", bound=Callable[..., Any])

_methods: dict[str, dict[type, FunctionType]] = {}  # method name -> {part class: its function}
_functions: dict[FunctionType, FunctionType] = {}  # function -> what kernels run in its place, often itself
_instructions: dict[FunctionType, FunctionType] = {}  # function -> what writes the instruction for it
_loaders: list[Callable[[], None]] = []  # what else is told to Numba when it is loaded
_declared: set[Any] = set()  # the methods' names and the functions that Numba has been told about
_telling = threading.RLock()  # two threads may import parts at the same time

OPTIONS: Any = {"error_model": "numpy"}  # a division by zero gives an infinity, as in NumPy, and needs no branch
# A call passes seven words for each array: it must vanish. Nobody calls a part's method from outside a kernel.
INLINED: Any = OPTIONS | {"forceinline": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(*names: str) -> Callable[[C], C]:
    """Class decorator: let kernels call these methods of this NamedTuple.

    The method is picked by the part's type while a kernel compiles, so it costs nothing at run time.
    """

    def register(cls: C) -> C:
        if not getattr(cls, "_fields", ()):
            raise TypeError(f"{cls.__name__} must be a NamedTuple with a field, such as nothing: int = 0")
        with _telling:
            for name in names:
                if not isinstance(vars(cls).get(name), FunctionType):
                    raise TypeError(f"{cls.__name__} has no method {name!r}, which @compiled names")
                _check_parameters(cls, name)
                _methods.setdefault(name, {})[cls] = _bare(vars(cls)[name])
            _settle(cls)
            _rename_if_taken(cls)
            _declare_if_loaded()
        return cls

    return register


def _bare(function: FunctionType) -> FunctionType:
    """The function without its annotations, which Numba would compare with those of its own stand-in for it."""
    if not function.__annotations__:
        return function
    where = (function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    bare = FunctionType(function.__code__, *where)
    bare.__qualname__, bare.__module__, bare.__doc__ = function.__qualname__, function.__module__, function.__doc__
    bare.__kwdefaults__ = function.__kwdefaults__
    return bare


def _check_parameters(cls: type, name: str) -> None:
    """Refuse a second signature for a method's name: kernels know a method by its name alone."""
    for function in _methods.get(name, {}).values():
        theirs, ours = (list(inspect.signature(f).parameters) for f in (function, vars(cls)[name]))
        if theirs != ours:
            raise TypeError(
                f"{cls.__name__}.{name}({', '.join(ours)}) must have the parameters of every {name} that kernels call: "
                f"write it as def {name}({', '.join(theirs)}), or give the method another name"
            )


def is_compiled(part: Any, *names: str) -> bool:
    """Whether kernels can call these methods of a part."""
    return all(type(part) in _methods.get(name, ()) for name in names)


def compiled_function(function: F) -> F:
    """Let parts and kernels call this plain function."""
    with _telling:
        _functions[function] = _bare(function)  # type: ignore[index,arg-type]
        _declare_if_loaded()
    return function


def compiled_twin(function: Callable[..., Any]) -> Callable[[F], F]:
    """Let kernels run the decorated function wherever `function` is called, with the same parameters."""

    def register(twin: F) -> F:
        with _telling:
            _functions[function] = _bare(twin)  # type: ignore[index,arg-type]
            _declare_if_loaded()
        return twin

    return register


def compiled_instruction(function: Callable[..., Any]) -> Callable[[F], F]:
    """Let kernels run an instruction of the machine wherever `function(array, k, *values)` is called.

    The decorated function is given Numba's context, LLVM's builder, the address of array[k] and the values. It may
    return a number of the array's type.
    """

    def register(build: F) -> F:
        with _telling:
            _instructions[function] = build  # type: ignore[index,assignment]
            _declare_if_loaded()
        return build

    return register


def when_loaded(tell: F) -> F:
    """Run this once Numba is there: for what it must be told besides, such as a type of values."""
    with _telling:
        _loaders.append(tell)
        _declare_if_loaded()
    return tell


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


def _declare_if_loaded() -> None:
    if _declared:
        declare()


def declare() -> None:
    """Tell Numba about methods and functions that it has not heard of: one overload a name, for all classes."""
    with _telling:
        _declare()


def _declare() -> None:
    from numba.core import types
    from numba.core.typing.templates import infer_getattr, make_overload_method_template

    from ruse.compile.once import CalleePipeline

    options = INLINED | {"nopython": True, "pipeline_class": CalleePipeline}

    # Numba matches overloads by parameter name, so `pick` must be written with the protocol's own names. What it
    # returns has an underscore, so that no parameter is called the same.
    def pick(function: FunctionType, result: str, **scope: Any) -> Any:
        exec(f"def pick({', '.join(inspect.signature(function).parameters)}): return {result}", scope)
        return scope["pick"]

    for name in _methods.keys() - _declared:
        _declared.add(name)
        table = _methods[name]
        chooser = pick(next(iter(table.values())), "_table.get(self.instance_class)", _table=table)
        _overload(chooser, chooser, options)
        for tuple_type in (types.NamedTuple, types.NamedUniTuple):
            template = make_overload_method_template(tuple_type, name, chooser, inline="never")
            infer_getattr(_only_for(table, template))
    for function in _functions.keys() - _declared:
        _declared.add(function)
        _overload(function, pick(function, "_twin", _twin=_functions[function]), options)
    while _loaders:
        _loaders.pop()()
    for function in _instructions.keys() - _declared:
        _declared.add(function)
        code = _intrinsic(function, _instructions[function])
        _overload(function, pick(function, "_code", _code=code), options)


def _overload(function: Any, chooser: Any, options: Any) -> None:
    """Tell Numba what to compile for a function: once for all callers, whatever kind of kernel they are.

    Numba would compile it for each set of flags that a caller has. Of those it takes over only these.
    """
    from numba.core import types
    from numba.core.targetconfig import ConfigStack
    from numba.core.typing.templates import infer, infer_global, make_overload_template

    class Shared(make_overload_template(function, chooser, options, True, "never")):  # type: ignore[misc]
        def _get_impl(self, args: Any, kws: Any) -> Any:
            above = ConfigStack.top_or_none()
            taken = above and (above.boundscheck, frozenset(above.fastmath.flags))
            key = self.context, tuple(args), tuple(kws.items()), taken
            return self._impl_cache[key] if key in self._impl_cache else self._build_impl(key, args, kws)

    infer(Shared)
    infer_global(function, types.Function(Shared))


def _only_for(table: dict[type, FunctionType], template: Any) -> type:
    """A method template that leaves other tuples alone, so that they may have a field of the method's name."""

    class Guarded(template):  # type: ignore[misc]
        def _resolve(self, typ: Any, attr: str) -> Any:
            return super()._resolve(typ, attr) if typ.instance_class in table else None

    return Guarded
