"""Solves of Hold'em before the flop on drawn deals, for two and for three: each style several times, all kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.views import buckets
from ruse.horizon.many.responses import opening
from ruse.horizon.many.seats import Seats
from ruse.horizon.many.solver import SeatsSolver, averaged, run_together
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


FULL = Size(3_000_000, 2_000_000, 1_000, 50, 4, 10, 10_000, 150, 20, 2_500)
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


def played(lab: Lab, game: Seats, styles: Sequence[Style], size: Size) -> dict[str, Played]:
    """Each style's solves before the flop; styles are solved on the same deals."""
    names = [f"before the flop, {game.players} players, {style.name}" for style in styles]
    found = [kept_solves(lab._replace(seed=lab.seed + k), game, styles, size, names) for k in range(size.seeds)]
    return {style.name: mean_of(game, solves) for style, *solves in zip(styles, *found, strict=True)}


def played_once(lab: Lab, game: Seats, style: Style, size: Size, what: str) -> Played:
    """One solve of a variant."""
    name = f"before the flop, {game.players} players, {what}"
    return mean_of(game, kept_solves(lab, game, [style], size, [name]))


def mean_of(game: Seats, solves: Sequence[SeatsSolver]) -> Played:
    openings = np.array([opening(game, solve.average()) for solve in solves])
    return Played(averaged(game, np.sum([solve.sums for solve in solves], axis=0)), openings)


def kept_solves(lab: Lab, game: Seats, styles: Sequence[Style], size: Size, names: Sequence[str]) -> list[SeatsSolver]:
    """Solves on the deals of one seed. They are kept, so that they can be stopped and gone on with."""
    solves = [SeatsSolver(game, lcfr(), style, deals=size.deals, seed=lab.seed) for style in styles]
    kept: dict[SeatsSolver, Path] = {}
    if lab.out is not None:
        ending = f"seed {lab.seed}{', quick' * lab.quick}.safetensors"
        kept = {solve: lab.out / "runs" / f"{name}, {ending}" for solve, name in zip(solves, names, strict=True)}
        for solve, path in kept.items():
            if path.exists() and lab.resumed:
                solve.restore(path)
    while any(solve.done < size.iterations for solve in solves):
        least = min(solve.done for solve in solves)
        behind = [solve for solve in solves if solve.done == least]  # one may have been kept, and another not yet
        lab.tell(f"{names[0]} and others, seed {lab.seed}: iteration {least:,} of {size.iterations:,}")
        run_together(behind, min(EVERY, size.iterations - least))
        for solve in behind:
            if solve in kept:
                solve.save(kept[solve])
    return solves


def in_percent(shares: Any) -> str:
    return " / ".join(f"{100 * share:.1f}" for share in shares)
