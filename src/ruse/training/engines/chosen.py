"""Which engine a job asks for."""

from typing import cast

from ruse.laws.peeking import fields_of, refuse_peeking
from ruse.protocol.choices import Hierarchical, as_offered
from ruse.protocol.values.recent import Recent
from ruse.protocol.view import Full
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.noticed import Noticed
from ruse.solve.solver.traits import walk_traits
from ruse.training.jobs.job import Job
from ruse.training.terms.backends import Make, backend_named
from ruse.training.terms.engine import Engine
from ruse.tree.measure.widths import VAST, is_vast

_told: Recent[bool] = Recent(64)  # whether a game is too wide for a walk
LONG = 1e8  # lines of play by policies, each of which takes what a hundred histories take elsewhere: half an hour


def engine_for(job: Job) -> Engine:
    """The engine that the solver's walk asks for, of the job's backend."""
    job.refuse_unfit()
    refuse_peeking(job.game, job.view)
    refuse_vast(job)
    make = cast(Make, getattr(backend_named(job.on), job.engine))  # which is there, or it would not fit
    return make(job)


def refuse_vast(job: Job) -> None:
    """Raise if the walk would not come to the end of an iteration while anybody waits."""
    traits = walk_traits(job.solver.walk)
    if not traits.samples or traits.width <= 1.0:
        return
    game, _ = as_offered(job.game, job.view or Full())
    asked, everyone, actions = (fields_of(game), traits.everyone, traits.width), traits.everyone, traits.width
    noticed = Noticed()
    if isinstance(job.view, Hierarchical):
        lines = job.view.hierarchy(job.game).most_lines(job.game.players if everyone else 1)
        noticed = Noticed(lines=lines if lines > LONG else None)
    elif _told.of(asked, lambda: is_vast(game, everyone=everyone, actions=actions)):
        noticed = Noticed(vast=VAST)
    must_fit(Setup(job.solver, game=job.game, noticed=noticed), "walk and game")
