"""How much a small game takes to be cut, told before what is large is made.

It is walked in plain Python, a row for each history; then each end has a matrix for each player, by the hands of both,
and each leaf of the part one for each choice of one and of the other. A player who may hold many hands makes these
large in a game of few histories.
"""

from typing import NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.solve.ranges.plans.plan import padded
from ruse.solve.ranges.public.betting import DEAL, END
from ruse.solve.ranges.public.walked import Walked
from ruse.tree.measure.size import Size, TooLarge, is_within, tree_size
from ruse.words.amounts import in_bytes
from ruse.words.naming import named

MOST_HISTORIES = 200_000  # they are walked in plain Python
NUMBER = 8  # bytes
ROW = 320  # bytes of a history besides the numbers of its row; this was measured
TWICE = 2  # matrices are there one by one and all together for a while


class CutSize(NamedTuple):
    """What it takes; of a game that has not been walked yet no more than the walk does."""

    game: Game
    counted: Size
    walk: int  # bytes
    matrices: int = 0  # bytes

    @classmethod
    def of(cls, game: Game) -> "CutSize":
        """The game's, before it is walked; raises as soon as it has more histories than are walked."""
        if not is_within(game, MOST_HISTORIES):
            raise RuseError(
                f"{named(game)} has more than {MOST_HISTORIES:,} histories, which is the most that a game may have to "
                "be cut; make it smaller"
            )
        found = tree_size(game)
        return cls(game, found, int(found.histories) * (NUMBER * len(game.start()) + ROW))

    def planned(self, walked: Walked, ways: int) -> "CutSize":
        """The same with matrices, of the whole and of the part with so many ways to go on."""
        ends, leaves = (int(np.count_nonzero(walked.tree.player == kind)) for kind in (END, DEAL))
        width = padded(max(int(hand.max()) + 1 for hand in walked.hand))
        of_part = (2 * TWICE + 2) * leaves * ways**2  # both players' and what they are made of
        return self._replace(matrices=NUMBER * width**2 * (2 * TWICE * ends + of_part))

    @property
    def bytes(self) -> int:
        return self.walk + self.matrices

    @property
    def told(self) -> str:
        found = self.counted
        return (
            f"{named(self.game)}: {found.histories:,} histories, {found.infosets:,} infosets, {found.leaves:,} leaves, "
            f"{in_bytes(self.bytes)}"
        )

    def within(self, room: int) -> "CutSize":
        """The same; raises if it takes more bytes than these."""
        if self.bytes > room:
            raise TooLarge(
                f"{named(self.game)} takes {in_bytes(self.bytes)} to be cut, and there is room for {in_bytes(room)}; "
                "make the game smaller"
            )
        return self
