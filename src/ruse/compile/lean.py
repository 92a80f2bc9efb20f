"""Numba without what nobody asks for while it compiles a kernel: the same code, sooner.

After most of its passes Numba computes which variables live where; it tells listeners of each pass and each lock,
checks itself, and looks for the same operators anew. Only the last of those lifetimes is read, and nobody listens.
While a kernel compiles, and no longer, some functions of Numba are therefore replaced by ones that leave this out.
These are private interfaces of Numba: pyproject.toml says which versions are tested.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import errors as numba_errors
from numba.core import event, ir, postproc, transforms, utils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.types.functions import BaseFunction
from numba.core.typing import context

errors: Any = numba_errors
_whole_run = postproc.PostProcessor.run
_whole_order = utils.order_by_target_specificity
_whole_call_type: Any = BaseFunction.get_call_type
_orders: dict[Any, list[Any]] = {}  # of the kernel that is compiled, as are the next
_calls: dict[Any, tuple[Any, Any]] = {}
_kinds: dict[type, int] = {}  # what there is to find in a value of a type
VARIABLE, INSTRUCTION, LIST, DICT, NOTHING = range(5)


@contextmanager
def lean() -> Iterator[None]:
    """Compile so. Numba's own lock is held: nobody else compiles meanwhile."""
    with global_compiler_lock:
        before = [(place, name, getattr(place, name)) for place, name, _ in REPLACED]
        for place, name, replacement in REPLACED:
            setattr(place, name, replacement)
        try:
            yield
        finally:
            for place, name, value in before:
                setattr(place, name, value)
            if before[0][2] is not REPLACED[0][2]:  # not a kernel in a kernel
                _orders.clear()
                _calls.clear()


def run_pass(self: Any, index: int, one: Any, state: Any) -> None:
    """A pass, without checks of what it did, clocks and listeners."""
    one.analysis = self._analysis
    with errors.new_error_context("Pass {name}", name=one.name()):
        one.run_initialization(state)
        one.run_pass(state)
        one.run_finalizer(state)


def tidy_up(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """What follows a pass. Which variables live where is computed when it is asked for."""
    if emit_dels or self.func_ir.is_generator:
        _whole_run(self, emit_dels, extend_lifetimes)
        return
    self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = postproc.VariableLifetime(self.func_ir.blocks)
    self.func_ir.generator_info = None


def variables(self: Any, value: Any) -> list[Any]:
    """The variables in a value, found by its type."""
    kind = _kinds.get(type(value))
    if kind is None:
        kind = _kinds[type(value)] = _kind_of(type(value))
    if kind == NOTHING:
        return []
    if kind == VARIABLE:
        return [value]
    if kind == INSTRUCTION:
        return value.list_vars()  # type: ignore[no-any-return]
    found: list[Any] = []
    for inner in value if kind == LIST else value.values():
        found += variables(self, inner)
    return found


def _kind_of(cls: type) -> int:
    for kind, classes in ((VARIABLE, ir.Var), (INSTRUCTION, ir.Inst), (LIST, (list, tuple)), (DICT, dict)):
        if issubclass(cls, classes):
            return kind
    return NOTHING


def in_order(target: Any, templates: Any, fnkey: Any = "") -> Any:
    """Candidates for a call, the most special ones first; in an order that has been found before."""
    key = (target, *templates)
    if key not in _orders:
        _orders[key] = _whole_order(target, templates, fnkey=fnkey)
    return _orders[key]


def call_type(self: Any, typing: Any, args: Any, kws: Any) -> Any:
    """The signature of a call. One of an operator on the same types is that which has been found before."""
    key = id(self), args
    if not kws and key in _calls:
        _, signature = _calls[key]
    else:
        signature = _whole_call_type(self, typing, args, kws)
        if kws or self._impl_keys[signature.args] is not self.typing_key:  # compiled, and not the same for each caller
            return signature
        _calls[key] = self, signature  # with the function, so that nothing else gets its id
    self._impl_keys[signature.args] = self.typing_key
    return signature


def untold(*_: Any, **__: Any) -> None:
    """Nobody listens."""


REPLACED: list[tuple[Any, str, Any]] = [
    (PassManager, "_runPass", run_pass),
    (postproc.PostProcessor, "run", tidy_up),
    (ir.Inst, "_rec_list_vars", variables),
    (utils, "order_by_target_specificity", in_order),
    (context, "order_by_target_specificity", in_order),
    (BaseFunction, "get_call_type", call_type),
    (event, "start_event", untold),
    (event, "end_event", untold),
]
