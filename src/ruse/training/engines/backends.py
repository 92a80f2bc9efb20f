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
    reach: Callable[[str], str] | None = None  # makes sure that it is there, and tells what there is
    is_spread: bool = False  # over machines, each of which has a part of the table

    @property
    def engines(self) -> tuple[str, ...]:
        """The kinds that it has."""
        return tuple(kind for kind in KINDS if getattr(self, kind) is not None)


KINDS = ("full_width", "pruned", "sampling", "ranges")


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


# ---- a cluster of machines, by Ray -----------------------------------------------------------------------------------


def sampling_on_ray(job: "Job") -> "Engine":
    from ruse.training.cluster.connect import reached
    from ruse.training.cluster.crew import RayMachines
    from ruse.training.cluster.engine import ClusterEngine
    from ruse.training.engines.sampling import SamplingEngine

    machines = RayMachines(reached(job.on))
    return SamplingEngine(job._replace(threads=job.threads or 1), lambda one: ClusterEngine(one, job, machines))


def reach_ray(on: str) -> str:
    from ruse.training.cluster.connect import reached, told_of

    return told_of(reached(on))


CPU, RAY = "cpu", "ray"
BACKENDS: dict[str, Backend] = {
    CPU: Backend(full_width, pruned, sampling, ranges),
    RAY: Backend(sampling=sampling_on_ray, reach=reach_ray, is_spread=True),
}


def backend_named(on: str) -> Backend | None:
    """The backend of a job that runs there: by the word before an address, or before fields."""
    return BACKENDS.get(on if on in BACKENDS else on.partition(":")[0])


def backend_traits(on: str) -> BackendTraits:
    """What `solve/solver/fits.py` asks of a backend, known or not."""
    found = backend_named(on)
    known = tuple(BACKENDS) if found is None else (*BACKENDS, on)
    found = found or Backend()
    return BackendTraits(on, known, found.engines, is_spread=found.is_spread)
