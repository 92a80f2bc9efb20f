"""What sampled walks test on the way. A walk that meets a broken law keeps the state, and its engine tells."""

from typing import Any

import numpy as np

from ruse.compile import compiled_function
from ruse.compile.rng import uniform
from ruse.protocol.game import EVERYTHING, OVER, Game
from ruse.protocol.guards.breaches import LONGEST, breach, endless, unlawful
from ruse.protocol.guards.drawing import drawn
from ruse.protocol.state import State

BROKEN, ENDLESS = 5, 6  # counters of a scratch, behind those of `solve/table/sampling.py`


@compiled_function
def blame(scratch, s):
    """Keep the state at which a law is broken."""
    scratch.counters[BROKEN] += 1
    for c in range(len(s)):
        scratch.broken[c] = s[c]


@compiled_function
def is_lawful(scratch, s, player, count):
    """Whether a decision has an owner and an action."""
    if count < 1 or player < 0 or player >= scratch.weight.shape[1] - 1:
        blame(scratch, s)
        return False
    return True


@compiled_function
def is_short(scratch, steps):
    """Whether to go on with a line of play; never again after one that did not end, or there would be no end of it."""
    if steps > LONGEST:
        scratch.counters[ENDLESS] += 1
    return scratch.counters[ENDLESS] == 0


@compiled_function
def paid(game, s, player, scratch):
    """What the player gets at the end."""
    payoff = float(game.payoff(s, player))
    if not abs(payoff) < np.inf:
        blame(scratch, s)
    return payoff


@compiled_function
def draw_lawful(game, s, rng, scratch):
    """A chance outcome, drawn by its probability; any, and the state is kept, where the chances cannot be right."""
    chosen = drawn(game, s, game.num_actions(s), uniform(rng))
    if chosen < 0:
        blame(scratch, s)
        return 0
    return chosen


def refuse_broken_walk(game: Game, scratch: Any) -> None:
    """Raise if a walk with this scratch has met what no game may have."""
    if scratch.counters[ENDLESS]:
        raise endless(game)
    if scratch.counters[BROKEN]:
        state = State.of(game)._replace(row=scratch.broken.astype(np.int64))
        words = state.describe(EVERYTHING) if state.player == OVER else ""
        found = breach(state, where=f"at {words!r}" if words else "on the way") or "the compiled rules break a law"
        raise unlawful(game, found)
