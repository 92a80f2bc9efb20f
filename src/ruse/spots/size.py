"""How large a spot is, told before anything of it is made: nodes, boards, hands and memory."""

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from ruse.compile.lanes import LANES
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.spots.rules import SpotGame
from ruse.games.holdem.spots.spot import LAST_BOARD, STREETS
from ruse.solve.ranges.plans.plan import padded
from ruse.solve.ranges.public.boards import exchanged, exchanged_hands, suit_classes
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.traits import minimizer_traits
from ruse.tree.measure.size import TooLarge
from ruse.words.amounts import in_bytes

NUMBER = 4  # bytes of an entry
ROWS = 12  # of sixteen hands each, while ends are counted
PER_HAND = 32  # bytes of what is known of each hand on each board: its cards, its place among the others


class SpotSize(NamedTuple):
    """The counts of a spot."""

    title: str
    nodes: int  # of the betting tree
    boards: tuple[int, ...]  # on each street that is played; what suits make equal is one
    hands: tuple[int, int]
    entries: int  # actions of hands, at every decision on every board
    bytes: int  # of all tables, at most

    @classmethod
    def of(cls, game: SpotGame, solver: Solver) -> "SpotSize":
        spot, tree = game.spot, game.betting
        boards = boards_by_street(game)
        hands = (int(np.count_nonzero(spot.weights(0))), int(np.count_nonzero(spot.weights(1))))
        actions, entries = np.diff(tree.start), 0
        for street, count in zip(spot.streets, boards, strict=True):
            for player in range(2):
                acts = actions[(tree.player == player) & (tree.street == street)].sum()
                entries += int(acts) * count * padded(hands[player])
        traits = minimizer_traits(solver.minimizer)
        # Where the strategy follows from the regret, and nobody waits for the others, it has no table of its own.
        follows = traits.matches_regret and not traits.predicts and solver.alternating and solver.prefer is None
        tables = 2 + (not follows) + (not solver.alternating)
        known = sum(boards) * sum(map(padded, hands)) * PER_HAND
        scratch = (2 * len(tree.player) + LANES * ROWS) * padded(max(hands)) * NUMBER
        return cls(
            game.own_title, len(tree.player), boards, hands, entries, tables * NUMBER * entries + known + scratch
        )

    @property
    def told(self) -> str:
        return f"{self.title}: {self}"

    def __str__(self) -> str:
        names = STREETS[len(STREETS) - len(self.boards) :]
        deals = ", ".join(
            f"{count:,} {name}{'s' * (count != 1)}" for name, count in zip(names, self.boards, strict=True)
        )
        oop, ip = self.hands
        return (
            f"{self.nodes:,} nodes of betting, {deals}, {oop:,} and {ip:,} hands, {self.entries:,} entries, "
            f"{in_bytes(self.bytes)}"
        )

    def within(self, room: int) -> "SpotSize":
        """The same; raises if it takes more bytes than these."""
        if self.bytes > room:
            raise TooLarge(
                f"{self.title} is too large to solve: {self}, and there is room for {in_bytes(room)}; take bet sizes "
                "or hands out, or start on a later street"
            )
        return self

    def as_dict(self) -> dict[str, Any]:
        """For reports; a number of nodes there means those that a sampled walk visits."""
        return {
            "betting_nodes": self.nodes, "boards": list(self.boards), "hands": list(self.hands),
            "entries": self.entries, "memory": self.bytes,
        }  # fmt: skip


def boards_by_street(game: SpotGame) -> tuple[int, ...]:
    """How many boards are solved on each street: of those that differ in suits alone, one."""
    spot = game.spot
    ranges = [spot.weights(player) for player in range(2)]
    symmetries = [
        suits for suits in permutations(range(4))
        if sorted(exchanged(card, suits) for card in spot.board) == sorted(spot.board)
        and all(np.array_equal(each[exchanged_hands(suits)], each) for each in ranges)
    ]  # fmt: skip
    counts = [1]
    level = [(spot.board, tuple(symmetries))]
    for _ in range(LAST_BOARD - len(spot.board)):
        level = [
            ((*board, card), tuple(suits for suits in kept if exchanged(card, suits) == card))
            for board, kept in level
            for card, _ in suit_classes([c for c in range(CARDS) if c not in board], kept)
        ]
        counts.append(len(level))
    return tuple(counts)
