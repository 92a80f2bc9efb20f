"""The rounds of a cluster as chunks on threads would run them: what a training on many machines must come to."""

import numpy as np

from ruse.solve.sampled.engine import SampledEngine
from ruse.solve.table.blocks import PackedRows
from ruse.solve.table.sampling import HISTORIES
from ruse.solve.table.table import Table
from ruse.solve.table.threads import spans
from ruse.training.cluster.rounds import next_cluster_round
from ruse.training.engines.sampling import sampled
from ruse.training.jobs.job import Job
from ruse.training.terms.stops import next_check


def undisturbed(job: Job) -> SampledEngine:
    """A job of so many workers, run in this process by the engine for threads."""
    assert job.threads is not None
    assert job.iterations is not None
    engine, done = sampled(job._replace(threads=1), None), 0
    while done < job.iterations:
        histories = int(engine.scratch.counters[HISTORIES])
        size, chunks = next_cluster_round(done, histories, engine.table.infosets, job.threads)
        size = min(size, next_check(done, job.iterations, 1.25) - done)
        engine._run_round(spans(done, size, chunks))
        done += size
    return engine


def assert_same_rows(one: Table, other: Table) -> None:
    """Every infoset has the same numbers in both, to the bit."""
    first, second = PackedRows.all_of(one), PackedRows.all_of(other)
    assert len(first.keys) > 0
    assert np.array_equal(first.keys, second.keys)
    assert np.array_equal(first.widths, second.widths)
    assert np.array_equal(first.rows, second.rows)
