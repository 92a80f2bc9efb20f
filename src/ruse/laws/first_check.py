"""A game in a person's own file is checked before it is first used, and never again while its code stays the same."""

import hashlib
from pathlib import Path

from ruse.compile import cache_dir
from ruse.compile.cache import read_entry, write_entry
from ruse.compile.files.sources import fingerprint
from ruse.laws.check import quick_check
from ruse.protocol.game import Game
from ruse.protocol.guards.breaches import Unlawful

PASSED = b"lawful"


def is_checked(game: Game) -> bool:
    """Whether this very game, code and fields, has passed before."""
    mark = _mark(game)
    return mark is not None and read_entry(mark) == PASSED


def refuse_unlawful(game: Game, file: str) -> None:
    """Check a game and remember that it has passed; raise if it breaks a law."""
    mark = _mark(game)  # as it was asked for: what the check has loaded is a part of it afterwards
    report = quick_check(game)
    if report.failures:
        raise Unlawful(f"{file}: {report.failures[0]}; `ruse check {file}` tells more")
    if mark is not None:
        write_entry(mark, PASSED)


def _mark(game: Game) -> Path | None:
    """The file that says so; None if nothing tells what the game's code is."""
    prints = [fingerprint(type(game).__module__), fingerprint("ruse.laws.check")]
    if None in prints:
        return None
    text = repr((prints, type(game).__qualname__, game))
    return cache_dir() / f"{hashlib.sha256(text.encode()).hexdigest()[:40]}.lawful"
