"""The way from the start to a history that a walk has come to: for games whose rows do not keep their past."""

import numpy as np

from ruse.compile import compiled_function

END = -1  # after the last move of a way


@compiled_function
def write_way(stack, level, way):
    """Write down the moves that lead to an open level, as far as there is room."""
    for k in range(len(way)):
        way[k] = stack.next[k] - 1 if k < level else END


def path_in(way: np.ndarray) -> tuple[int, ...]:
    """The moves that were written down."""
    return tuple(way[way != END].tolist())
