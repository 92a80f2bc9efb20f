"""The named members of the CFR family, each one line that composes parts."""

from typing import NamedTuple

from ruse.solve.rules import BestRegret, Discount, Hedge, Minimizer, RegretMatching, Weighting


class Solver(NamedTuple):
    """A solver is its parts; printing it is the record of the experiment."""

    name: str
    weighting: Weighting = Discount()
    minimizer: Minimizer = RegretMatching()
    alternating: bool = True  # players take turns to update, each against the others' newest strategies

    @property
    def follows_schedule(self) -> bool:
        """Whether the weights depend on how many iterations are planned."""
        return self.weighting.weights(100, 0.25) != self.weighting.weights(100, 0.75)


def cfr(*, alternating: bool = True) -> Solver:
    """Counterfactual regret minimization (Zinkevich et al. 2007)."""
    return Solver("cfr", Discount(), RegretMatching(), alternating)


def cfr_plus(gamma: float = 1.0, *, alternating: bool = True) -> Solver:
    """CFR+: regret never falls below zero, later iterations count more (Tammelin 2014; gamma 2 since 2019)."""
    return Solver("cfr_plus", Discount(gamma=gamma, floor=0.0), RegretMatching(), alternating)


def lcfr(*, alternating: bool = True) -> Solver:
    """Linear CFR: iteration t counts t times (Brown and Sandholm 2019)."""
    return Solver("lcfr", Discount(alpha=1.0, beta=1.0, gamma=1.0), RegretMatching(), alternating)


def dcfr(alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0, *, alternating: bool = True) -> Solver:
    """Discounted CFR (Brown and Sandholm 2019); regret is discounted before this iteration's is added."""
    return Solver("dcfr", Discount(alpha, beta, gamma), RegretMatching(), alternating)


def pcfr_plus(gamma: float = 2.0, *, alternating: bool = True) -> Solver:
    """Predictive CFR+: the last regret is expected to come again (Farina et al. 2021)."""
    return Solver("pcfr_plus", Discount(gamma=gamma, floor=0.0), RegretMatching(prediction=1.0), alternating)


def dcfr_plus(alpha: float = 1.5, gamma: float = 4.0, *, alternating: bool = True) -> Solver:
    """DCFR+: discounted and never below zero (Xu et al. 2024)."""
    return Solver("dcfr_plus", Discount(alpha, gamma=gamma, floor=0.0, offset=1.5), RegretMatching(), alternating)


def pdcfr_plus(alpha: float = 2.3, gamma: float = 5.0, *, alternating: bool = True) -> Solver:
    """Predictive DCFR+ (Xu et al. 2024)."""
    return Solver("pdcfr_plus", Discount(alpha, gamma=gamma, floor=0.0), RegretMatching(prediction=1.0), alternating)


def hs_dcfr(gamma: float = 30.0, *, alternating: bool = True) -> Solver:
    """DCFR with Hyperparameter Schedules (Zhang et al. 2024); needs to know the planned iterations."""
    weighting = Discount(1.0, -1.0, gamma, alpha_slope=3.0, beta_slope=-2.0, gamma_slope=-5.0)
    return Solver("hs_dcfr", weighting, RegretMatching(), alternating)


def hs_pcfr_plus(gamma: float = 30.0, *, alternating: bool = True) -> Solver:
    """PCFR+ with Hyperparameter Schedules (Zhang et al. 2024); needs to know the planned iterations."""
    weighting = Discount(gamma=gamma, floor=0.0, gamma_slope=-5.0)
    return Solver("hs_pcfr_plus", weighting, RegretMatching(prediction=1.0), alternating)


def cfvfp(*, alternating: bool = True) -> Solver:
    """Counterfactual value fictitious play: always the best action so far (Ju et al. 2024)."""
    return Solver("cfvfp", Discount(), BestRegret(), alternating)


def hedge(eta: float = 1.0, *, alternating: bool = True) -> Solver:
    """CFR with multiplicative weights instead of regret matching (Freund and Schapire 1997)."""
    return Solver("hedge", Discount(), Hedge(eta), alternating)


PRESETS = {f.__name__: f for f in (
    cfr, cfr_plus, lcfr, dcfr, pcfr_plus, dcfr_plus, pdcfr_plus, hs_dcfr, hs_pcfr_plus, cfvfp, hedge,
)}  # fmt: skip
