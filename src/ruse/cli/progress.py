"""A live line on stderr while something takes long; nothing where stderr is no terminal."""

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ruse.compile import on_compile
from ruse.printable import beneath, one_line

if TYPE_CHECKING:
    from rich.text import Text

    from ruse.progress import Progress


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """Say what is being done, and which kernel is being compiled for it; the function given tells more of it."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console

    with (
        Console(file=beneath(sys.stderr), highlight=False).status(plainly(f"{what}…")) as status,
        on_compile(lambda name: status.update(plainly(compiling(name)))),
    ):
        yield lambda text: status.update(plainly(f"{what}: {text}…"))


@contextmanager
def watching(what: str) -> Iterator[Callable[["Progress"], None] | None]:
    """What `train` should call to show how it stands; None where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
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
    task = line.add_task(what, total=None, numbers="")

    def watch(progress: "Progress") -> None:
        share = share_done(progress)
        total = None if share is None else 1.0
        line.update(task, description=what, completed=share or 0.0, total=total, numbers=numbers(progress))

    with line, on_compile(lambda name: line.update(task, description=one_line(compiling(name)))):
        yield watch


def plainly(text: str) -> "Text":
    """A text on one line, with nothing in it that the terminal or Rich would take for more than text."""
    from rich.text import Text

    return Text(one_line(text))


def compiling(name: str) -> str:
    return f"compiling kernels, once ({name})…"


def share_done(progress: "Progress") -> float | None:
    """How much of the planned iterations or seconds is done; None if the end is open."""
    shares = []
    if progress.planned:
        shares.append(progress.iteration / progress.planned)
    if progress.seconds_limit:
        shares.append(progress.seconds / progress.seconds_limit)
    return min(1.0, max(shares)) if shares else None


def numbers(progress: "Progress") -> str:
    """Iteration, exploitability, speed and time left on one line."""
    done = f"{progress.iteration:,}/{progress.planned:,}" if progress.planned else f"iteration {progress.iteration:,}"
    aim = f" (target {progress.target:.3g})" if progress.target else ""
    left = f", {duration(progress.seconds_left)} left" if progress.seconds_left is not None else ""
    size = ""
    if progress.nodes:
        speed = progress.nodes / progress.seconds if progress.seconds else 0.0
        size = f", {speed:,.0f} nodes/s, {progress.infosets:,} infosets, {progress.bytes / 2**20:,.0f} MiB"
        if progress.pruned is not None:
            size += f", {progress.pruned:.0%} pruned, {progress.given_back / 1024:,.0f} KiB given back"
    # Too large to be judged, it has none; before the first check it is infinite, and people see that it will come.
    known = "" if math.isnan(progress.exploitability) else f", exploitability {progress.exploitability:.3g}{aim}"
    return f"{done}{known}, {progress.rate:,.0f} it/s{size}{left}"


def duration(seconds: float) -> str:
    """A time in the largest unit that gives more than one: 40 s, 3 min, 2 h, 5 days."""
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
