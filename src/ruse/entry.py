"""Where `ruse` begins: Ctrl-C is listened for before anything is imported that takes long.

While modules are imported there is nothing to save, so it ends the program at once, without a word. The same holds for
the moment after a command is over.
"""

import os
import signal
from types import FrameType


def leave(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)


def alone(code: int) -> int:
    """The exit code; where the command was interrupted, once no thread goes on."""
    if code > 128:
        from ruse.cli.terminal.signals import leave_threads_behind

        leave_threads_behind(code)
    return code


def main() -> int:
    """Run the command that was typed."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # it is ignored, as in the background
        from ruse.cli import main as run

        return alone(run())
    signal.signal(signal.SIGINT, leave)
    from ruse.cli import main as run

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run()
        signal.signal(signal.SIGINT, leave)
        alone(code)
    except KeyboardInterrupt:  # outside of what a command does
        return 128 + signal.SIGINT
    return code
