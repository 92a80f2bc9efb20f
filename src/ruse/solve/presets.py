"""The named members of the CFR family, each one line that composes parts."""

from typing import Any, NamedTuple

from ruse.solve.prefer import Prefer, preferring
from ruse.solve.pruning import pruned_walk, refuse_unfit
from ruse.solve.rules import BestRegret, Discount, Hedge, Minimizer, RegretMatching, Weighting
from ruse.solve.walks import FullWidth, walk_of


class Solver(NamedTuple):
    """A solver is its parts; printing it is the record of the experiment."""

    name: str
    weighting: Weighting = Discount()
    minimizer: Minimizer = RegretMatching()
    alternating: bool = True  # players take turns to update, each against the others' newest strategies
    walk: Any = FullWidth()  # what an iteration visits
    prefer: Prefer | None = None  # which actions are favoured where

    def __repr__(self) -> str:
        shown = self._asdict()
        if self.prefer is None:
            del shown["prefer"]
        return f"Solver({', '.join(f'{k}={v!r}' for k, v in shown.items())})"

    @property
    def follows_schedule(self) -> bool:
        """Whether the weights depend on how many iterations are planned."""
        return self.weighting.weights(100, 0.25) != self.weighting.weights(100, 0.75)


def _made(
    name: str, weighting: Weighting, minimizer: Minimizer, alternating: bool, walk: Any, prune: Any, prefer: Any
) -> Solver:
    solver = Solver(name, weighting, minimizer, alternating, pruned_walk(walk_of(walk), prune), preferring(prefer))
    refuse_unfit(solver)
    return solver


def cfr(*, alternating: bool = True, walk: Any = "full", prune: Any = None, prefer: Any = None) -> Solver:
    """Counterfactual regret minimization (Zinkevich et al. 2007)."""
    return _made("cfr", Discount(), RegretMatching(), alternating, walk, prune, prefer)


def cfr_plus(
    gamma: float = 1.0, *, alternating: bool = True, walk: Any = "full", prune: Any = None, prefer: Any = None
) -> Solver:
    """CFR+: regret never falls below zero, later iterations count more (Tammelin 2014; gamma 2 since 2019)."""
    return _made("cfr_plus", Discount(gamma=gamma, floor=0.0), RegretMatching(), alternating, walk, prune, prefer)


def lcfr(*, alternating: bool = True, walk: Any = "full", prune: Any = None, prefer: Any = None) -> Solver:
    """Linear CFR: iteration t counts t times (Brown and Sandholm 2019)."""
    return _made("lcfr", Discount(alpha=1.0, beta=1.0, gamma=1.0), RegretMatching(), alternating, walk, prune, prefer)


def dcfr(
    alpha: float = 1.5,
    beta: float = 0.0,
    gamma: float = 2.0,
    *,
    alternating: bool = True,
    walk: Any = "full",
    prune: Any = None,
    prefer: Any = None,
) -> Solver:
    """Discounted CFR (Brown and Sandholm 2019); regret is discounted before this iteration's is added."""
    return _made("dcfr", Discount(alpha, beta, gamma), RegretMatching(), alternating, walk, prune, prefer)


def pcfr_plus(
    gamma: float = 2.0, *, alternating: bool = True, walk: Any = "full", prune: Any = None, prefer: Any = None
) -> Solver:
    """Predictive CFR+: the last regret is expected to come again (Farina et al. 2021)."""
    return _made(
        "pcfr_plus", Discount(gamma=gamma, floor=0.0), RegretMatching(prediction=1.0), alternating, walk, prune, prefer
    )


def dcfr_plus(
    alpha: float = 1.5,
    gamma: float = 4.0,
    *,
    alternating: bool = True,
    walk: Any = "full",
    prune: Any = None,
    prefer: Any = None,
) -> Solver:
    """DCFR+: discounted and never below zero (Xu et al. 2024)."""
    return _made(
        "dcfr_plus",
        Discount(alpha, gamma=gamma, floor=0.0, offset=1.5),
        RegretMatching(),
        alternating,
        walk,
        prune,
        prefer,
    )


def pdcfr_plus(
    alpha: float = 2.3,
    gamma: float = 5.0,
    *,
    alternating: bool = True,
    walk: Any = "full",
    prune: Any = None,
    prefer: Any = None,
) -> Solver:
    """Predictive DCFR+ (Xu et al. 2024)."""
    return _made(
        "pdcfr_plus",
        Discount(alpha, gamma=gamma, floor=0.0),
        RegretMatching(prediction=1.0),
        alternating,
        walk,
        prune,
        prefer,
    )


def hs_dcfr(
    gamma: float = 30.0, *, alternating: bool = True, walk: Any = "full", prune: Any = None, prefer: Any = None
) -> Solver:
    """DCFR with Hyperparameter Schedules (Zhang et al. 2024); needs to know the planned iterations."""
    weighting = Discount(1.0, -1.0, gamma, alpha_slope=3.0, beta_slope=-2.0, gamma_slope=-5.0)
    return _made("hs_dcfr", weighting, RegretMatching(), alternating, walk, prune, prefer)


def hs_pcfr_plus(
    gamma: float = 30.0, *, alternating: bool = True, walk: Any = "full", prune: Any = None, prefer: Any = None
) -> Solver:
    """PCFR+ with Hyperparameter Schedules (Zhang et al. 2024); needs to know the planned iterations."""
    weighting = Discount(gamma=gamma, floor=0.0, gamma_slope=-5.0)
    return _made("hs_pcfr_plus", weighting, RegretMatching(prediction=1.0), alternating, walk, prune, prefer)


def cfvfp(*, alternating: bool = True, walk: Any = "full", prune: Any = None, prefer: Any = None) -> Solver:
    """Counterfactual value fictitious play: always the best action so far (Ju et al. 2024)."""
    return _made("cfvfp", Discount(), BestRegret(), alternating, walk, prune, prefer)


def hedge(
    eta: float = 1.0, *, alternating: bool = True, walk: Any = "full", prune: Any = None, prefer: Any = None
) -> Solver:
    """CFR with multiplicative weights instead of regret matching (Freund and Schapire 1997)."""
    return _made("hedge", Discount(), Hedge(eta), alternating, walk, prune, prefer)


def mccfr(walk: Any = "external", *, alternating: bool = True, prune: Any = None, prefer: Any = None) -> Solver:
    """Monte Carlo CFR: plain CFR on a sample of the game (Lanctot et al. 2009)."""
    return _made("mccfr", Discount(), RegretMatching(), alternating, walk, prune, prefer)


PRESETS = {f.__name__: f for f in (
    cfr, cfr_plus, lcfr, dcfr, pcfr_plus, dcfr_plus, pdcfr_plus, hs_dcfr, hs_pcfr_plus, cfvfp, hedge, mccfr,
)}  # fmt: skip
