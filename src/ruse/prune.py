"""Prunings: what an iteration need not visit."""

from ruse.solve.hybrid.hybrid import Hybrid
from ruse.solve.solver.pruning import PRUNINGS, BestResponse, FixedLength, OpenEnded, Partial, RegretBased
from ruse.solve.solver.threshold import Threshold

__all__ = ["PRUNINGS", "BestResponse", "FixedLength", "Hybrid", "OpenEnded", "Partial", "RegretBased", "Threshold"]
