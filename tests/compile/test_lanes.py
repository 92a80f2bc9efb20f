"""Lanes do in kernels what they do in plain Python."""

import numpy as np
import pytest

from ruse.compile import lanes_kernel
from ruse.compile.lanes import LANES, lanes, lanes_to_rows, larger, put_lanes, rows_to_lanes, same, where_positive


def mixed(x, y, out):
    zero = same(x, 0.0)
    for k in range(0, len(x), LANES):
        a, b = lanes(x, k), lanes(y, k)
        put_lanes(out, k, where_positive(a, a * b + larger(a, zero) - b / same(x, 3), larger(b, a)))


def turned(rows, at, x, back):
    for j in range(0, 2 * LANES, LANES):
        rows_to_lanes(rows, at, 1, j, x)
        lanes_to_rows(x, back, at, 1, j)


mixed_kernel, turned_kernel = lanes_kernel(mixed), lanes_kernel(turned)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arithmetic(dtype: type) -> None:
    rng = np.random.default_rng(0)
    x, y = (rng.normal(size=3 * LANES).astype(dtype) for _ in range(2))
    x[1] = 0.0
    plain, compiled = np.zeros_like(x), np.zeros_like(x)
    mixed(x, y, plain)
    mixed_kernel(x, y, compiled)
    assert plain.tobytes() == compiled.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_become_lanes_and_rows_again(dtype: type) -> None:
    width = 2 * LANES + 5
    rows = np.arange((LANES + 2) * width).astype(dtype)
    at = np.random.default_rng(1).permutation(LANES + 1) * width
    found = []
    for turn in (turned, turned_kernel):
        x, back = np.zeros(2 * LANES * LANES, dtype), np.zeros_like(rows)
        turn(rows, at, x, back)
        found.append((x, back))
    assert all(np.array_equal(one, other) for one, other in zip(*found, strict=True))
    x, back = found[0]
    assert x[3 * LANES + 2] == rows[at[1 + 2] + 3]
    for start in at[1:]:
        assert np.array_equal(back[start : start + 2 * LANES], rows[start : start + 2 * LANES])
