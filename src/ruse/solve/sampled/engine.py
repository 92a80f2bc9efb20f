"""The sampled engine: walks into a table of infosets that grows, for games too large to expand."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ruse.compile.hashing import collision_chance
from ruse.errors import RuseError
from ruse.protocol.choices import as_offered
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.solve.hybrid.reviews import Reviewer
from ruse.solve.prefer.favour import form_of
from ruse.solve.prefer.keys import PreferredKeys
from ruse.solve.prefer.preferred import Preferred, preferred
from ruse.solve.sampled.again import kept, undone
from ruse.solve.sampled.lawful import refuse_broken_walk
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.noticed import Noticed
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.threshold import Never
from ruse.solve.solver.traits import pruning_traits, walk_traits
from ruse.solve.table.forged import refuse_forged_table
from ruse.solve.table.sampling import HISTORIES, REVIEWED, TOO_DEEP, TOO_WIDE, Clock, Parts, Scratch
from ruse.solve.table.shared import SharedTable
from ruse.solve.table.table import LOST, MISFITS, WIDEST, OutOfMemory, Table
from ruse.solve.table.threads import Adding, ChunkTable, Round, add_differences, next_round, spans, take_differences
from ruse.solve.table.writers import Atomic, Fair, Plain, Unrounded
from ruse.tree.measure.dives import deepest
from ruse.words.naming import named

BLOCK = 1 << 13  # infosets whose rows are turned into probabilities at once


class Facts(NamedTuple):
    """How large a sampled solve has become."""

    nodes: int
    infosets: int
    bytes: int
    collisions: float  # probability that any two of the infosets share a 64-bit key


class SampledEngine:
    """A solver whose walk samples. Iteration t draws from its own stream of the seed, so it can be resumed anywhere."""

    def __init__(
        self, game: Game, solver: Solver, *, seed: int = 0, view: View | None = None,
        memory: int | None = None, dtype: type = np.float32, threads: int | None = None, shared: bool = False,
    ) -> None:  # fmt: skip
        must_fit(Setup(solver, game=game, view=view, threads=threads, shared=shared, sampling=True))
        self.game, self.solver, self.seed, self.memory, self.threads = game, solver, seed, memory, threads
        self.shared = shared
        self.view = view or Full()
        self.walked = as_offered(game, self.view)
        self.clock = Clock.of(solver.weighting)
        walk: Any = solver.walk
        pruning: Any = walk.pruning if walk_traits(walk).skips else Never()
        reviews = pruning_traits(pruning).reviews
        self.table = Table.empty(dtype=dtype, baselined=reviews or walk_traits(walk).has_baselines)
        self.scratch = Scratch.of(self.walked[0], *_depth_and_slots(self.walked[0]))
        self.rng = np.zeros(1, np.uint64)
        self.counting, self.spare = threading.Lock(), list[Scratch]()  # working memory that no thread uses now
        self.chunk_places = 1 << 10  # infosets for which a chunk has room at first; as many as the largest one has met
        self.chunk_room = self.chunk_bytes = 0  # what the tables of chunks may take in this round, and took in the last
        self.kernel, part = walk.kernel()
        minimizer: Any = solver.minimizer
        self.reviewer: Reviewer | None = None
        if reviews:
            self.reviewer = pruning.reviewer(*self.walked, minimizer, memory)
            minimizer = self.reviewer.minimizer
        self.clock = self.clock._replace(floor=max(self.clock.floor, pruning.floor))
        writer = (Atomic if shared else Plain)(self._rounding(self.rng))
        self.parts = Parts(minimizer, self.clock, writer, pruning, part)
        self.preferred: Preferred | None = None
        if prefer := preferring(solver.prefer):
            self.preferred = preferred(game, view, prefer.rules)
            leaning = PreferredKeys.of(self.preferred, form_of(prefer, solver.minimizer))
            self.parts = self.parts._replace(leaning=leaning)

    def _rounding(self, rng: np.ndarray) -> Unrounded | Fair:
        """How the table's sums are rounded in a walk with these random numbers."""
        return Unrounded() if self.table.rows.itemsize == 8 else Fair(rng)

    def round_size(self, done: int) -> int | None:
        """How many iterations must be run at once after `done`; None if any number will do."""
        return None if self.threads is None or self.shared else self._next_round(done).iterations

    def _next_round(self, done: int) -> Round:
        return next_round(done, int(self.scratch.counters[HISTORIES]), self.table.infosets)

    @cached_property
    def pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(max_workers=self.threads)

    def warm_up(self) -> None:
        """Nothing is to be made ready but what compiling makes."""

    def run(self, done: int, iterations: int) -> None:
        """Run iterations done+1 .. done+iterations, making room in the table between them."""
        if self.shared:
            self._run_shared(done, iterations)
        elif self.threads is not None and (chunks := self._next_round(done).chunks) > 1:
            self._run_round(spans(done, iterations, chunks))
        else:
            self._run_alone(done, iterations)

    def _run_alone(self, done: int, iterations: int) -> None:
        """One thread, which works on the table itself."""
        last, shorter = done + iterations, 0
        while done < last:
            self._make_room(done)
            review = self.reviewer.next_after(done) if self.reviewer else last
            left = min(last, review) - done
            before, left = kept(self.table, self.scratch.counters, done, shorter or left, self.memory)
            used = self.table if self.threads is None else ChunkTable.alone(self.table)
            ran = self.kernel(*self.walked, self.parts, used, self.scratch, self.rng, self.seed, done, left)
            self._refuse_unfit(self.scratch, self.table)
            shorter = 0
            if (table := undone(self.table, before, self.scratch.counters, done + ran)) is not None:
                self.table = table
                shorter = ran - 1  # up to the one that found no room; then that one again, with more of it
                if ran == 1:
                    self._grow(self.table.widened, done)
                continue
            done += ran
            if self.reviewer and done == review:
                self.reviewer.review(self.table, done)
                self.scratch.counters[REVIEWED] += self.reviewer.cost

    def _make_room(self, done: int) -> None:
        """Let the table grow if it must; `done` iterations are in it."""
        if self.table.is_crowded():
            self._grow(self.table.larger, done)

    def _grow(self, grown: Callable[[int | None], Table], done: int) -> None:
        try:
            self.table = grown(self.memory)
        except OutOfMemory as error:
            error.done = done
            raise

    def _refuse_unfit(self, scratch: Scratch, table: Any) -> None:
        """Raise if the walk has met something that it could not do right."""
        refuse_broken_walk(self.walked[0], scratch)
        wide = WIDEST if scratch.counters[TOO_WIDE] else None
        deep = len(scratch.next) if scratch.counters[TOO_DEEP] else None
        if wide or deep:
            must_fit(Setup(game=self.game, noticed=Noticed(wide=wide, deep=deep)), "walk and game")
        if table.totals[MISFITS]:
            raise RuseError(
                f"two infosets of {named(self.game)} with different numbers of actions have one key; run `ruse "
                "check`, or "
                f"debug the keys: that they collide by chance has a probability of {self.facts.collisions:.1g}"
            )

    def _run_round(self, chunks: list[tuple[int, int]]) -> None:
        """One round of chunks, each with a table and a stack of its own. It counts whole or not at all."""
        before = len(self.table.places), self.table.totals.copy()
        self.chunk_room = 0
        try:
            ran = list(self.pool.map(lambda chunk: self._run_chunk(*chunk), chunks))
            tables = [own for own, _ in ran]
            self.take_rows(tables)
        except OutOfMemory as error:
            self.table, error.done = self.table.as_of(*before), chunks[0][0]
            raise
        adding = Adding(self.clock, Plain(self._rounding(self.rng)))
        for own, (start, count) in zip(tables, chunks, strict=True):
            add_differences(own, self.table, adding, self.rng, self.seed, start + count)
        self.chunk_bytes = sum(own.bytes for own in tables)
        self.chunk_places = max(self.chunk_places, max(own.infosets for own in tables))
        self.scratch.counters[HISTORIES] += sum(histories for _, histories in ran)

    def take_rows(self, tables: list[Table]) -> None:
        """Turn what chunks have into what they have added, and take all rows that are new."""
        for own in tables:
            place = 0
            while place < len(own.places):
                if self.table.is_crowded():
                    self.table = self.table.larger(self.memory, beside=self.chunk_room)
                place = take_differences(own, self.table, self.clock, place)
                self._refuse_unfit(self.scratch, self.table)

    def _take_chunk_room(self, needed: int) -> None:
        """Count so many bytes more for the tables of chunks, if they are allowed; the order does not matter."""
        with self.counting:
            self.chunk_room += needed
            if self.memory is not None and self.table.bytes + self.chunk_room > self.memory:
                raise OutOfMemory(
                    f"the table has {self.table.infosets:,} infosets in {self.table.bytes / 2**20:,.0f} MiB and the "
                    f"chunks of a round need {self.chunk_room / 2**20:,.0f} MiB or more beside it, over the "
                    f"{self.memory / 2**20:,.0f} MiB allowed; give them more memory, or leave threads out"
                )

    def _run_shared(self, done: int, iterations: int) -> None:
        """All threads write into one table, each its own stretch of the iterations."""
        assert self.threads is not None
        last, left = done + iterations, list[tuple[int, int]]()
        while left or done < last:
            self._make_room(done)
            before, size = kept(self.table, self.scratch.counters, done, last - done, self.memory)
            left = left or spans(done, size, self.threads)
            table = SharedTable.over(self.table)
            ran = list(self.pool.map(lambda span, table=table: self.run_span(table, *span), left))
            count = sum(n for n, _ in ran)
            if (as_before := undone(self.table, before, self.scratch.counters, done + count)) is not None:
                self.table = as_before
                self._grow(self.table.widened, done)
                continue
            self.scratch.counters[HISTORIES] += sum(histories for _, histories in ran)
            done += count
            left = [(a + n, b - n) for (a, b), (n, _) in zip(left, ran, strict=True) if n < b]

    def run_span(self, table: SharedTable | ChunkTable, done: int, iterations: int) -> tuple[int, int]:
        """Iterations done+1 .. done+iterations with working memory of their own.

        How many there was room for, and the histories that they have visited.
        """
        with self.counting:
            scratch = self.spare.pop() if self.spare else self.scratch.another(self.walked[0])
        rng = np.zeros(1, np.uint64)
        parts = self.parts._replace(writer=self.parts.writer._replace(rounding=self._rounding(rng)))
        ran: int = self.kernel(*self.walked, parts, table, scratch, rng, self.seed, done, iterations)
        self._refuse_unfit(scratch, table)
        histories = int(scratch.counters[HISTORIES])
        with self.counting:
            scratch.counters[:] = 0
            self.spare.append(scratch)
        return ran, histories

    def _run_chunk(self, done: int, iterations: int) -> tuple[Table, int]:
        """A stretch of iterations in a table of its own, and the histories that it has visited.

        An iteration that meets more infosets than there is room for would lose what it learns of the rest, and the
        table is dropped after the round: so the chunk begins again in a larger one.
        """
        places = self.chunk_places
        while True:
            own = Table.empty(
                infosets=places, slots=8 * places, dtype=self.table.rows.dtype.type, baselined=self.table.blocks == 3
            )
            self._take_chunk_room(own.capacity)
            at, visited = done, 0
            while at < done + iterations and not own.totals[LOST]:
                if own.is_crowded():
                    before, own = own.capacity, own.larger(None)
                    self._take_chunk_room(own.capacity - before)
                ran, histories = self.run_span(ChunkTable.over(self.table, own), at, done + iterations - at)
                at, visited = at + ran, visited + histories
            if not own.totals[LOST]:
                return own, visited
            self._take_chunk_room(-own.capacity)
            places *= 4

    @property
    def facts(self) -> Facts:
        infosets, counters = self.table.infosets, self.scratch.counters
        room = self.table.bytes + self.chunk_bytes + (self.reviewer.bytes if self.reviewer else 0)
        return Facts(int(counters[HISTORIES] + counters[REVIEWED]), infosets, room, collision_chance(infosets))

    @property
    def bytes(self) -> int:
        """Memory that the table has taken."""
        return self.table.bytes

    @property
    def pruned(self) -> dict[str, Any]:
        """What is pruned and what finding it took, if there are reviews."""
        if self.reviewer is None:
            return {}
        entries, dead = len(self.reviewer.scratch.dead) - self.game.players, self.reviewer.dead(self.table)
        reviewed = int(self.scratch.counters[REVIEWED])
        return {
            "visited": int(self.scratch.counters[HISTORIES]), "checked": reviewed, "pruned": dead / entries,
            "regret_entries": entries, "regret_live": entries - dead, "given_back": 0,
        }  # fmt: skip

    def whole_table(self, done: int) -> Table:
        """The table after so many iterations, with all that is pruned brought back."""
        return self.reviewer.brought_back(self.table, done) if self.reviewer and done else self.table

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The average strategy: sorted keys, where their rows start, and the probabilities."""
        return self._rows(average_of)

    def greedy_rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same for the strategy that always takes the action of highest regret."""
        return self._rows(greediest_of)

    def current_rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same for the strategy in proportion to positive regret: what the next iteration of CFR plays."""
        return self._rows(matching_of)

    def _rows(self, shares: Callable[..., np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A block of infosets at a time: what lies between would take more memory than the table."""
        keys, at = self.table.sorted()
        start = np.zeros(len(keys) + 1, np.int64)
        blocks = [slice(begin, min(begin + BLOCK, len(keys))) for begin in range(0, len(keys), BLOCK)]
        for these in blocks:
            start[these.start + 1 : these.stop + 1] = self.table.first_and_width(at[these])[1]
        np.cumsum(start, out=start)
        probability = np.empty(start[-1])
        for these in blocks:
            first, width = self.table.first_and_width(at[these])
            begin, end = start[these.start], start[these.stop]
            probability[begin:end] = shares(self.table.rows, first, width, start[these] - begin)
        return keys, start, probability

    def saved(self) -> dict[str, np.ndarray]:
        """What a checkpoint must hold."""
        return self.table.saved() | {"counters": self.scratch.counters, "fineness": np.array([self.clock.fineness])}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        arrays = dict(arrays)
        refuse_forged_table(
            arrays, blocks=self.table.blocks, counters=len(self.scratch.counters), periods=len(self.clock.positive)
        )
        counters = arrays.pop("counters")
        self.refuse_other_clock(arrays.pop("fineness", None))
        self.scratch.counters[: len(counters)] = counters  # in older files there are fewer
        self.table = Table.restored(arrays)
        if self.reviewer:
            self.reviewer.refuse_misfits(self.table)

    def refuse_other_clock(self, fineness: np.ndarray | None) -> None:
        """Raise if a checkpoint has stamps of periods that are not this engine's."""
        if not self.clock.is_idle and (fineness is None or fineness[0] != self.clock.fineness):
            raise RuseError(
                f"an older version wrote this checkpoint, with weights of {self.solver.name} for another stretch of "
                f"iterations; start a new run"
            )


def average_of(rows: np.ndarray, first: np.ndarray, width: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The average strategy of infosets whose regrets start at these slots, uniform where there is none."""
    return in_proportion(rows[slots_of_rows(first + width, width, start)].astype(np.float64), width, start)


def matching_of(rows: np.ndarray, first: np.ndarray, width: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Shares in proportion to positive regret, uniform where there is none."""
    regret = rows[slots_of_rows(first, width, start)].astype(np.float64)
    return in_proportion(np.maximum(regret, 0.0), width, start)


def in_proportion(sums: np.ndarray, width: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Each row divided by its total, uniform where that is 0."""
    total = np.repeat(np.add.reduceat(sums, start), width)
    return np.where(total > 0, sums / np.where(total > 0, total, 1.0), np.repeat(1.0 / width, width))


def greediest_of(rows: np.ndarray, first: np.ndarray, width: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The actions of highest regret, in equal parts."""
    regret = rows[slots_of_rows(first, width, start)]
    best = (regret == np.repeat(np.maximum.reduceat(regret, start), width)).astype(np.float64)
    shares: np.ndarray = best / np.repeat(np.add.reduceat(best, start), width)
    return shares


def slots_of_rows(first: np.ndarray, width: np.ndarray, start: np.ndarray) -> np.ndarray:
    """All slots of rows that start at `first`, one row after the other."""
    slots: np.ndarray = np.repeat(first - start, width) + np.arange(int(width.sum()))
    return slots


def _depth_and_slots(game: Game) -> tuple[int, int]:
    """Room for the stack: four times what random games need, and never little."""
    levels = max(256, 4 * deepest(game, 1_000))
    return levels, max(1 << 14, 64 * levels) * game.players
