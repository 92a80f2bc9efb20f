"""Best responses on some deals, exactly, by what whoever responds knows.

One who sees what the strategy's view shows and forgets nothing wins the exact best response of the abstract game on
these deals. It knows the deals in so far as few of them look alike, so the same response wins less on others.

One who knows the whole deal wins too much, because nobody knows the wall. If he keeps one policy in it, which may be
changed in the abstract game, that is CFR-p's approximate exploitability: no bound from either side.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import kernel
from ruse.compile.seeds import next_seed
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.strategy import Strategy
from ruse.subgame.deal_trees import DealTrees
from ruse.words.student import is_untold, student, told_interval


class Won(NamedTuple):
    """What somebody wins, deal by deal."""

    by_deal: NDArray[Any]  # [deal]

    @property
    def mean(self) -> float:
        return float(self.by_deal.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean; not a number of a single deal."""
        count = len(self.by_deal)
        return float(self.by_deal.std(ddof=1) / np.sqrt(count)) if count > 1 else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """95 %, deals as samples."""
        count = len(self.by_deal)
        half = np.inf if is_untold(count, self.error, self.mean) else student(count - 1) * self.error
        return self.mean - half, self.mean + half

    def __str__(self) -> str:
        return f"{self.mean:.4f} ({told_interval(*self.interval)})"


class Response(NamedTuple):
    """What one player chooses in answer to a strategy, by what he knows."""

    player: int
    trails: NDArray[Any]  # [infoset] ascending
    chosen: NDArray[Any]  # [infoset] which of the policies that are offered

    def shares(self, trees: DealTrees, trails: NDArray[Any], otherwise: NDArray[Any]) -> NDArray[Any]:
        """[sequence] how often it is chosen on these trees; where nothing is known, as otherwise."""
        shares, own = otherwise.copy(), np.flatnonzero(trees.owner == self.player)
        place = np.minimum(np.searchsorted(self.trails, trails[own]), len(self.trails) - 1)
        known = self.trails[place] == trails[own]
        nodes, place = own[known], place[known]
        counts = trees.counts[nodes]
        offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        shares[np.repeat(trees.first[nodes], counts) + offset] = offset == np.repeat(self.chosen[place], counts)
        return shares


def best_response(trees: DealTrees, player: int, shares: NDArray[Any], trails: NDArray[Any]) -> Response:
    """The best that a player can choose against others who choose with these shares, if a trail is all he knows."""
    nodes = np.flatnonzero(trees.owner == player)
    found, earliest, infoset = np.unique(trails[nodes], return_index=True, return_inverse=True)
    counts = trees.counts[nodes]
    if np.any(counts[earliest][infoset] != counts):
        raise RuseError("two choices that a player cannot tell apart offer him another number of policies")
    first = np.concatenate([[1], 1 + np.cumsum(counts[earliest])])  # 0 is the empty sequence
    merged = np.zeros(int(trees.first[-1]), np.int64)
    offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    merged[np.repeat(trees.first[nodes], counts) + offset] = np.repeat(first[infoset], counts) + offset
    reach, weight = trees.reach(shares), trees.payoff[player].copy()
    for p in range(trees.players):
        if p != player:
            weight *= reach[trees.sequence[p]]
    value = np.bincount(merged[trees.sequence[player]], weight, minlength=int(first[-1]))
    chosen = np.zeros(len(found), np.int64)
    choose_best(np.argsort(earliest), first, merged[trees.parent[nodes[earliest]]], value, chosen)
    return Response(player, found, chosen)


@kernel
def choose_best(order, first, parent, value, chosen):
    """From the last infoset to the first: what is best there, and what that adds to the choice that leads there."""
    for k in range(len(order) - 1, -1, -1):
        infoset = order[k]
        best = first[infoset]
        for sequence in range(best, first[infoset + 1]):
            if value[sequence] > value[best]:
                best = sequence
        chosen[infoset] = best - first[infoset]
        value[parent[infoset]] += value[best]


def response_value(
    trees: DealTrees, response: Response, shares: NDArray[Any], trails: NDArray[Any], otherwise: NDArray[Any]
) -> NDArray[Any]:
    """[deal] what a response wins against others who choose with these shares."""
    reach, own = trees.reach(shares), trees.reach(response.shares(trees, trails, otherwise))
    return trees.by_deal(response.player, [own if p == response.player else reach for p in range(trees.players)])


def gain_over(won: list[NDArray[Any]]) -> Won:
    """The mean of what each player's response wins: exploitability, where payoffs cancel and seats are changed."""
    return Won(np.mean(won, axis=0))


class Constant(NamedTuple):
    """Opponents who know the deal and keep one policy from their first move on: CFR-p's approximate exploitability."""

    trees: tuple[DealTrees, ...]  # [player] in which this player chooses once
    trails: tuple[NDArray[Any], ...]

    @classmethod
    def of(cls, game: Game, view: Any, deals: int, *, seed: int = 0) -> "Constant":
        trees = tuple(DealTrees.of(game, view, deals, seed=seed, once=p) for p in range(game.players))
        return cls(trees, tuple(map(knowing_deals, trees)))

    def against(self, strategy: Strategy) -> Won:
        """What the best of them wins against a strategy on each deal, in all seats."""
        won = []
        for player, (trees, trails) in enumerate(zip(self.trees, self.trails, strict=True)):
            shares = trees.shares(strategy)
            won.append(response_value(trees, best_response(trees, player, shares, trails), shares, trails, shares))
        return gain_over(won)

    def against_drawn(self, strategy: Strategy) -> Won:
        """The same where the strategy draws its policies anew for each of them, and the highest score counts.

        What is told is the expected highest score. It is higher: opponents have luck to choose from, too.
        """
        won = []
        for player, trees in enumerate(self.trees):
            reach = trees.reach(trees.shares(strategy))
            scores, which = np.unique(trees.payoff[player], return_inverse=True)
            below = np.ones((trees.deals, len(scores)))  # [deal, score] how often none of them has more
            for policy in range(trees.choices):
                kept = trees.reach(always(trees, policy))
                share = kept[trees.sequence[player]]
                for p in range(trees.players):
                    if p != player:
                        share = share * reach[trees.sequence[p]]
                table = np.bincount(trees.leaf_deal * len(scores) + which, share, minlength=below.size)
                below *= np.cumsum(table.reshape(below.shape), axis=1)
            won.append(np.diff(below, axis=1, prepend=0.0) @ scores)
        return gain_over(won)

    def policy_against(self, policy: int, strategy: Strategy) -> Won:
        """What one policy, kept in all deals, wins against a strategy, in all seats."""
        won = []
        for player, trees in enumerate(self.trees):
            shares = trees.shares(strategy)
            reach, kept = trees.reach(shares), trees.reach(always(trees, policy))
            won.append(trees.by_deal(player, [kept if p == player else reach for p in range(trees.players)]))
        return gain_over(won)


def always(trees: DealTrees, policy: int) -> NDArray[Any]:
    """[sequence] one policy and no other where it may be chosen, and the first that may be where it may not."""
    counts = trees.counts
    before = np.array([int(bits).bit_count() for bits in range(1 << trees.choices)])
    place = np.where(trees.legal >> policy & 1, before[trees.legal & (1 << policy) - 1], 0)
    shares = np.ones(int(trees.first[-1]))
    offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    shares[trees.players :] = offset == np.repeat(place, counts)
    return shares


def knowing_deals(trees: DealTrees) -> NDArray[Any]:
    """[node] the trails of players who know the deal, and of the others' choices nothing but what they may do."""
    return trees.trails(trees.deal << trees.choices | trees.legal)


def clairvoyant(trees: DealTrees, strategy: Strategy) -> Won:
    """What is won against a strategy on each deal by those who know it, see what its view shows, and may change policy.

    No response by that view wins more, so it is an upper bound on the exact best response.
    """
    shares, (_, seen) = trees.shares(strategy), np.unique(trees.told_by(strategy.view), return_inverse=True)
    trails = trees.trails(trees.deal * (seen.max(initial=0) + 1) + seen)
    return gain_over([
        response_value(trees, best_response(trees, p, shares, trails), shares, trails, shares)
        for p in range(trees.players)
    ])  # fmt: skip


class Exploiting(NamedTuple):
    """The exact best responses to a strategy on some deals, one a player, by those who see what its view shows."""

    strategy: Strategy
    responses: tuple[Response, ...]
    here: Won  # on the deals that it was found on: no response by this view wins more there
    infosets: int

    @classmethod
    def of(cls, trees: DealTrees, strategy: Strategy, view: Any = None) -> "Exploiting":
        """Find them; they may see by another view than the strategy."""
        shares, trails = trees.shares(strategy), recalled(trees, view or strategy.view)
        responses = tuple(best_response(trees, p, shares, trails) for p in range(trees.players))
        here = gain_over([response_value(trees, one, shares, trails, shares) for one in responses])
        return cls(strategy, responses, here, sum(len(one.trails) for one in responses))

    def on(self, trees: DealTrees, view: Any = None) -> Won:
        """What they win on other deals: a lower bound on what the best response wins there, but for luck.

        Where they meet what they have not met they choose as the strategy does.
        """
        shares, trails = trees.shares(self.strategy), recalled(trees, view or self.strategy.view)
        return gain_over([response_value(trees, one, shares, trails, shares) for one in self.responses])


def recalled(trees: DealTrees, view: Any) -> NDArray[Any]:
    """[node] what a player knows who sees by a view and forgets nothing."""
    return trees.trails(trees.told_by(view))


def duel_on_deals(trees: DealTrees, ours: Strategy, theirs: Strategy) -> Won:
    """What one strategy wins against another on each deal, the mean of both seats."""
    if trees.players != 2:
        raise RuseError(f"a duel is for two players, and there are {trees.players}")
    mine, other = (trees.reach(trees.shares(strategy)) for strategy in (ours, theirs))
    return gain_over([trees.by_deal(0, [mine, other]), trees.by_deal(1, [other, mine])])


def won_on_deals(strategy: Strategy, deals: int, *, seed: int) -> dict[str, Won]:
    """What is won against a strategy on so many deals, by whom: best responses, and those who know more or do less.

    The other deals are those of the next seed.
    """
    game, view = strategy.game, strategy.view
    trees, others = (DealTrees.of(game, view, deals, seed=next_seed(seed, k)) for k in range(2))
    found = Exploiting.of(trees, strategy)
    return {
        "best response on its own deals": found.here,
        "the same on other deals": found.on(others),
        "who knows the deal besides": clairvoyant(trees, strategy),
        "who knows it and keeps one policy": Constant.of(game, view, deals, seed=seed).against(strategy),
    }
