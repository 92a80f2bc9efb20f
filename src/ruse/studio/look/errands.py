"""Errands: work that a page waits for, done by a thread beside, told as it goes, and stopped if nobody wants it."""

import itertools
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
        self.is_unwanted = False
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
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="errand")
        self._lock = threading.Lock()
        self._errands: OrderedDict[str, Errand] = OrderedDict()
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
        self._pool.submit(self._run, errand, do)
        return errand

    def _run(self, errand: Errand, do: Callable[[Errand], Any]) -> None:
        try:
            errand.standing = "running"
            errand.tell("starting")
            errand.data = do(errand)
            errand.standing, errand.told = "done", "done"
        except Stopped:
            errand.standing, errand.told = "stopped", "stopped"
        except RuseError as error:
            errand.standing, errand.told, errand.error = "failed", "failed", said_on_a_page(error)
        except Exception:
            log.exception("the errand %s failed", errand.id)
            errand.standing, errand.told = "failed", "failed"
            errand.error = "this went wrong in the studio itself; its log tells more"
        errand.number += 1

    def get(self, id: str) -> Errand:
        with self._lock:
            if id not in self._errands:
                raise Missing(f"there is no {id[:60]!r} here; the studio may have been started anew since")
            return self._errands[id]

    def of_kind(self, kind: str) -> list[Errand]:
        with self._lock:
            return [errand for errand in self._errands.values() if errand.kind == kind]

    def stop(self, id: str) -> Errand:
        """Stop one that waits or runs; it ends where it next tells something."""
        errand = self.get(id)
        errand.is_unwanted = True
        return errand

    def news(self, id: str, since: int) -> News | None:
        errand = self.get(id)
        number = errand.number
        return News(number, errand.view().model_dump()) if number > since else None

    def close(self) -> None:
        with self._lock:
            for errand in self._errands.values():
                errand.is_unwanted = True
        self._pool.shutdown(wait=False, cancel_futures=True)
