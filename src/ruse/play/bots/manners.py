"""How a strategy is played: as it mixes, or always by what it does most often."""

from collections.abc import Callable

import numpy as np

from ruse.errors import RuseError
from ruse.strategy import Strategy

SIGN = ":play="


def as_it_mixes(strategy: Strategy) -> Strategy:
    return strategy


def likeliest(strategy: Strategy) -> Strategy:
    """The strategy that always takes the likeliest action, the first of several.

    >>> import ruse
    >>> solved = ruse.train(ruse.Kuhn(), ruse.dcfr(), iterations=100).strategy
    >>> likeliest(solved)["K bet"]
    {'pass': 0.0, 'bet': 1.0}
    """
    strategy.refuse_unplayable()  # or something playable would be made of it
    first = strategy.start[:-1]
    best = np.repeat(np.maximum.reduceat(strategy.probability, first), np.diff(strategy.start))
    at_best = np.flatnonzero(strategy.probability == best)
    owner = np.searchsorted(strategy.start, at_best, side="right") - 1
    _, firsts = np.unique(owner, return_index=True)
    pure = np.zeros_like(strategy.probability)
    pure[at_best[firsts]] = 1.0
    about = {name: value for name, value in strategy.about.items() if name != "exploitability"}  # it is not this one's
    return Strategy(strategy.game, strategy.keys, strategy.start, pure, view=strategy.view, about=about)


Manner = Callable[[Strategy], Strategy]
MANNERS: dict[str, Manner] = {"average": as_it_mixes, "argmax": likeliest}


def manner_of(text: str) -> tuple[str, Manner]:
    """The strategy that a text names and how it is to be played: "last:play=argmax".

    >>> manner_of("last:play=argmax")[0]
    'last'
    """
    name, sign, manner = text.rpartition(SIGN)
    if not sign:
        return text, as_it_mixes
    if manner not in MANNERS:
        raise RuseError(
            f"a strategy can be played by {' or '.join(MANNERS)}, not by {manner!r}, as in {name}:play=argmax; what a "
            "run plays by the regret that it has now is a strategy of its own, ruse.resume(RUN).current in Python"
        )
    return name, MANNERS[manner]
