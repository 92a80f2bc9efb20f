"""Ways to go on after a leaf: a strategy as it is, and the same leaning to a kind of action."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError

Array = NDArray[np.float64]

FOLDS, CALLS, RAISES = ("fold",), ("call", "check"), ("raise", "bet", "all-in")  # how the names of actions begin
FACTORS = (5.0, 10.0)  # of Pluribus (2019) and of Modicum (2018)


class Continuation(NamedTuple):
    """A strategy for the rest of a game: that which is given, with some actions so many times as likely."""

    name: str = "as it is"
    actions: tuple[str, ...] = ()
    factor: float = 1.0

    def favours(self, name: str) -> bool:
        """Whether an action of this name is one of them, however it is capitalised."""
        return name.lower().startswith(self.actions)

    def of(self, rows: Array, names: Sequence[str]) -> Array:
        """Probabilities by hand and action, biased and made to add up to one again; `names` are the actions'."""
        if self.factor == 1.0:
            return rows
        times = np.array([self.factor if self.favours(name) else 1.0 for name in names])
        biased: Array = rows * times
        total = biased.sum(axis=-1, keepdims=True)
        return np.where(total > 0.0, biased / np.where(total > 0.0, total, 1.0), rows)


class Leafs(NamedTuple):
    """What players may choose from at a leaf, and who chooses; who does not goes on as the first says."""

    choices: tuple[Continuation, ...] = (Continuation(),)
    who: tuple[bool, bool] = (True, True)

    def of(self, player: int) -> tuple[Continuation, ...]:
        """What a player chooses from."""
        return self.choices if self.who[player] else self.choices[:1]


def biased(count: int = 4, factor: float = 5.0) -> tuple[Continuation, ...]:
    """The first so many of four: the strategy as it is, raising more, calling more, folding more."""
    all_four = (
        Continuation(),
        Continuation("raising", RAISES, factor),
        Continuation("calling", CALLS, factor),
        Continuation("folding", FOLDS, factor),
    )
    if not 1 <= count <= len(all_four):
        raise RuseError(f"there are 1 to {len(all_four)} ways to go on, not {count}")
    if not 1.0 < factor < np.inf:
        raise RuseError(f"the factor of a bias is above 1, such as 5 or 10, not {factor:g}")
    return all_four[:count]
