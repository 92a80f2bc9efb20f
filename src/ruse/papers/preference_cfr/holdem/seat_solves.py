"""Solves of Hold'em before the flop on drawn deals, for two and for three: each style several times, all kept."""

from collections.abc import Mapping, Sequence
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


class SeatsSize(NamedTuple):
    """How much is done. How long it takes was all that was looked at when these were chosen."""

    blueprint: int  # iterations
    pair: int  # iterations of the blueprint for two
    iterations: int  # before the flop
    pair_iterations: int  # with two players, whose calls and raises are nearer to each other
    deals: int  # of each update there
    seeds: int  # solves of each style, on other deals each
    groups: int  # of deals to judge by
    group: int  # deals of each
    boards: int  # of the game of two over all pairs of hands, for each seed
    responses: int  # groups of deals that responses are found on
    response: int  # deals of each


FULL = SeatsSize(3_000_000, 2_000_000, 1_000, 2_000, 50, 4, 10, 10_000, 150, 20, 2_500)
QUICK = SeatsSize(20_000, 20_000, 6, 6, 3, 2, 3, 20, 2, 4, 5)


class MeanSolve(NamedTuple):
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


def played(lab: Lab, game: Seats, styles: Sequence[Style], size: SeatsSize, iterations: int) -> dict[str, MeanSolve]:
    """Each style's solves before the flop; styles are solved on the same deals."""
    found = []
    for seed in range(lab.seed, lab.seed + size.seeds):
        solves = [SeatsSolver(game, lcfr(), style, deals=size.deals, seed=seed) for style in styles]
        found.append(gone_on(lab, dict(zip((style.name for style in styles), solves, strict=True)), iterations))
    return {style.name: played_of(game, solves) for style, *solves in zip(styles, *found, strict=True)}


def played_once(lab: Lab, game: Seats, style: Style, size: SeatsSize, what: str) -> MeanSolve:
    """One solve of a variant."""
    solve = SeatsSolver(game, lcfr(), style, deals=size.deals, seed=lab.seed)
    return played_of(game, gone_on(lab, {what: solve}, size.iterations))


def played_of(game: Seats, solves: Sequence[SeatsSolver]) -> MeanSolve:
    """The mean of some solves."""
    openings = np.array([opening(game, solve.average()) for solve in solves])
    return MeanSolve(averaged(game, np.sum([solve.sums for solve in solves], axis=0)), openings)


def gone_on(lab: Lab, solves: Mapping[str, SeatsSolver], iterations: int) -> list[SeatsSolver]:
    """Solves by name, on the same deals, when they have so many iterations. They are kept as they go on."""
    first, kept = next(iter(solves.values())), dict[str, Path]()
    title = f"before the flop, {first.game.players} players"
    if lab.out is not None:
        ending = f"seed {first.seed}{', quick' * lab.quick}.safetensors"
        kept = {name: lab.out / "runs" / f"{title}, {name}, {ending}" for name in solves}
    for name, path in kept.items():
        if path.exists() and lab.resumed:
            solves[name].restore(path)
    while (least := min(solve.done for solve in solves.values())) < iterations:
        lab.tell(f"{title}, {', '.join(solves)}, seed {first.seed}: iteration {least:,} of {iterations:,}")
        behind = {name: solve for name, solve in solves.items() if solve.done == least}  # one is kept before another
        run_together(list(behind.values()), min(EVERY, iterations - least))
        for name in behind.keys() & kept.keys():
            solves[name].save(kept[name])
    return list(solves.values())


def in_percent(shares: Any) -> str:
    return " / ".join(f"{100 * share:.1f}" for share in shares)
