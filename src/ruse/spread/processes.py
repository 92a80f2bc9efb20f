"""Pieces of work in processes of this machine. One that is killed, or dies, is replaced, and its piece begun again."""

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ruse.spread.here import PACE, cores, refuse_count
from ruse.spread.pieces import Answer, Hearing, import_name
from ruse.spread.worker import GRACE

TRIES = 3  # that a piece has: one that ends its process every time would never be done
SINGLE = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # one thread each
Said = tuple["Helper", str]


class Helper:
    """One process, which works on one piece after the other."""

    def __init__(self, heard: "queue.Queue[Said]") -> None:
        self.piece: int | None = None
        self.trouble = tempfile.TemporaryFile()  # noqa: SIM115
        # In a session of its own: Ctrl-C is for whoever is asked to stop it, and not for it.
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ruse.spread.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.trouble, text=True, encoding="utf-8", start_new_session=True,
            env=os.environ | dict.fromkeys(SINGLE, "1"),
        )  # fmt: skip
        self.hearing = threading.Thread(target=self._hear, args=(heard,), daemon=True)
        self.hearing.start()

    def _hear(self, heard: "queue.Queue[Said]") -> None:
        assert self.process.stdout is not None
        with suppress(OSError, ValueError):
            for line in self.process.stdout:
                heard.put((self, line))
        heard.put((self, ""))  # it has ended

    def begin(self, number: int, question: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.piece = number
        with suppress(OSError):  # it is dead, and will be heard of
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()

    def leave_off(self) -> None:
        """Tell it that there is nothing more to do."""
        with suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]

    def end(self, until: float) -> None:
        """Wait for it, and then no longer."""
        try:
            self.process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.leave_off()
        self.hearing.join()
        self.process.stdout.close()  # type: ignore[union-attr]
        self.trouble.close()

    def how_it_ended(self) -> str:
        """In words: "ended by SIGKILL"."""
        code = self.process.wait()
        with suppress(ValueError):
            if code < 0:
                return f"ended by {signal.Signals(-code).name}"
        self.trouble.seek(0)
        *_, last = [b"", *self.trouble.read().strip().splitlines()]
        return f"ended with exit code {code}" + (f" ({last.decode(errors='replace')[:200]})" if last else "")


class Processes(NamedTuple):
    """So many at once, each with one thread."""

    most: int = 0  # 0: as many as there are cores

    def ready(self, count: int | None, threads: int = 1) -> "Processes":
        """The same for so many processes, or for as many as there are cores for their threads."""
        if count is not None:
            refuse_count(count)
        return Processes(max(1, cores() // threads) if count is None else count)

    @property
    def at_once(self) -> int:
        refuse_count(self.most or 1)
        return self.most or cores()

    def spread(self, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Hearing]:
        name, waiting, losses = import_name(work), deque(range(len(pieces))), Counter[int]()
        heard: queue.Queue[Said] = queue.Queue()
        crew: list[Helper] = []
        try:
            while waiting or any(one.piece is not None for one in crew):
                for one in crew:
                    if one.piece is None and waiting:
                        number = waiting.popleft()
                        one.begin(number, {"work": name, "piece": pieces[number]})
                while waiting and len(crew) < self.at_once:
                    crew.append(Helper(heard))
                    number = waiting.popleft()
                    crew[-1].begin(number, {"work": name, "piece": pieces[number]})
                answers, lost = [], []
                for one, line in said_within(heard, PACE):
                    number = one.piece if one.piece is not None else -1
                    one.piece = None
                    if line.endswith("\n"):
                        answers.append(Answer(number, **json.loads(line)))
                        continue
                    crew.remove(one)
                    how = one.how_it_ended()
                    one.end(0.0)
                    if number < 0:
                        continue
                    losses[number] += 1
                    lost.append(how)
                    if losses[number] < TRIES:
                        waiting.append(number)
                    else:
                        why = f"its process was lost {TRIES} times, the last one {how}; is there memory enough?"
                        answers.append(Answer(number, trouble=why))
                at_work = tuple(one.piece for one in crew if one.piece is not None)
                yield Hearing(tuple(answers), at_work, tuple(lost))
        finally:
            for one in crew:
                one.leave_off()
            until = time.monotonic() + GRACE
            for one in crew:
                one.end(until)


def said_within(heard: "queue.Queue[Said]", seconds: float) -> Iterator[Said]:
    """What is said within some seconds: nothing, or all that is there."""
    with suppress(queue.Empty):
        yield heard.get(timeout=seconds)
        while True:
            yield heard.get_nowait()
