"""Update rules as the kernels know them: by a number and a rate.

A rule of your own is one for the processor, where any class with `match` will do; here it would have to be in
kernels.cu.
"""

from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.solve.prefer.favour import Best, Most, Shares, Times, Weighted
from ruse.solve.solver.rules import BestRegret, Hedge, RegretMatching


class RuleCode(NamedTuple):
    """A minimizer."""

    rule: int = 0  # `Rule` in kernels.cu
    rate: float = 0.0


class FormCode(NamedTuple):
    """A form of preferences."""

    form: int = 0  # `Form` in kernels.cu
    rate: float = 0.0  # the prediction of `Weighted`
    fallback: int = 0  # `Fallback` in kernels.cu
    inner: RuleCode = RuleCode()  # the minimizer of `Times`
    power: float = 1.0  # of `Best`


RULES = {
    RegretMatching: lambda part: RuleCode(0, part.prediction),
    BestRegret: lambda part: RuleCode(1),
    Hedge: lambda part: RuleCode(2, part.eta),
}
FALLBACKS = {Shares: 0, Most: 1}
FORMS = {
    Weighted: lambda part: FormCode(0, part.prediction),
    Best: lambda part: FormCode(1, fallback=_known(FALLBACKS, part.fallback), power=part.power),
    Times: lambda part: FormCode(2, inner=rule_code(part.minimizer)),
}


def rule_code(minimizer: Any) -> RuleCode:
    """The code of a minimizer; raises for one that is not in the kernels."""
    code: RuleCode = _known(RULES, minimizer)(minimizer)
    return code


def form_code(form: Any) -> FormCode:
    """The code of a form of preferences; raises for one that is not in the kernels."""
    code: FormCode = _known(FORMS, form)(form)
    return code


def _known(codes: dict[Any, Any], part: Any) -> Any:
    if type(part) not in codes:
        names = ", ".join(kind.__name__ for kind in codes)
        raise RuseError(f"the kernels of a card know {names}, and not {type(part).__name__}; use on='cpu'")
    return codes[type(part)]
