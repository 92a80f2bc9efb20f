"""What games that are played out test on the way, so that a broken law is told and not averaged.

A kernel stops and says why; the game is then played again in plain Python, which finds the way to the broken law.
"""

from collections.abc import Sequence

import numpy as np

from ruse.compile import compiled_function
from ruse.protocol.guards.breaches import LONGEST, breach, endless, is_off, unlawful
from ruse.protocol.state import State

ENDED, NO_ACTION, BROKEN, ENDLESS = range(4)  # how a game stops: at its end; by a bot's answer; by the rules


@compiled_function
def settled(game, s, promised, payoffs):
    """Write down what all get at the end; whether these are numbers that add up to what was promised."""
    total, largest, is_finite = 0.0, 0.0, True
    for p in range(len(payoffs)):
        payoff = float(game.payoff(s, p))
        payoffs[p] = payoff
        total += payoff
        largest = max(largest, abs(payoff))
        if not abs(payoff) < np.inf:
            is_finite = False
    return is_finite and not is_off(total - promised, largest)


def refuse_broken(state: State, moves: Sequence[int] | None = None) -> None:
    """Raise if a law is broken at this state, or if it never ends; `moves` led to it, if it does not know itself."""
    if len(state.history if moves is None else moves) > LONGEST:
        raise endless(state.game)
    if breach(state) is not None:
        at = state if moves is None else state._replace(history=tuple(moves))
        raise unlawful(state.game, str(breach(at)))
