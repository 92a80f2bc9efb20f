"""Whether a style changes more with three players than with two: both are solved in the same way, several times each.

Solves of one style and of none are on the same deals, and other solves on others: these make the interval of a shift.
What two players do by drawn deals is judged by another way to solve the same game: over all pairs of hands, with leaf
values from drawn boards, which are luck, too.
"""

from pathlib import Path
from typing import Any

import numpy as np

from ruse.games.holdem.lines import lines_of
from ruse.games.holdem.rules import Holdem
from ruse.horizon.continuations import Leafs, biased
from ruse.horizon.holdem_leaves import FlopLeaves, flop_leaves
from ruse.horizon.many.seats import Seats
from ruse.horizon.preflop import AGGRESSIVE, LOOSE_PASSIVE, STYLES, Preflop, Rows, solved
from ruse.papers.evidence import Evidence, Found, Verdict, at_least, beyond, check, claim, told
from ruse.papers.lab import Lab
from ruse.papers.preference_cfr.seat_solves import WAYS, Played, Size, in_percent, played, trained
from ruse.solve.ranges.frozen import frozen_engine
from ruse.solve.ranges.plans.leaves import CutTree, leaf_plan
from ruse.solve.solver.presets import dcfr
from ruse.strategy import Strategy

CALL = 1
SAME = 0.05  # how far two ways to solve the game of two may be apart
ITERATIONS = 500  # over all pairs of hands


def shifts(lab: Lab, three: dict[str, Played], size: Size) -> list[Evidence]:
    """The claim of the paper, style by style, and the check of how two players are solved."""
    blueprint = trained(lab, "two", Holdem(), size.pair)
    game = Seats.of(blueprint, biased(WAYS))
    two = played(lab, game, STYLES, size)
    rows = [larger(style.name, three, two) for style in (LOOSE_PASSIVE, AGGRESSIVE)]
    rows.append(
        beyond("Two players by the same part, %: fold / call / raise to 2 / raise to 3 / all-in",
               "; ".join(f"{name} {in_percent(one.opening)}" for name, one in two.items()))
    )  # fmt: skip
    return [*rows, *by_boards(lab, blueprint, two["Normal"], size)]


def apart(one: Any, other: Any) -> float:
    """How much of all openings is different."""
    return float(np.abs(one - other).sum() / 2.0)


def larger(style: str, three: dict[str, Played], two: dict[str, Played]) -> Evidence:
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


def by_boards(lab: Lab, blueprint: Strategy, drawn: Played, size: Size) -> list[Evidence]:
    """Two players over all pairs of hands, with leaf values from boards, beside the same by drawn deals."""
    lab.tell("two players over all pairs of hands")
    before = Preflop.of(lines_of(blueprint.game))  # type: ignore[arg-type]
    groups = [leaves(lab, blueprint, size.boards, lab.seed + k) for k in range(size.seeds)]
    cut = before.valued(mean_of(groups))
    whole = solved(before, cut, dcfr(), iterations=ITERATIONS)
    most = float(np.abs(whole.opening - drawn.opening).max())
    parts = [solved(before, before.valued(one), dcfr(), iterations=ITERATIONS).opening for one in groups]
    by_deals, by_parts = (Found.of([100.0 * float(one[CALL]) for one in each]) for each in (drawn.openings, parts))
    loses = 1000.0 * (whole.judged.values[0] - worth_with(cut, {0: drawn.rows[: len(before.names(0))].T}))
    boards = size.boards * size.seeds
    return [
        check("Two players, Normal by drawn deals and by all pairs of hands on drawn boards, one blueprint",
              f"{in_percent(drawn.opening)} and {in_percent(whole.opening)}, at most {100 * most:.1f} points apart",
              most <= SAME, f"at most {100 * SAME:g} points, as {boards:,} boards have luck of their own"),
        beyond("Two players, how often Normal calls by parts of the deals and of the boards, %",
               f"{told(by_deals, '.1f')} by {size.seeds} solves of {size.iterations * size.deals:,} deals a player, "
               f"{told(by_parts, '.1f')} by {size.seeds} of {size.boards:,} boards", seeds=size.seeds),
        beyond("Two players, what opening as by drawn deals loses in the game over all pairs of hands, mBB/h",
               f"{loses:.1f}, if all else is the best there; that game has the luck of {boards:,} boards"),
    ]  # fmt: skip


def leaves(lab: Lab, blueprint: Strategy, boards: int, seed: int) -> FlopLeaves:
    """What flops are worth by some boards, kept as they come."""
    kept: Path | None = None
    if lab.out is not None:
        kept = lab.out / "runs" / f"flops of two players, seed {seed}{', quick' * lab.quick}.safetensors"
        if not lab.resumed:
            kept.unlink(missing_ok=True)
    return flop_leaves(blueprint, Leafs(biased(WAYS)), boards=boards, seed=seed, kept=kept,
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
