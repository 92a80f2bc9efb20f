"""The betting of a spot as a tree without cards, after the rules of postflop-solver.

Bets are whole chips, half a chip counts as one. A raise is the bet plus its share of the pot after the call. What is
below the least raise becomes that, what is above the stack the all-in. The one out of position bets his donk sizes
first on a street if the last one ended with his call.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.games.holdem.betting.bets import ALL_IN, BetSize, bet_to
from ruse.games.holdem.spots.spot import STREETS, Spot

OOP, IP = 0, 1
DEAL, FOLD, SHOWDOWN = -1, -2, -3  # the "player" where a card is dealt, and at the ends
CHECK, CALL, FOLDS, ALL_INS = "check", "call", "fold", "all-in"
MOST_NODES = 2_000_000
EDGE = 1e-12  # ratios closer than this are one


class BettingTree(NamedTuple):
    """Nodes in preorder, parents first. A deal has one child, the betting after it, whatever the card."""

    player: np.ndarray  # [node] int8: who acts, or DEAL, FOLD, SHOWDOWN
    start: np.ndarray  # [node + 1] int32: the edges of a node, in `child` and `actions`
    child: np.ndarray  # [edge] int32
    put: np.ndarray  # [node, player] int64: chips that each has put in since the spot began
    street: np.ndarray  # [node] int8, 0 for the flop
    actions: tuple[str, ...]  # [edge] its name; "deal" where a card is

    def children(self, node: int) -> list[int]:
        return [int(child) for child in self.child[self.start[node] : self.start[node + 1]]]

    def names(self, node: int) -> tuple[str, ...]:
        """What may be done at a node."""
        return self.actions[self.start[node] : self.start[node + 1]]

    @property
    def decisions(self) -> np.ndarray:
        """[node] whether a player acts."""
        return np.asarray(self.player >= 0)


class Standing(NamedTuple):
    """Where the betting stands on a street."""

    street: int
    before: int  # what each had put in when the street began
    facing: int = 0  # the other's bet on this street
    own: int = 0  # that of who is to act
    opens_into: bool = False  # he called at the end of the last street, and may bet into who had bet
    is_all_in: bool = False  # what he faces is


def betting_of(spot: Spot) -> BettingTree:
    """The betting tree of a spot."""
    return _Growing(spot).grown()


class _Growing:
    """A tree that is being made, node by node."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.player: list[int] = []
        self.put: list[tuple[int, int]] = []
        self.street: list[int] = []
        self.edges: list[list[tuple[str, int]]] = []

    def grown(self) -> BettingTree:
        self._decision(OOP, Standing(self.spot.street, 0))
        counts = [len(edges) for edges in self.edges]
        every = [edge for edges in self.edges for edge in edges]
        return BettingTree(
            player=np.array(self.player, np.int8),
            start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            child=np.array([child for _, child in every], np.int32),
            put=np.array(self.put, np.int64),
            street=np.array(self.street, np.int8),
            actions=tuple(name for name, _ in every),
        )

    def _node(self, player: int, street: int, put: tuple[int, int]) -> int:
        if len(self.player) >= MOST_NODES:
            raise RuseError(f"the bets of this spot make more than {MOST_NODES:,} nodes; take sizes out")
        self.player.append(player)
        self.street.append(street)
        self.put.append(put)
        self.edges.append([])
        return len(self.player) - 1

    def _decision(self, player: int, at: Standing) -> int:
        put = (at.before + at.own, at.before + at.facing)
        node = self._node(player, at.street, put if player == OOP else put[::-1])
        edges = self.edges[node]
        if at.facing == 0:
            if player == OOP:
                edges.append((CHECK, self._decision(IP, at._replace(opens_into=False))))
            else:
                edges.append((CHECK, self._street_ends(at.street, at.before, calls=None)))
        else:
            edges.append((FOLDS, self._node(FOLD, at.street, self.put[node])))
            edges.append((CALL, self._street_ends(at.street, at.before + at.facing, calls=player)))
        for amount, is_all_in in bets_at(self.spot, player, at):
            word = ALL_INS if is_all_in else "bet" if at.facing == 0 else "raise"
            raised = Standing(at.street, at.before, amount, at.facing, is_all_in=is_all_in)
            edges.append((f"{word} {amount}", self._decision(1 - player, raised)))
        return node

    def _street_ends(self, street: int, put: int, *, calls: int | None) -> int:
        """A card, and the next street; or the showdown."""
        if street == len(STREETS) - 1:
            return self._node(SHOWDOWN, street, (put, put))
        node = self._node(DEAL, street, (put, put))
        if put == self.spot.stack:
            after = self._street_ends(street + 1, put, calls=None)
        else:
            after = self._decision(OOP, Standing(street + 1, put, opens_into=calls == OOP))
        self.edges[node].append(("deal", after))
        return node


def bets_at(spot: Spot, player: int, at: Standing) -> list[tuple[int, bool]]:
    """What a player's bet on this street may come to, smallest first, and whether that is all-in."""
    if at.is_all_in:
        return []
    sizes, facing = spot.sizes[player][at.street], at.facing
    pot = spot.pot + 2 * (at.before + facing)  # after a call
    most = spot.stack - at.before
    least = max(1, min(2 * facing - at.own, most))
    meant = sizes.raises if facing else sizes.bets if sizes.donks is None or not at.opens_into else sizes.donks
    found = {(amount, amount == most) for amount in _amounts(meant, pot, at, least, most)}
    # A bet that leaves too little behind is all-in, whatever was written.
    found = {
        (most, True) if _is_committed(spot, at, pot, amount, most) else (amount, all_in) for amount, all_in in found
    }
    if spot.add_all_in and most <= facing + rounded(pot * spot.add_all_in):
        found.add((most, True))
    return _merged(sorted(found), pot, facing, spot.merge)


def _amounts(sizes: Iterable[BetSize], pot: int, at: Standing, least: int, most: int) -> Iterable[int]:
    before = pot - at.facing + at.own  # with all bets so far, and no call
    for kind, amount in sizes:
        if kind == ALL_IN:
            yield most
        else:
            to = bet_to(kind, amount, before, at.facing - at.own, at.facing, least, most, 0)
            yield min(max(rounded(to), least), most)


def _is_committed(spot: Spot, at: Standing, pot: int, amount: int, most: int) -> bool:
    left = rounded((pot + 2 * (amount - at.facing)) * spot.force_all_in)
    share = amount + at.before >= spot.threshold * spot.stack
    return most <= amount + left or share


def _merged(bets: list[tuple[int, bool]], pot: int, facing: int, merge: float) -> list[tuple[int, bool]]:
    """Without bets that are hardly smaller than another, counted from the largest."""
    kept: list[tuple[int, bool]] = []
    for amount, is_all_in in reversed(bets):
        if kept:
            ratio, above = (amount - facing) / pot, (kept[-1][0] - facing) / pot
            if not ratio < (above - merge) / (1.0 + merge) * (1.0 - EDGE):
                continue
        kept.append((amount, is_all_in))
    return kept[::-1]


def rounded(amount: float) -> int:
    """Whole chips, half of one up."""
    return math.floor(amount + 0.5)
