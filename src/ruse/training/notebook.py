"""Progress in a notebook: one line below the cell that is compiling or training, which is gone when it is done."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

from ruse.compile import on_compile
from ruse.training.telling import compiling_text, numbers, share_done
from ruse.words.long_work import refuse_uncallable

if TYPE_CHECKING:
    from ruse.training.progress import Progress

PATIENCE, PACE = 0.5, 0.2  # seconds before the first line, and between two

Watch = Callable[["Progress"], None]


def display() -> Any:
    """What shows things in the notebook that this process is of; None where there is none."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is None or not hasattr(shell, "kernel"):  # a terminal has no kernel
        return None
    from importlib import import_module

    return import_module("IPython.display")


class NotebookLine:
    """A line that is shown once it has taken a while, and changed a few times a second."""

    def __init__(self, shown: Any) -> None:
        self.shown, self.handle, self.last = shown, None, time.monotonic() + PATIENCE - PACE

    def say(self, text: str, share: float | None = None, *, now: bool = False) -> None:
        if not now and time.monotonic() - self.last < PACE:
            return
        self.last = time.monotonic()
        bar = "" if share is None else f'<progress value="{share:.3f}" max="1"></progress> '
        content = self.shown.HTML(f"<div>{bar}{escape(text)}</div>")
        if self.handle is None:
            self.handle = self.shown.display(content, display_id=True)
        else:
            self.handle.update(content)

    def clear(self) -> None:
        if self.handle is not None:
            self.handle.update(self.shown.HTML(""))


@contextmanager
def shown_in_notebook(what: str, watch: Watch | None) -> Iterator[Watch | None]:
    """Whoever watches; in a notebook, where nobody does, a line that tells how it stands."""
    refuse_uncallable(watch)
    found = None if watch is not None else display()
    if found is None:
        yield watch
        return
    line = NotebookLine(found)

    def tell(progress: "Progress") -> None:
        line.say(f"{what}: {numbers(progress)}", share_done(progress))

    try:
        with on_compile(lambda name: line.say(f"{what}: {compiling_text(name)}…", now=True)):
            yield tell
    finally:
        line.clear()
