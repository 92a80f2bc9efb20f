"""The rounds of a cluster in this process, one chunk after the other: to be compared with, and to be measured."""

import time
from typing import NamedTuple

from ruse.solve.table.blocks import Array, PackedRows
from ruse.training.cluster.machines import RoundEnd
from ruse.training.cluster.sampler import Sampler
from ruse.training.cluster.shard import Making, Sent, Shard, ShardPast, shards_share
from ruse.training.jobs.job import Job


class OneProcess:
    """The process itself, as so many machines."""

    def __init__(self, nodes: int = 1, processors: int = 1) -> None:
        self.nodes, self.processors = nodes, processors

    def crew(self, job: Job, making: Making, workers: int, pasts: list[ShardPast]) -> "CrewHere":
        memory = None if job.memory is None else (job.memory - shards_share(job.memory)) * self.nodes // workers
        return CrewHere([Sampler(job, memory) for _ in range(workers)], [Shard(making, past) for past in pasts])


class AskingHere(NamedTuple):
    """Shards of this process."""

    done: int
    shards: list[Shard]

    @property
    def parts(self) -> int:
        return len(self.shards)

    def fetch(self, asked: list[tuple[Array, Array]]) -> list[tuple[Array, int]]:
        return [shard.fetch(self.done, *these) for shard, these in zip(self.shards, asked, strict=True)]

    def news(self, since: int, most: int) -> list[PackedRows | None]:
        return [shard.news(self.done, since, most) for shard in self.shards]


class CrewHere:
    """Workers and shards that are plain objects."""

    def __init__(self, samplers: list[Sampler], shards: list[Shard]) -> None:
        self.samplers, self.shards = samplers, shards

    @property
    def parts(self) -> int:
        return len(self.shards)

    def run(self, done: int, spans: list[tuple[int, int]]) -> RoundEnd:
        """One round after `done` iterations, in these chunks."""
        asking, told, sent = AskingHere(done, self.shards), [], list[list[Sent]]()
        for sampler, (start, count) in zip(self.samplers, spans, strict=False):
            what, added = sampler.run(start, count, asking)
            told.append(what)
            sent.append([Sent(start + count, block) for block in added])
        after, began = sum(spans[-1]), time.perf_counter()
        for shard, column in zip(self.shards, zip(*sent, strict=True), strict=True):
            shard.receive(after, *column)
        received = time.perf_counter()
        standing = [shard.add(after) for shard in self.shards]
        return RoundEnd(told, standing, received - began, time.perf_counter() - received)

    def index(self, k: int, done: int) -> tuple[Array, Array]:
        return self.shards[k].index()

    def rows(self, k: int, done: int) -> PackedRows:
        return self.shards[k].rows()
