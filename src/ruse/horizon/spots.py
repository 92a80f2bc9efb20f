"""A spot of Hold'em cut before its next card: a turn whose leaves are worth what a solved river makes them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import RuseError
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import HOLDINGS, holding_cards
from ruse.games.holdem.hands.strengths import strengths_on
from ruse.games.holdem.spots.betting import DEAL, FOLD, SHOWDOWN, BettingTree
from ruse.games.holdem.spots.spot import Spot
from ruse.horizon.continuations import Leafs
from ruse.horizon.cutting import cut_tree
from ruse.horizon.rest import ends_reached, summed
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.plans.leaves import CutTree
from ruse.solve.ranges.public.betting import END, PublicTree
from ruse.words.long_work import Tell, tell_listeners

Array = NDArray[np.float64]


class CutSpot(NamedTuple):
    """A spot of the turn, up to the river."""

    spot: Spot
    betting: BettingTree
    kept: tuple[int, ...]  # node of the cut tree: node of the whole
    tree: PublicTree

    @classmethod
    def of(cls, spot: Spot, betting: BettingTree) -> "CutSpot":
        if len(spot.board) != 4:
            raise RuseError(f"a spot is cut on the turn, with four cards on the board; this one has {len(spot.board)}")
        return cls(spot, betting, *cut_tree(betting.children, lambda n: int(betting.player[n])))

    def valued(self, engine: RangeEngine, leafs: Leafs, tell: Tell = tell_listeners) -> CutTree:
        """With leaves that are worth what they are if both play the river as an engine has solved it, biased."""
        hands = engine.plan.hands
        weights = [self.spot.weights(p)[hands[p]] for p in range(2)]
        pairs = np.outer(*weights) * disjoint(hands)
        worth = {}
        for n, whole in enumerate(self.kept):
            if self.tree.player[n] != END:
                continue
            if self.betting.player[whole] == FOLD:
                worth[n] = (self.pays(whole) * pairs)[None, None]
                continue
            assert self.betting.player[whole] == DEAL
            tell("what rivers are worth", n / len(self.kept))
            worth[n] = self.rivers(engine, whole, leafs) * pairs
        return CutTree(self.tree, worth, pairs)

    def pays(self, end: int) -> float:
        """What player 0 gets at a fold, or if he wins a showdown: chips above half of the pot."""
        stake = self.spot.pot / 2.0 + float(self.betting.put[end].min())
        if self.betting.player[end] == SHOWDOWN:
            return stake
        parent = (
            int(np.searchsorted(self.betting.start, np.flatnonzero(self.betting.child == end)[0], side="right")) - 1
        )
        return -stake if self.betting.player[parent] == 0 else stake

    def rivers(self, engine: RangeEngine, leaf: int, leafs: Leafs) -> Array:
        """[choice of 0, choice of 1, hand of 0, hand of 1] the mean over all rivers that a pair of hands can see."""
        betting, hands = self.betting, engine.plan.hands
        ways = [leafs.of(p) for p in range(2)]
        total = np.zeros((len(ways[0]), len(ways[1]), len(hands[0]), len(hands[1])))
        cards = holding_cards()
        for card in set(range(CARDS)) - set(self.spot.board):
            free = [~(cards[hands[p]] == card).any(axis=1) for p in range(2)]

            def rows(n: int, card: int = card) -> list[Array]:
                p = int(betting.player[n])
                known, told = engine.strategy(n, (card,))
                place = np.full(HOLDINGS, -1)
                place[known] = np.arange(len(known))
                there = place[hands[p]]
                whole = np.where(there[:, None] >= 0, told[there], 0.0)
                return [way.of(whole, betting.names(n)) for way in ways[p]]

            ends = ends_reached(
                betting, betting.player, leaf, rows, [len(each) for each in hands], [len(w) for w in ways]
            )
            pays = np.array([self.pays(end) for end in ends.ends])
            shown = np.array([betting.player[end] == SHOWDOWN for end in ends.ends])
            strength = strengths_on([*self.spot.board, card]).astype(np.int64)
            sign = np.sign(strength[hands[0]][:, None] - strength[hands[1]][None, :])
            worth = summed(ends, pays, ~shown) + summed(ends, pays, shown) * sign
            total += worth * np.outer(*free)
        return total / (CARDS - len(self.spot.board) - 4)


def disjoint(hands: tuple[NDArray[np.int64], NDArray[np.int64]]) -> Array:
    """[hand of 0, hand of 1] 1 if they share no card, else 0."""
    cards = holding_cards()
    first, second = cards[hands[0]], cards[hands[1]]
    shared = (first[:, None, :, None] == second[None, :, None, :]).any(axis=(2, 3))
    return np.where(shared, 0.0, 1.0)
