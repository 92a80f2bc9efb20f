"""SIGTERM and SIGHUP end a command as Ctrl-C does: a run is saved first. A second signal ends it in any case.

Python hears a signal when the main thread comes back from compiled code, and rules that loop for ever never do. So
somebody else waits for the second one. Files are written beside the old ones and renamed, so that nothing is lost.

Only the command line listens to them; a program that uses the library keeps its own handlers.
"""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

INTERRUPTED = 130  # the exit code after Ctrl-C: 128 and the number of SIGINT
# Those that the system has; Windows has no SIGHUP.
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

GRACE = 5.0  # seconds that a command has to end by itself after a second signal
SOON = 3.0  # seconds after the first one until somebody who waits is told of the second


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
    ours = [number for number, handler in before.items() if handler == signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        with ending_in_any_case({signal.SIGINT, *ours}):
            yield ended
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def ending_in_any_case(numbers: set[int]) -> Iterator[None]:
    """End the process if it is still there some seconds after the second of these signals, whatever it is doing."""
    here, there = socket.socketpair()
    there.setblocking(False)
    before = signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)  # is told of signals at once
    if before != -1:  # somebody else is, and stays so
        signal.set_wakeup_fd(before)
    is_over = threading.Event()

    def wait() -> None:
        heard, is_told = 0, False
        while True:
            here.settimeout(SOON if heard == 1 and not is_told else None)
            try:
                told = here.recv(64)
            except TimeoutError:
                is_told = True
                say("still at work, and stops as soon as it can; a second Ctrl-C ends it in any case")
                continue
            if not told:
                return
            for number in filter(numbers.__contains__, told):
                heard += 1
                if heard > 1 and not is_over.wait(GRACE):
                    leave(number)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    try:
        yield
    finally:
        is_over.set()
        if before == -1:
            signal.set_wakeup_fd(-1)
        there.close()
        waiting.join()
        here.close()


def leave_threads_behind(code: int) -> None:
    """End the process with this code if a thread goes on when the command has been interrupted, as in a bot that never
    answers: Python would wait for it, and no Ctrl-C would help.
    """
    until = time.monotonic() + GRACE
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(max(0.0, until - time.monotonic()))
            if thread.is_alive():
                for stream in (sys.stdout, sys.stderr):
                    with suppress(OSError, ValueError):
                        stream.flush()
                os._exit(code)


def leave(number: int) -> None:
    """End the process here and now."""
    shown = "\x1b[?25h" if sys.__stderr__ is not None and sys.__stderr__.isatty() else ""  # the cursor
    say("ended in the middle of its work, as it did not stop; files are whole", before=shown)
    os._exit(128 + number)


def say(words: str, *, before: str = "") -> None:
    """Write a line to stderr, past whatever holds Python's own."""
    with suppress(OSError):
        os.write(2, f"{before}\nruse: {words}\n".encode())
