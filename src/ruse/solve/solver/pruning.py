"""Pruning as parts: what an iteration need not visit, and for how long.

| part | leaves out | until |
|---|---|---|
| `Partial` | what the others do not reach (Lanctot et al. 2009) | the next iteration |
| `RegretBased` | also own actions of negative regret (Brown and Sandholm 2015) | their regret might be positive |
| `BestResponse` | also own actions that even a best response after them does not save (2017) | the same |
| `Hybrid` | the same under external sampling, estimated (`solve/hybrid`) | the next review |

An action (I, a) that is left out has an *allowance*: how much its regret lacks to be positive. Each iteration spends
some of it, and when it is used up the action comes back. T is the number of iterations so far, v_t the counterfactual
value on iteration t, psi that of the best response to the opponent's average:

    RegretBased     sum of v_t(I) - sum of v_t(I, a) = -R(I, a)
    BestResponse    sum of v_t(I) - T psi(I, a)             (2017, the condition of theorem 1)

How it is spent is a part, too. `OpenEnded` takes what the action might have gained at most, given who came:
pi_-i(I) U(I, a) - v_t(I) (2015 and 2017, eq. 9). `FixedLength` takes the most that it could have been: U(I, a) - L(I)
times the most that pi_-i(I) can be (2017, theorem 1, which takes 1 for that).

While an action is left out nothing is learned after it. `RegretBased` keeps what was learned there, and goes on as if
the best response to the opponent's average over that time had been played. `BestResponse` keeps nothing, and starts
anew as if the best response to the average over *all* iterations had always been played: the space can be given back.
"""

from typing import Any, NamedTuple, Protocol

from ruse.compile import compiled, compiled_function
from ruse.errors import RuseError
from ruse.solve.solver.known import Known
from ruse.solve.solver.threshold import Threshold
from ruse.solve.solver.traits import LengthTraits, PruningTraits, length_traits

NEVER = 1 << 60  # an iteration that does not come


class Length(Protocol):
    """How the allowance of an action that is left out is spent."""

    def spent(self, arrived: float, value: float, highest: float, lowest: float, most: float) -> float:
        """By an iteration on which chance and the opponent arrive with this probability and the infoset has this value.

        `highest` is U(I, a), `lowest` is L(I), `most` is the highest probability of arriving.
        """


class Pruning(Protocol):
    """What to leave out besides what the others do not reach."""

    @property
    def length(self) -> Length: ...

    def next_review(self, t: int) -> int:
        """The iteration after t on which all actions are looked at again."""

    def is_worth(self, allowance: float, spending: float, t: int) -> bool:
        """Whether to leave an action out that has so far spent this much of an allowance on each iteration."""

    def allowance(self, regret: float, total: float, best: float, t: int) -> float:
        """Of an action at an infoset of this total value, `best` being what a best response after it would have won."""

    def keeps(self) -> bool:
        """Whether what was learned after the action is kept while it is left out."""


@compiled_function
def grown(t, growth):
    return int(t * growth) + 1


@compiled_function
def lasts(allowance, spending, t, iterations):
    """Whether an allowance will last for so many iterations; one that is only rounding does not."""
    return allowance > iterations * max(spending, 0.0) + 1e-9 * t


@compiled("spent")
class OpenEnded(NamedTuple):
    """As long as it is sure from what has been seen (2017, eq. 9): v_t(I, a) is at most pi_-i(I) U(I, a)."""

    nothing: int = 0

    def spent(self, arrived, value, highest, lowest, most):
        return arrived * highest - value


@compiled("spent")
class FixedLength(NamedTuple):
    """As many iterations as are sure beforehand (2017, theorem 1); those on which nobody arrives do not count."""

    nothing: int = 0

    @property
    def traits(self) -> LengthTraits:
        return LengthTraits(is_fixed=True)

    def spent(self, arrived, value, highest, lowest, most):
        return most * (highest - lowest)


@compiled("next_review", "is_worth", "allowance", "keeps")
class Partial(NamedTuple):
    """Leave out only what the others do not reach: the numbers stay the same (Lanctot et al. 2009)."""

    length: Any = OpenEnded()  # of nothing, because no action is ever left out

    @property
    def traits(self) -> PruningTraits:
        return PruningTraits(counts_all=False)

    def next_review(self, t):
        return NEVER

    def is_worth(self, allowance, spending, t):
        return False

    def allowance(self, regret, total, best, t):
        return 0.0

    def keeps(self):
        return False

    def __str__(self) -> str:
        return "partial"


@compiled("next_review", "is_worth", "allowance", "keeps")
class RegretBased(NamedTuple):
    """Regret-based pruning (Brown and Sandholm 2015).

    All actions are reviewed each time that the iterations have grown by `growth`. One is left out if its allowance is
    likely to last for `patience` times the iterations until the next review, because coming back costs a best response.
    """

    length: Any = OpenEnded()
    growth: float = 1.3
    patience: float = 0.1

    def next_review(self, t):
        return grown(t, self.growth)

    def is_worth(self, allowance, spending, t):
        return lasts(allowance, spending, t, self.patience * (grown(t, self.growth) - t))

    def allowance(self, regret, total, best, t):
        return -regret

    def keeps(self):
        return True

    def __str__(self) -> str:
        return "rbp_fixed" if length_traits(self.length).is_fixed else "rbp"


@compiled("next_review", "is_worth", "allowance", "keeps")
class BestResponse(NamedTuple):
    """Best-Response Pruning (Brown and Sandholm 2017), with the exact best response; fields as in `RegretBased`."""

    length: Any = OpenEnded()
    growth: float = 1.3
    patience: float = 0.1

    def next_review(self, t):
        return grown(t, self.growth)

    def is_worth(self, allowance, spending, t):
        return lasts(allowance, spending, t, self.patience * (grown(t, self.growth) - t))

    def allowance(self, regret, total, best, t):
        return total - best  # best is T psi(I, a); without the T, as the papers misprint it, it is not sure

    def keeps(self):
        return False

    def __str__(self) -> str:
        return "brp_fixed" if length_traits(self.length).is_fixed else "brp"


PRUNINGS = Known("pruning", {
    "partial": Partial(),
    "rbp": RegretBased(),
    "rbp_fixed": RegretBased(FixedLength()),
    "brp": BestResponse(),
    "brp_fixed": BestResponse(FixedLength()),
    "threshold": Threshold(),
})  # fmt: skip


def pruning_of(prune: Any) -> Any:
    """A pruning as it is or by name, with numbers of its own if it gives any: "threshold:below=-200"; None for none."""
    part = PRUNINGS.made(prune) if isinstance(prune, str) else prune
    if part is not None and not any(hasattr(part, method) for method in ("traits", "is_worth", "skips")):
        raise RuseError(f"prune must be a pruning, or the name of one: {', '.join(PRUNINGS)}; got {prune!r}")
    return part
