"""What one studio holds: its settings, and for each area the object that the area keeps its things in."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from fastapi import Request

T = TypeVar("T")

STATIC = Path(__file__).parent / "static"
MEGABYTE = 1 << 20


class StudioSettings(NamedTuple):
    """Where a studio finds things, and what it gives to one visitor."""

    runs: Path = Path("runs")  # the folder of runs
    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None  # whoever has it may ask; None: whoever is on this machine
    static: Path = STATIC  # the page
    names: tuple[str, ...] = ()  # names of this machine that a browser may ask it by, besides the usual
    body: int = 1 * MEGABYTE  # bytes of a request,
    record: int = 16 * MEGABYTE  # and of one that brings a record
    rate: float = 200.0  # requests a second, over a while,
    burst: int = 1000  # and at once
    visitors: int = 1000  # whose rates are remembered
    feeds: int = 64  # pages that listen at once


class Studio:
    """The state of a running studio, at `app.state.studio`; several threads ask it."""

    def __init__(self, settings: StudioSettings) -> None:
        self.settings = settings
        self._made: dict[Any, Any] = {}
        self._lock = threading.RLock()

    @property
    def runs(self) -> Path:
        """The folder of runs."""
        return self.settings.runs

    @property
    def games(self) -> Path:
        """The folder where games that people play are kept, open ones and finished ones."""
        return self.settings.runs / ".games"

    def of(self, make: Callable[["Studio"], T]) -> T:
        """What an area keeps: made by `make(studio)` when it is first asked for, and the same one from then on."""
        with self._lock:
            if make not in self._made:
                self._made[make] = make(self)
            return cast(T, self._made[make])

    def close(self) -> None:
        """Let go of everything: what has a `close` is told."""
        with self._lock:
            made, self._made = list(self._made.values()), {}
        for thing in made:
            getattr(thing, "close", lambda: None)()


def studio_of(request: Request) -> Studio:
    """The studio that a request came to; for handlers, as `studio: Annotated[Studio, Depends(studio_of)]`."""
    return cast(Studio, request.app.state.studio)
