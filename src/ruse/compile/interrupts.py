"""Ctrl-C where it must wait a moment.

While LLVM writes machine code, and calls Python back to hand it over, what is raised would be lost. After a kernel has
returned, what it has done would not be told.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def held_back() -> Iterator[None]:
    """Let whoever handles Ctrl-C hear of it when this is over, and not in between."""
    handler: Any = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    heard: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if heard:
            handler(signal.SIGINT, heard[-1])
