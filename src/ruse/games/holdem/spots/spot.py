"""A spot as data: what two players have in front of them from the flop, the turn or the river on.

The player out of position (oop) acts first on every street. Amounts are whole chips.
"""

from typing import NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.games.holdem.betting.bets import ANY, BLINDS, TIMES, BetSize
from ruse.games.holdem.cards import CARDS, names_of
from ruse.games.holdem.hands.holdings import blocked_by
from ruse.games.holdem.ranges.reading import range_on

SEATS = ("oop", "ip")
STREETS = ("flop", "turn", "river")
FIRST_BOARD, LAST_BOARD = 3, 5  # cards of a board
MOST_CHIPS = 10_000_000


class Sizes(NamedTuple):
    """What a player may bet on one street."""

    bets: tuple[BetSize, ...] = ()
    raises: tuple[BetSize, ...] = ()
    donks: tuple[BetSize, ...] | None = None  # bets out of position into who bet last; None: as other bets


NO_SIZES = Sizes()


class Spot(NamedTuple):
    """Two ranges on a board, a pot, what both have left, and the bets that they may choose from."""

    board: tuple[int, ...]  # cards
    pot: int
    stack: int  # what each has left, beyond the pot
    ranges: tuple[str, str]  # out of position, in position, in the usual notation
    sizes: tuple[tuple[Sizes, ...], tuple[Sizes, ...]]  # [player][flop, turn, river]; none on streets that are over
    threshold: float = 1.0  # a bet that puts so much of the stack in is all-in
    add_all_in: float = 0.0  # an all-in of at most so many pots may be chosen, too
    force_all_in: float = 0.0  # a bet that leaves at most so many pots behind, once called, is all-in
    merge: float = 0.0  # of bets that differ by so little of the pot only the largest may be chosen
    rake: float = 0.0  # the share of the last pot that the house takes from who wins it,
    rake_cap: int = 0  # and how many chips it takes at most; 0: as many as that is

    @property
    def street(self) -> int:
        """The street that it begins on, 0 for the flop."""
        return len(self.board) - FIRST_BOARD

    @property
    def streets(self) -> range:
        """Those that are still to be played."""
        return range(self.street, len(STREETS))

    def weights(self, player: int) -> np.ndarray:
        """[holding] the weights of a player's hands; those that hold a card of the board have none."""
        return range_on(self.ranges[player], self.board, f"the range of {SEATS[player]}")

    def checked(self) -> "Spot":
        """The same; raises if it cannot be."""
        if not FIRST_BOARD <= len(self.board) <= LAST_BOARD:
            held = f"{len(self.board)}: {names_of(self.board)}" if self.board else "none"
            raise RuseError(f"a board has 3, 4 or 5 cards (flop, turn, river), got {held}")
        for name, chips in (("pot", self.pot), ("stack", self.stack)):
            if not 1 <= chips <= MOST_CHIPS:
                raise RuseError(f"the {name} must be from 1 to {MOST_CHIPS:,} chips, got {chips}")
        if not 0.0 <= self.rake < 1.0:
            raise RuseError(f"the rake is a share of the pot below 100%, got {self.rake:g}; write 5% or 0.05")
        if self.rake_cap > MOST_CHIPS:
            raise RuseError(f"the rake cap must be at most {MOST_CHIPS:,} chips, got {self.rake_cap}")
        refuse_impossible(*(self.weights(player) for player in range(len(SEATS))))
        for player, seat in enumerate(SEATS):
            for street in self.streets:
                refuse_unfit(self.sizes[player][street], f"{seat} {STREETS[street]}")
        return self


def refuse_impossible(oop: np.ndarray, ip: np.ndarray) -> None:
    """Raise if no two hands of two ranges can be dealt together."""
    # All pairs of hands, less those that share a card; what is the same hand was taken away twice.
    first, second = oop > 0.0, ip > 0.0
    pairs = first.sum() * second.sum() + (first & second).sum()
    for card in range(CARDS):
        held = blocked_by([card])
        pairs -= (first & held).sum() * (second & held).sum()
    if pairs > 0:
        return
    raise RuseError("no hand of oop and hand of ip can be dealt together: each two share a card; add hands to a range")


def refuse_unfit(sizes: Sizes, where: str) -> None:
    """Raise if a size means nothing here: there are no blinds, and every amount would be too many."""
    for kind, those in (("bets", sizes.bets), ("raises", sizes.raises), ("donks", sizes.donks or ())):
        for size in those:
            if size.kind in (BLINDS, ANY):
                raise RuseError(f"{size} in {where} {kind} cannot be in a spot; write 50%, 40c (chips), 3x or all-in")
            if size.kind == TIMES and kind != "raises":
                raise RuseError(f"{size} in {where} {kind} has no bet before it to be a multiple of; write 50%")
