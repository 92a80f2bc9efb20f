"""What each of several players could gain by responding alone: a lower bound, with its interval.

A best response to what edges are worth on some deals takes their luck for a gain, and wins nothing on others. So a
response here leaves a strategy only where that is better beyond doubt: by so many standard errors over groups of deals.
How many is found on some of these groups, never to leave it being among what is tried. What the response wins more than
the strategy is then told by groups that had no part in it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.horizon.many.drawn import DealRoom, worth_of_edges
from ruse.horizon.many.responses import won_by_rows
from ruse.horizon.many.seats import Seats
from ruse.words.over_seeds import OverSeeds

Array = NDArray[Any]
DOUBTS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, float("inf"))  # standard errors; the last is the strategy itself
FEWEST = 4  # groups to find a response on: a quarter of them has to tell which doubt is best


class Gain(NamedTuple):
    """What a player could gain at least by responding alone, big blinds a hand."""

    more: OverSeeds  # what the response wins more than the strategy, on deals that it has not seen
    doubt: float  # standard errors


def gains(game: Seats, rows: Array, groups: int, deals: int, *, seed: int, room: DealRoom) -> list[Gain]:
    """By player: a response is found on so many groups of so many deals each, and told by as many others."""
    if groups < FEWEST:
        raise RuseError(f"responses are found on {FEWEST} groups of deals at least, got {groups}")
    found = []
    for p in range(game.players):
        worth = np.array([
            worth_of_edges(game, rows, p, range(k * deals, (k + 1) * deals), seed=seed, room=room)
            for k in range(2 * groups)
        ])  # fmt: skip
        doubt = best_doubt(game, p, worth[:groups], rows)
        response = careful_response(game, p, worth[:groups], rows, doubt)
        found.append(Gain(OverSeeds.of(list(more_by(game, p, worth[groups:], response, rows))), doubt))
    return found


def best_doubt(game: Seats, player: int, worth: Array, rows: Array, doubts: Sequence[float] = DOUBTS) -> float:
    """How much doubt a response should have: what wins most on the last quarter of the groups, found on the others."""
    learnt, judged = np.split(worth, [len(worth) - len(worth) // 4])
    by_doubt = [
        more_by(game, player, judged, careful_response(game, player, learnt, rows, doubt), rows).mean()
        for doubt in doubts
    ]
    return doubts[int(np.argmax(by_doubt))]


def careful_response(game: Seats, player: int, worth: Array, rows: Array, doubt: float) -> Array:
    """[edge, hand] the strategy, but for decisions and hands with which an action is better by more than a doubt.

    `worth` is [group, edge + 1, hand]. Decisions are taken from the last to the first, each with what was decided after
    it. An action is better by the mean over groups; its standard error is that of the same mean.
    """
    values, response = worth.copy(), rows.copy()
    for d in reversed(np.flatnonzero(game.owner == player).tolist()):
        first, end = int(game.begin[d]), int(game.begin[d + 1])
        here = values[:, first:end]
        as_is = (here * rows[first:end]).sum(axis=1)
        if np.isfinite(doubt):
            more = here - as_is[:, None]
            error = more.std(axis=0, ddof=1) / np.sqrt(len(worth))
            mean = np.where(game.lanes.offered[first:end, None], more.mean(axis=0), -np.inf)
            best = mean.argmax(axis=0)[None]
            is_better = np.take_along_axis(mean, best, 0) > doubt * np.take_along_axis(error, best, 0)
            taken = (np.arange(end - first)[:, None] == best).astype(np.float64)
            response[first:end] = np.where(is_better, taken, rows[first:end])
            as_is = (here * response[first:end]).sum(axis=1)
        values[:, game.after[d]] += as_is
    return response


def more_by(game: Seats, player: int, worth: Array, response: Array, rows: Array) -> Array:
    """[group] what a response wins more than a strategy."""
    return np.array(
        [won_by_rows(game, player, each, response) - won_by_rows(game, player, each, rows) for each in worth]
    )
