"""Where output goes when whoever started the command has closed it, or closes it meanwhile."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TextIO, cast

from ruse.words.printable import PrintableStream


class Piped:
    """A stream whose reader may go: what comes after that is written to nowhere, and the command goes on to its end.

    So its exit code is its own, and does not hang on how fast the reader was, as it would in `ruse show leduc | head`.
    """

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        try:
            return self.beneath.write(text)
        except BrokenPipeError:
            leave(self.beneath)
            return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        try:
            self.beneath.flush()
        except BrokenPipeError:
            leave(self.beneath)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


def leave(stream: TextIO) -> None:
    """Write to nowhere from now on; or the interpreter's last flush would fail and be told in its own words."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def unwritable() -> TextIO:
    """What a closed stdout is: whatever is written to it fails, as on a full disk."""
    return open(os.open(os.devnull, os.O_RDONLY), "w")


def unheard() -> TextIO:
    """What a closed stderr is: there is nobody to be told."""
    return open(os.devnull, "w")


@contextmanager
def streams() -> Iterator[None]:
    """Streams for a command: there always, quiet when their reader goes, and with nothing on them that steers the
    terminal, since what is printed may come from a file.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    with ExitStack() as made:
        # The system's own are None where they were closed.
        sys.stdin = before[0] or made.enter_context(open(os.devnull))
        out, err = before[1] or made.enter_context(unwritable()), before[2] or made.enter_context(unheard())
        sys.stdout, sys.stderr = (cast(TextIO, PrintableStream(cast(TextIO, Piped(stream)))) for stream in (out, err))
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
            if before[1] is None:
                leave(out)  # or closing it would fail
