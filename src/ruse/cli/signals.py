"""SIGTERM and SIGHUP end a command as Ctrl-C does: a run is saved first.

Only the command line listens to them; a program that uses the library keeps its own handlers.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

INTERRUPTED = 130  # the exit code after Ctrl-C: 128 and the number of SIGINT
# Those that the system has; Windows has no SIGHUP.
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Ended:
    """Which signal has ended the command, if one did."""

    number: int | None = None

    def code(self, code: int) -> int:
        """The exit code, given what it would be after Ctrl-C: 143 after SIGTERM, 129 after SIGHUP."""
        return 128 + self.number if self.number is not None and code == INTERRUPTED else code


@contextmanager
def listening() -> Iterator[Ended]:
    """Treat these signals as Ctrl-C, unless they were to be ignored, as under nohup."""
    ended = Ended()
    if threading.current_thread() is not threading.main_thread():
        yield ended
        return

    def end(number: int, frame: FrameType | None) -> None:
        ended.number = number
        # Whoever waits for Ctrl-C now: a training, which then saves. Not by raising SIGINT: a shell lets commands that
        # run in the background ignore that one.
        handler: Any = signal.getsignal(signal.SIGINT)
        if not callable(handler):
            raise KeyboardInterrupt
        handler(signal.SIGINT, frame)

    before = {number: signal.getsignal(number) for number in ENDING}
    for number, handler in before.items():
        if handler == signal.SIG_DFL:
            signal.signal(number, end)
    try:
        yield ended
    finally:
        for number, handler in before.items():
            if handler == signal.SIG_DFL:
                signal.signal(number, signal.SIG_DFL)
