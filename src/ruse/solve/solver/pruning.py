"""Pruning as parts: what an iteration need not visit, and for how long.

| part | leaves out | until |
|---|---|---|
| `Partial` | what the others do not reach (Lanctot et al. 2009) | the next iteration |
| `RegretBased` | also own actions of negative regret (Brown and Sandholm 2015) | their regret might be positive |
| `BestResponse` | also own actions that even a best response after them does not save (2017) | the same |
| `Hybrid` | the same under external sampling, estimated (`solve/hybrid/reviews.py`) | the next review |

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

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ruse.compile import compiled, compiled_function
from ruse.errors import RuseError
from ruse.solve.solver.rules import FADING, FLOOR, INFINITY, NEGATIVE, POSITIVE, RegretMatching
from ruse.solve.solver.threshold import Threshold
from ruse.solve.solver.walks import ExternalSampling, FullWidth
from ruse.words.naming import named

if TYPE_CHECKING:
    from ruse.solve.solver.presets import Solver

NEVER = 1 << 60  # an iteration that does not come
PRUNED = -1e30  # the regret of a pruned action in a sampled table: finite, so that adding to it changes nothing


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

    def spent(self, arrived, value, highest, lowest, most):
        return most * (highest - lowest)


@compiled("spent")
class Arrivals(NamedTuple):
    """The most that an action may gain each time that somebody arrives; `arrived` is how often that was so far."""

    nothing: int = 0

    def spent(self, arrived, value, highest, lowest, most):
        return arrived * (highest - lowest)


@compiled("next_review", "is_worth", "allowance", "keeps")
class Partial(NamedTuple):
    """Leave out only what the others do not reach: the numbers stay the same (Lanctot et al. 2009)."""

    length: Any = OpenEnded()  # of nothing, because no action is ever left out

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
        return "rbp_fixed" if isinstance(self.length, FixedLength) else "rbp"


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
        return "brp_fixed" if isinstance(self.length, FixedLength) else "brp"


@compiled("visits_all", "spares", "skips", "rarity", "counts", "next_review", "is_worth")
class Hybrid(NamedTuple):
    """Best-Response Pruning under external sampling, by estimates and without a guarantee.

    The first review is after so many iterations, the next ones as in `RegretBased`. An action stays pruned until the
    next review, but it is hardly ever worth the most that it could be, so its allowance need only last for `patience`
    of that time. It is estimated by sums over sampled visits, of which `certainty` times the standard error is taken
    off.
    """

    length: Any = Arrivals()
    first: int = 10_000
    growth: float = 1.3
    patience: float = 0.3
    certainty: float = 2.0

    def visits_all(self, u):
        return False

    def spares(self, game, s):
        return False

    def skips(self, regret):
        return regret <= PRUNED

    def rarity(self):
        return 1.0

    def counts(self, rows, first, count):
        return 1.0 + rows[first + 2 * count]  # solve/hybrid/average.py writes it there; a new row has 0

    def next_review(self, t):
        return grown(t, self.growth)

    def is_worth(self, allowance, spending, t):
        return lasts(allowance, spending, t, self.patience * (grown(t, self.growth) - t))

    @property
    def floor(self) -> float:
        return -INFINITY

    def __str__(self) -> str:
        return "hybrid"


class PrunedWidth(NamedTuple):
    """Every history that is not pruned."""

    pruning: Any = BestResponse()

    def __str__(self) -> str:
        return f"full, {self.pruning}"


PRUNINGS: dict[str, Any] = {
    str(part): part
    for part in (
        Partial(), RegretBased(), RegretBased(FixedLength()), BestResponse(), BestResponse(FixedLength()),
    )
} | {"threshold": Threshold(), "hybrid": Hybrid()}  # fmt: skip


def pruned_walk(walk: Any, prune: Any) -> Any:
    """The walk with a pruning, given by name or as it is; as it was without one."""
    if prune is None:
        return walk
    part = PRUNINGS.get(prune.replace("-", "_")) if isinstance(prune, str) else prune
    if part is None:
        raise RuseError(f"unknown pruning {prune!r}; there are {', '.join(PRUNINGS)}")
    if isinstance(part, Hybrid) and not isinstance(walk, ExternalSampling):
        raise RuseError(f"hybrid pruning is for walk='external', not for {walk}; with a full walk use prune='brp'")
    if hasattr(part, "visits_all"):
        if not hasattr(walk, "pruning"):
            raise RuseError(f"threshold pruning is for the walks external, average, robust and probing, not for {walk}")
        return walk._replace(pruning=part)
    if not isinstance(walk, FullWidth):
        raise RuseError(
            f"{part} looks at whole iterations, and the {walk} walk samples them; use prune='threshold' or 'hybrid'"
        )
    return PrunedWidth(part)


def refuse_unfit(solver: "Solver") -> None:
    """Raise for a rule whose numbers would not be those that the pruning counts on."""
    name, part = solver.name, getattr(solver.walk, "pruning", None)
    weights = [solver.weighting.weights(t, 0.5) for t in (2, 1000)]
    if isinstance(part, Threshold) and any(w[FLOOR] > -INFINITY or w[NEGATIVE] <= 0.5 for w in weights[1:]):
        raise RuseError(f"{name} soon forgets negative regret, by which threshold pruning goes; use mccfr or lcfr")
    if isinstance(part, Threshold) and any(rule.beta > 0.0 for rule in getattr(solver.prefer, "rules", ())):
        raise RuseError(
            "a price of beta lowers every regret of an infoset, and threshold pruning would skip actions that the "
            "preference plays; leave beta or prune out"
        )
    if not isinstance(solver.walk, PrunedWidth) and not isinstance(part, Hybrid):
        return
    if solver.prefer is not None:
        raise RuseError(f"{part} leaves out what has no regret, and a preference plays it; leave prefer or prune out")
    if any(w[k] != 1.0 for w in weights for k in (POSITIVE, NEGATIVE)):
        raise RuseError(f"{name} weighs old regret anew on every iteration, and {part} leaves infosets out; use cfr")
    if getattr(solver.minimizer, "prediction", 0.0):
        raise RuseError(f"{name} expects the last regret to come again, and {part} leaves regrets out; use cfr")
    if not isinstance(solver.minimizer, RegretMatching):
        raise RuseError(f"{name} does not play by regret matching, on which {part} counts; use cfr")
    if isinstance(part, Partial):
        return
    if any(w[FLOOR] > -INFINITY for w in weights):
        raise RuseError(
            f"{name} forgets negative regret, which tells {part} what to leave out; use cfr or prune='partial'"
        )
    if any(w[FADING] != 1.0 for w in weights):
        raise RuseError(f"{name} averages later iterations with more weight, and {part} counts all alike; use cfr")


def refuse_unfit_game(game: Any, form: Any, part: Any) -> None:
    """Raise for a game in which the pruning is not sure."""
    if not form.perfect_recall:
        raise RuseError(f"{part} needs players who forget nothing; this view of {named(game)} forgets")
    if form.players != 2 and not isinstance(part, Partial):
        raise RuseError(
            f"{part} is for two players, because it needs the average of all that a player has faced; {named(game)} "
            "has "
            f"{form.players}: use the pruning {'threshold' if isinstance(part, Hybrid) else 'partial'}"
        )
