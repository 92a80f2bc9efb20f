"""Lanes: sixteen numbers of an array that are worked on at once, as one value of a kernel.

    total = lanes(row, k) + lanes(row, k + LANES)
    put_lanes(row, k, larger(total, same(row, 0.0)))

In plain Python they are small arrays. In a kernel they are one vector of LLVM's, which takes one register of a machine
with 512 bits, two with 256, four with 128. Sums, differences, products and quotients go lane by lane.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ruse.compile.parts import INLINED, when_loaded

LANES = 16

Array = np.ndarray
Place = Any  # a whole number of any kind


def lanes(array: Array, k: Place) -> Array:
    """The lanes array[k : k + LANES]."""
    return array[k : k + LANES].copy()


def put_lanes(array: Array, k: Place, x: Array) -> None:
    """Set array[k : k + LANES]."""
    array[k : k + LANES] = x


def same(array: Array, x: float) -> Array:
    """The same number in all lanes, of the array's type."""
    return np.full(LANES, x, array.dtype)


def larger(x: Array, y: Array) -> Array:
    """The larger of two numbers, lane by lane; y where they cannot be compared."""
    return np.where(x > y, x, y)


def where_positive(x: Array, yes: Array, no: Array) -> Array:
    """Lanes of `yes` where x is positive, else of `no`."""
    return np.where(x > 0.0, yes, no)


def rows_to_lanes(rows: Array, at: Array, first: Place, j: Place, x: Array) -> None:
    """Turn columns j .. j + LANES of the rows that start at at[first], at[first + 1], ... into lanes of x.

    x[(j + k) * LANES + t] = rows[at[first + t] + j + k].
    """
    block = np.stack([lanes(rows, at[first + t] + j) for t in range(LANES)])
    x[j * LANES : (j + LANES) * LANES] = block.T.reshape(-1)


def lanes_to_rows(x: Array, rows: Array, at: Array, first: Place, j: Place) -> None:
    """The way back: rows[at[first + t] + j + k] = x[(j + k) * LANES + t]."""
    block = x[j * LANES : (j + LANES) * LANES].reshape(LANES, LANES)
    for t in range(LANES):
        put_lanes(rows, at[first + t] + j, block[:, t])


# ---- for kernels -----------------------------------------------------------------------------------------------------


@when_loaded
def _tell_numba() -> None:
    """Lanes as a type of Numba's, with all that is above for it."""
    from llvmlite import ir
    from numba import extending
    from numba.core import types
    from numba.core.datamodel import models
    from numba.core.datamodel.registry import register_default

    from ruse.compile.once import CalleePipeline

    class Lanes(types.Type):
        def __init__(self, dtype: Any) -> None:
            self.dtype = dtype
            super().__init__(name=f"Lanes({dtype})")

    @register_default(Lanes)
    class LanesModel(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, ir.VectorType(manager.lookup(kind.dtype).get_value_type(), LANES))

    def intrinsic(typed: Callable[..., Any]) -> Any:
        return extending.intrinsic(typed)

    options = INLINED | {"pipeline_class": CalleePipeline}

    def told(function: Any, chosen: Any) -> None:
        extending.overload(function, jit_options=options, strict=False)(chosen)

    def spread(builder: Any, x: Any) -> Any:
        """One number in all lanes."""
        kind = ir.VectorType(x.type, LANES)
        one = builder.insert_element(ir.Constant(kind, ir.Undefined), x, ir.IntType(32)(0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), mask)

    def address(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
        """Of an array's lanes from a place on."""
        start = builder.gep(context.make_array(kind)(context, builder, array).data, [place])
        return builder.bitcast(start, ir.VectorType(start.type.pointee, LANES).as_pointer())

    def load(builder: Any, pointer: Any) -> Any:
        return builder.load(pointer, align=4)

    def whole(context: Any, builder: Any, value: Any, kind: Any) -> Any:
        return context.cast(builder, value, kind, types.intp)

    @intrinsic
    def load_lanes(typing: Any, array: Any, k: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            place = whole(context, builder, args[1], sig.args[1])
            return load(builder, address(context, builder, sig.args[0], args[0], place))

        return Lanes(array.dtype)(array, k), generate

    @intrinsic
    def store_lanes(typing: Any, array: Any, k: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            place = whole(context, builder, args[1], sig.args[1])
            builder.store(args[2], address(context, builder, sig.args[0], args[0], place), align=4)
            return context.get_dummy_value()

        return types.void(array, k, x), generate

    @intrinsic
    def spread_lanes(typing: Any, array: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return spread(builder, context.cast(builder, args[1], sig.args[1], sig.args[0].dtype))

        return Lanes(array.dtype)(array, x), generate

    @intrinsic
    def larger_lanes(typing: Any, x: Any, y: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.select(builder.fcmp_ordered(">", *args), *args)

        return x(x, y), generate

    @intrinsic
    def choose_lanes(typing: Any, x: Any, yes: Any, no: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            zero = ir.Constant(args[0].type, [0.0] * LANES)
            return builder.select(builder.fcmp_ordered(">", args[0], zero), args[1], args[2])

        return yes(x, yes, no), generate

    def arithmetic(name: str) -> Any:
        def lane_by_lane(typing: Any, x: Any, y: Any) -> Any:
            def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
                # Not as one instruction with the next: what cancels out must leave nothing, or regret has a sign.
                return getattr(builder, name)(*args)

            return x(x, y), generate

        return intrinsic(lane_by_lane)

    add_lanes, take_lanes, times_lanes, over_lanes = map(arithmetic, ("fadd", "fsub", "fmul", "fdiv"))

    def both(x: Any, y: Any) -> bool:
        return isinstance(x, Lanes) and x == y

    told(lanes, lambda array, k: lambda array, k: load_lanes(array, k))
    told(put_lanes, lambda array, k, x: lambda array, k, x: store_lanes(array, k, x))
    told(same, lambda array, x: lambda array, x: spread_lanes(array, x))
    told(larger, lambda x, y: (lambda x, y: larger_lanes(x, y)) if both(x, y) else None)
    told(where_positive, lambda x, yes, no: lambda x, yes, no: choose_lanes(x, yes, no))
    told(operator.add, lambda x, y: (lambda x, y: add_lanes(x, y)) if both(x, y) else None)
    told(operator.sub, lambda x, y: (lambda x, y: take_lanes(x, y)) if both(x, y) else None)
    told(operator.mul, lambda x, y: (lambda x, y: times_lanes(x, y)) if both(x, y) else None)
    told(operator.truediv, lambda x, y: (lambda x, y: over_lanes(x, y)) if both(x, y) else None)

    # ---- sixteen rows and sixteen lanes, turned around ----

    def turned(builder: Any, vectors: list[Any]) -> list[Any]:
        """The transpose of a square, in four rounds of shuffles."""
        distance = LANES // 2
        while distance:
            result = list(vectors)
            for i in range(LANES):
                if not i & distance:
                    low = [k if not k & distance else LANES + k - distance for k in range(LANES)]
                    high = [k + distance if not k & distance else LANES + k for k in range(LANES)]
                    for there, order in ((i, low), (i + distance, high)):
                        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), order)
                        result[there] = builder.shuffle_vector(vectors[i], vectors[i + distance], mask)
            vectors, distance = result, distance // 2
        return vectors

    def places(context: Any, builder: Any, kind: Any, at: Any, first: Any, j: Any) -> list[Any]:
        """Where sixteen rows have their column j."""
        data = context.make_array(kind)(context, builder, at).data
        found = []
        for t in range(LANES):
            start = builder.load(builder.gep(data, [builder.add(first, ir.IntType(64)(t))]))
            found.append(builder.add(context.cast(builder, start, kind.dtype, types.intp), j))
        return found

    def lane_place(builder: Any, j: Any, k: int) -> Any:
        return builder.mul(builder.add(j, ir.IntType(64)(k)), ir.IntType(64)(LANES))

    @intrinsic
    def turn_rows(typing: Any, rows: Any, at: Any, first: Any, j: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            first, j = (whole(context, builder, args[i], sig.args[i]) for i in (2, 3))
            where = places(context, builder, sig.args[1], args[1], first, j)
            vectors = [load(builder, address(context, builder, sig.args[0], args[0], place)) for place in where]
            for k, vector in enumerate(turned(builder, vectors)):
                there = address(context, builder, sig.args[4], args[4], lane_place(builder, j, k))
                builder.store(vector, there, align=4)
            return context.get_dummy_value()

        return types.void(rows, at, first, j, x), generate

    @intrinsic
    def turn_lanes(typing: Any, x: Any, rows: Any, at: Any, first: Any, j: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            first, j = (whole(context, builder, args[i], sig.args[i]) for i in (3, 4))
            vectors = [
                load(builder, address(context, builder, sig.args[0], args[0], lane_place(builder, j, k)))
                for k in range(LANES)
            ]
            where = places(context, builder, sig.args[2], args[2], first, j)
            for vector, place in zip(turned(builder, vectors), where, strict=True):
                builder.store(vector, address(context, builder, sig.args[1], args[1], place), align=4)
            return context.get_dummy_value()

        return types.void(x, rows, at, first, j), generate

    told(rows_to_lanes, lambda rows, at, first, j, x: lambda rows, at, first, j, x: turn_rows(rows, at, first, j, x))
    told(lanes_to_rows, lambda x, rows, at, first, j: lambda x, rows, at, first, j: turn_lanes(x, rows, at, first, j))
