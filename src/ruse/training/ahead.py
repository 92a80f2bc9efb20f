"""What is done before a training is begun: refuse what cannot be, and expand what has to be, step by step.

    for step in steps_ahead(job):
        print(step.what)  # before it is done, for whoever waits
        print(step.do())  # what has come out, if anything is to be told

Afterwards nothing of a job that takes long is left but iterations, and nothing has been written to disk.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, cast

from ruse.laws.peeking import refuse_peeking
from ruse.protocol.choices import as_offered
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.solve.prefer.preferred import preferred
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.traits import HORIZON, RANGES, own_engine, pruning_traits
from ruse.training.engines.chosen import refuse_vast
from ruse.training.jobs.job import Job
from ruse.training.terms.backends import Backend, backend_named
from ruse.tree.expanded import Expanded, MeasuredGame
from ruse.tree.measure import free
from ruse.tree.measure.size import refuse_if_too_large
from ruse.words.naming import named

DEAL_BY_DEAL = "the walk {walk} takes this spot deal by deal; rules of the full width, as dcfr, take all hands at once"


class Step(NamedTuple):
    """Something to do that may take long."""

    what: str
    do: Callable[[], str]  # what there is to tell afterwards; nothing if it is empty


def steps_ahead(job: Job) -> Iterator[Step]:
    """All that is to be done for a job; what cannot be is refused by the step that knows it."""
    job = job.checked()
    game, solver, view = job.game, job.solver, job.view
    job.refuse_unfit()
    refuse_peeking(game, view)
    refuse_vast(job)
    backend = cast(Backend, backend_named(job.on))  # which is there, or it would not fit
    if (reach := backend.reach) is not None:
        yield Step(f"reaching {job.on}", lambda: reach(job.on))
    if job.against is not None:
        job.against.facing(game, view)  # which refuses what cannot be
    if (prefer := preferring(solver.prefer)) is not None and job.engine != RANGES:
        yield Step(f"looking for what is preferred in {named(game)}", lambda: told(preferred(game, view, prefer.rules)))
    if job.engine == HORIZON:
        yield from steps_of_horizon(job)
    elif job.engine == RANGES:
        yield from steps_of_spot(job, backend)
    elif own_engine(game) == RANGES:  # a walk that samples
        yield Step(f"looking at {named(game)}", lambda: DEAL_BY_DEAL.format(walk=solver.walk))
    elif not solver.samples:
        yield from steps_of_expanding(game, view, memory=job.memory, merging=job.merging)
        job.refuse_unfit(Expanded.of(game, view, memory=job.memory, merging=job.merging).form)
        if (look := backend.look) is not None:
            yield Step(f"measuring {named(game)} on {job.on}", partial(look, job))
    elif pruning_traits(solver.pruning).reviews:
        from ruse.solve.hybrid.reviews import reviewed_game

        yield Step(
            f"expanding {named(game)}",
            lambda: told(reviewed_game(*as_offered(game, view or Full()), solver.pruning, job.memory)),
        )


def steps_of_spot(job: Job, backend: Backend) -> Iterator[Step]:
    """Measure a spot; one that does not fit is refused before anything is made."""
    from ruse.training.engines.spots import favours_in, spot_size

    if job.solver.prefer is not None:
        yield Step(f"looking for what is preferred in {named(job.game)}", lambda: told(favours_in(job)))

    def measure() -> str:
        room = free.free_memory() if job.memory is None else job.memory
        return spot_size(job).within(room).told

    yield Step(f"measuring {named(job.game)}", measure)
    if (look := backend.look_at_spot) is not None:
        yield Step(f"measuring {named(job.game)} on {job.on}", partial(look, job))


def steps_of_horizon(job: Job) -> Iterator[Step]:
    """Measure what is to be cut; what cannot be is refused."""
    from ruse.training.engines.horizon import told_of_whole

    yield Step(f"looking how {named(job.game)} can be cut", partial(told_of_whole, job))


def steps_of_expanding(game: Game, view: View | None, *, memory: int | None, merging: bool) -> Iterator[Step]:
    """Expand a game; its size is told before anything is allocated."""
    measured: list[MeasuredGame] = []

    def measure() -> str:
        measured.append(MeasuredGame.of(game, None, memory))
        return f"{named(game)}: {measured[0].size}"

    def expand() -> str:
        whole = measured.pop() if view is None else None  # a view has to be walked by itself
        expanded = Expanded.of(game, view, memory=memory, merging=merging, measured=whole)
        merged = str(expanded)  # in a large game this takes longer than all the rest
        return f"merged: {merged}" if merging else "not merged"

    yield Step(f"measuring {named(game)}", measure)
    refuse_if_too_large(game, measured[0].size, memory)
    if view is not None:
        measured.clear()
    yield Step(f"expanding {named(game)}", expand)


def told(done: object) -> str:
    """Of something that was made for later, nothing."""
    return ""
