"""Who samples on a cluster: a chunk of iterations at a time, on a copy of the table, or on those rows that it meets.

A table that is small enough is copied once, and every chunk starts with the news of it: the rows that have changed
since. What the copy does not have is new then, and nobody has to be asked.

A larger one nobody has all of. A chunk starts with the rows that those before it met. It runs a stretch as if all
others were new, in a table of its own, as chunks on threads do; then it asks for the rows that it met and did not have.
If none of them is there, they are new indeed and the stretch is right. Else it is run again with those that are: the
walk is a function of the seed and the rows, so it comes to the same up to the first row that it had got wrong, and
further every time. What comes out does not hang on what was known in the beginning.
"""

import time
from typing import NamedTuple, Protocol

import numpy as np

from ruse.solve.table.blocks import Array, PackedRows, mark_missing, part_of_each, put_all
from ruse.solve.table.table import LOST, SLOTS, WIDTH_BITS, OutOfMemory, Table, longer
from ruse.solve.table.threads import WIDTH, ChunkTable
from ruse.training.cluster.shard import COPIED, own_block
from ruse.training.engines.sampling import refuse_strange, sampled
from ruse.training.jobs.job import Job
from ruse.words.amounts import in_bytes

STRETCHES = 16  # of a chunk: as much of it is run in vain if a row was missing
KNOWN = 1 << 20  # infosets that are asked for before a chunk begins; beyond them those of the last one alone


class Asking(Protocol):
    """The shards, as a chunk asks them: all have the table of a round's beginning."""

    @property
    def done(self) -> int:
        """The iterations after which it was so."""

    @property
    def parts(self) -> int:
        """How many shards there are."""

    def fetch(self, asked: list[tuple[Array, Array]]) -> list[tuple[Array, int]]:
        """By shard: for keys and widths their rows, and how many of them there are."""

    def news(self, since: int, most: int) -> list[PackedRows | None]:
        """By shard: what has changed since, or all rows; None of one that is larger than so many bytes."""


class ChunkTold(NamedTuple):
    """What a chunk has to tell besides what it has learned."""

    histories: int
    visited: int  # histories, with those in vain
    rows: int  # infosets that it met
    known: int  # infosets whose rows were brought in the beginning
    asks: int  # how often it asked all shards
    bytes: int  # that its tables took
    sampling: float  # seconds of walks that count
    vain: float  # and of those that do not
    fetching: float
    packing: float


class Sampler:
    """Runs chunks of a job's iterations."""

    def __init__(self, job: Job, memory: int | None = None) -> None:
        self.job, self.memory = job, memory
        self.engine = sampled(job._replace(threads=1), None)
        self.engine.run(0, 1)  # its kernels are loaded before anybody waits for a round
        self.known = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.is_copy, self.heard, self.room = True, -1, 0  # the iterations up to which it has heard the news
        self.engine.table = self._empty()

    def run(self, done: int, iterations: int, asking: Asking) -> tuple[ChunkTold, list[PackedRows]]:
        """Iterations done+1 .. done+iterations; what they have added, by shard."""
        watch = _Stopwatch()
        known = self._hear(asking)
        asks = 0 if known is None else 1
        if known is not None:
            watch.stop("fetching")
            own, visited = self._stretch(self._empty(), done, iterations)
            watch.stop("sampling")
            histories, met = visited, list[tuple[Array, Array]]()
        else:
            known = len(self.known[0])
            own, met, histories, visited, asks = self._in_stretches(done, iterations, asking, watch)
        taken = own.places[own.places[:, 1] != 0]
        taken = taken[np.argsort(taken[:, 1])]  # as they were taken
        keys, words = taken[:, 0].copy(), taken[:, 1].copy()
        self._refuse_large(own)
        self.engine.take_rows([own])
        if self.job.against is not None:
            refuse_strange(self.engine, self.job.game)
        added = PackedRows.in_parts(own, keys, words, asking.parts)
        self._remember(met, (keys, words & WIDTH))
        watch.stop("packing")
        return ChunkTold(histories, visited, len(keys), known, asks, self.room, **watch.spent), added

    # ---- a copy of the whole table -----------------------------------------------------------------------------------

    def _hear(self, asking: Asking) -> int | None:
        """Bring the copy up to the table that the shards have: how many rows that took; None if there is no copy."""
        if not self.is_copy:
            return None
        most = COPIED if self.memory is None else min(COPIED, self.memory // 8)
        news = asking.news(self.heard, most // asking.parts)
        blocks = [own_block(block) for block in news if block is not None]
        if len(blocks) < len(news):  # tables do not become smaller: it is not asked for again
            self.is_copy, self.engine.table = False, self._empty()
            return None
        for block in blocks:
            self.engine.table = put_all(self.engine.table, block)
        self.heard = asking.done
        return sum(len(block.keys) for block in blocks)

    # ---- rows that are met -------------------------------------------------------------------------------------------

    def _in_stretches(
        self, done: int, iterations: int, asking: Asking, watch: "_Stopwatch"
    ) -> tuple[Table, list[tuple[Array, Array]], int, int, int]:
        """The chunk's own table, what it has asked for, histories, those with walks in vain, and how often it asked."""
        engine = self.engine
        at, last, histories, visited, asks = done, done + iterations, 0, 0, 1
        own, engine.table = self._empty(), self._empty()
        met = [self.known]
        self._bring(*self.known, asking)
        watch.stop("fetching")
        while at < last:
            count = min(max(1, iterations // STRETCHES), last - at)
            trial, seen = self._stretch(own, at, count)
            visited += seen
            fresh = trial.places[trial.places[:, 1] >> WIDTH_BITS >= int(own.totals[SLOTS])]
            spent = watch.stop("vain")
            keys, widths = fresh[:, 0].copy(), fresh[:, 1] & WIDTH
            missing = np.zeros(len(keys), np.bool_)
            mark_missing(engine.table, keys, missing)
            keys, widths = keys[missing], widths[missing]
            found = self._bring(keys, widths, asking)
            asks += len(keys) > 0
            met.append((keys, widths))
            watch.stop("fetching")
            if found == 0:
                watch.move(spent, "vain", "sampling")
                own, at, histories = trial, at + count, histories + seen
        return own, met, histories, visited, asks

    def _empty(self) -> Table:
        like, places = self.engine.table, self.engine.chunk_places
        return Table.empty(
            infosets=places, slots=8 * places, dtype=like.rows.dtype.type, baselined=like.blocks == 3
        )  # fmt: skip

    def _stretch(self, own: Table, done: int, iterations: int) -> tuple[Table, int]:
        """The chunk's own table after a stretch of iterations, beside the one before; and the histories visited."""
        widened = own
        while True:
            trial, at, visited = copied(widened), done, 0
            while at < done + iterations and not trial.totals[LOST]:
                if trial.is_crowded():
                    trial = trial.larger(None)
                self._refuse_large(trial)
                over = ChunkTable.over(self.engine.table, trial)
                ran, histories = self.engine.run_span(over, at, done + iterations - at)
                at, visited = at + ran, visited + histories
            if not trial.totals[LOST]:
                self.engine.chunk_places = max(self.engine.chunk_places, trial.infosets)
                return trial, visited
            widened = widened.widened(None)

    def _bring(self, keys: Array, widths: Array, asking: Asking) -> int:
        """Ask for rows, empty where there are none; how many there are."""
        if len(keys) == 0:
            return 0
        parts = part_of_each(keys, asking.parts)
        asked = [(keys[these], widths[these]) for these in (np.flatnonzero(parts == k) for k in range(asking.parts))]
        answers = asking.fetch(asked)
        for these, (rows, _) in zip(asked, answers, strict=True):
            self.engine.table = put_all(self.engine.table, PackedRows(*these, np.array(rows)))
        return sum(found for _, found in answers)

    def _remember(self, met: list[tuple[Array, Array]], last: tuple[Array, Array]) -> None:
        """What to ask for next time: all that was ever met, as long as that is not too much."""
        known = sum(len(keys) for keys, _ in met)
        most = KNOWN if self.memory is None else min(KNOWN, self.memory // 4 // (self.room // max(known, 1) + 1))
        if met and known <= most:
            keys, widths = zip(*met, strict=True)
            last = np.concatenate(keys), np.concatenate(widths)
        self.known = last

    def _refuse_large(self, own: Table) -> None:
        self.room = self.engine.table.bytes + 2 * own.bytes
        if self.memory is not None and self.room > self.memory:
            raise OutOfMemory(
                f"a worker needs more than the {in_bytes(self.memory)} that it is allowed for the rows that it meets "
                "in a round; give it more memory, or more nodes"
            )


def copied(table: Table) -> Table:
    """The same table, for somebody else to change."""
    rows = longer(table.rows[: int(table.totals[SLOTS])], len(table.rows))
    return table._replace(places=table.places.copy(), rows=rows, totals=table.totals.copy())


class _Stopwatch:
    """Where the time goes."""

    def __init__(self) -> None:
        self.since = time.perf_counter()
        self.spent = dict.fromkeys(("sampling", "vain", "fetching", "packing"), 0.0)

    def stop(self, name: str) -> float:
        """All since the last stop was for this."""
        now = time.perf_counter()
        took, self.since = now - self.since, now
        self.spent[name] += took
        return took

    def move(self, seconds: float, away: str, to: str) -> None:
        """They were for something else."""
        self.spent[away] -= seconds
        self.spent[to] += seconds
