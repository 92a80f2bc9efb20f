"""Hold'em before the flop for any number of players: what each may do, with a blueprint for what comes after it.

Where a flop is seen, each player who is still in chooses how he goes on, and nobody sees what the others have chosen.
Then the blueprint plays, in the way that each has chosen. All that a player does is in edges, an action of a decision
or a way to go on, each with a number for every starting hand; who comes to a decision has taken an edge last, or none.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.buckets.starting import disjoint_pairs
from ruse.games.holdem.suits.deals import STARTING_HANDS
from ruse.games.holdem.views import Buckets
from ruse.horizon.continuations import Continuation
from ruse.strategy import Strategy

Array = NDArray[Any]
NOBODY = -1


class SeatLines(NamedTuple):
    """The lines of a game and the blueprint on them, as kernels take them. Amounts are chips."""

    who: Array  # [node]
    street: Array  # [node]
    start: Array  # [node + 1]
    child: Array
    paid: Array  # [node, seat]
    stays: Array  # [node, seat]
    edge: Array  # [node] the first edge of a decision before the flop, else NOBODY
    choice: Array  # [node, seat] where a flop is seen: the first of a player's ways to go on, else NOBODY
    first: Array  # [node] where the rows of its buckets begin
    shares: Array  # [row * action, way] what the blueprint does, in each of the ways
    offered: Array  # [edge] whether it may be taken
    chips: int  # of a big blind


class Seats(NamedTuple):
    """The game before the flop."""

    lanes: SeatLines
    view: Buckets
    names: tuple[tuple[str, ...], ...]  # [decision before the flop] of the actions
    nodes: Array  # [decision before the flop] of the lines
    owner: Array  # [decision] whose it is; those before the flop first, then the ways to go on
    begin: Array  # [decision + 1] its first edge
    after: Array  # [decision] the edge that its owner has taken last, or NOBODY
    dealt: Array  # [hand] how often it is dealt

    @classmethod
    def of(cls, blueprint: Strategy, ways: Sequence[Continuation] = (Continuation(),)) -> "Seats":
        """The game of a blueprint whose players have the same stacks, and choose among these ways to go on."""
        return cls.on(Bucketed.of(blueprint), ways, chips=blueprint.game.chips)  # type: ignore[attr-defined]

    @classmethod
    def on(cls, bucketed: Bucketed, ways: Sequence[Continuation], *, chips: int) -> "Seats":
        lines = bucketed.lines
        stacks = (lines.paid + lines.left)[0]
        if not np.allclose(stacks, stacks[0]):
            raise RuseError(f"this is for players with the same stacks, not {', '.join(f'{x:g}' for x in stacks)}")
        if not ways:
            raise RuseError("players need one way to go on at least")
        before = [n for n in range(len(lines.who)) if lines.who[n] >= 0 and lines.street[n] == 0]
        flops = [c for n in before for c in lines.children(n) if lines.who[c] >= 0 and lines.street[c] > 0]
        edge, choice = np.full(len(lines.who), NOBODY), np.full(lines.paid.shape, NOBODY)
        owner, begin, after = [], [0], []
        last = np.full(lines.paid.shape, NOBODY)  # [node, seat] the edge taken last
        for n in before:
            who, below = int(lines.who[n]), lines.children(n)
            edge[n] = begin[-1]
            owner.append(who)
            after.append(last[n, who])
            for a, c in enumerate(below):
                last[c] = last[n]
                last[c, who] = begin[-1] + a
            begin.append(begin[-1] + len(below))
        for n in flops:
            for p in np.flatnonzero(lines.stays[n]).tolist():
                choice[n, p] = begin[-1]
                owner.append(p)
                after.append(last[n, p])
                begin.append(begin[-1] + len(ways))
        own = disjoint_pairs().sum(axis=1)
        lanes = SeatLines(
            lines.who, lines.street, lines.start, lines.child, np.rint(lines.paid * chips).astype(np.int64),
            lines.stays, edge, choice, bucketed.first, in_ways(bucketed, ways), np.ones(begin[-1], np.bool_), chips,
        )  # fmt: skip
        return cls(
            lanes, bucketed.view, tuple(lines.names[n] for n in before), np.array(before), np.array(owner),
            np.array(begin), np.array(after), own / own.sum(),
        )  # fmt: skip

    @property
    def players(self) -> int:
        return int(self.lanes.paid.shape[1])

    @property
    def edges(self) -> int:
        return int(self.begin[-1])

    @property
    def bets(self) -> int:
        """How many edges are actions before the flop; the others are ways to go on."""
        return int(self.begin[len(self.nodes)])

    def offering(self, *names: str) -> "Seats":
        """With these actions alone at the first decision."""
        if not names:
            raise RuseError(f"name one action of the first decision at least: {', '.join(self.names[0])}")
        if missing := [name for name in names if name not in self.names[0]]:
            raise RuseError(f"the first decision offers {', '.join(self.names[0])}, not {', '.join(missing)}")
        offered = self.lanes.offered.copy()
        offered[: len(self.names[0])] = [name in names for name in self.names[0]]
        return self._replace(lanes=self.lanes._replace(offered=offered))

    def even(self) -> Array:
        """[edge, hand] all that is offered alike."""
        rows = np.repeat(self.lanes.offered[:, None].astype(np.float64), STARTING_HANDS, axis=1)
        for d in range(len(self.owner)):
            rows[self.begin[d] : self.begin[d + 1]] /= rows[self.begin[d] : self.begin[d + 1]].sum(axis=0)
        return rows

    def by_node(self, rows: Array) -> dict[int, Array]:
        """[edge, hand] as [hand, action] by the node of the lines, of all decisions before the flop."""
        return {n: rows[self.begin[d] : self.begin[d + 1]].T for d, n in enumerate(self.nodes.tolist())}

    def seated(self, *rows: Array) -> Array:
        """[edge, hand] one profile of strategies, seat by seat: bets are theirs, and all go on in the first way."""
        found = np.zeros((self.edges, STARTING_HANDS))
        for d, p in enumerate(self.owner.tolist()):
            first, end = int(self.begin[d]), int(self.begin[d + 1])
            if d < len(self.nodes):
                found[first:end] = rows[p][first:end]
            else:
                found[first] = 1.0
        return found


def in_ways(bucketed: Bucketed, ways: Sequence[Continuation]) -> Array:
    """[row * action, way] what the blueprint does, in each of the ways."""
    shares = np.empty((len(bucketed.sigma), len(ways)), np.float32)
    for n in np.flatnonzero(bucketed.lines.who >= 0).tolist():
        rows = bucketed.rows(n)
        for k, way in enumerate(ways):
            shares[bucketed.first[n] : bucketed.first[n + 1], k] = way.of(rows, bucketed.lines.names[n]).ravel()
    return shares
