"""The regret that a run has added up, from its last checkpoint: what its next strategy follows from."""

from ruse.errors import RuseError
from ruse.solve.start.learned import Learned
from ruse.store.runs import RunDirectory
from ruse.training.engines.chosen import engine_for
from ruse.training.jobs.kept import kept_job
from ruse.training.terms.backends import CPU

MOST = 1 << 28  # bytes of a checkpoint that is read only to be looked at


def regrets_of(directory: RunDirectory) -> Learned | None:
    """Regret and average by infoset key; None where the run does not tell: there is no checkpoint, it is too large, or
    the run cannot be made again from what it says of itself.
    """
    try:
        if (saved := directory.newest_checkpoint()) is None:
            return None
        if sum(array.nbytes for array in saved.arrays.values()) > MOST:
            return None
        # How it was to stop does not matter, and a rule for that cannot be read back. Nor does where it was solved.
        planned = directory.settings.get("iterations") or saved.iteration
        engine = engine_for(kept_job(directory, iterations=planned, on=CPU))
        engine.restore(saved.arrays)
        return engine.learned(saved.iteration)
    except RuseError:
        return None
