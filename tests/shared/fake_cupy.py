"""As much of CuPy as a card is asked through, over the processor that stands in for one.

It is strict where CuPy or CUDA is: what is launched while a stream is captured is recorded and not run, nothing may be
allocated, copied or loaded meanwhile, and arguments have the kernel's own types.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
from card_stand_in import HostArray, Repeated, StandIn

from ruse.solve.gpu.card import Card
from ruse.solve.gpu.plan import Launch


class CUDARuntimeError(RuntimeError):
    """As CuPy's."""


class OutOfMemoryError(MemoryError):
    """As CuPy's."""


class FakeCupy:
    """The module: put it where `import cupy` finds it."""

    def __init__(self, *, cards: int = 1, room: int = 1 << 34) -> None:
        self.cards, self.room, self.taken, self.log = cards, room, 0, list[str]()
        self.others = 0  # bytes that other processes have now
        self.capturing: list[Any] | None = None
        memory = SimpleNamespace(OutOfMemoryError=OutOfMemoryError)
        runtime = SimpleNamespace(
            getDeviceCount=self.count, getDeviceProperties=lambda number: {"name": b"Fake %d" % number}
        )
        self.cuda = SimpleNamespace(
            Device=lambda number: FakeDevice(self, number), Stream=lambda non_blocking: FakeStream(self),
            memory=memory, runtime=runtime,
        )  # fmt: skip
        self.RawModule = lambda code, options: FakeModule(self, code, options)

    def count(self) -> int:
        if self.cards < 0:
            raise CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")
        return self.cards

    def get_default_memory_pool(self) -> Any:
        return SimpleNamespace(free_bytes=lambda: 0)

    def asarray(self, array: np.ndarray) -> "FakeArray":
        self.refuse_while_capturing()
        if array.nbytes > self.room - self.taken:
            raise OutOfMemoryError(f"Out of memory allocating {array.nbytes} bytes")
        self.taken += array.nbytes
        return FakeArray(self, array.copy())

    def refuse_while_capturing(self) -> None:
        if self.capturing is not None:
            raise CUDARuntimeError(
                "cudaErrorStreamCaptureUnsupported: operation not permitted when stream is capturing"
            )


class FakeDevice:
    """A card, as something to work in."""

    def __init__(self, cupy: FakeCupy, number: int) -> None:
        self.cupy, self.number = cupy, number

    def __enter__(self) -> "FakeDevice":
        return self

    def __exit__(self, *_: object) -> None: ...

    @property
    def mem_info(self) -> tuple[int, int]:
        return self.cupy.room - self.cupy.taken - self.cupy.others, self.cupy.room


class FakeStream(FakeDevice):
    """A stream; all that it is given is done at once."""

    def __init__(self, cupy: FakeCupy) -> None:
        super().__init__(cupy, 0)

    def synchronize(self) -> None:
        self.cupy.refuse_while_capturing()

    def begin_capture(self) -> None:
        self.cupy.capturing = []

    def end_capture(self) -> "FakeGraph":
        found, self.cupy.capturing = self.cupy.capturing, None
        assert found
        return FakeGraph(self.cupy, found)


class FakeGraph:
    """What was captured."""

    def __init__(self, cupy: FakeCupy, launches: list[Any]) -> None:
        self.cupy, self.launches = cupy, launches

    def launch(self, stream: FakeStream) -> None:
        self.cupy.log.append("graph")
        for launch in self.launches:
            launch()


class FakeModule:
    """Kernels by name."""

    def __init__(self, cupy: FakeCupy, code: str, options: tuple[str, ...]) -> None:
        assert "extern" in code
        assert "--fmad=false" in options
        self.cupy = cupy
        self.device = StandIn(Card("f32" if "-DNUMBER=float" in options else "f64"), text=code)

    def get_function(self, name: str) -> "FakeKernel":
        self.cupy.refuse_while_capturing()
        getattr(self.device.library, name)
        return FakeKernel(self, name)


class FakeKernel:
    """One that is launched, or captured."""

    def __init__(self, module: FakeModule, name: str) -> None:
        self.module, self.name = module, name

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...]) -> None:
        world, begin, end = arguments
        assert [type(x) for x in arguments] == [np.uint64, np.uint32, np.uint32]
        assert (grid[0] - 1) * block[0] < max(1, end - begin) <= grid[0] * block[0]
        at: HostArray = SimpleNamespace(address=int(world))  # type: ignore[assignment]
        program: Repeated = self.module.device.program([Launch(self.name, int(begin), int(end))], at)
        cupy = self.module.cupy
        if cupy.capturing is not None:
            cupy.capturing.append(lambda: program.run(1))
        else:
            cupy.log.append(self.name)
            program.run(1)


class FakeArray:
    """An array on the card."""

    def __init__(self, cupy: FakeCupy, array: np.ndarray) -> None:
        self.cupy, self.array = cupy, array

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.array.ctypes.data)

    def reshape(self, shape: int) -> "FakeArray":
        return FakeArray(self.cupy, self.array.reshape(shape))

    def __getitem__(self, part: slice) -> "FakeArray":
        return FakeArray(self.cupy, self.array[part])

    def get(self, stream: FakeStream) -> np.ndarray:
        self.cupy.refuse_while_capturing()
        return self.array.copy()

    def set(self, array: np.ndarray, stream: FakeStream) -> None:
        self.cupy.refuse_while_capturing()
        assert (array.dtype, array.shape) == (self.array.dtype, self.array.shape)
        self.array[:] = array
