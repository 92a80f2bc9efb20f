"""Who works at a training on Ray: workers that sample, shards that hold the table, and a journal for each shard.

A round counts whole or not at all. Until every shard, and its journal, has received all that was sent, nothing is
added; a worker that is lost before has its chunk run by another, and it comes to the same. A shard that is lost is made
again from its journal, which is on another node if there is one, a journal from its shard. So any process and any node
may go at any moment, and nothing of a finished round is lost, unless a shard goes together with its journal.
"""

import importlib
import os
import time
from collections import deque
from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.solve.table.blocks import Array, PackedRows
from ruse.solve.table.table import OutOfMemory
from ruse.spread.connect import alive, processors_of, surroundings
from ruse.training.cluster.journal import Journal
from ruse.training.cluster.machines import RoundEnd
from ruse.training.cluster.sampler import ChunkTold, Sampler
from ruse.training.cluster.shard import Making, Sent, Shard, ShardPast, Stale, shards_share
from ruse.training.cluster.travel import Packed, packed, unpacked
from ruse.training.jobs.job import Job
from ruse.words.versions import version_of

ANSWER = 300.0  # seconds in which somebody who is there answers
HIRING = 300.0  # seconds in which a worker has started, if there is a processor for it
ATTEMPTS = 10  # to get a round done
NO_PROCESSOR = "the cluster has no processor for workers; start a node that has some, as `ray start` does"


class RayShard(Shard):
    """A shard in a process of its own."""

    def __init__(self, around: dict[str, str], making: Making, past: ShardPast) -> None:
        os.environ.update(around)
        super().__init__(making, past)


class RayWorker:
    """A sampler in a process of its own."""

    def __init__(self, around: dict[str, str], job: Packed, memory: int | None) -> None:
        os.environ.update(around)
        self.sampler = Sampler(unpacked(job), memory)

    def version(self) -> str:
        """Which version of this package is installed there."""
        return version_of("ruse")

    def run(self, done: int, span: tuple[int, int], shards: list[Any]) -> tuple[Any, ...]:
        """Run a stretch of iterations on the table as it was after `done`; what it has to tell, and for each shard what
        it has added.
        """
        start, count = span
        told, added = self.sampler.run(start, count, AskingRay(done, shards))
        return (told, *(Sent(start + count, block) for block in added))


class AskingRay(NamedTuple):
    """Shards in processes of their own, asked from another."""

    done: int
    shards: list[Any]

    @property
    def parts(self) -> int:
        return len(self.shards)

    def fetch(self, asked: list[tuple[Array, Array]]) -> list[tuple[Array, int]]:
        return _got([shard.fetch.remote(self.done, *these) for shard, these in zip(self.shards, asked, strict=True)])

    def news(self, since: int, most: int) -> list[PackedRows | None]:
        return _got([shard.news.remote(self.done, since, most) for shard in self.shards])


def _got(answers: list[Any]) -> list[Any]:
    return importlib.import_module("ray").get(answers)  # type: ignore[no-any-return]


class RayMachines:
    """A cluster that can be reached."""

    def __init__(self, ray: Any) -> None:
        self.ray = ray
        if self.processors == 0:
            raise RuseError(NO_PROCESSOR)

    @property
    def nodes(self) -> int:
        return len(alive(self.ray))

    @property
    def processors(self) -> int:
        return processors_of(self.ray)

    def crew(self, job: Job, making: Making, workers: int, pasts: list[ShardPast]) -> "RayCrew":
        return RayCrew(self.ray, job, making, workers, pasts)


class RayCrew:
    """All of them, and what is done if one is lost."""

    def __init__(self, ray: Any, job: Job, making: Making, workers: int, pasts: "list[ShardPast]") -> None:
        self.ray, self.making, self.workers = ray, making, workers
        self.lost: Any = ray.exceptions.RayError
        self.job, self.around = packed(job), surroundings()
        self.memory = None if job.memory is None else job.memory - shards_share(job.memory)
        self.homes: dict[tuple[type, int], str] = {}
        self.shards: list[Any] = [None] * len(pasts)
        self.journals: list[Any] = [None] * len(pasts)
        for k, past in enumerate(pasts):
            self.shards[k] = self._start(RayShard, k, self.around, making, past)
            self.journals[k] = self._start(Journal, k)
        self._must(self.ray.get, [j.begin.remote(p.done, p.block) for j, p in zip(self.journals, pasts, strict=True)])
        self.idle: list[Any] = []
        self.hired: dict[Any, Any] = {}  # those who have still to start, by what tells that they have
        self.running: dict[Any, tuple[int, Any, list[Any]]] = {}  # chunks that are run now, and by whom

    @property
    def parts(self) -> int:
        return len(self.shards)

    # ---- a round -----------------------------------------------------------------------------------------------------

    def run(self, done: int, spans: list[tuple[int, int]]) -> RoundEnd:
        """One round after `done` iterations, in these chunks."""
        after = sum(spans[-1])
        for attempt in range(ATTEMPTS):
            try:
                told, sent = self._sample(done, spans)
                began = time.perf_counter()
                is_long = self._send(after, sent)
                received = time.perf_counter()
                break
            except self.lost as error:
                self._mend(error, done, attempt)
        for attempt in range(ATTEMPTS):
            try:
                standing = self.ray.get([shard.add.remote(after) for shard in self.shards])
                if all(one.done == after for one in standing):
                    added = time.perf_counter()
                    break
                self.heal(after)
            except self.lost as error:
                self._mend(error, after, attempt)
        anew = [k for k, long in enumerate(is_long) if long]
        try:
            self.ray.get([self.journals[k].begin.remote(after, self.shards[k].rows.remote()) for k in anew])
        except self.lost as error:
            self._mend(error, after, 0)
        return RoundEnd(told, standing, received - began, added - received)

    def _mend(self, error: Exception, done: int, attempt: int) -> None:
        """Make again what is lost; raise what was no loss, or what is lost again and again."""
        self._refuse(error)
        if attempt == ATTEMPTS - 1:
            words = " ".join(str(error).split())[:300]
            raise RuseError(
                f"the cluster lost {ATTEMPTS} workers or nodes in one round, the last by: {words}"
            ) from error
        self.heal(done)

    def _refuse(self, error: Exception) -> None:
        """Raise what a worker or a shard has refused, or has done wrong; nobody was lost then."""
        cause: Any = error
        task_error = self.ray.exceptions.RayTaskError
        while isinstance(cause, task_error):
            cause = cause.cause
        if isinstance(cause, Stale):
            return
        if isinstance(cause, RuseError):
            raise cause from None
        if isinstance(error, task_error) and not isinstance(cause, self.lost):
            raise error

    def _sample(self, done: int, spans: list[tuple[int, int]]) -> tuple[list[ChunkTold], list[list[Any]]]:
        """Have all chunks run; what they tell, and by chunk and shard where to find what they have added."""
        waiting, running = deque(range(len(spans))), self.running
        running.clear()
        told: dict[int, ChunkTold] = {}
        sent: dict[int, list[Any]] = {}
        failures = 0
        while len(told) < len(spans):
            self._hire()
            while waiting and self.idle:
                chunk, worker = waiting.popleft(), self.idle.pop()
                refs = worker.run.options(num_returns=1 + len(self.shards)).remote(done, spans[chunk], self.shards)
                running[refs[0]] = chunk, worker, refs[1:]
            ready, _ = self.ray.wait(list(running), num_returns=1, timeout=None if not self.hired else 1.0)
            for ref in ready:
                chunk, worker, refs = running.pop(ref)
                try:
                    told[chunk], sent[chunk] = self.ray.get(ref), refs
                    self.idle.append(worker)
                except self.lost as error:
                    waiting.appendleft(chunk)
                    if isinstance(error, self.ray.exceptions.RayTaskError):  # a shard is lost, and not the worker
                        self.idle.append(worker)
                    self._mend(error, done, failures)
                    failures += 1
        chunks = range(len(spans))
        return [told[c] for c in chunks], [sent[c] for c in chunks]

    def _send(self, after: int, sent: list[list[Any]]) -> list[bool]:
        """Give shards and journals what was added; which of the journals have become long."""
        columns = list(zip(*sent, strict=True))
        received = [shard.receive.remote(after, *column) for shard, column in zip(self.shards, columns, strict=True)]
        kept = [journal.keep.remote(after, *column) for journal, column in zip(self.journals, columns, strict=True)]
        try:
            self.ray.get(received)
        except self.lost as error:
            if isinstance(error, OutOfMemory):
                self.ray.get([shard.forget.remote() for shard in self.shards])
            raise
        return self.ray.get(kept)  # type: ignore[no-any-return]

    # ---- all rows ----------------------------------------------------------------------------------------------------

    def index(self, k: int, done: int) -> tuple[Array, Array]:
        """The keys of a shard, and the widths of their rows."""
        return self._asked(k, "index", done)  # type: ignore[no-any-return]

    def rows(self, k: int, done: int) -> PackedRows:
        """All rows of a shard."""
        return self._asked(k, "rows", done)  # type: ignore[no-any-return]

    def _asked(self, k: int, what: str, done: int) -> Any:
        for attempt in range(ATTEMPTS):
            try:
                return self.ray.get(getattr(self.shards[k], what).remote())
            except self.lost as error:
                self._mend(error, done, attempt)
        return None

    # ---- starting, and starting again --------------------------------------------------------------------------------

    def heal(self, done: int) -> None:
        """Make again every shard and every journal that is lost, as they were after so many iterations."""
        for _ in range(ATTEMPTS):
            if all([self._is_whole(k, done) for k in range(len(self.shards))]):
                break
        self.idle = [worker for worker in self.idle if self._answer(worker.version) is not None]

    def _is_whole(self, k: int, done: int) -> bool:
        """Whether a shard and its journal are there; one that is not is made from the other, before all goes on."""
        standing, last = self._answer(self.shards[k].standing), self._answer(self.journals[k].last)
        if standing is not None and standing.done != done:
            standing = self._answer(self.shards[k].add, done)
        is_there, is_kept = standing is not None and standing.done == done, last is not None and last >= done
        if not is_there and not is_kept:
            raise RuseError(
                "the cluster lost a part of the table together with its journal; `ruse resume` goes on from the last "
                "checkpoint"
            )
        if not is_there:
            past = self.journals[k].past.remote(done)
            self.shards[k] = self._start(RayShard, k, self.around, self.making, past)
            self._answer(self.shards[k].standing)
        elif not is_kept:
            self.journals[k] = self._start(Journal, k)
            self._answer(self.journals[k].begin, done, self.shards[k].rows.remote())
        return is_there and is_kept

    def _answer(self, method: Any, *given: Any) -> Any:
        """What somebody answers; None if nobody is there."""
        try:
            return self.ray.get(method.remote(*given), timeout=ANSWER)
        except self.lost as error:
            self._refuse(error)
            return None

    def _must(self, get: Any, refs: list[Any]) -> Any:
        try:
            return get(refs)
        except self.lost as error:
            self._refuse(error)
            words = " ".join(str(error).split())[:300]
            raise RuseError(f"the cluster could not hold the table: {words}") from error

    def _start(self, kind: type, k: int, *given: Any) -> Any:
        """A shard or a journal, which takes no processor; not where its counterpart is, if that can be."""
        strategies = importlib.import_module("ray.util.scheduling_strategies")
        nodes = alive(self.ray)
        other = self.homes.get((Journal if kind is RayShard else RayShard, k))
        chosen = [node for node in nodes if node != other] or nodes
        count = {node: sum(home == node for (of, _), home in self.homes.items() if of is kind) for node in chosen}
        node = min(chosen, key=lambda one: (count[one], one))
        self.homes[kind, k] = node
        there = strategies.NodeAffinitySchedulingStrategy(node, soft=False)  # Ray puts it anywhere if that is soft
        made = self.ray.remote(num_cpus=0, max_restarts=0)(kind)
        return made.options(scheduling_strategy=there).remote(*given)

    def _hire(self) -> None:
        """Have as many workers as there are chunks, or processors; wait for one if there is none."""
        wanted = min(self.workers, processors_of(self.ray))
        if wanted == 0:
            raise RuseError(NO_PROCESSOR)
        for _ in range(wanted - len(self.idle) - len(self.hired) - len(self.running)):
            memory = None if self.memory is None else self.memory * len(alive(self.ray)) // wanted
            kind = self.ray.remote(num_cpus=1, max_restarts=0)(RayWorker)  # Ray takes milliseconds to look at it
            worker = kind.options(scheduling_strategy="SPREAD").remote(self.around, self.job, memory)
            self.hired[worker.version.remote()] = worker
        is_waiting = not self.idle and not self.running
        if self.hired:
            ready, _ = self.ray.wait(list(self.hired), num_returns=1, timeout=HIRING if is_waiting else 0)
            if is_waiting and not ready:
                raise RuseError(
                    f"no worker has started within {HIRING:.0f} s on any of {wanted} processors; wait for what else "
                    "runs there, or add nodes"
                )
        for ref in list(self.hired):
            if self.ray.wait([ref], timeout=0)[0]:
                self._welcome(ref, self.hired.pop(ref))

    def _welcome(self, ref: Any, worker: Any) -> None:
        """Take a worker that has started, if it is one of ours."""
        own = version_of("ruse")
        try:
            theirs = self.ray.get(ref)
        except self.lost as error:
            self._refuse(error)
            words = " ".join(str(error).split())
            if "creation task" in words or "ModuleNotFound" in words:
                raise RuseError(
                    f"a worker could not start on the cluster; is ruse installed on all of its nodes? ({words[-300:]})"
                ) from error
            return  # its node has gone meanwhile
        if theirs != own:
            raise RuseError(f"the cluster has ruse {theirs}, and here is {own}; install the same on both")
        self.idle.append(worker)
