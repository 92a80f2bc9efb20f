"""The flop up to the turn, with several values a leaf, hands in the buckets of a blueprint.

What a leaf is worth is found on drawn turns and rivers. On each so many holdings of both players are drawn as often as
they come there, and every one meets every other over all lines at once, in all ways to go on. By buckets that is an
expectation of very many pairs, so that some dozens of turns and rivers are enough.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import blocked_by, holding_cards
from ruse.games.holdem.hands.strengths import strengths_on
from ruse.games.holdem.lines import SHOWDOWN
from ruse.games.holdem.row import BOARD_CARDS
from ruse.horizon.continuations import Leafs
from ruse.horizon.cutting import cut_tree
from ruse.horizon.holdem_leaves import buckets_on
from ruse.horizon.rest import ends_reached, summed
from ruse.horizon.search.streets import StreetStart
from ruse.solve.ranges.plans.leaves import CutTree
from ruse.solve.ranges.public.betting import END, PublicTree

Array = NDArray[np.float64]
WaysAt = Callable[[int], list[Array]]  # a decision of the lines: [way][bucket, action] how often
HELD = 200  # holdings of each player on a runout


class CutFlop(NamedTuple):
    """The betting on a flop. Node numbers are its own; `kept` has those of the lines. Players are seats."""

    bucketed: Bucketed
    start: StreetStart
    kept: tuple[int, ...]
    tree: PublicTree

    @classmethod
    def of(cls, bucketed: Bucketed, start: StreetStart) -> "CutFlop":
        lines = bucketed.lines
        street = lines.street[start.node]
        kept, tree = cut_tree(
            lines.children, lambda n: int(lines.who[n]) if lines.street[n] == street else END, start.node
        )
        return cls(bucketed, start, kept, tree)

    @property
    def size(self) -> int:
        """How many buckets a flop has."""
        return int(self.bucketed.view.cards.flop)

    def valued(self, reach: Array, leafs: Leafs, runouts: int, goes_on: Callable[[], bool], seed: int = 0) -> CutTree:
        """With what its leaves are worth by so many runouts, or as many as there is time for."""
        bucket = buckets_on(self.bucketed, self.start.board)[1]
        pairs = paired(reach, bucket, self.size)
        ends = [n for n in range(len(self.kept)) if self.tree.player[n] == END]
        ways = [len(leafs.of(p)) for p in range(2)]
        total = {n: np.zeros((*self.choices(n, ways), *pairs.shape)) for n in ends}
        met, lines = np.zeros_like(pairs), self.bucketed.lines

        @cache
        def ways_at(n: int) -> list[Array]:
            return [way.of(self.bucketed.rows(n), lines.names[n]) for way in leafs.of(int(lines.who[n]))]

        for k in range(runouts):
            if k > 0 and not goes_on():
                break
            self.add_runout(total, met, reach, bucket, ways_at, np.random.default_rng([seed, k, *self.start.board]))
        seen = np.maximum(met, 1e-12)
        share = pairs / pairs.sum()
        return CutTree(self.tree, {n: each / seen * share for n, each in total.items()}, share)

    def choices(self, n: int, ways: list[int]) -> tuple[int, ...]:
        """How many ways to go on there are after an end."""
        return tuple(ways) if self.bucketed.lines.who[self.kept[n]] >= 0 else (1, 1)

    def add_runout(
        self, total: dict[int, Array], met: Array, reach: Array, bucket: NDArray[np.int64], ways_at: WaysAt,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        """Add what all ends are worth on a turn and a river to the sums."""
        lines, cards = self.bucketed.lines, holding_cards()
        rest = np.setdiff1d(np.arange(CARDS), self.start.board)
        board = [*self.start.board, *rng.choice(rest, BOARD_CARDS - len(self.start.board), replace=False).tolist()]
        free = reach * ~blocked_by(board)
        if not np.all(free.sum(axis=1) > 0.0):
            return
        weight = float(np.prod(free.sum(axis=1)))
        held = [in_order(rng.choice(len(cards), HELD, p=each / each.sum()), bucket) for each in free]
        later, strength = buckets_on(self.bucketed, board), strengths_on(board).astype(np.int64)
        shares = ~(cards[held[0]][:, None, :, None] == cards[held[1]][None, :, None, :]).any(axis=(2, 3)) * weight
        ahead = np.sign(strength[held[0]][:, None] - strength[held[1]][None, :]) * shares

        def rows(n: int) -> list[Array]:
            own = later[int(lines.street[n]), held[int(lines.who[n])]]
            return [way[own] for way in ways_at(n)]

        first, second = bucket[held[0]], bucket[held[1]]
        gather(met, first, second, shares)
        for n, sums in total.items():
            node = self.kept[n]
            if lines.who[node] >= 0:
                ends = ends_reached(lines, lines.who, node, rows, [HELD, HELD], sums.shape[:2])
                won, lost = (lines.payoff[ends.ends, j, 0] for j in range(2))
                shown = lines.who[ends.ends] == SHOWDOWN
                each = summed(ends, (won + lost) / 2.0, np.ones(len(shown), bool)) * shares
                each = each + summed(ends, (won - lost) / 2.0, shown) * ahead
            else:
                won, lost = lines.payoff[node, :2, 0]  # the same at a fold
                each = ((won + lost) / 2.0 * shares + (won - lost) / 2.0 * ahead)[None, None]
            gather(sums, first, second, each)


def in_order(held: NDArray[np.int64], bucket: NDArray[np.int64]) -> NDArray[np.int64]:
    """Holdings, those of one bucket side by side."""
    return held[np.argsort(bucket[held], kind="stable")]


def gather(sums: Array, first: NDArray[np.int64], second: NDArray[np.int64], each: Array) -> None:
    """Add what pairs of holdings have to the sums of their buckets, which are in order; last axes of both."""
    rows, columns = (np.flatnonzero(np.diff(buckets, prepend=-1)) for buckets in (first, second))
    summed_up = np.add.reduceat(np.add.reduceat(each, rows, axis=-2), columns, axis=-1)
    sums[..., first[rows][:, None], second[columns]] += summed_up


def paired(reach: Array, bucket: NDArray[np.int64], size: int) -> Array:
    """[bucket of 0, bucket of 1] how often both come, with hands that share no card."""
    cards = holding_cards()
    own, their = (in_order(np.flatnonzero(each > 0.0), bucket) for each in reach)
    apart = ~(cards[own][:, None, :, None] == cards[their][None, :, None, :]).any(axis=(2, 3))
    found = np.zeros((size, size))
    gather(found, bucket[own], bucket[their], apart * np.outer(reach[0, own], reach[1, their]))
    return found
