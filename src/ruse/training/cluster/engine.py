"""A sampled walk on many machines, with the face of the engine for one: rounds of chunks, whose sums are added.

A round has one result for a seed and a number of workers, whatever the nodes, and however often one of them is lost:
that of the same chunks on threads, to the bit. Fewer processors than workers take turns.
"""

import logging
import math
import tempfile
from collections.abc import Mapping
from typing import Any

import numpy as np

from ruse.compile.hashing import collision_chance
from ruse.errors import RuseError
from ruse.solve.sampled.engine import Facts, SampledEngine, average_of, slots_of_rows
from ruse.solve.table.blocks import Array, PackedRows, part_of_each
from ruse.solve.table.forged import refuse_forged_table
from ruse.solve.table.sampling import HISTORIES
from ruse.solve.table.table import FULLEST, WIDEST, WIDTH_BITS, OutOfMemory, Table
from ruse.solve.table.threads import WIDTH, Round, spans
from ruse.store.restoring import refuse
from ruse.training.cluster.machines import ClusterCrew, Machines, RoundEnd
from ruse.training.cluster.rounds import next_cluster_round
from ruse.training.cluster.shard import Making, ShardPast, ShardStanding, shards_share
from ruse.training.jobs.job import Job

log = logging.getLogger(__name__)

MOST = 1 << 14  # workers of a checkpoint
TURNS = 256  # workers of a checkpoint who take turns on one processor: each of them has a table of its own
EACH = 4  # workers for whom a shard can add what they send while they sample
LARGE = 1 << 28  # bytes of an array from which on it is kept in a file that has no name, and not in memory


class ClusterEngine:
    """What a training drives; `local` is the same walk in this process, which knows all but the rows."""

    def __init__(self, local: SampledEngine, job: Job, machines: Machines) -> None:
        self.local, self.job, self.solver, self.clock = local, job, local.solver, local.clock
        self.walked, self.preferred, self.pruned = local.walked, local.preferred, dict[str, Any]()
        self.machines = machines
        self.workers = job.threads or machines.processors
        self.blocks, self.counters = local.table.blocks, local.scratch.counters
        self.crew: ClusterCrew | None = None
        self.ended: RoundEnd | None = None  # the last round
        self.done, self.is_fresh = 0, True
        self.standing = [ShardStanding(0, 0, 0)]
        self._begun = local.table.saved()  # the rows that the crew starts with

    # ---- iterations --------------------------------------------------------------------------------------------------

    @property
    def memory(self) -> int | None:
        """What all shards may take together; a job's memory is that of each node."""
        return None if self.job.memory is None else shards_share(self.job.memory) * self.machines.nodes

    def warm_up(self) -> None:
        """Start everybody; but with the rows of a checkpoint only when it is known of which iteration they are."""
        if self.is_fresh:
            self._at_work(0)

    def round_size(self, done: int) -> int | None:
        """How many iterations must be run at once after `done`."""
        return self._next(done).iterations

    def _next(self, done: int) -> Round:
        infosets = sum(one.infosets for one in self.standing)
        return next_cluster_round(done, int(self.counters[HISTORIES]), infosets, self.workers)

    def run(self, done: int, iterations: int) -> None:
        """Run iterations done+1 .. done+iterations in one round."""
        crew, chunks = self._at_work(done), self._next(done).chunks
        try:
            ended = crew.run(done, spans(done, iterations, chunks))
        except OutOfMemory as error:
            error.done = done
            raise
        self.done, self.standing, self.ended = done + iterations, ended.standing, ended
        self.counters[HISTORIES] += sum(one.histories for one in ended.told)

    def _at_work(self, done: int) -> ClusterCrew:
        if self.crew is None:
            parts = max(self.machines.nodes, -(-self.workers // EACH))
            memory = self.memory
            making = Making(
                self.clock, self.local.seed, self.blocks, self.local.table.rows.dtype.str,
                None if memory is None else memory // parts,
            )  # fmt: skip
            if self.workers > self.machines.processors:
                log.warning("%s workers take turns on %s processors", self.workers, self.machines.processors)
            self.done = done
            self.crew = self.machines.crew(self.job_sent, making, self.workers, self._pasts(parts))
            self._begun = {}
        return self.crew

    @property
    def job_sent(self) -> Job:
        """The job as workers get it: without what concerns them not."""
        return self.job._replace(start=None, until=None, threads=1, on="cpu")

    def _pasts(self, parts: int) -> list[ShardPast]:
        """What each shard starts with."""
        places, rows = self._begun["places"], self._begun["rows"]
        part = part_of_each(np.ascontiguousarray(places[:, 0]), parts)
        blank = Table.empty(infosets=1, slots=1, dtype=rows.dtype.type, baselined=self.blocks == 3)
        found = []
        for k in range(parts):
            mine = places[part == k]
            there = blank._replace(rows=rows)
            found.append(ShardPast(self.done, PackedRows.of(there, mine[:, 0].copy(), mine[:, 1].copy())))
        return found

    # ---- all rows, which may be more than this machine can hold ------------------------------------------------------

    def rows(self) -> tuple[Array, Array, Array]:
        """The average strategy: sorted keys, where their rows start, and the probabilities."""
        if self.crew is None:
            self.local.table = Table.restored(self._begun)
            return self.local.rows()
        crew, parts = self.crew, range(self.crew.parts)
        found = [crew.index(k, self.done) for k in parts]
        keys, widths = (np.concatenate([one[n] for one in found]) for n in (0, 1))
        order = np.argsort(keys)
        start = np.zeros(len(keys) + 1, np.int64)
        np.cumsum(widths[order], out=start[1:])
        begins = np.empty(len(keys), np.int64)  # where each infoset's probabilities go
        begins[order] = start[:-1]
        probability, at = roomy(int(start[-1]), np.float64), 0
        for k in parts:
            first, width = self._first_and_width(block := crew.rows(k, self.done))
            if len(width):
                mine = np.cumsum(width) - width
                shares = average_of(block.rows, first, width, mine)
                probability[slots_of_rows(begins[at : at + len(width)], width, mine)] = shares
            at += len(width)
        return keys[order], start, probability

    def _first_and_width(self, block: PackedRows) -> tuple[Array, Array]:
        """Where regrets start in packed rows."""
        width = block.widths
        return np.cumsum(1 + self.blocks * width) - self.blocks * width, width

    def saved(self) -> dict[str, Array]:
        """What a checkpoint must hold: a table as one machine would have it."""
        table = dict(self._begun) if self.crew is None else self._gathered(self.crew)
        extra = {"fineness": np.array([self.clock.fineness]), "workers": np.array([self.workers])}
        return table | {"counters": self.counters} | extra

    def _gathered(self, crew: ClusterCrew) -> dict[str, Array]:
        found = [crew.index(k, self.done) for k in range(crew.parts)]
        widths = np.concatenate([width for _, width in found])
        shared = 1 + self.blocks * WIDEST
        places, ends = roomy(2 * len(widths), np.int64).reshape(-1, 2), shared + np.cumsum(1 + self.blocks * widths)
        used = int(ends[-1]) if len(ends) else shared
        rows, at, slot = roomy(used, self.local.table.rows.dtype.type), 0, shared
        places[:, 1] = (ends - self.blocks * widths << WIDTH_BITS) | widths
        for k in range(crew.parts):
            block = crew.rows(k, self.done)
            places[at : at + len(block.keys), 0] = block.keys
            rows[slot : slot + len(block.rows)] = block.rows
            at, slot = at + len(block.keys), slot + len(block.rows)
        index = 1 << max(10, int(len(widths) / FULLEST).bit_length())
        sizes = np.array([index, used * 5 // 4, self.blocks, len(widths), used, 0, 0])
        return {"places": places, "rows": rows, "sizes": sizes}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from a checkpoint, of a cluster or of one machine."""
        arrays = dict(arrays)
        workers = arrays.pop("workers", None)
        refuse_forged_table(
            arrays, blocks=self.blocks, counters=len(self.counters), periods=len(self.clock.positive)
        )  # fmt: skip
        self.local.refuse_other_clock(arrays.get("fineness"))
        if workers is not None:
            if workers.shape != (1,) or workers.dtype != np.int64 or not 1 <= workers[0] <= MOST:
                refuse("it is of no number of workers")
            self.workers = self.job.threads or int(workers[0])
            if self.workers > (most := TURNS * self.machines.processors):
                raise RuseError(
                    f"the checkpoint is of {self.workers:,} workers, and {self.machines.processors} processors take "
                    f"turns for {most:,} at most; go on with it where there are more"
                )
        self.counters[: len(arrays["counters"])] = arrays["counters"]
        self.is_fresh = False
        self._take_up({name: arrays[name] for name in ("places", "rows", "sizes")})

    def _take_up(self, table: dict[str, Array]) -> None:
        """Start with these rows."""
        self.crew, self._begun = None, table
        words = table["places"][:, 1] & WIDTH
        size = 16 * math.ceil(len(words) / FULLEST) + int((1 + self.blocks * words).sum()) * table["rows"].itemsize
        self.standing = [ShardStanding(self.done, len(words), size)]

    @property
    def table(self) -> Table:
        """All of it, in this process."""
        return Table.restored(self._gathered(self.crew) if self.crew is not None else self._begun)

    @table.setter
    def table(self, table: Table) -> None:
        self._take_up(table.saved())

    def whole_table(self, done: int) -> Table:
        """The table after so many iterations."""
        return self.table

    @property
    def bytes(self) -> int:
        return sum(one.bytes for one in self.standing)

    @property
    def facts(self) -> Facts:
        infosets = sum(one.infosets for one in self.standing)
        return Facts(int(self.counters[HISTORIES]), infosets, self.bytes, collision_chance(infosets))


def roomy(length: int, dtype: type) -> Array:
    """An array of zeros, in a file that has no name if it is large."""
    size = length * np.dtype(dtype).itemsize
    if size < LARGE:
        return np.zeros(length, dtype)
    with tempfile.TemporaryFile(prefix="ruse-rows-") as file:  # it is there as long as it is mapped
        file.truncate(size)
        return np.memmap(file, dtype, "r+", shape=(length,))
