"""One process at a time: the lock of a run's directory."""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ruse.errors import RuseError
from ruse.store import tensors

try:
    import fcntl
except ImportError:  # not on Windows: there, nothing keeps two processes from one run
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger(__name__)


@contextmanager
def held(directory: Path) -> Iterator[None]:
    """Hold the lock of a directory; the system lets go of it when this process dies."""
    if fcntl is None:
        yield
        return
    with tensors.explaining("lock", directory):
        file = open(directory / "lock", "a+b", buffering=0)  # noqa: SIM115
    with file:
        if not _hold(file.fileno(), directory):
            file.seek(0)
            holder = file.read(20).strip()
            by = f"process {holder.decode()}" if holder.isdigit() else "another process"
            raise RuseError(f"{directory} is being trained by {by}: wait for it, or stop it first")
        # The number is for people only, so a full disk is no reason to stop.
        with suppress(OSError):
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode())
        for leftover in directory.glob(".*.tmp"):  # of a process that was killed
            with suppress(OSError):
                leftover.unlink()
        try:
            yield
        finally:
            with suppress(OSError):
                file.truncate(0)


def _hold(handle: int, directory: Path) -> bool:
    """Whether the lock was free. It is never deleted: a second one could then be made beside one still held."""
    for wait in (0.02, 0.05, 0.1, 0.0):  # `is_held` holds it too, for microseconds
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(wait)
        except OSError as error:  # some network file systems have no locks
            log.warning("cannot lock %s (%s): make sure that no other process trains it", directory, error.strerror)
            return True
    return False


def is_held(directory: Path) -> bool:
    """Whether some process holds the lock."""
    if fcntl is None:
        return False
    try:
        with open(directory / "lock", "rb") as file:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
