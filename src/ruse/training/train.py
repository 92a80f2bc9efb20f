"""The short ways: to train, to make the directory of a run, and to go on with one."""

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from ruse.protocol.game import Game
from ruse.solve.solver.presets import Solver, dcfr
from ruse.store.runs import RunDirectory
from ruse.training.jobs.job import Job, JobFields
from ruse.training.jobs.kept import Given, keep, kept_job
from ruse.training.progress import Progress, Run
from ruse.training.training import CHECKPOINT_SECONDS, Training

DEFAULT = dcfr()  # as on the command line


def train(
    game: Game, solver: Solver = DEFAULT, *,
    directory: RunDirectory | None = None, watch: Callable[[Progress], None] | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS, **asked: Unpack[JobFields],
) -> Run:  # fmt: skip
    """Run a solver on a game until the iterations are done, the target exploitability is met or the time is up.

    Takes the fields of `ruse.Job`: iterations, target, seconds, until, seed, view, memory, merging, threads, shared,
    debug_keys, start and against.

    The full-width engine uses no random numbers; the seed is recorded with the run. Sampled walks use one thread; with
    `threads` they run in chunks, and the result is the same for any number of threads; if these are to share one table
    they are faster, but no two runs are the same. `debug_keys` spends as much time again on looking for infosets that
    share a key. With a directory the training is checkpointed there, goes on from the newest checkpoint, and leaves its
    strategy and its result. It starts from nothing, or from what `start` brings (see docs/warm-start.md); a directory
    must have been made for the same start. `until` is a rule that may stop it earlier (see docs/curriculum.md).
    `against` gives bots the other seat in a share of the games.
    """
    training = Training(Job(game, solver, **asked), directory, checkpoint_seconds=checkpoint_seconds)
    return training.complete(watch)


def new_run(root: str | Path, game: Game, solver: Solver = DEFAULT, **asked: Unpack[JobFields]) -> RunDirectory:
    """Make the directory of a run that `resume` can go on with; takes the fields of `ruse.Job`.

    `rule` is the text that names the solver, if that is not a preset with its usual numbers.
    """
    return keep(root, Job(game, solver, **asked))


def resume(
    directory: RunDirectory, *, watch: Callable[[Progress], None] | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS, **given: Unpack[Given],
) -> Run:  # fmt: skip
    """Go on with a run as it was asked for, or further if more iterations, a lower target or more seconds are given.

    `memory` is what it may take from now on. A game, solver, view or teachers that a file cannot name must be given
    again. `start` is needed only by a run that was to start from something, and was stopped before that was saved.
    `until` is needed by a run that was to stop by such a rule, unless something else is asked of it.
    """
    return Training(kept_job(directory, **given), directory, checkpoint_seconds=checkpoint_seconds).complete(watch)
