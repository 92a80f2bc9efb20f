"""How a player plays before the flop, as poker players name it: VPIP, PFR, 3-bet, fold to a raise, aggression."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.games.holdem.buckets.starting import starting_equities
from ruse.horizon.continuations import CALLS, FOLDS, RAISES
from ruse.horizon.preflop import Preflop, Rows
from ruse.solve.ranges.public.betting import END

Array = NDArray[np.float64]


class Habits(NamedTuple):
    """Shares are of all hands, or of the times that one could; not a number where that is never."""

    vpip: float  # hands in which chips are put in that need not be: calls and raises, but no blinds and no checks
    pfr: float  # hands with a raise
    three_bet: float  # of the times that there was one raise: another
    fold_to_raise: float  # of the times that there was a raise
    aggression: float  # raises for each call

    def __str__(self) -> str:
        return (
            f"VPIP {self.vpip:.1%}, PFR {self.pfr:.1%}, 3-bet {self.three_bet:.1%}, "
            f"fold to raise {self.fold_to_raise:.1%}, aggression {self.aggression:.2f}"
        )


class Counts:
    """Sums over all lines."""

    def __init__(self) -> None:
        self.vpip = self.pfr = self.raises = self.calls = 0.0
        self.facing = self.folds = self.facing_one = self.three_bets = 0.0


def habits(game: Preflop, rows: Rows, others: Rows, player: int) -> Habits:
    """The habits of one player against another's strategy, exactly."""
    pairs = starting_equities().pairs
    pairs, found = pairs / pairs.sum(), Counts()

    def visit(n: int, reach: tuple[Array, Array], raised: int, has_paid: bool, has_raised: bool) -> None:
        who = int(game.tree.player[n])
        if who == END:
            return
        for a, c in enumerate(game.tree.children(n)):
            name, plays = game.names(n)[a], rows if who == player else others
            own = reach[who] * plays[n][:, a]
            after = (own, reach[1]) if who == 0 else (reach[0], own)
            weight = float(after[0] @ pairs @ after[1])
            raises, folds = name.startswith(RAISES), name.startswith(FOLDS)
            calls = name.startswith(CALLS) and name != "check"
            paid, did = has_paid, has_raised
            if who == player:
                found.facing += weight * (raised > 0)
                found.facing_one += weight * (raised == 1)
                found.folds += weight * (folds and raised > 0)
                found.three_bets += weight * (raises and raised == 1)
                found.raises += weight * raises
                found.calls += weight * calls
                found.vpip += weight * ((raises or calls) and not has_paid)
                found.pfr += weight * (raises and not has_raised)
                paid, did = has_paid or raises or calls, has_raised or raises
            visit(c, after, raised + raises, paid, did)

    visit(0, (np.ones(len(pairs)), np.ones(len(pairs))), 0, False, False)
    return Habits(
        found.vpip, found.pfr, share(found.three_bets, found.facing_one), share(found.folds, found.facing),
        share(found.raises, found.calls),
    )  # fmt: skip


def share(part: float, whole: float) -> float:
    return part / whole if whole > 0.0 else float("nan")
