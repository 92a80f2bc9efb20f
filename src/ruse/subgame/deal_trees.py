"""The game of a hierarchy on some deals, walked once: every way to choose policies, and what comes of it.

What players see at each choice is written down, so strategies of all views of these policies and points are judged on
one walk, and each deal by itself. A mix of policies is followed exactly: nothing is drawn after the deal.
"""

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled, kernel
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.hierarchy.abstract import LEGAL, NOBODY, SEEN
from ruse.hierarchy.features import Featureless
from ruse.hierarchy.points import Once
from ruse.laws.peeking import refuse_unsound
from ruse.protocol.choices import Hierarchical
from ruse.protocol.game import Game
from ruse.protocol.view import Full
from ruse.protocol.wrapped import Wrapped
from ruse.strategy import Strategy
from ruse.subgame.deals import dealt
from ruse.subgame.rooted import PLACE, Rooted
from ruse.tree.walk import Growing, twice
from ruse.words.naming import named

NODES, SEQUENCES, LEAVES, TOO_LARGE = range(4)  # what is counted, and whether something seen has more than 16 bits


class DealTrees(NamedTuple):
    """All choices on some deals. A *node* is one choice in one deal; its *sequences* are what may be chosen there.

    Sequences 0 .. players-1 are the empty ones. Nodes and sequences are numbered in the order of the walk, so what
    leads to one has a lower number.
    """

    game: Game
    choices: int  # policies of the hierarchy
    deals: int
    owner: NDArray[Any]  # [node] who chooses
    parent: NDArray[Any]  # [node] the owner's sequence that leads there
    first: NDArray[Any]  # [node + 1] its first sequence
    deal: NDArray[Any]  # [node]
    legal: NDArray[Any]  # [node] the policies to choose from, as bits
    seen: NDArray[Any]  # [node, column] what the owner sees
    sequence: NDArray[Any]  # [player, leaf] each player's last sequence
    payoff: NDArray[Any]  # [player, leaf] times the probability of what chance draws after the deal
    leaf_deal: NDArray[Any]  # [leaf]

    @classmethod
    def of(cls, game: Game, view: Any, deals: int, *, seed: int = 0, once: int = NOBODY) -> "DealTrees":
        """Walk the game of a view's hierarchy on so many deals; one player may have to keep to his first choice."""
        return cls.from_rows(game, view, dealt(game, deals, seed=seed), once=once)

    @classmethod
    def from_rows(cls, game: Game, view: Any, rows: NDArray[Any], *, once: int = NOBODY) -> "DealTrees":
        """The same on deals that are given, as rows of the game in which somebody is to act."""
        if not isinstance(view, Hierarchical):
            raise RuseError(f"{view!r} is a view of actions: trees of deals are for those that choose policies")
        hierarchy = view.hierarchy(game)
        refuse_unsound(game, hierarchy)
        if hierarchy.draws:
            raise RuseError("policies that draw random numbers have no tree of their own in a deal; give draws=0")
        blind = hierarchy._replace(points=Once(hierarchy.points, once), features=Featureless(), recalls=False)
        blind = blind._replace(legal_in_key=True)  # a tree has what may be chosen, whatever a strategy knows of it
        abstract = blind.abstract(game)
        # All is dealt: one move of chance without a choice begins the game from there.
        abstract = Wrapped(game, abstract.twist._replace(digits=1, faces=1), abstract.columns)
        deals, behind = len(rows), abstract.twist.behind(game)
        both = np.hstack([rows, np.repeat(behind[None, :], deals, axis=0)])
        rooted = Rooted.trusting(abstract, both, np.ones(deals))
        at = abstract.columns + LEGAL, abstract.columns + SEEN, rooted.columns + PLACE
        done = Growing(rooted, Full(), Planter.start(at, game.players, abstract.twist.shown, np.int16)).to_the_end()
        if done.totals[TOO_LARGE]:
            done = Growing(rooted, Full(), Planter.start(at, game.players, abstract.twist.shown, np.int64)).to_the_end()
        nodes, leaves = int(done.totals[NODES]), int(done.totals[LEAVES])
        first = np.concatenate([done.first[:nodes], [done.totals[SEQUENCES]]])
        return cls(
            game, hierarchy.choices, deals, done.owner[:nodes], done.parent[:nodes], first, done.deal[:nodes],
            done.legal[:nodes], done.seen[:nodes], done.sequence[:, :leaves], deals * done.payoff[:, :leaves],
            done.leaf_deal[:leaves],
        )  # fmt: skip

    @property
    def players(self) -> int:
        return len(self.sequence)

    @property
    def counts(self) -> NDArray[Any]:
        """[node] how many policies there are to choose from."""
        return np.diff(self.first)

    def keys_of(self, view: Any) -> NDArray[Any]:
        """[node] the key by which strategies of a view know the choice."""
        hierarchy = view.hierarchy(self.game)
        keys = self.told_by(view)
        if not hierarchy.legal_in_key:
            keys >>= self.choices
        return keys if not hierarchy.recalls else self.trails(keys)

    def told_by(self, view: Any) -> NDArray[Any]:
        """[node] what a view tells whoever chooses, and which policies may be chosen; nothing of choices before."""
        feature = np.zeros(len(self.owner), np.int64)
        row = np.zeros(self.seen.shape[1], np.int64)
        fill_features(self.game, view.hierarchy(self.game).features, self.seen, self.owner, row, feature)
        return np.asarray((feature & (1 << 63 - self.choices) - 1) << self.choices | self.legal)

    def trails(self, labels: NDArray[Any]) -> NDArray[Any]:
        """[node] the labels with all labels and choices of the same player before: what one knows who forgets nothing.

        They are the keys of a hierarchy with recall.
        """
        trail, after = labels.copy(), np.zeros(int(self.first[-1]), np.int64)
        fill_trails(self.parent, self.first, self.legal, labels, trail, after)
        return trail

    def shares(self, strategy: Strategy, keys: NDArray[Any] | None = None) -> NDArray[Any]:
        """[sequence] how often a strategy chooses it where it may; evenly where the strategy knows nothing."""
        found = (self.keys_of(strategy.view) if keys is None else keys).view(np.uint64)
        view, counts = cast(Any, strategy.view), self.counts
        in_key = view.hierarchy(self.game).legal_in_key
        if not in_key:
            counts = np.full(len(counts), self.choices)  # which of them may be chosen, the strategy does not know
        each = np.repeat(1.0 / counts, counts)
        if len(strategy.keys):
            place = np.minimum(np.searchsorted(strategy.keys, found), len(strategy.keys) - 1)
            known = strategy.keys[place] == found
            if np.any(known & (np.diff(strategy.start)[place] != counts)):
                raise RuseError(f"the strategy does not fit {named(self.game)}: it has another number of policies")
            rows, widths = np.flatnonzero(known), counts[known]
            offset = np.arange(widths.sum()) - np.repeat(np.cumsum(widths) - widths, widths)
            at = np.repeat(strategy.start[place[rows]].astype(np.int64), widths) + offset
            each[np.repeat((np.cumsum(counts) - counts)[rows], widths) + offset] = strategy.probability[at]
        shares = np.ones(int(self.first[-1]))
        shares[self.players :] = each if in_key else self.as_legal(each.reshape(-1, self.choices))
        return shares

    def as_legal(self, every: NDArray[Any]) -> NDArray[Any]:
        """[sequence after the empty ones] from [node, policy]: what may not be chosen goes to the first that may."""
        legal = (self.legal[:, None] >> np.arange(self.choices) & 1).astype(bool)
        shares = np.where(legal, every, 0.0)
        shares[np.arange(len(shares)), legal.argmax(axis=1)] += np.where(legal, 0.0, every).sum(axis=1)
        return np.asarray(shares[legal])

    def reach(self, shares: NDArray[Any]) -> NDArray[Any]:
        """[sequence] how often its owner chooses all that leads to it, and it."""
        reach = shares.copy()
        multiply_down(self.parent, self.first, reach)
        return reach

    def by_deal(self, player: int, reaches: list[NDArray[Any]]) -> NDArray[Any]:
        """[deal] what a player wins if player p chooses with reaches[p]."""
        value = self.payoff[player].copy()
        for p, reach in enumerate(reaches):
            value *= reach[self.sequence[p]]
        return np.bincount(self.leaf_deal, value, minlength=self.deals)


@kernel
def fill_features(game, features, seen, owner, row, feature):
    for node in range(len(owner)):
        for c in range(len(row)):
            row[c] = seen[node, c]
        feature[node] = features.feature(game, row, owner[node])


@kernel
def fill_trails(parent, first, legal, labels, trail, after):
    """Labels of choices with those before them, as `Hierarchy.key_at` and `remember` have them."""
    for node in range(len(parent)):
        trail[node] = mix(after[parent[node]], labels[node])
        policy = 0
        for sequence in range(first[node], first[node + 1]):
            while legal[node] >> policy & 1 == 0:
                policy += 1
            policy += 1
            after[sequence] = mix(trail[node], policy)


@kernel
def multiply_down(parent, first, reach):
    for node in range(len(parent)):
        for sequence in range(first[node], first[node + 1]):
            reach[sequence] *= reach[parent[node]]


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Planter(NamedTuple):
    """A visitor that writes down choices and ends."""

    legal_at: int  # columns of a row: the policies to choose from,
    seen_at: int  # what is seen,
    place_at: int  # and the deal
    totals: NDArray[Any]  # [4]
    owner: NDArray[Any]
    parent: NDArray[Any]
    first: NDArray[Any]
    deal: NDArray[Any]
    legal: NDArray[Any]
    seen: NDArray[Any]
    sequence: NDArray[Any]
    payoff: NDArray[Any]
    leaf_deal: NDArray[Any]

    @classmethod
    def start(cls, at: tuple[int, int, int], players: int, shown: int, dtype: type, room: int = 1 << 14) -> "Planter":
        """With room for some nodes and leaves; it grows."""
        nodes = [np.zeros(room, np.int64) for _ in range(5)]
        ends = np.zeros((players, room), np.int64), np.zeros((players, room)), np.zeros(room, np.int64)
        return cls._make([*at, np.array([0, players, 0, 0]), *nodes, np.zeros((room, shown), dtype), *ends])

    def larger(self) -> "Planter":
        """The same with room for twice as many."""
        nodes, ends = twice(self[4:10]), twice(self[10:12], axis=1)
        return Planter._make([*self[:4], *nodes, *ends, *twice(self[12:])])

    def is_full(self):
        return self.totals[NODES] >= len(self.owner) or self.totals[LEAVES] >= len(self.leaf_deal)

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        node, player, row = self.totals[NODES], stack.player[level], stack.rows[level]
        first = self.totals[SEQUENCES]
        self.owner[node], self.parent[node], self.first[node] = player, stack.sequence[level, player], first
        self.deal[node], self.legal[node] = row[self.place_at], row[self.legal_at]
        for c in range(self.seen.shape[1]):
            value = row[self.seen_at + c]
            self.seen[node, c] = value
            if self.seen[node, c] != value:
                self.totals[TOO_LARGE] = 1
        self.totals[NODES] += 1
        self.totals[SEQUENCES] += stack.actions[level]
        return first

    def at_end(self, game, stack, level):
        leaf = self.totals[LEAVES]
        for p in range(self.payoff.shape[0]):
            self.sequence[p, leaf] = stack.sequence[level, p]
            self.payoff[p, leaf] = stack.chance[level] * game.payoff(stack.rows[level], p)
        self.leaf_deal[leaf] = stack.rows[level, self.place_at]
        self.totals[LEAVES] += 1
