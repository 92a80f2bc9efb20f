"""The walks of a solver, as data: which part of the game an iteration visits."""

from typing import Any, NamedTuple

from ruse.errors import RuseError
from ruse.solve.solver.average import AverageStrategy
from ruse.solve.solver.robust import Robust
from ruse.solve.solver.threshold import Never, Pruning


class FullWidth(NamedTuple):
    """Every history."""

    def __str__(self) -> str:
        return "full"


class ChanceSampling(NamedTuple):
    """One outcome of chance, all actions of all players."""

    def __str__(self) -> str:
        return "chance"


class ExternalSampling(NamedTuple):
    """One outcome of chance and of the others, all actions of one's own."""

    pruning: Pruning = Never()

    def __str__(self) -> str:
        return "external"


class AverageSampling(NamedTuple):
    """External sampling that explores one's own actions in proportion to the average."""

    exploring: AverageStrategy = AverageStrategy(0.1, 10.0, 10.0)  # made for games of some thousand infosets
    pruning: Pruning = Never()

    def __str__(self) -> str:
        return "average"


class OutcomeSampling(NamedTuple):
    """One line of play; `rate` is how fast baselines learn, 0 for none."""

    epsilon: float = 0.6
    rate: float = 0.5

    def __str__(self) -> str:
        return "outcome"


class RobustSampling(NamedTuple):
    """External sampling that explores some of one's own actions, each of a decision with the same probability."""

    exploring: Robust = Robust(1.0)
    pruning: Pruning = Never()

    def __str__(self) -> str:
        return "robust"


class Probing(NamedTuple):
    """One line of play, and a rollout for each of one's own actions on it."""

    epsilon: float = 1.0  # how often one's own moves on the line are random; below 1 there is no proof (probing.py)
    pruning: Pruning = Never()

    def __str__(self) -> str:
        return "probing"


WALKS: dict[str, Any] = {
    str(walk): walk
    for walk in (
        FullWidth(), ChanceSampling(), ExternalSampling(), OutcomeSampling(), AverageSampling(), RobustSampling(),
        Probing(),
    )
}  # fmt: skip


def walk_of(walk: Any) -> Any:
    """A walk as it is or by name, with a number of its own if one is given: "probing:epsilon=0.3"."""
    if not isinstance(walk, str):
        return walk
    name, colon, text = walk.partition(":")
    if name not in WALKS:
        raise RuseError(f"unknown walk {name!r}; there are {', '.join(WALKS)}")
    made = WALKS[name]
    if not colon:
        return made
    numbers = [field for field in made._fields if isinstance(getattr(made, field), float)]
    field, _, value = (word.strip() for word in text.partition("="))
    try:
        if field in numbers:
            return made._replace(**{field: float(value)})
    except ValueError:
        pass
    offer = f"write {name}:{numbers[0]}=0.5" if numbers else "it has no numbers"
    raise RuseError(f"cannot read {text!r} of the walk {name}; {offer}")
