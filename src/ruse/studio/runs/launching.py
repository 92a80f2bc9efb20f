"""Work that outlives the studio: commands of the command line, each in a process and a session of its own.

The studio only starts them and reads what they leave on disk, so neither a closed page nor a killed server stops one.
"""

import contextlib
import os
import shlex
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ruse.studio.answers import Clash, Overfull
from ruse.studio.state import Studio
from ruse.words.printable import printable

MOST = 6  # that are at work at once
REMEMBERED = 40
TAIL = 4000  # bytes of what one has said
POLITE = 5  # how far they stand behind the studio itself where the processor is short: see `man nice`
LOGS = ".studio"  # a folder beside the runs


class Launched(NamedTuple):
    """A command that was started here."""

    id: str
    words: list[str]
    began: float
    process: "subprocess.Popen[bytes]"
    log: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def code(self) -> int | None:
        """How it ended; None while it is at work."""
        return self.process.poll()

    @property
    def command(self) -> str:
        return shlex.join(["ruse", *self.words])

    def told(self) -> list[str]:
        """The last lines that it has written."""
        with contextlib.suppress(OSError), open(self.log, "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            text = file.read().decode(errors="replace")
            return [printable(line.rpartition("\r")[2]) for line in text.splitlines() if line.strip()][-8:]
        return []


class Launcher:
    """The commands that this studio has started."""

    def __init__(self, studio: Studio) -> None:
        self.folder = studio.runs / LOGS
        self.lock = threading.Lock()
        self.launched: dict[str, Launched] = {}

    def start(self, words: Sequence[str], *, alone: int = 0) -> Launched:
        """Run `ruse WORDS`; what it says goes into a file, so that it never waits for anybody to read it.

        `alone`: not while another is at work that has the same first words, so many of them.
        """
        with self.lock:
            at_work = [one for one in self.launched.values() if one.code is None]
            if alone and any(one.words[:alone] == list(words[:alone]) for one in at_work):
                raise Clash(f"`{shlex.join(['ruse', *words[:alone]])}` is at work already")
            if len(at_work) >= MOST:
                raise Overfull(f"{MOST} commands are at work already; stop one, or wait")
            self.folder.mkdir(parents=True, exist_ok=True)
            id = uuid.uuid4().hex[:12]
            log = self.folder / f"{id}.log"
            with open(log, "wb") as out:
                process = subprocess.Popen(
                    [sys.executable, "-m", "ruse", *words], stdin=subprocess.DEVNULL, stdout=out,
                    stderr=subprocess.STDOUT, start_new_session=True, env=os.environ | {"COLUMNS": "200"},
                )  # fmt: skip
            with contextlib.suppress(OSError, AttributeError):  # people at tables come first; Windows has no such thing
                os.setpriority(os.PRIO_PROCESS, process.pid, POLITE)
            made = self.launched[id] = Launched(id, list(words), time.time(), process, log)
            for old in [one for one in self.launched.values() if one.code is not None][:-REMEMBERED]:
                del self.launched[old.id]
                old.log.unlink(missing_ok=True)
            return made

    def close(self) -> None:
        """They go on; somebody only has to wait for them, or the system keeps their names."""
        for one in self.every():
            threading.Thread(target=one.process.wait, daemon=True).start()

    def by_pid(self, pid: int) -> Launched | None:
        return next((one for one in list(self.launched.values()) if one.pid == pid), None)

    def every(self) -> list[Launched]:
        return list(self.launched.values())
