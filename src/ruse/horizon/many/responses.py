"""What strategies before the flop win from each other, and what a best response would, on drawn deals.

What edges are worth hangs on the others alone. So one set of deals tells what every strategy of a player wins from the
same others, and differences between them are known far better than what each of them wins.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.games.holdem.suits.deals import STARTING_HANDS
from ruse.horizon.many.drawn import DealRoom, worth_of_edges
from ruse.horizon.many.seats import Seats

Array = NDArray[Any]


def opening(game: Seats, rows: Array) -> Array:
    """[action] how often each is taken first, over all hands that are dealt."""
    shares: Array = rows[: len(game.names[0])] @ game.dealt
    return shares


def won_by_rows(game: Seats, player: int, worth: Array, rows: Array) -> float:
    """What a player wins a hand with these rows, by what edges are worth (`worth_of_edges`)."""
    return float(passed_up(game, player, worth, rows)[-1].sum())


def passed_up(game: Seats, player: int, worth: Array, rows: Array) -> Array:
    """[edge + 1, hand] with what his rows make of it later."""
    values = worth.copy()
    for d in reversed(np.flatnonzero(game.owner == player).tolist()):
        first, end = int(game.begin[d]), int(game.begin[d + 1])
        values[game.after[d]] += (values[first:end] * rows[first:end]).sum(axis=0)
    return values


def best_response(game: Seats, player: int, worth: Array) -> Array:
    """[edge, hand] what wins most by what edges are worth, ways to go on among it."""
    values, rows = worth.copy(), np.zeros((game.edges, STARTING_HANDS))
    for d in reversed(np.flatnonzero(game.owner == player).tolist()):
        first, end = int(game.begin[d]), int(game.begin[d + 1])
        here = np.where(game.lanes.offered[first:end, None], values[first:end], -np.inf)
        best = here.argmax(axis=0)
        rows[first + best, np.arange(STARTING_HANDS)] = 1.0
        values[game.after[d]] += here.max(axis=0)
    return rows


def across(game: Seats, others: Array, player: int, own: Sequence[Array], groups: Sequence[range], *, seed: int,
           room: DealRoom) -> Array:  # fmt: skip
    """[group, strategy] what each of a player's strategies wins from the same others, on the same deals."""
    return np.array([
        [won_by_rows(game, player, worth, rows) for rows in own]
        for worth in (worth_of_edges(game, others, player, deals, seed=seed, room=room) for deals in groups)
    ])  # fmt: skip
