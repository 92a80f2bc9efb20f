"""Solvers and their engines; the exact answer. Walks and prunings that stand on the tables have their names from here.

This runs before anything else in the folder, so that the names are known wherever a solver is made; what they name is
loaded when it is asked for.
"""

from ruse.solve.solver.pruning import PRUNINGS
from ruse.solve.solver.walks import WALKS

WALKS.add({
    "chance": "ruse.solve.sampled.chance:ChanceSampling",
    "external": "ruse.solve.sampled.external:ExternalSampling",
    "outcome": "ruse.solve.sampled.outcome:OutcomeSampling",
    "average": "ruse.solve.sampled.average:AverageSampling",
    "robust": "ruse.solve.sampled.robust:RobustSampling",
    "probing": "ruse.solve.sampled.probing:Probing",
})  # fmt: skip
PRUNINGS.add({"hybrid": "ruse.solve.hybrid.hybrid:Hybrid"})
