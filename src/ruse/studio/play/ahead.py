"""Opponents that take long: for how long those that look ahead may, how many think at once, and how many wait for them.

A move that takes seconds takes a thread of the server for as long, and a processor. So the seconds of a search are
bounded, few think side by side, few more wait for them, and whoever comes then is told to come again. A bot in plain
Python may take as long as it likes, and nobody can stop it: so few wait at its table, and moves never have all threads.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ruse.errors import RuseError
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.translating import differ_in_bets
from ruse.horizon.search.named import SEARCHING, AskedAhead, asked_by
from ruse.protocol.game import Game
from ruse.studio.answers import Overfull
from ruse.studio.state import Studio

USUAL_SECONDS, MOST_SECONDS = 2.0, 10.0
AT_ONCE, WAITING = 2, 8  # moves that are thought of; those among them that wait
AT_A_TABLE = 4  # who act at a table while it thinks, or wait for it to be opened
MOVING = 24  # moves that are made at once at all tables; the server has 40 threads


class Queue:
    """A lock for which no more than so many wait; it has nothing to do with who holds it."""

    def __init__(self, at_once: int, most: int | None, busy: str = "") -> None:
        self.most, self.busy = most, busy
        self._free, self._lock, self._here = threading.Semaphore(at_once), threading.Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if self.most is not None and self._here >= self.most:
                raise Overfull(self.busy)
            self._here += 1
        self._free.acquire()

    @contextmanager
    def if_free(self) -> Iterator[bool]:
        """The lock if nobody has it, else without it; says which."""
        with self._lock:
            is_free = self._free.acquire(blocking=False)
            self._here += is_free
        try:
            yield is_free
        finally:
            if is_free:
                self.__exit__()

    def __exit__(self, *_: object) -> None:
        self._free.release()
        with self._lock:
            self._here -= 1


class Thinking:
    """The moves of a studio that are being thought of."""

    def __init__(self, studio: Studio) -> None:
        busy = "too many opponents are thinking already; try again in a few seconds"
        self._queue, self._moves = Queue(AT_ONCE, WAITING, busy), Queue(MOVING, MOVING, busy)

    @contextmanager
    def turn(self, thinks: bool) -> Iterator[None]:
        """While somebody may think; whoever plays at once need not wait for it."""
        with self._queue if thinks else self._moves:
            yield


def bounded(name: str) -> AskedAhead:
    """What a page asks for."""
    asked = asked_by(name)
    if not 0.0 < asked.ahead.seconds <= MOST_SECONDS:
        most = f"more than 0 and at most {MOST_SECONDS:g}"
        raise RuseError(f"a move takes {most} seconds here, got {asked.ahead.seconds:g}")
    return asked


def ahead_of(run: str, seconds: float = USUAL_SECONDS) -> str:
    """The name of a run that looks ahead."""
    return f"{run}{SEARCHING},seconds={seconds:g}"


def can_look_ahead(game: Game, home: Game, view: str) -> bool:
    """Whether a blueprint for a game at home can do so in this one."""
    is_for_two = isinstance(game, Holdem) and game.players == 2 and view.startswith("buckets")
    return is_for_two and (home == game or differ_in_bets(home, game))
