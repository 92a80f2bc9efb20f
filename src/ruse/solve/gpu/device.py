"""What is asked of a card: room for arrays, and kernels launched one after the other, again and again.

There are two: `cuda.py` asks CuPy, and the tests have one that compiles kernels.cu for the processor.
"""

from collections.abc import Sequence
from importlib import resources
from typing import Protocol

import numpy as np

from ruse.solve.gpu.plan import Launch

THREADS = 256  # in a block


def kernel_source() -> str:
    """The kernels, in CUDA C."""
    return resources.files("ruse.solve.gpu").joinpath("kernels.cu").read_text(encoding="utf-8")


class Held(Protocol):
    """An array on a device."""

    @property
    def address(self) -> int: ...

    def read(self, begin: int, end: int) -> np.ndarray:
        """A part of it, of one dimension, on the host; waits for all that was launched before."""

    def write(self, array: np.ndarray) -> None:
        """Replace its beginning by an array of the same kind."""


class Program(Protocol):
    """Launches that are run again and again."""

    def run(self, times: int) -> None:
        """Run all of them so many times, and wait for the end."""


class Device(Protocol):
    """A card, or what stands in for one; its kernels are compiled for one kind of number."""

    name: str

    def free(self) -> int:
        """Bytes that can be had now."""

    def hold(self, array: np.ndarray) -> Held:
        """A copy of an array."""

    def program(self, launches: Sequence[Launch], world: Held) -> Program:
        """Each launch after the one before has ended, on this world."""
