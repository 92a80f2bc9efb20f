"""Update rules: the named members of the CFR family, and the parts that they are made of."""

from ruse.solve.solver.presets import (
    PRESETS,
    Solver,
    cfr,
    cfr_plus,
    cfvfp,
    dcfr,
    dcfr_plus,
    hedge,
    hs_dcfr,
    hs_pcfr_plus,
    lcfr,
    mccfr,
    pcfr_plus,
    pdcfr_plus,
)
from ruse.solve.solver.rules import BestRegret, Discount, Hedge, RegretMatching, add_regret

__all__ = [
    "PRESETS",
    "BestRegret",
    "Discount",
    "Hedge",
    "RegretMatching",
    "Solver",
    "add_regret",
    "cfr",
    "cfr_plus",
    "cfvfp",
    "dcfr",
    "dcfr_plus",
    "hedge",
    "hs_dcfr",
    "hs_pcfr_plus",
    "lcfr",
    "mccfr",
    "pcfr_plus",
    "pdcfr_plus",
]
