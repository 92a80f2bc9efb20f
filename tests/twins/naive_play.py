"""What is done in play, by walking every history; the slow twin of the style metrics."""

import math
from collections.abc import Callable, Iterator, Sequence

from ruse.protocol.game import Game
from ruse.protocol.state import State


def every_history(
    game: Game, plays: Callable[[State], Sequence[float]]
) -> Iterator[tuple[State, float, tuple[int, ...]]]:
    """Each history with its probability and how many decisions each player has made; `plays` gives the mover's mix."""
    waiting = [(State.of(game), 1.0, (0,) * game.players)]
    while waiting:
        state, reach, made = waiting.pop()
        yield state, reach, made
        if state.is_over:
            continue
        shares = state.chances if state.is_chance else plays(state)
        after = made if state.is_chance else tuple(n + (p == state.player) for p, n in enumerate(made))
        waiting += [(child, reach * share, after) for child, share in zip(state.children(), shares, strict=True)]


def frequency(game: Game, plays: Callable[[State], Sequence[float]], means: Callable[[State, str, int], bool]) -> float:
    """How often the actions are taken that are meant, where one is legal; means(state, action, decisions before)."""
    done = possible = 0.0
    for state, reach, made in every_history(game, plays):
        if state.is_over or state.is_chance:
            continue
        shares = [x for x, a in zip(plays(state), state.actions, strict=True) if means(state, a, made[state.player])]
        done += reach * sum(shares)
        possible += reach * bool(shares)
    return done / possible if possible else math.nan


def payoff_moments(game: Game, plays: Callable[[State], Sequence[float]], player: int) -> tuple[float, float]:
    """The mean and the variance of the player's payoff."""
    ends = [(reach, state.payoffs[player]) for state, reach, _ in every_history(game, plays) if state.is_over]
    mean = sum(reach * x for reach, x in ends)
    return mean, sum(reach * (x - mean) ** 2 for reach, x in ends)
