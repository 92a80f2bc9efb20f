"""What is said on stderr while something takes long: a live line on a terminal, plain lines where there is none."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ruse.compile import on_compile
from ruse.training.telling import compiling_text as compiling_text
from ruse.training.telling import duration as duration
from ruse.training.telling import numbers as numbers
from ruse.training.telling import share_done as share_done
from ruse.words.long_work import on_long_work, told_progress
from ruse.words.printable import beneath, one_line

if TYPE_CHECKING:
    from rich.text import Text

    from ruse.training.progress import Progress

PATIENCE = 1.0  # seconds in which nothing need be said
SELDOM = 60.0  # seconds between two plain lines, at most


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """Say what is being done, and which kernel is being compiled for it; the function given tells more of it."""
    if not sys.stderr.isatty():
        with plain_lines(what) as lines:

            def add(text: str) -> None:
                lines.doing = lambda: f"{what}: {text}"

            yield add
        return
    from rich.console import Console

    now = [f"{what}…"]  # what it says whenever no kernel is being compiled

    def say(text: str) -> None:
        status.update(plainly(text))

    def tell(text: str) -> None:
        now[0] = f"{what}: {text}…"
        say(now[0])

    def hear(text: str, share: float | None) -> None:
        if share is None:
            status.console.print(plainly(text))
        else:
            say(f"{told_progress(text, share)}…")

    with (
        Console(file=beneath(sys.stderr), highlight=False).status(plainly(now[0])) as status,
        on_compile(lambda name: say(f"{compiling_text(name)}…"), lambda: say(now[0])),
        on_long_work(hear),
    ):
        yield tell


@contextmanager
def watching(what: str, *, once_begun: Callable[[], None] | None = None) -> Iterator[Callable[["Progress"], None]]:
    """What `train` should call to show how it stands; `once_begun` is called as soon as it has done something."""
    waiting = [once_begun] if once_begun else []
    if not sys.stderr.isatty():
        with plain_lines(f"{what}: getting ready") as lines:

            def keep(progress: "Progress") -> None:
                if waiting:
                    waiting.pop()()
                lines.doing = lambda: f"{what}: {numbers(progress)}"

            yield keep
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Line

    console = Console(file=beneath(sys.stderr), highlight=False)
    bar = [BarColumn(bar_width=20)] if console.width >= 110 else []  # the numbers say more than the bar
    words = [TextColumn(f"{{task.{field}}}", markup=False) for field in ("description", "fields[numbers]")]
    columns = (words[0], *bar, words[1])
    # Redirecting would send what is meant for stdout to stderr.
    line = Line(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
    what = one_line(what)
    task = line.add_task(what, total=None, numbers="getting ready…")

    def watch(progress: "Progress") -> None:
        if waiting:
            line.stop()  # or the two would be on one line
            waiting.pop()()
            sys.stdout.flush()
            line.start()
        share = share_done(progress)
        total = None if share is None else 1.0
        line.update(task, description=what, completed=share or 0.0, total=total, numbers=numbers(progress))

    def say(text: str) -> None:
        line.update(task, description=one_line(text))

    def hear(text: str, share: float | None) -> None:
        if share is None:
            line.console.print(plainly(text))
        else:
            say(f"{told_progress(text, share)}…")

    with line, on_compile(lambda name: say(f"{compiling_text(name)}…"), lambda: say(what)), on_long_work(hear):
        yield watch


class PlainLines:
    """Lines for whoever has no terminal: the first after a second, then each time that twice as long has passed, and
    at least one a minute.
    """

    def __init__(self, what: str) -> None:
        self.doing: Callable[[], str] = lambda: what
        self.kernel: str | None = None  # that is being compiled
        self.is_over = threading.Event()
        self.voice = threading.Thread(target=self.speak, daemon=True)

    def speak(self) -> None:
        began, due = time.monotonic(), PATIENCE
        while not self.is_over.wait(max(0.0, began + due - time.monotonic())):
            text = self.doing() if self.kernel is None else compiling_text(self.kernel)
            print(f"{one_line(text)}… ({duration(due)})", file=sys.stderr, flush=True)
            due += min(due, SELDOM)

    def hear(self, what: str, share: float | None) -> None:
        if share is None:
            print(one_line(what), file=sys.stderr, flush=True)
        else:
            self.doing = lambda: told_progress(what, share)

    def begins(self, kernel: str) -> None:
        self.kernel = kernel

    def ends(self) -> None:
        self.kernel = None


@contextmanager
def plain_lines(what: str) -> Iterator[PlainLines]:
    """Such lines, as long as something is being done."""
    lines = PlainLines(what)
    with on_compile(lines.begins, lines.ends), on_long_work(lines.hear):
        lines.voice.start()
        try:
            yield lines
        finally:
            lines.is_over.set()
            lines.voice.join()


def plainly(text: str) -> "Text":
    """A text on one line, with nothing in it that the terminal or Rich would take for more than text."""
    from rich.text import Text

    return Text(one_line(text))
