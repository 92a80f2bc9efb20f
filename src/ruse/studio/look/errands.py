"""Errands: work that a page waits for, done by a thread beside, told as it goes, and stopped if nobody wants it.

A thread cannot be ended from without. One that was stopped and does not tell anything any more, as when a bot never
answers, is left to itself: others take its place, and the process does not wait for it when it ends.
"""

import itertools
import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel

from ruse.errors import RuseError
from ruse.studio.answers import Missing, Overfull, said_on_a_page
from ruse.studio.feed import Feed, News
from ruse.studio.state import Studio

log = logging.getLogger(__name__)

AT_ONCE = 2  # errands that run side by side; the others wait
WAITING = 12  # that may wait or run
KEPT = 60  # that are remembered
PATIENCE = 5.0  # seconds that one which was stopped has to end by itself
LEFT = "stopped; it has not answered, and is left to itself until the studio ends"
Standing = Literal["waiting", "running", "done", "failed", "stopped"]


class Stopped(Exception):
    """Nobody waits for it any more."""


class ErrandView(BaseModel):
    """How an errand stands."""

    id: str
    kind: str
    standing: Standing
    told: str  # what is being done
    data: Any  # what is there so far, or all of it
    error: str | None


class Errand:
    """One of them. Whoever does it tells how it goes, and is stopped where it tells."""

    def __init__(self, id: str, kind: str) -> None:
        self.id, self.kind = id, kind
        self.standing: Standing = "waiting"
        self.told, self.data, self.error = "waiting", None, None  # type: str, Any, str | None
        self.number = 1  # grows with each change
        self.is_unwanted = self.is_left = False
        self.when_left: Callable[[], None] = lambda: None
        self.result: Any = None  # for the server alone

    def tell(self, told: str, data: Any = None) -> None:
        """Say what is being done, and what is there so far."""
        if self.is_unwanted:
            raise Stopped
        self.told = told
        self.data = self.data if data is None else data
        self.number += 1

    def view(self) -> ErrandView:
        return ErrandView(
            id=self.id, kind=self.kind, standing=self.standing, told=self.told, data=self.data, error=self.error
        )


class Errands:
    """Those of a studio."""

    def __init__(self, studio: Studio) -> None:
        self._lock = threading.Lock()
        self._errands: OrderedDict[str, Errand] = OrderedDict()
        self._waiting = deque[tuple[Errand, Callable[[Errand], Any]]]()
        self._busy = 0  # threads that count
        self._numbers = itertools.count(1)
        studio.of(Feed).source("errand", self.news)

    def send(self, kind: str, do: Callable[[Errand], Any]) -> Errand:
        """Have something done; `do` is given the errand, and what it returns is what pages are shown."""
        with self._lock:
            busy = sum(errand.standing in ("waiting", "running") for errand in self._errands.values())
            if busy >= WAITING:
                raise Overfull(f"{busy} things are being done already; wait for one of them, or stop one")
            errand = Errand(f"{kind}-{next(self._numbers)}", kind)
            self._errands[errand.id] = errand
            over = [one for one in self._errands.values() if one.standing not in ("waiting", "running")]
            for old in over[: max(0, len(self._errands) - KEPT)]:
                del self._errands[old.id]
            self._waiting.append((errand, do))
            self._begin_some()
        return errand

    def _begin_some(self) -> None:
        while self._waiting and self._busy < AT_ONCE:
            self._busy += 1
            threading.Thread(target=self._run, args=self._waiting.popleft(), name="errand", daemon=True).start()

    def _run(self, errand: Errand, do: Callable[[Errand], Any]) -> None:
        standing, told, data, error = self._done(errand, do)
        with self._lock:
            if errand.is_left:  # others have its place already
                return
            errand.standing, errand.told, errand.error = standing, told, error
            errand.data = data if standing == "done" else errand.data
            errand.number += 1
            self._busy -= 1
            self._begin_some()

    def _done(self, errand: Errand, do: Callable[[Errand], Any]) -> tuple[Standing, str, Any, str | None]:
        """How it ended."""
        try:
            errand.standing = "running"
            errand.tell("starting")
            return "done", "done", do(errand), None
        except Stopped:
            return "stopped", "stopped", None, None
        except RuseError as error:
            return "failed", "failed", None, said_on_a_page(error)
        except BaseException:
            log.exception("the errand %s failed", errand.id)
            return "failed", "failed", None, "this went wrong in the studio itself; its log tells more"

    def _leave(self, errand: Errand) -> None:
        """Wait no longer for one that was stopped."""
        with self._lock:
            if errand.standing != "running":
                return
            errand.is_left, errand.standing, errand.told = True, "stopped", LEFT
            errand.number += 1
            self._busy -= 1
            self._begin_some()
        errand.when_left()

    def get(self, id: str) -> Errand:
        with self._lock:
            if id not in self._errands:
                raise Missing(f"there is no {id[:60]!r} here; the studio may have been started anew since")
            return self._errands[id]

    def of_kind(self, kind: str) -> list[Errand]:
        with self._lock:
            return [errand for errand in self._errands.values() if errand.kind == kind]

    def stop(self, id: str, when_left: Callable[[], None] = lambda: None) -> Errand:
        """Stop one that waits or runs; it ends where it next tells something. If it does not, it is left to itself,
        and somebody is told.
        """
        errand = self.get(id)
        errand.is_unwanted, errand.when_left = True, when_left
        if errand.standing == "running":
            timer = threading.Timer(PATIENCE, self._leave, [errand])
            timer.daemon = True
            timer.start()
        return errand

    def news(self, id: str, since: int) -> News | None:
        errand = self.get(id)
        number = errand.number
        return News(number, errand.view().model_dump()) if number > since else None

    def close(self) -> None:
        with self._lock:
            self._waiting.clear()
            for errand in self._errands.values():
                errand.is_unwanted = True
