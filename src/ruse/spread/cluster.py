"""Pieces of work on Ray: on a cluster that is there, or on one that is started on this machine (extra `ray`).

    Cluster("ray")                # $RAY_ADDRESS, the cluster that was started on this machine, or one of its own
    Cluster("ray://HOST:10001")   # another one, through its client port

A piece whose worker or node is lost is begun again by Ray. Ray is imported when something is spread over it.
"""

import os
import socket
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.spread.here import PACE
from ruse.spread.pieces import Answer, Hearing, name_of
from ruse.spread.processes import SINGLE, TRIES

PATIENCE = 5.0  # seconds for an answer
AHEAD = 2  # tasks that are given to a core at once, so that none waits for us


class Cluster(NamedTuple):
    """As many at once as the cluster has cores."""

    on: str = "ray"
    threads: int = 1  # of a piece

    def ready(self, count: int | None, threads: int = 1) -> "Cluster":
        """The same, joined; Ray knows its cores."""
        if count is not None:
            raise RuseError(f"{self.on} has as many jobs at once as it has cores; leave --jobs {count} out")
        joined(self.on)
        return self._replace(threads=threads)

    @property
    def at_once(self) -> int:
        """As far as is known now: a cluster may grow."""
        return max(1, int(joined(self.on).cluster_resources().get("CPU", 1)) // self.threads)

    def spread(self, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Hearing]:
        name, waiting, given = name_of(work), deque(range(len(pieces))), dict[Any, int]()
        ray = joined(self.on)
        try:
            task = ray.remote(num_cpus=self.threads, max_retries=TRIES - 1)(done_there)
            while waiting or given:
                while waiting and len(given) < AHEAD * self.at_once:
                    number = waiting.popleft()
                    given[task.remote(name, pieces[number])] = number
                done, _ = ray.wait(list(given), num_returns=1, timeout=PACE)
                yield Hearing(
                    tuple(Answer(given.pop(one), **answer_of(ray, one)) for one in done), tuple(given.values())
                )
        finally:
            for one in given:
                with suppress(Exception):
                    ray.cancel(one, force=True)
            ray.shutdown()


def done_there(name: str, piece: Any) -> dict[str, Any]:
    """One piece, in a worker of Ray."""
    import json

    from ruse.spread.worker import answer_to

    return answer_to(json.dumps({"work": name, "piece": piece}))


def answer_of(ray: Any, one: Any) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = ray.get(one)
    except ray.exceptions.RayError as error:
        why = str(error).strip().splitlines() or [type(error).__name__]
        return {"trouble": f"its worker on Ray was lost {TRIES} times: {why[0][:300]}"}
    return answer


def joined(on: str) -> Any:
    """Ray, connected: to an address, to the cluster that this machine is in, or to one that is started here."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # or it would tell its makers
    try:
        import ray
    except ImportError as error:
        raise RuseError(f'--on {on} needs Ray: pip install "ruse[ray]"') from error
    if ray.is_initialized():
        return ray
    there = {name: os.environ[name] for name in ("PYTHONPATH", "RUSE_CACHE", "RUSE_STATE") if name in os.environ}
    env = {"env_vars": dict.fromkeys(SINGLE, "1") | there}
    try:
        ray.init(**found(on), log_to_driver=False, logging_level="ERROR", runtime_env=env)
    except Exception as error:  # of many kinds: another version, no room
        why = " ".join(str(error).split())[:300] or type(error).__name__
        raise RuseError(f"cannot work on {on}: {why}") from error
    return ray


def found(on: str) -> dict[str, Any]:
    """What Ray is told of the place. Ray itself would wait for minutes where nobody answers."""
    if "://" in on:
        host, _, port = on.partition("://")[2].rpartition(":")
        if not answers(host, port):
            raise RuseError(f"no Ray cluster answers at {on}; its client port is 10001 where nothing else was said")
        return {"address": on}
    if given := os.environ.get("RAY_ADDRESS"):
        return {"address": given}
    with suppress(OSError):  # where `ray start` notes what it has started on this machine
        noted = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir(), "ray", "ray_current_cluster").read_text()
        if answers(*noted.strip().rsplit(":", 1)):
            return {"address": noted.strip()}
    return {"address": "local", "include_dashboard": False}


def answers(host: str, port: str = "") -> bool:
    """Whether somebody listens there."""
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
    except (OSError, ValueError, OverflowError):
        return False
    return True
