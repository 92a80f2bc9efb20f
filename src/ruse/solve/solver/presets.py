"""The named members of the CFR family, each one line that composes parts."""

import inspect
import math
import re
from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple, TypedDict, TypeVar, Unpack

from ruse.errors import RuseError
from ruse.protocol.values.fields import make, nested, number_text, parse_fields, with_plain_numbers
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.prefer import Prefer, preferring
from ruse.solve.solver.pruning import PRUNINGS, pruning_of
from ruse.solve.solver.rules import FADING, BestRegret, Discount, Hedge, Minimizer, RegretMatching, Weighting
from ruse.solve.solver.traits import walk_traits
from ruse.solve.solver.walks import WALKS, FullWidth, Walk, pruned_walk, unpruned, walk_of
from ruse.words.printable import shown


class Solver(NamedTuple):
    """A solver is its parts; printing it is the record of the experiment."""

    name: str
    weighting: Weighting = Discount()
    minimizer: Minimizer = RegretMatching()
    alternating: bool = True  # players take turns to update, each against the others' newest strategies
    walk: Walk = FullWidth()  # what an iteration visits
    prefer: Prefer | None = None  # which actions are favoured where

    def __repr__(self) -> str:
        shown = self._asdict()
        if self.prefer is None:
            del shown["prefer"]
        return f"Solver({', '.join(f'{k}={v!r}' for k, v in shown.items())})"

    @property
    def samples(self) -> bool:
        """Whether an iteration visits a sample of the game, and not all of it that matters."""
        return walk_traits(self.walk).samples

    @property
    def engine(self) -> str:
        """The kind of engine that its walk needs: full_width, pruned or sampling."""
        return "sampling" if self.samples else "full_width" if self.pruning is None else "pruned"

    @property
    def pruning(self) -> Any:
        """What the walk asks what to leave out; None if it leaves nothing out."""
        return getattr(self.walk, "pruning", None)

    @property
    def follows_schedule(self) -> bool:
        """Whether the weights depend on how many iterations are planned."""
        return self.weighting.weights(100, 0.25) != self.weighting.weights(100, 0.75)


class Options(TypedDict, total=False):
    """What every preset takes besides its own numbers; the fields of `Solver`, and `prune`."""

    alternating: bool
    prune: Any
    prefer: Any


class OptionsAndWalk(Options, total=False):
    """The same with the walk, which Monte Carlo CFR takes first."""

    walk: Any


def composed(
    name: str, weighting: Weighting, minimizer: Minimizer, *,
    alternating: bool = True, walk: Any = "full", prune: Any = None, prefer: Any = None,
) -> Solver:  # fmt: skip
    """The solver of these parts, or the reason why they do not go together."""
    weighting, minimizer = with_plain_numbers(weighting, name), with_plain_numbers(minimizer, name)
    walk, part = with_plain_numbers(walk_of(walk), "the walk"), with_plain_numbers(pruning_of(prune), "the pruning")
    solver: Solver = with_plain_numbers(Solver(name, weighting, minimizer, alternating, walk, preferring(prefer)), name)
    refuse_endless(solver)
    must_fit(Setup(solver, pruning=part), "pruning and walk", "pruning and rule")
    return solver._replace(walk=pruned_walk(solver.walk, part))


def refuse_endless(solver: Solver) -> None:
    """Raise if the average would weigh the first iteration without end: what is played later would not matter."""
    try:
        fading = solver.weighting.weights(1, 0.0)[FADING]
    except ZeroDivisionError:
        fading = math.inf
    if not math.isfinite(fading):
        raise RuseError(f"{solver.name} would weigh earlier iterations without end; gamma must be at least 0")


F = TypeVar("F", bound=Callable[..., Solver])
PRESETS: dict[str, Callable[..., Solver]] = {}


def preset(function: F) -> F:
    """List a function under its name, and let its signature show the options one by one."""
    own = {k: v for k, v in inspect.signature(function).parameters.items() if v.kind is not v.VAR_KEYWORD}
    options = [
        v for k, v in inspect.signature(composed).parameters.items() if v.kind is v.KEYWORD_ONLY and k not in own
    ]
    signature = inspect.Signature([*own.values(), *options], return_annotation=Solver)
    function.__signature__ = signature  # type: ignore[attr-defined]
    PRESETS[function.__name__] = function
    return function


def is_recorded_as(solver: Solver, text: str) -> bool:
    """Whether a file means this solver; in older ones whole numbers may stand as 4 where they are 4.0 now."""
    short = [re.sub(r"(=-?\d+)\.0(?=[,)])", r"\1", words) for words in (repr(solver), text)]
    return short[0] == short[1]


def text_of(solver: Solver) -> str | None:
    """The text that names a solver but for what it prefers: "dcfr:gamma=4,walk=external"; None if none does."""
    maker = PRESETS.get(solver.name)
    if maker is None:
        return None
    own, fields = (solver.weighting, solver.minimizer), {}
    for name, parameter in inspect.signature(maker).parameters.items():
        held = next((getattr(part, name) for part in own if hasattr(part, name)), parameter.default)
        if isinstance(parameter.default, float) and held != parameter.default:
            fields[name] = number_text(held)
    if not solver.alternating:
        fields["alternating"] = "false"
    walk, pruning = unpruned(solver.walk)
    texts = {"walk": WALKS.text_of(walk), "prune": None if pruning is None else PRUNINGS.text_of(pruning)}
    if repr(walk) == repr(maker().walk):
        del texts["walk"]
    fields |= {name: nested(text) for name, text in texts.items() if text is not None}
    text = f"{solver.name}:{','.join(f'{name}={value}' for name, value in fields.items())}" if fields else solver.name
    try:
        made = make(maker, solver.name, parse_fields(text.partition(":")[2]))
    except RuseError:  # parts that do not go together
        return None
    return text if repr(made) == repr(solver._replace(prefer=None)) else None


@preset
def cfr(**options: Unpack[OptionsAndWalk]) -> Solver:
    """Counterfactual regret minimization (Zinkevich et al. 2007)."""
    return composed("cfr", Discount(), RegretMatching(), **options)


@preset
def cfr_plus(gamma: float = 1.0, **options: Unpack[OptionsAndWalk]) -> Solver:
    """CFR+: regret never falls below zero, later iterations count more (Tammelin 2014; gamma 2 since 2019)."""
    return composed("cfr_plus", Discount(gamma=gamma, floor=0.0), RegretMatching(), **options)


@preset
def lcfr(**options: Unpack[OptionsAndWalk]) -> Solver:
    """Linear CFR: iteration t counts t times (Brown and Sandholm 2019)."""
    return composed("lcfr", Discount(alpha=1.0, beta=1.0, gamma=1.0), RegretMatching(), **options)


@preset
def dcfr(alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0, **options: Unpack[OptionsAndWalk]) -> Solver:
    """Discounted CFR (Brown and Sandholm 2019); regret is discounted before this iteration's is added."""
    return composed("dcfr", Discount(alpha, beta, gamma), RegretMatching(), **options)


@preset
def pcfr_plus(gamma: float = 2.0, **options: Unpack[OptionsAndWalk]) -> Solver:
    """Predictive CFR+: the last regret is expected to come again (Farina et al. 2021)."""
    return composed("pcfr_plus", Discount(gamma=gamma, floor=0.0), RegretMatching(prediction=1.0), **options)


@preset
def dcfr_plus(alpha: float = 1.5, gamma: float = 4.0, **options: Unpack[OptionsAndWalk]) -> Solver:
    """DCFR+: discounted and never below zero (Xu et al. 2024)."""
    return composed("dcfr_plus", Discount(alpha, gamma=gamma, floor=0.0, offset=1.5), RegretMatching(), **options)


@preset
def pdcfr_plus(alpha: float = 2.3, gamma: float = 5.0, **options: Unpack[OptionsAndWalk]) -> Solver:
    """Predictive DCFR+ (Xu et al. 2024)."""
    return composed("pdcfr_plus", Discount(alpha, gamma=gamma, floor=0.0), RegretMatching(prediction=1.0), **options)


@preset
def hs_dcfr(gamma: float = 30.0, **options: Unpack[OptionsAndWalk]) -> Solver:
    """DCFR with Hyperparameter Schedules (Zhang et al. 2024); needs to know the planned iterations."""
    weighting = Discount(1.0, -1.0, gamma, alpha_slope=3.0, beta_slope=-2.0, gamma_slope=-5.0)
    return composed("hs_dcfr", weighting, RegretMatching(), **options)


@preset
def hs_pcfr_plus(gamma: float = 30.0, **options: Unpack[OptionsAndWalk]) -> Solver:
    """PCFR+ with Hyperparameter Schedules (Zhang et al. 2024); needs to know the planned iterations."""
    weighting = Discount(gamma=gamma, floor=0.0, gamma_slope=-5.0)
    return composed("hs_pcfr_plus", weighting, RegretMatching(prediction=1.0), **options)


@preset
def cfvfp(**options: Unpack[OptionsAndWalk]) -> Solver:
    """Counterfactual value fictitious play: always the best action so far (Ju et al. 2024)."""
    return composed("cfvfp", Discount(), BestRegret(), **options)


@preset
def hedge(eta: float = 1.0, **options: Unpack[OptionsAndWalk]) -> Solver:
    """CFR with multiplicative weights instead of regret matching (Freund and Schapire 1997)."""
    if not (isinstance(eta, Real) and 0.0 < eta < math.inf):
        raise RuseError(f"eta of hedge must be above 0, got {shown(eta)}")
    return composed("hedge", Discount(), Hedge(eta), **options)


@preset
def mccfr(walk: Any = "external", **options: Unpack[Options]) -> Solver:
    """Monte Carlo CFR: plain CFR on a sample of the game (Lanctot et al. 2009)."""
    return composed("mccfr", Discount(), RegretMatching(), walk=walk, **options)
