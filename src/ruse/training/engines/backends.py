"""Where the iterations of a training run: the seam below `Engine`.

A backend makes the engines of one kind of machine, one for each way to walk. All that is above, stops, checks,
checkpoints and results, asks an engine for no more than `Engine` says (engine.py), so another machine is a file with
its engines, and a line in `BACKENDS`:

    BACKENDS["toy"] = Backend(full_width=ToyEngine)

A job names its backend, as `gpu`, with fields or an address where it has them, as `gpu:precision=f32` or
`ray://HOST:PORT`; one that has no engine for the solver's walk, or is not here, is refused in one sentence.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ruse.solve.solver.traits import BackendTraits

if TYPE_CHECKING:
    from ruse.solve.solver.presets import Solver
    from ruse.training.engines.engine import Engine
    from ruse.training.jobs.job import Job

Make = Callable[["Job"], "Engine"]


def nothing_lacks(on: str, solver: "Solver") -> str:
    return ""


class Backend(NamedTuple):
    """Functions that make engines, by what an iteration visits; None where there is none. See `Solver.engine`."""

    full_width: Make | None = None  # every history
    pruned: Make | None = None  # every history that is not pruned
    sampling: Make | None = None  # a sample
    ranges: Make | None = None  # every history, whole ranges of hands at once
    horizon: Make | None = None  # the same up to a horizon
    lacks: Callable[[str, "Solver"], str] = nothing_lacks  # why a job cannot run there, by its words and its solver
    look: Callable[["Job"], str] | None = None  # what there is to tell of one whose game has been expanded
    look_at_spot: Callable[["Job"], str] | None = None  # the same of a spot
    reach: Callable[[str], str] | None = None  # makes sure that it is there, and tells what there is
    is_spread: bool = False  # over machines, each of which has a part of the table

    @property
    def engines(self) -> tuple[str, ...]:
        """The kinds that it has."""
        return tuple(kind for kind in KINDS if getattr(self, kind) is not None)


KINDS = ("full_width", "pruned", "sampling", "ranges", "horizon")

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


def horizon(job: "Job") -> "Engine":
    from ruse.training.engines.horizon import HorizonEngine

    return HorizonEngine(job)


# ---- a graphics card -------------------------------------------------------------------------------------------------


def on_card(job: "Job") -> "Engine":
    from ruse.training.engines.card.gpu import full_width_on_card

    return full_width_on_card(job)


def card_lacks(on: str, solver: "Solver") -> str:
    from ruse.training.engines.card.gpu import lacks

    return lacks(on, solver)


def card_look(job: "Job") -> str:
    from ruse.training.engines.card.gpu import look_at_game

    return look_at_game(job)


def spot_on_card(job: "Job") -> "Engine":
    from ruse.training.engines.card import gpu_spots

    return gpu_spots.spot_on_card(job)


def spot_look(job: "Job") -> str:
    from ruse.training.engines.card.gpu_spots import look_at_spot

    return look_at_spot(job)


# ---- a cluster of machines, by Ray -----------------------------------------------------------------------------------


def sampling_on_ray(job: "Job") -> "Engine":
    from ruse.spread.connect import connected
    from ruse.training.cluster.crew import RayMachines
    from ruse.training.cluster.engine import ClusterEngine
    from ruse.training.engines.sampling import SamplingEngine

    machines = RayMachines(connected(job.on))
    return SamplingEngine(job._replace(threads=job.threads or 1), lambda one: ClusterEngine(one, job, machines))


def reach_ray(on: str) -> str:
    from ruse.spread.connect import connected, told_of_cluster

    return told_of_cluster(connected(on))


CPU, GPU, RAY = "cpu", "gpu", "ray"
BACKENDS: dict[str, Backend] = {
    CPU: Backend(full_width, pruned, sampling, ranges, horizon),
    GPU: Backend(full_width=on_card, ranges=spot_on_card, lacks=card_lacks, look=card_look, look_at_spot=spot_look),
    RAY: Backend(sampling=sampling_on_ray, reach=reach_ray, is_spread=True),
}


def backend_named(on: str) -> Backend | None:
    """The backend of a job that runs there: by the word before fields or an address."""
    return BACKENDS.get(on.partition(":")[0])


def backend_traits(on: str, solver: "Solver") -> BackendTraits:
    """What `solve/solver/fits.py` asks of a backend, known or not."""
    if (found := backend_named(on)) is None:
        return BackendTraits(on, tuple(BACKENDS))
    return BackendTraits(on, (*BACKENDS, on), found.engines, found.lacks(on, solver), found.is_spread)
