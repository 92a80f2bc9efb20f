"""Which engine a job asks for."""

from typing import cast

from ruse.laws.peeking import fields_of, refuse_peeking
from ruse.protocol.choices import Hierarchical, as_offered
from ruse.protocol.recent import Recent
from ruse.protocol.view import Full
from ruse.solve.solver.fits import Noticed, Setup, must_fit
from ruse.solve.solver.traits import walk_traits
from ruse.training.engines.backends import BACKENDS, Make
from ruse.training.engines.engine import Engine
from ruse.training.jobs.job import Job
from ruse.tree.widths import VAST, is_vast

_told: Recent[bool] = Recent(64)  # whether a game is too wide for a walk


def engine_for(job: Job) -> Engine:
    """The engine that the solver's walk asks for, of the job's backend."""
    job.refuse_unfit()
    refuse_peeking(job.game, job.view)
    refuse_vast(job)
    make = cast(Make, getattr(BACKENDS[job.backend], job.engine))  # which is there, or it would not fit
    return make(job)


def refuse_vast(job: Job) -> None:
    """Raise if the walk would never come to the end of an iteration. Of a hierarchy, whose choices are few, and which
    takes long in plain Python, nothing is asked.
    """
    traits = walk_traits(job.solver.walk)
    if not (traits.samples and traits.explores_all) or isinstance(job.view, Hierarchical):
        return
    game, _ = as_offered(job.game, job.view or Full())
    if _told.of((fields_of(game), traits.everyone), lambda: is_vast(game, everyone=traits.everyone)):
        must_fit(Setup(job.solver, game=job.game, noticed=Noticed(vast=VAST)), "walk and game")
