"""Python's garbage collector stays away from work that makes millions of objects and leaves no cycles worth a look."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage is collected meanwhile: importing Numba takes half the time, compiling a sixth less."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
