"""Pieces of work on Ray: on a cluster that is there, or on one that is started on this machine (extra `ray`).

    Cluster("ray://HOST:10001")   # a place as `ruse.spread.connect` reads it

A piece whose worker or node is lost is begun again by Ray. Ray is imported when something is spread over it.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.spread.connect import connected
from ruse.spread.here import PACE
from ruse.spread.pieces import Answer, Hearing, import_name
from ruse.spread.processes import SINGLE, TRIES
from ruse.spread.worker import GRACE
from ruse.words.versions import version_of

AHEAD = 2  # tasks that are given to a core at once, so that none waits for us


class Cluster(NamedTuple):
    """As many at once as the cluster has cores."""

    on: str = "ray"
    threads: int = 1  # of a piece

    def ready(self, count: int | None, threads: int = 1) -> "Cluster":
        """The same, joined; Ray knows its cores."""
        if count is not None:
            raise RuseError(f"{self.on} has as many jobs at once as it has cores; leave --jobs {count} out")
        refuse_small(joined(self.on), threads)
        return self._replace(threads=threads)

    @property
    def at_once(self) -> int:
        """As far as is known now: a cluster may grow."""
        return max(1, int(joined(self.on).cluster_resources().get("CPU", 1)) // self.threads)

    def spread(self, work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Hearing]:
        name, waiting, given = import_name(work), deque(range(len(pieces))), dict[Any, int]()
        ray = joined(self.on)
        try:
            task = ray.remote(num_cpus=self.threads, max_retries=TRIES - 1)(done_there)
            while waiting or given:
                while waiting and len(given) < AHEAD * self.at_once:
                    number = waiting.popleft()
                    given[task.remote(name, pieces[number], version_of("ruse"))] = number
                done, _ = ray.wait(list(given), num_returns=1, timeout=PACE)
                yield Hearing(
                    tuple(Answer(given.pop(one), **answer_of(ray, one)) for one in done), tuple(given.values())
                )
        finally:
            try:
                leave_off(ray, list(given))
            finally:
                ray.shutdown()


def leave_off(ray: Any, given: list[Any]) -> None:
    """Tell those at work that nobody wants it any more, as Ctrl-C would; after some seconds no longer."""
    for is_forced in (False, True):
        for one in given:
            with suppress(Exception):  # it has ended meanwhile
                ray.cancel(one, force=is_forced)
        if given and not is_forced:
            _, given = ray.wait(given, num_returns=len(given), timeout=GRACE)


def refuse_small(ray: Any, threads: int) -> None:
    """Raise if no node could ever take a piece: Ray would wait for one."""
    most = max((int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]), default=0)
    if most < threads:
        raise RuseError(
            f"a job of {threads} thread{'s' * (threads > 1)} finds no node with as many processors: the largest of the "
            f"cluster has {most}"
        )


def done_there(name: str, piece: Any, own: str) -> dict[str, Any]:
    """One piece, in a worker of Ray, if it has the same version of this package."""
    import json

    from ruse.spread.worker import answer_to

    if (theirs := version_of("ruse")) != own:
        return {"trouble": f"the cluster has ruse {theirs}, and here is {own}; install the same on both"}
    return answer_to(json.dumps({"work": name, "piece": piece}))


def answer_of(ray: Any, one: Any) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = ray.get(one)
    except ray.exceptions.RayError as error:
        why = str(error).strip().splitlines() or [type(error).__name__]
        if "No module named" in str(error):
            return {"trouble": "a worker could not start on the cluster; is ruse installed on all of its nodes?"}
        return {"trouble": f"its worker on Ray was lost {TRIES} times: {why[0][:300]}"}
    return answer


def joined(on: str) -> Any:
    """Ray, connected, with workers of one thread that find what this process finds."""
    there = {name: os.environ[name] for name in ("PYTHONPATH", "RUSE_CACHE", "RUSE_STATE") if name in os.environ}
    return connected(on, dict.fromkeys(SINGLE, "1") | there)
