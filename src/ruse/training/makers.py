"""The engines of each backend of ruse, loaded when they are made, and what a backend can tell of a job."""

from typing import TYPE_CHECKING

from ruse.training.terms.backends import CPU, GPU, RAY, Backend

if TYPE_CHECKING:
    from ruse.solve.solver.presets import Solver
    from ruse.training.jobs.job import Job
    from ruse.training.terms.engine import Engine

# ---- this machine's processor --------------------------------------------------------------------------------------


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


MADE_HERE = {
    CPU: Backend(full_width, pruned, sampling, ranges, horizon),
    GPU: Backend(full_width=on_card, ranges=spot_on_card, lacks=card_lacks, look=card_look, look_at_spot=spot_look),
    RAY: Backend(sampling=sampling_on_ray, reach=reach_ray, is_spread=True),
}
