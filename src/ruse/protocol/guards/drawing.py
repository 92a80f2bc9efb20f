"""Chance, drawn by its probabilities, which are tested on the way."""

import numpy as np

from ruse.compile import compiled_function

TOLERANCE = 1e-6  # of chances: some come from strategies in single precision


@compiled_function
def drawn(game, s, count, u):
    """The chance outcome at u in [0, 1), or -1 if the chances cannot be right.

    Whether all of them add up is seen when the last one is drawn.
    """
    left, chosen = 1.0, 0
    for a in range(count):
        share = game.chance(s, a)
        left -= share
        u -= share
        chosen = a
        if not 0.0 <= share <= 1.0 + TOLERANCE:
            left = np.inf
        if u < 0.0:
            break
    if left < -TOLERANCE or (chosen == count - 1 and left > TOLERANCE) or not left < np.inf or count < 1:
        return -1
    return chosen
