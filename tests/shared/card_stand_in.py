"""A processor that stands in for a card: the very kernels.cu of the package, compiled by the system's C++ compiler.

Threads of a launch run one after the other, in any order that is asked for. What a card adds is not here: threads that
run at the same time, its memory, its exp, CuPy.
"""

import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ruse.solve.gpu.card import Card
from ruse.solve.gpu.device import THREADS, kernel_source
from ruse.solve.gpu.plan import Launch

COMPILER = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler here to stand in for a card")

PLAIN = Card()

SHIMS = r"""
#include <cmath>
#define __global__
#define __device__ static inline
struct Place { unsigned x; };
static thread_local Place blockIdx, threadIdx, blockDim;
// A block runs where its first thread would, in phases; in each its threads run in an order that is asked for.
static unsigned stirred = 0;
extern "C" void stir(unsigned by) { stirred = by; }
#define BLOCK_KERNEL(name, phase_of, phases, size)                                                            \
    extern "C" void name(const World* world, Index begin, Index end) {                                        \
        static double shared[size];                                                                           \
        Index item = begin / blockDim.x + blockIdx.x, width = blockDim.x;                                     \
        if (threadIdx.x != 0 || (Offset)item * width >= end) return;                                          \
        for (Index k = 0; k < size; k++) shared[k] = NAN;                                                     \
        for (Index phase = 0; phase < phases; phase++)                                                        \
            for (Index k = 0; k < width; k++)                                                                 \
                phase_of(*world, item, (k * (2 * stirred + 1) + stirred) % width, width, phase, shared);      \
    }
#include "kernels.cu"
extern "C" void launch(void (*kernel)(const World*, Index, Index), const World* world, Index begin, Index end,
                       const unsigned* order, Offset threads, unsigned width) {
    blockDim.x = width;
    for (Offset k = 0; k < threads; k++) {
        Offset at = order ? order[k] : k;
        blockIdx.x = (unsigned)(at / width);
        threadIdx.x = (unsigned)(at % width);
        kernel(world, begin, end);
    }
}
extern "C" Offset size_of_world() { return sizeof(World); }
"""


def library(number: str, text: str | None = None) -> Any:
    """The kernels of the full-width engine, or of another text."""
    return compiled_library(number, text or kernel_source())


@functools.cache
def compiled_library(number: str, text: str) -> Any:
    """The kernels for one kind of number, compiled once a process. Without fused multiply-add, as on the card."""
    assert COMPILER is not None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernels.cu").write_text(text, encoding="utf-8")
        source, built = Path(folder) / "shims.cpp", Path(folder) / "kernels.so"
        source.write_text(SHIMS, encoding="utf-8")
        strict = ("-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", f"-DNUMBER={number}")
        subprocess.run([COMPILER, *strict, "-shared", "-fPIC", "-o", built, source], check=True)
        made = ctypes.CDLL(str(built))
    numbers = [ctypes.c_uint32] * 2
    made.launch.argtypes = [ctypes.c_void_p] * 2 + numbers + [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32]
    return made


class HostArray:
    """An array where a card's would be."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = np.array(array, order="C")

    @property
    def address(self) -> int:
        return self.array.ctypes.data

    def read(self, begin: int, end: int) -> np.ndarray:
        return self.array.reshape(-1)[begin:end].copy()

    def write(self, array: np.ndarray) -> None:
        assert array.dtype == self.array.dtype
        self.array.reshape(-1)[: array.size] = array.reshape(-1)


class StandIn:
    """A device. With `shuffled`, each launch runs its threads in another order, blocks and all."""

    def __init__(
        self, card: Card = PLAIN, *, shuffled: int | None = None, room: int = 1 << 40, text: str | None = None
    ) -> None:
        self.name, self.room, self.held = "a processor", room, 0
        self.library = library({"f": "float", "d": "double"}[card.kind.char], text)
        self.random = None if shuffled is None else np.random.default_rng(shuffled)

    def free(self) -> int:
        return self.room - self.held

    def hold(self, array: np.ndarray) -> HostArray:
        self.held += array.nbytes
        return HostArray(array)

    def program(self, launches: Sequence[Launch], world: HostArray) -> "Repeated":
        return Repeated(self, [(getattr(self.library, kernel), begin, end) for kernel, begin, end in launches], world)


class Repeated:
    """Launches in a loop."""

    def __init__(self, on: StandIn, launches: list[tuple[Any, int, int]], world: HostArray) -> None:
        self.on, self.launches, self.world = on, launches, world

    def run(self, times: int) -> None:
        for _ in range(times):
            for kernel, begin, end in self.launches:
                threads = -(-(end - begin) // THREADS) * THREADS  # as many as whole blocks have
                order = None if self.on.random is None else self.on.random.permutation(threads).astype(np.uint32)
                self.on.library.stir(0 if self.on.random is None else int(self.on.random.integers(1, 1 << 20)))
                at = None if order is None else order.ctypes.data
                self.on.library.launch(kernel, self.world.address, begin, end, at, threads, THREADS)
