"""Which engine a job asks for."""

from typing import cast

from ruse.laws.peeking import refuse_peeking
from ruse.training.engines.backends import BACKENDS, Make
from ruse.training.engines.engine import Engine
from ruse.training.jobs.job import Job


def engine_for(job: Job) -> Engine:
    """The engine that the solver's walk asks for, of the job's backend."""
    job.refuse_unfit()
    refuse_peeking(job.game, job.view)
    make = cast(Make, getattr(BACKENDS[job.backend], job.engine))  # which is there, or it would not fit
    return make(job)
