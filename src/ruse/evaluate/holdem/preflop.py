"""Exact values and best responses where there are no bets after the flop: 169 starting hands against each other.

What a showdown is worth comes from the exact equities, so nothing is drawn: ranges of starting hands move over the
lines of betting as vectors, weighed by how many pairs of holdings share no card.
"""

import numpy as np

from ruse.errors import RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.buckets.starting import Starting, starting_equities
from ruse.games.holdem.lines import FOLD, SHOWDOWN
from ruse.games.holdem.suits.deals import STARTING_HANDS
from ruse.strategy import Strategy


def preflop_exploitability(strategy: Strategy) -> Exploitability:
    """What each player has, and what a best response to the other would have, in big blinds a hand; exactly."""
    bucketed = Bucketed.of_two(strategy)
    if bucketed.lines.street.max() > 0:
        raise RuseError(
            "an exact best response is for games without bets after the flop, as holdem:hu_pre20; "
            "else a local one gives a bound"
        )
    table = starting_equities()
    values = [float(_value(bucketed, table, p, best=False).sum()) for p in range(2)]
    best = [float(_value(bucketed, table, p, best=True).sum()) for p in range(2)]
    return Exploitability(values, best)


def _value(bucketed: Bucketed, table: Starting, me: int, *, best: bool) -> np.ndarray:
    """[starting hand] what a player has with it, times how often it is dealt: by the strategy, or at best."""
    lines, shares = bucketed.lines, table.pairs / table.pairs.sum()

    def at(node: int, reach: np.ndarray) -> np.ndarray:
        who, payoff = lines.who[node], lines.payoff[node]
        if who == FOLD:
            worth: np.ndarray = shares @ reach * payoff[0, me]
            return worth
        if who == SHOWDOWN:
            wins, loses = (payoff[0, me], payoff[1, me]) if me == 0 else (payoff[1, me], payoff[0, me])
            ours: np.ndarray = shares * (loses + (wins - loses) * table.equity) @ reach
            return ours
        rows = bucketed.rows(node)
        if who != me:
            return np.sum([at(c, reach * rows[:, a]) for a, c in enumerate(lines.children(node))], axis=0)  # type: ignore[no-any-return]
        each = np.array([at(c, reach) for c in lines.children(node)])
        found: np.ndarray = each.max(axis=0) if best else (each * rows.T).sum(axis=0)
        return found

    return at(0, np.ones(STARTING_HANDS))
