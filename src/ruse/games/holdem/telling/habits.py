"""What a match of Hold'em counts: how each plays before the flop, as poker players name it."""

import math
from typing import NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.games.holdem.betting.paying import to_call
from ruse.games.holdem.row import ACTED, RAISES, STATUS, WHO, street_of

# Hands in which chips were put in that need not be, and those with a raise; decisions after a raise, and folds there;
# decisions after one raise, and raises there; all raises, all calls.
PAID_IN, RAISED_IN, FACING, FOLDS, FACING_ONE, THREE_BETS, ALL_RAISES, ALL_CALLS = range(8)


@compiled("note")
class HabitMeter(NamedTuple):
    """VPIP, PFR, 3-bet, fold to a raise and aggression, all before the flop.

    Not a number where that is never. Who has called and raises only after two others is not seen to raise for the first
    time: of two players none can.
    """

    nothing: int = 0

    @property
    def counted(self) -> int:
        return 8

    def note(self, game, s, a, notes, bot):
        if street_of(game, s) > 0:
            return
        player, raises = s[WHO], s[RAISES]
        owes = to_call(game, s, player) > 0
        is_first = s[STATUS] >> ACTED + player & 1 == 0
        is_fold, is_call, is_raise = owes and a == 0, owes and a == 1, a > 1 if owes else a > 0
        notes[bot, PAID_IN] += is_first and (is_call or is_raise)
        notes[bot, RAISED_IN] += is_raise and (is_first or raises < 2)
        notes[bot, FACING] += raises > 0
        notes[bot, FOLDS] += raises > 0 and is_fold
        notes[bot, FACING_ONE] += raises == 1
        notes[bot, THREE_BETS] += raises == 1 and is_raise
        notes[bot, ALL_RAISES] += is_raise
        notes[bot, ALL_CALLS] += is_call

    def rates(self, notes: np.ndarray, games: int) -> dict[str, float]:
        shares = {
            "vpip": (PAID_IN, None), "pfr": (RAISED_IN, None), "3-bet": (THREE_BETS, FACING_ONE),
            "fold to raise": (FOLDS, FACING), "aggression": (ALL_RAISES, ALL_CALLS),
        }  # fmt: skip
        among = {name: games if of is None else notes[of] for name, (_, of) in shares.items()}
        return {name: float(notes[k] / among[name]) if among[name] else math.nan for name, (k, _) in shares.items()}
