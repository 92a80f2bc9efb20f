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
