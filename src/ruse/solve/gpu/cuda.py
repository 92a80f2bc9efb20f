"""A card by way of CuPy: kernels compiled when they are first needed, launches captured in one graph."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ruse.errors import RuseError
from ruse.solve.gpu.card import Card, why_no
from ruse.solve.gpu.device import THREADS, Held, kernel_source
from ruse.solve.gpu.plan import Launch
from ruse.words.amounts import in_bytes

# Without fused multiply-add sums have the processor's bits; memory is what iterations wait for.
OPTIONS = ("--std=c++17", "--fmad=false")
NUMBERS = {"f": "float", "d": "double"}  # by NumPy's character


class Cuda:
    """A card of NVIDIA's. All that is done there is done in one stream, one thing after the other."""

    def __init__(self, card: Card, source: str | None = None) -> None:
        """With the kernels of the full-width engine, or of another source."""
        if why := why_no(card):
            raise RuseError(why)
        import cupy

        self.cupy, self.card = cupy, card
        self.device = cupy.cuda.Device(card.number)
        self.name = cupy.cuda.runtime.getDeviceProperties(card.number)["name"].decode()
        with self.device:
            self.stream = cupy.cuda.Stream(non_blocking=True)
            self.module = cupy.RawModule(
                code=source or kernel_source(), options=(*OPTIONS, f"-DNUMBER={NUMBERS[card.kind.char]}")
            )

    @contextmanager
    def at_work(self) -> Iterator[Any]:
        """The stream; which card and which stream CuPy means is a matter of the thread."""
        with self.device, self.stream:
            yield self.stream

    def free(self) -> int:
        """Bytes that can be had now: the driver's, and those that CuPy has kept of what was given back."""
        with self.at_work():
            return int(self.device.mem_info[0]) + int(self.cupy.get_default_memory_pool().free_bytes())

    def hold(self, array: np.ndarray) -> "CudaArray":
        try:
            with self.at_work():
                held = self.cupy.asarray(np.ascontiguousarray(array))
                self.stream.synchronize()  # the host's may go
        except self.cupy.cuda.memory.OutOfMemoryError:
            room = in_bytes(self.free())
            raise RuseError(
                f"{self.name} has no room for {in_bytes(array.nbytes)} more, only {room}; use on='cpu'"
            ) from None
        return CudaArray(self, held)

    def program(self, launches: Sequence[Launch], world: Held) -> "CudaGraph":
        def launch(kernel: str, begin: int, end: int) -> None:
            blocks = max(1, -(-(end - begin) // THREADS))
            arguments = (np.uint64(world.address), np.uint32(begin), np.uint32(end))
            kernels[kernel]((blocks,), (THREADS,), arguments)

        with self.at_work() as stream:
            kernels = {kernel: self.module.get_function(kernel) for kernel, _, _ in launches}
            for kernel in kernels:  # on nothing: a kernel is loaded when it is first launched, which none may be later
                launch(kernel, 0, 0)
            stream.synchronize()
            stream.begin_capture()
            for each in launches:
                launch(*each)
            return CudaGraph(self, stream.end_capture())


class CudaArray:
    """An array on the card."""

    def __init__(self, on: Cuda, held: Any) -> None:
        self.on, self.held = on, held

    @property
    def address(self) -> int:
        return int(self.held.data.ptr)

    def read(self, begin: int, end: int) -> np.ndarray:
        with self.on.at_work() as stream:
            found = self.held.reshape(-1)[begin:end].get(stream=stream)
            stream.synchronize()
            return np.asarray(found)

    def write(self, array: np.ndarray) -> None:
        with self.on.at_work() as stream:
            self.held.reshape(-1)[: array.size].set(np.ascontiguousarray(array).reshape(-1), stream=stream)
            stream.synchronize()


class CudaGraph:
    """Launches that were captured once: a graph starts them without asking the processor for each."""

    def __init__(self, on: Cuda, graph: Any) -> None:
        self.on, self.graph = on, graph

    def run(self, times: int) -> None:
        with self.on.at_work() as stream:
            for _ in range(times):
                self.graph.launch(stream)
            stream.synchronize()
