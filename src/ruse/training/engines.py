"""Which engine a solver asks for, and what that one cannot do."""

from ruse.errors import RuseError
from ruse.laws.peeking import refuse_peeking
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.pruning import Hybrid, PrunedWidth
from ruse.solve.solver.walks import FullWidth
from ruse.solve.table.sampling import refuse_unfit as refuse_unfit_sampling
from ruse.solve.table.threads import refuse_bad as refuse_bad_threads
from ruse.training.engine import Engine
from ruse.training.full_width import FullWidthEngine
from ruse.training.job import Job
from ruse.training.pruned import PrunedEngine
from ruse.training.sampling import SamplingEngine


def engine_for(job: Job) -> Engine:
    """The engine that the solver's walk asks for."""
    solver = job.solver
    if job.against is not None:
        refuse_with_teachers(solver)
    refuse_unfit_walk(solver, threads=job.threads, shared=job.shared, debug_keys=job.debug_keys)
    refuse_peeking(job.game, job.view)
    if is_sampled(solver):
        return SamplingEngine(job)
    return FullWidthEngine(job) if isinstance(solver.walk, FullWidth) else PrunedEngine(job)


def is_sampled(solver: Solver) -> bool:
    """Whether an iteration visits a sample of the game, and not all of it that matters."""
    return not isinstance(solver.walk, FullWidth | PrunedWidth)


def refuse_unfit_walk(
    solver: Solver, *, threads: int | None = None, shared: bool = False, debug_keys: bool = False
) -> None:
    """Raise for what the engine of the solver's walk cannot do, before anything is made for it."""
    refuse_bad_threads(threads, shared=shared)
    if not is_sampled(solver):
        if debug_keys:
            raise RuseError("the full-width engine walks the whole game: `ruse check` looks at its keys")
        if threads is not None:
            raise RuseError("the full-width engine uses one thread; leave threads out, or choose a sampled walk")
    else:
        refuse_unfit_sampling(solver, threads)


def refuse_with_teachers(solver: Solver) -> None:
    """Raise if the solver cannot do with a bot whose moves are part of the learner's."""
    if not is_sampled(solver):
        raise RuseError("training against a bot samples games; choose a sampled walk, as walk='probing'")
    if solver.prefer is not None:
        raise RuseError("a training against bots has no preferences; leave prefer or against out")
    if isinstance(getattr(solver.walk, "pruning", None), Hybrid):
        raise RuseError("reviews of hybrid pruning need both players to learn; use prune='threshold' against bots")
