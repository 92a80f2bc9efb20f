"""Whether a style changes more with three players than with two: both are solved in the same way, several times each.

Solves of one style and of none are on the same deals, and other solves on others: these make the interval of a shift.
What two players do by drawn deals is judged by another way to solve the same game, on the same boards: over all pairs
of hands at once.
"""

from pathlib import Path
from typing import Any

import numpy as np

from ruse.games.holdem.lines import lines_of
from ruse.games.holdem.rules import Holdem
from ruse.horizon.continuations import Leafs, biased
from ruse.horizon.holdem_leaves import FlopLeaves, Means, as_dealt, drawn_boards, flop_leaves, flop_means
from ruse.horizon.many.seats import Seats
from ruse.horizon.many.solver import SeatsSolver
from ruse.horizon.preflop import AGGRESSIVE, LOOSE_PASSIVE, STYLES, Preflop, Rows, solved
from ruse.papers.evidence import AFTER, Evidence, Found, Verdict, at_least, beyond, check, claim, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.holdem.seat_solves import (
    WAYS,
    MeanSolve,
    SeatsSize,
    gone_on,
    in_percent,
    played,
    played_of,
    trained,
)
from ruse.solve.ranges.frozen import frozen_engine
from ruse.solve.ranges.plans.leaves import CutTree, leaf_plan
from ruse.solve.solver.presets import dcfr, lcfr
from ruse.strategy import Strategy

CALL = 1
SAME = 0.05  # how far two ways to solve the game of two may be apart
ITERATIONS = 500  # over all pairs of hands


def shifts(lab: Lab, three: dict[str, MeanSolve], size: SeatsSize) -> list[Evidence]:
    """The claim of the paper, style by style, and the check of how two players are solved."""
    blueprint = trained(lab, "two", Holdem(), size.pair)
    game = Seats.of(blueprint, biased(WAYS))
    two = played(lab, game, STYLES, size, size.pair_iterations)
    rows = [larger(style.name, three, two) for style in (LOOSE_PASSIVE, AGGRESSIVE)]
    rows.append(
        beyond("Two players by the same part, %: fold / call / raise to 2 / raise to 3 / all-in",
               "; ".join(f"{name} {in_percent(one.opening)}" for name, one in two.items()))
    )  # fmt: skip
    return [*rows, *by_boards(lab, blueprint, game, two["Normal"], size)]


def apart(one: Any, other: Any) -> float:
    """How much of all openings is different."""
    return float(np.abs(one - other).sum() / 2.0)


def larger(style: str, three: dict[str, MeanSolve], two: dict[str, MeanSolve]) -> Evidence:
    """Whether more openings are others than Normal's with three players, by the interval of the difference."""
    each = [
        [100.0 * apart(one, none) for one, none in zip(game[style].openings, game["Normal"].openings, strict=True)]
        for game in (three, two)
    ]
    of_three, of_two, more = (Found.of(x) for x in (*each, [a - b for a, b in zip(*each, strict=True)]))
    return claim(
        f"The shift is larger with three players, {style}", "even more pronounced effects",
        f"{told(of_three, '.1f')} % of openings are others than Normal's, {told(of_two, '.1f')} % with two players; "
        f"{told(more, '+z.1f')} points more; both with blueprints behind the flop", is_larger(more),
        f"more of them, by the interval of the difference over {more.seeds} solves each, or it cannot be told",
        found=more,
    )  # fmt: skip


def is_larger(more: Found) -> Verdict:
    """By the whole interval, or it cannot be told."""
    return at_least(0.0, more)


# ---- another way to solve the game of two ----------------------------------------------------------------------------


def by_boards(lab: Lab, blueprint: Strategy, game: Seats, normal: MeanSolve, size: SeatsSize) -> list[Evidence]:
    """Two players over all pairs of hands on some boards, beside drawn deals on the same boards.

    What a call and a raise are worth is luck of the boards, for all hands alike, by more than many hands tell the two
    apart. So on other boards, or with the luck taken out by equities, openings are others: that is a row of its own.
    """
    lab.tell("two players over all pairs of hands")
    before, seeds = Preflop.of(lines_of(blueprint.game)), range(lab.seed, lab.seed + size.seeds)  # type: ignore[arg-type]
    cut = before.valued(mean_of([leaves(lab, blueprint, size.boards, seed, as_dealt) for seed in seeds]))
    whole = solved(before, cut, dcfr(), iterations=ITERATIONS)
    boards = [board for seed in seeds for board in drawn_boards(seed, 0, size.boards)]
    same = on_boards(lab, game, boards, size)
    most = float(np.abs(whole.opening - same.opening).max())
    loses = 1000.0 * (whole.judged.values[0] - worth_with(cut, {0: same.rows[: len(before.names(0))].T}))
    parts = [before.valued(leaves(lab, blueprint, size.boards, seed, flop_means)) for seed in seeds]
    by_parts = [solved(before, part, dcfr(), iterations=ITERATIONS).opening for part in parts]
    calls = [told(Found.of([100.0 * float(one[CALL]) for one in each]), ".1f") for each in (normal.openings, by_parts)]
    return [
        check("Two players, Normal by drawn deals and by all pairs of hands on the same boards, one blueprint",
              f"{in_percent(same.opening)} and {in_percent(whole.opening)}, at most {100 * most:.1f} points apart",
              None if lab.quick else most <= SAME,  # a few deals tell nothing
              f"at most {100 * SAME:g} points; both on the same {len(boards):,} boards",
              margin_set=AFTER),
        beyond("Two players, what opening as by drawn deals loses in the game over all pairs of hands, mBB/h",
               f"{loses:.1f}, if all else is the best there; both on the same {len(boards):,} boards"),
        beyond("Two players, how often Normal calls on boards of their own, %",
               f"{calls[0]} by {size.seeds} solves of {size.pair_iterations * size.deals:,} deals a player, "
               f"{calls[1]} by {size.seeds} of all pairs on {size.boards:,} boards each, less the luck of equities",
               seeds=size.seeds),
    ]  # fmt: skip


def on_boards(lab: Lab, game: Seats, boards: list[list[int]], size: SeatsSize) -> MeanSolve:
    """Normal by drawn deals on some boards: one solve, as long as those of all seeds together."""
    solve = SeatsSolver(game, lcfr(), deals=size.deals, seed=lab.seed, boards=boards)
    return played_of(game, gone_on(lab, {f"Normal on {len(boards)} boards": solve}, size.seeds * size.pair_iterations))


def leaves(lab: Lab, blueprint: Strategy, boards: int, seed: int, means: Means) -> FlopLeaves:
    """What flops are worth by some boards, kept as they come."""
    kept: Path | None = None
    if lab.out is not None:
        kept = lab.out / "runs" / f"flops of two players, seed {seed}{', quick' * lab.quick}.safetensors"
        if not lab.resumed:
            kept.unlink(missing_ok=True)
    return flop_leaves(blueprint, Leafs(biased(WAYS)), boards=boards, seed=seed, kept=kept, means=means,
                       tell=lambda what, share: lab.tell(f"two players: {what}, {share or 0.0:.0%}"))  # fmt: skip


def mean_of(groups: list[FlopLeaves]) -> FlopLeaves:
    """All boards together, as each group has as many."""
    worth = np.mean([one.worth for one in groups], axis=0)
    error = float(np.sqrt(np.mean([one.error**2 for one in groups]) / len(groups)))
    return FlopLeaves(groups[0].nodes, worth, sum(one.boards for one in groups), error)


def worth_with(cut: CutTree, kept: Rows) -> float:
    """What the game is worth to player 0 if he keeps these rows and all else is solved."""
    plan, node = leaf_plan(cut)
    engine = frozen_engine(plan, dcfr(), {node[n]: rows for n, rows in kept.items()})
    engine.run(0, ITERATIONS)
    return float(engine.exploitability().values[0])
