"""The short ways: to train, to make the directory of a run, and to go on with one."""

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from ruse.catalog.given import GameLike, SolverLike
from ruse.catalog.titles import title_of
from ruse.errors import RuseError
from ruse.store.runs import RunDirectory, find
from ruse.training.jobs.job import Job, JobFields
from ruse.training.jobs.kept import Given, keep, kept_job
from ruse.training.notebook import shown_in_notebook
from ruse.training.progress import Progress, Run
from ruse.training.training import CHECKPOINT_SECONDS, Training
from ruse.words.printable import shown

RUNS = Path("runs")  # where runs are looked for by name, as on the command line


def train(
    game: GameLike, solver: SolverLike | None = None, *,
    directory: RunDirectory | str | Path | None = None, watch: Callable[[Progress], None] | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS, **asked: Unpack[JobFields],
) -> Run:  # fmt: skip
    """Run a solver on a game until the iterations are done, the target exploitability is met or the time is up.

    Takes the fields of `ruse.Job`: iterations, target, seconds, until, seed, view, memory, merging, threads, shared,
    debug_keys, horizon, start and against; walk, prune and prefer, as the command line does. All may be in words:
    `ruse.train("cheat", "lcfr", walk="probing", view="memoryless+", against="heuristic", iterations=1e4)`. Without a
    solver it is the one that is usual for the game, dcfr for most. In a notebook a line shows how it stands, unless
    somebody watches.

    The full-width engine uses no random numbers; the seed is recorded with the run. Sampled walks use one thread; with
    `threads` they run in chunks, and the result is the same for any number of threads; if these are to share one table
    they are faster, but no two runs are the same. `debug_keys` spends as much time again on looking for infosets that
    share a key. With a directory the training is checkpointed there, goes on from the newest checkpoint, and leaves its
    strategy and its result. It starts from nothing, or from what `start` brings (see docs/warm-start.md); a directory
    must have been made for the same start. `until` is a rule that may stop it earlier (see docs/curriculum.md).
    `against` gives bots the other seat in a share of the games. `horizon` solves no further than to the next card (see
    docs/depth-limited.md).
    """
    place, job = None if directory is None else run_at(directory), Job.of(game, solver, asked)
    with shown_in_notebook(title_of(job.game), watch) as told:
        return Training(job, place, checkpoint_seconds=checkpoint_seconds).complete(told)


def new_run(
    root: str | Path, game: GameLike, solver: SolverLike | None = None, **asked: Unpack[JobFields]
) -> RunDirectory:
    """Make the directory of a run that `resume` can go on with; takes what `train` takes.

    `rule` is the text that names the solver, if that is not a preset with its usual numbers.
    """
    return keep(root, Job.of(game, solver, asked))


def resume(
    directory: RunDirectory | str | Path, *, watch: Callable[[Progress], None] | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS, **given: Unpack[Given],
) -> Run:  # fmt: skip
    """Go on with a run as it was asked for, or further if more iterations, a lower target or more seconds are given.

    The run is its directory, a path, its name, a part of that, or "last", looked for in `runs`.

    `memory` is what it may take from now on. A game, solver, view or teachers that a file cannot name must be given
    again. `start` is needed only by a run that was to start from something, and was stopped before that was saved.
    `until` is needed by a run that was to stop by such a rule, unless something else is asked of it.
    """
    run = run_at(directory)
    with shown_in_notebook(run.game, watch) as told:
        return Training(kept_job(run, **given), run, checkpoint_seconds=checkpoint_seconds).complete(told)


def run_at(given: RunDirectory | str | Path) -> RunDirectory:
    """The directory of a run that is given, or that a text means."""
    if isinstance(given, RunDirectory):
        return given
    if not isinstance(given, str | Path):
        raise RuseError(f"a run is its directory, its name or a path, not {shown(given)}")
    return find(RUNS, str(given))
