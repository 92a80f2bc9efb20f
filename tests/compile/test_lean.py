"""Numba leaves things out while a kernel compiles: the machine code is the same, and Numba is as it was afterwards."""

import re
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ruse.compile import checked_kernel, compiled, compiled_function, kernel, lean_kernel

once = pytest.importorskip("ruse.compile.once")
lean = pytest.importorskip("ruse.compile.lean")
pytestmark = pytest.mark.skipif(
    not hasattr(kernel(lambda x: x), "py_func"), reason="nothing is compiled under NUMBA_DISABLE_JIT=1"
)


@compiled("taken")
class Heap(NamedTuple):
    """Arrays and tuples, loops and branches, all kinds of operators."""

    least: int = 1

    def taken(self, counts, k):
        if counts[k] < self.least:
            raise ValueError("too few")
        counts[k] -= self.least
        return counts[k] * 0.5 + remainder(counts, k)


@compiled_function
def remainder(counts, k):
    total = 0
    for j in range(len(counts)):
        if j != k and counts[j] % 2 == 0:
            total += counts[j] // 2
    return -total if total > 3 else float(total)


def play(part: Any, counts: Any, weights: Any) -> Any:
    best, where = -np.inf, (0, 0)
    for k in range(len(counts)):
        value = part.taken(counts, k)
        if value > best:
            best, where = value, (k, int(counts[k]))
    return best, where, (weights * 2.0 + counts).sum()


def text_of(compiled_kernel: Any) -> str:
    """LLVM's text of the only overload, without the numbers that count what this process has compiled."""
    (text,) = compiled_kernel.inspect_llvm().values()
    names: dict[str, str] = {}
    return re.sub(
        r"_ZN[\w$.]+|\.const\.[\w$.]+|0x[0-9a-f]+|i64 \d{9,}", lambda m: names.setdefault(m[0], f"n{len(names)}"), text
    )


def test_the_code_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, results = [], []
    for way in (lean.lean, nullcontext, lean.lean):
        monkeypatch.setattr(once, "lean", way)
        compiled_kernel = uncached(play)
        results.append(compiled_kernel(Heap(), np.array([3, 4, 8]), np.ones(3)))
        texts.append(text_of(compiled_kernel))
    assert results == [play(Heap(), np.array([3, 4, 8]), np.ones(3))] * 3
    assert texts[1] == texts[2]  # the first one compiles functions of Numba's own, which then are there


def uncached(function: Any) -> Any:
    import numba

    return numba.njit(nogil=True, pipeline_class=once.KernelPipeline, error_model="numpy")(function)


def test_numba_is_as_it_was() -> None:
    before = [getattr(place, name) for place, name, _ in lean.REPLACED]
    with suppress(ValueError), lean.lean():
        with lean.lean():
            pass
        assert [getattr(place, name) for place, name, _ in lean.REPLACED] == [one for *_, one in lean.REPLACED]
        lean._orders["left"] = []
        raise ValueError("it did not compile")
    assert [getattr(place, name) for place, name, _ in lean.REPLACED] == before
    assert not lean._orders


def test_a_callee_is_compiled_once_for_all_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RUSE_CACHE", str(tmp_path))
    made: list[str] = []
    whole = once.CalleePipeline.compile_extra

    def counted(self: Any, function: Any) -> Any:
        made.append(function.__name__)
        return whole(self, function)

    monkeypatch.setattr(once.CalleePipeline, "compile_extra", counted)
    counts = np.array([3, 4, 8], np.int32)  # a signature of its own
    for make in (kernel, lean_kernel):
        assert make(fallen)(Heap(), counts.copy()) == fallen(Heap(), counts.copy())
    assert sorted(made) == ["remainder", "taken"]
    assert checked_kernel(fallen)(Heap(), counts.copy()) == fallen(Heap(), counts.copy())
    assert sorted(made) == ["remainder", "remainder", "taken", "taken"], "where indices are looked at it is another"


def fallen(part: Any, counts: Any) -> Any:
    return part.taken(counts, 1) + remainder(counts, 0)
