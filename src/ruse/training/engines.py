"""Which engine a job asks for."""

from ruse.laws.peeking import refuse_peeking
from ruse.training.engine import Engine
from ruse.training.full_width import FullWidthEngine
from ruse.training.job import Job
from ruse.training.pruned import PrunedEngine
from ruse.training.sampling import SamplingEngine


def engine_for(job: Job) -> Engine:
    """The engine that the solver's walk asks for."""
    job.refuse_unfit()
    refuse_peeking(job.game, job.view)
    if job.solver.samples:
        return SamplingEngine(job)
    return FullWidthEngine(job) if job.solver.pruning is None else PrunedEngine(job)
