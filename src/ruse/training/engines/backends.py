"""Where the iterations of a training run: the seam below `Engine`.

A backend makes the engines of one kind of machine, one for each way to walk. All that is above, stops, checks,
checkpoints and results, asks an engine for no more than `Engine` says (engine.py), so another machine is a file with
its engines, and a line in `BACKENDS`:

    BACKENDS["gpu"] = Backend(full_width=GpuEngine)

A job names its backend, as `gpu`, with an address where it has one, as `ray://HOST:PORT`; one without an engine for the
solver's walk is refused in one sentence.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ruse.solve.solver.traits import BackendTraits

if TYPE_CHECKING:
    from ruse.training.engines.engine import Engine
    from ruse.training.jobs.job import Job

Make = Callable[["Job"], "Engine"]


class Backend(NamedTuple):
    """Functions that make engines, by what an iteration visits; None where there is none. See `Solver.engine`."""

    full_width: Make | None = None  # every history
    pruned: Make | None = None  # every history that is not pruned
    sampling: Make | None = None  # a sample
    ranges: Make | None = None  # every history, whole ranges of hands at once

    @property
    def engines(self) -> tuple[str, ...]:
        """The kinds that it has."""
        return tuple(kind for kind, make in self._asdict().items() if make is not None)


# ---- this machine's processor; engines are loaded when they are made -------------------------------------------------


def full_width(job: "Job") -> "Engine":
    from ruse.training.engines.full_width import FullWidthEngine

    return FullWidthEngine(job)


def pruned(job: "Job") -> "Engine":
    from ruse.training.engines.pruned import PrunedEngine

    return PrunedEngine(job)


def sampling(job: "Job") -> "Engine":
    from ruse.training.engines.sampling import SamplingEngine

    return SamplingEngine(job)


def ranges(job: "Job") -> "Engine":
    from ruse.training.engines.spots import SpotEngine

    return SpotEngine(job)


CPU = "cpu"
BACKENDS: dict[str, Backend] = {CPU: Backend(full_width, pruned, sampling, ranges)}


def backend_named(on: str) -> Backend | None:
    """The backend of a job that runs there: by the word before an address."""
    return BACKENDS.get(on.split("://")[0])


def backend_traits(on: str) -> BackendTraits:
    """What `solve/solver/fits.py` asks of a backend, known or not."""
    found = backend_named(on)
    known = tuple(BACKENDS) if found is None else (*BACKENDS, on)
    return BackendTraits(on, known, (found or Backend()).engines)
