"""What a training on many machines asks of them, whoever they are: Ray's (crew.py), or this process (here.py)."""

from typing import NamedTuple, Protocol

from ruse.solve.table.blocks import Array, PackedRows
from ruse.training.cluster.sampler import ChunkTold
from ruse.training.cluster.shard import Making, ShardPast, ShardStanding
from ruse.training.jobs.job import Job


class RoundEnd(NamedTuple):
    """A round that counts."""

    told: list[ChunkTold]
    standing: list[ShardStanding]
    sending: float = 0.0  # seconds until all that was added had been received
    adding: float = 0.0  # and until it was added


class ClusterCrew(Protocol):
    """Those who work at one training."""

    @property
    def parts(self) -> int:
        """How many shards there are."""

    def run(self, done: int, spans: list[tuple[int, int]]) -> RoundEnd:
        """One round after `done` iterations, in these chunks."""

    def index(self, k: int, done: int) -> tuple[Array, Array]:
        """The keys of a shard, and the widths of their rows."""

    def rows(self, k: int, done: int) -> PackedRows:
        """All rows of a shard."""


class Machines(Protocol):
    """Where they work."""

    @property
    def nodes(self) -> int: ...

    @property
    def processors(self) -> int: ...

    def crew(self, job: Job, making: Making, workers: int, pasts: list[ShardPast]) -> ClusterCrew:
        """Start everybody; a shard for each past."""
