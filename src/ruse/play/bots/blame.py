"""Whose fault it is: what a bot's own code raises, and what the compiler says of it, in one sentence with its name.

A bot in plain Python can raise anything, and leave the program (`SystemExit`). A compiled one is first read by the
compiler when a kernel is called that plays with it, and then may reach beyond its arrays.
"""

import sys
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from ruse.compile.files.mistakes import exception_words, is_compilers, raised, reason
from ruse.errors import RuseError
from ruse.play.bots.bot import is_a, name_of
from ruse.words.printable import one_line, shortened

BRIEF = 300  # characters of what an exception says


class Blame:
    """With it, whatever the code of these bots raises is told as their fault; Ctrl-C and our own sentences pass.

    Where there are none of them, everything does.
    """

    def __init__(self, *bots: Any) -> None:
        self.bots = bots

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None or not self.bots or is_ctrl_c(error) or _is_our_own(type(error)):
            return
        raise RuseError(f"{_who(self.bots)} {fault_of(error, self.bots)}") from error


def strangers(seats: Sequence[Any]) -> list[Any]:
    """The bots in these seats whose code, that of a view or a bot within them too, is not the package's."""
    return [seat.bot for seat in seats if is_strange(seat.bot) or is_strange(getattr(seat, "sees", None))]


def is_strange(part: Any) -> bool:
    """Whether a part, or one of those that it holds, was not written by us."""
    if not is_a(part, tuple):
        return False
    return not (_is_ours(type(part)) or type(part) is tuple) or any(map(is_strange, part))


def is_ctrl_c(error: BaseException) -> bool:
    """Whether a person may have ended the program: only the main thread hears of that, others have raised it."""
    return is_a(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


def _is_ours(kind: type) -> bool:
    return str(kind.__module__).partition(".")[0] == "ruse"


def _is_our_own(kind: type) -> bool:
    """Whether an exception is one of ours, and does not only say so."""
    return _is_ours(kind) and getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind


def looked_at(kernel: Any, bots: Sequence[Any]) -> Any:
    """The kernel to play with these strangers: if there are any, the one in which every index is looked at."""
    return kernel.checked if bots else kernel


def _who(bots: Sequence[Any]) -> str:
    names = list(dict.fromkeys(map(name_of, bots)))
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


def fault_of(error: BaseException, bots: Sequence[Any]) -> str:
    """What one of these bots has done, if this is what came of it."""
    if is_compilers(error):
        return f"cannot be compiled: {reason(error, bots[0] if len(bots) == 1 else None)}"
    if is_a(error, IndexError) and raised(error) is None:
        return "reaches beyond an array when compiled: an index is below 0, or not below its length"
    return f"has failed: {raised(error) or shortened(one_line(exception_words(error)), BRIEF)}"
