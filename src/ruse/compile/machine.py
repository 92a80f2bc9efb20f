"""Machine instructions that NumPy has no words for. In plain Python each does the obvious thing."""

from typing import Any

import numpy as np

from ruse.compile import compiled_instruction


def prefetch(array: np.ndarray, k: int) -> None:
    """Ask for the memory of array[k] before it is needed. It changes nothing but the time that is spent waiting."""


@compiled_instruction(prefetch)
def _prefetch(context: Any, builder: Any, pointer: Any, values: list[Any]) -> None:
    from llvmlite import ir

    address = builder.bitcast(pointer, ir.IntType(8).as_pointer())
    number = ir.IntType(32)
    signature = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
    instruction = builder.module.declare_intrinsic("llvm.prefetch", [address.type], signature)
    builder.call(instruction, [address, number(1), number(3), number(1)])  # to be written, kept close, data


def swap(array: np.ndarray, k: int, old: float, new: float) -> float:
    """Set array[k] to `new` if it still is `old`, bit by bit; return whether it was. No other thread comes between."""
    if array[k] != old:
        return 0
    array[k] = new
    return 1


@compiled_instruction(swap)
def _swap(context: Any, builder: Any, pointer: Any, values: list[Any]) -> Any:
    from llvmlite import ir

    kind = values[0].type
    word = kind if isinstance(kind, ir.IntType) else ir.IntType(32 if isinstance(kind, ir.FloatType) else 64)
    old, new = (builder.bitcast(value, word) for value in values)
    done = builder.extract_value(
        builder.cmpxchg(builder.bitcast(pointer, word.as_pointer()), old, new, "acq_rel", "acquire"), 1
    )
    return builder.zext(done, kind) if kind == word else builder.uitofp(done, kind)


def add_at_once(array: np.ndarray, k: int, x: Any) -> Any:
    """Add to array[k] so that no other thread's addition is lost; return what was there before."""
    before = array[k]
    array[k] += x
    return before


@compiled_instruction(add_at_once)
def _add_at_once(context: Any, builder: Any, pointer: Any, values: list[Any]) -> Any:
    from llvmlite import ir

    kind = values[0].type
    return builder.atomic_rmw("add" if isinstance(kind, ir.IntType) else "fadd", pointer, values[0], "monotonic")


def look_now(array: np.ndarray, k: int) -> int:
    """array[k] as it is now, with all that its writer had written before."""
    return array[k]  # type: ignore[no-any-return]


@compiled_instruction(look_now)
def _look(context: Any, builder: Any, pointer: Any, values: list[Any]) -> Any:
    return builder.load_atomic(pointer, "acquire", 8)


def publish(array: np.ndarray, k: int, x: int) -> None:
    """Set array[k], so that whoever looks at it sees all that was written before."""
    array[k] = x


@compiled_instruction(publish)
def _publish(context: Any, builder: Any, pointer: Any, values: list[Any]) -> None:
    builder.store_atomic(values[0], pointer, "release", 8)
