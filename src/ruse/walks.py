"""Walks: what an iteration visits."""

from ruse.solve.sampled.average import AverageSampling
from ruse.solve.sampled.chance import ChanceSampling
from ruse.solve.sampled.external import ExternalSampling
from ruse.solve.sampled.outcome import OutcomeSampling
from ruse.solve.sampled.probing import Probing
from ruse.solve.sampled.robust import Robust, RobustSampling
from ruse.solve.solver.walks import WALKS, FullWidth, Walk

__all__ = [
    "WALKS",
    "AverageSampling",
    "ChanceSampling",
    "ExternalSampling",
    "FullWidth",
    "OutcomeSampling",
    "Probing",
    "Robust",
    "RobustSampling",
    "Walk",
]
