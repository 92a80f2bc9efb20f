"""Kernels are optimised as a whole: the same numbers as plain Python, however much is inlined and whoever calls."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ruse.compile import checked_kernel, compiled, compiled_function, kernel, lean_kernel
from ruse.compile.interrupts import held_back

once = pytest.importorskip("ruse.compile.once")
pytestmark = pytest.mark.skipif(
    not hasattr(kernel(lambda x: x), "py_func"), reason="nothing is compiled under NUMBA_DISABLE_JIT=1"
)


@compiled_function
def bottom(x, k):
    """Loops and branches, so that a copy of it is not free."""
    for j in range(k):
        if x > 1.0:
            x = x / 3.0 + j
        elif x > 0.5:
            x = x * x - j
        else:
            x = 1.0 - x
    return x


@compiled("climb")
class Ladder(NamedTuple):
    """Each step has two copies of the one below: 2^steps copies of the bottom, were all of it inlined."""

    steps: int = 3

    def climb(self, x):
        return third(x) + third(x + self.steps)


@compiled_function
def third(x):
    return second(x) - second(2.0 * x)


@compiled_function
def second(x):
    return first(x) + first(x + 0.1)


@compiled_function
def first(x):
    return bottom(x, 3) + bottom(x + 0.2, 2)


def climb(part: Any, x: float) -> Any:
    return part.climb(x)


@pytest.mark.parametrize("budget", [0, 1_000, 30_000])
def test_the_same_with_any_budget(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, budget: int) -> None:
    monkeypatch.setattr(once, "BUDGET", budget)
    monkeypatch.setenv("RUSE_CACHE", str(tmp_path))
    kept: list[set[str]] = []
    monkeypatch.setattr(once, "calls_among", lambda *given: kept.append(CALLS(*given)) or kept[-1])
    assert lean_kernel(climb)(Ladder(), 0.3) == Ladder().climb(0.3)
    assert bool(kept[0]) == (budget < 30_000), "with a small budget what is copied most often stays a call"


CALLS = once.calls_among


def test_an_exception_comes_through_the_levels() -> None:
    assert kernel(divided)(np.array([4.0, 2.0]), 1) == 2.0
    with pytest.raises(ValueError, match="no such divisor"):
        kernel(divided)(np.array([4.0, 2.0]), 7)


def divided(x, k):
    return quotient(x, k)


@compiled_function
def quotient(x, k):
    if k > 1:
        raise ValueError("no such divisor")
    return x[0] / x[k]


def test_numba_itself_may_call_a_part() -> None:
    """A helper that a user has decorated with Numba's own njit calls a part's method, and a kernel calls the helper."""
    from numba import njit

    helper = njit(climb)
    assert helper(Ladder(), 0.3) == Ladder().climb(0.3)
    outer = kernel(lambda part, x: helper(part, x) + part.climb(x))
    assert outer(Ladder(), 0.3) == 2 * Ladder().climb(0.3)


@compiled("pick")
class Reader(NamedTuple):
    """Reads where it is told to."""

    nothing: int = 0

    def pick(self, row, k):
        return row[k]


def read(part, row, k):
    return part.pick(row, k)


def test_a_checked_kernel_looks_at_every_index_of_its_parts() -> None:
    """The same method is compiled without bounds for another kernel of the same process."""
    row = np.arange(8)[:3]
    assert kernel(read)(Reader(), row, 5) == 5, "the memory behind the row is there, and is read"
    with pytest.raises(IndexError):
        checked_kernel(read)(Reader(), row, 5)
    assert checked_kernel(read)(Reader(), row, 2) == 2


def test_bounds_can_be_checked_everywhere(tmp_path: Path) -> None:
    script = (
        "import numpy as np; from ruse.solve.table import table; t = table.Table.empty()\n"
        "try: table.rehash(t.places, np.zeros((4, 2), np.int64)[:0]); print('no')\nexcept IndexError: print('seen')\n"
        "t.places[3] = 5\ntry: table.rehash(t.places, np.zeros((4, 2), np.int64)[:0]); print('no')\n"
        "except IndexError: print('seen')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=os.environ | {"RUSE_BOUNDS": "1", "RUSE_CACHE": str(tmp_path)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split() == ["no", "seen"], done.stderr


def test_ctrl_c_while_machine_code_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM hands the code over in a call of Python, where an exception would be dropped, and the code with it."""
    monkeypatch.setenv("RUSE_CACHE", str(tmp_path))
    signal_was = signal.signal(signal.SIGINT, signal.default_int_handler)
    from numba.core.registry import cpu_target

    engine: Any = cpu_target.target_context.codegen()._engine._ee
    notify = engine._object_cache_notify

    def interrupted(module: Any, buffer: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        notify(module, buffer)

    try:
        monkeypatch.setattr(engine, "_object_cache_notify", interrupted)
        with pytest.raises(KeyboardInterrupt):
            doubled(21)
        monkeypatch.setattr(engine, "_object_cache_notify", notify)
        assert doubled(21) == 42
    finally:
        signal.signal(signal.SIGINT, signal_was)
    assert signal.getsignal(signal.SIGINT) is signal_was


@kernel
def doubled(x):
    return x + x


def test_ctrl_c_is_held_back_only_where_python_hears_it() -> None:
    heard: list[str] = []

    def look() -> None:
        before = signal.getsignal(signal.SIGINT)
        with held_back():
            heard.append("same" if signal.getsignal(signal.SIGINT) is before else "other")

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        look()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == ["same", "same"]


@compiled("stops")
class Deaf(NamedTuple):
    """Its answer is known as a kernel is compiled."""

    nothing: int = 0

    def stops(self, s):
        return False


@compiled("stops")
class Blind(NamedTuple):
    """The same, of another type."""

    rows: np.ndarray

    def stops(self, s):
        return False


@compiled("stops")
class Together(NamedTuple):
    """Does not ask the second where the first one's answer is known."""

    one: Any
    other: Any

    def stops(self, s):
        return self.one.stops(s) and self.other.stops(s)


@pytest.mark.parametrize("make", [kernel, lean_kernel])
def test_a_function_whose_first_caller_does_not_call_it(make: Any) -> None:
    """It is linked when that caller is, and nobody has asked for it by then; the next caller must find it."""

    def rounds(one, other, s):
        count = 0
        while count < 10:
            count += 1
            if one.stops(s) or other.stops(s):
                return -1
            s[0] += count
        return count

    blind, steps = Blind(np.zeros(3)), np.zeros(1, np.int64)
    assert make(rounds)(Together(blind, Deaf()), Together(Deaf(), blind), steps) == 10
    assert steps[0] == 55
