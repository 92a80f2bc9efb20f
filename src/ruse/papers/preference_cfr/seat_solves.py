"""Solves of Hold'em before the flop on drawn deals, for two and for three: each style several times, all kept."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.views import buckets
from ruse.horizon.many.responses import opening
from ruse.horizon.many.seats import Seats
from ruse.horizon.many.solver import SeatsSolver, averaged
from ruse.horizon.preflop import Style
from ruse.papers.lab import Lab
from ruse.solve.solver.presets import lcfr
from ruse.strategy import Strategy

WAYS = 4
EVERY = 50  # iterations until a solve is kept


class Size(NamedTuple):
    """How much is done. How long it takes was all that was looked at when these were chosen."""

    blueprint: int  # iterations
    pair: int  # iterations of the blueprint for two
    iterations: int  # before the flop
    deals: int  # of each update there
    seeds: int  # solves of each style, on other deals each
    groups: int  # of deals to judge by
    group: int  # deals of each
    boards: int  # of the game of two over all pairs of hands, for each seed
    responses: int  # groups of deals that responses are found on
    response: int  # deals of each


FULL = Size(3_000_000, 2_000_000, 1_000, 50, 4, 10, 10_000, 100, 20, 2_500)
QUICK = Size(20_000, 20_000, 6, 3, 2, 3, 20, 2, 4, 5)


class Played(NamedTuple):
    """A style for all seats: the mean of its solves."""

    rows: Any  # [edge, hand]
    openings: Any  # [solve, action]

    @property
    def opening(self) -> Any:
        return self.openings.mean(axis=0)


def trained(lab: Lab, name: str, game: Holdem, iterations: int) -> Strategy:
    """A blueprint."""
    solver = lcfr(walk="external", prune="threshold")
    title = f"Hold'em for {name}, {iterations:,} iterations"
    return lab.trained(title, game, solver, view=buckets(), iterations=iterations).strategy


def played(lab: Lab, game: Seats, style: Style, size: Size, what: str = "", *, seeds: int = 0) -> Played:
    """A style's solves before the flop, or as many as `seeds` says."""
    name = f"before the flop, {game.players} players, {what or style.name}"
    solves = [one_solve(lab._replace(seed=lab.seed + k), game, style, size, name) for k in range(seeds or size.seeds)]
    openings = [opening(game, solve.average()) for solve in solves]
    return Played(averaged(game, np.sum([solve.sums for solve in solves], axis=0)), np.array(openings))


def one_solve(lab: Lab, game: Seats, style: Style, size: Size, name: str) -> SeatsSolver:
    """On the deals of one seed. It is kept, so that it can be stopped and gone on with."""
    solver = SeatsSolver(game, lcfr(), style, deals=size.deals, seed=lab.seed)
    kept: Path | None = None
    if lab.out is not None:
        kept = lab.out / "runs" / f"{name}, seed {lab.seed}{', quick' * lab.quick}.safetensors"
        if kept.exists() and lab.resumed:
            solver.restore(kept)
    while solver.done < size.iterations:
        lab.tell(f"{name}, seed {lab.seed}: iteration {solver.done:,} of {size.iterations:,}")
        solver.run(min(EVERY, size.iterations - solver.done))
        if kept is not None:
            solver.save(kept)
    return solver


def in_percent(shares: Any) -> str:
    return " / ".join(f"{100 * share:.1f}" for share in shares)
