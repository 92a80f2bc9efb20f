"""A strategy over buckets of hands as one table over the lines of betting."""

from typing import NamedTuple

import numpy as np

from ruse.catalog.names import spec_of
from ruse.compile import compiled_function, kernel
from ruse.errors import OtherWidth, RuseError
from ruse.games.holdem.lines import Lines, lines_of
from ruse.games.holdem.suits.deals import STARTING_HANDS
from ruse.games.holdem.views import Buckets
from ruse.play.bots.bot import bisect
from ruse.strategy import Strategy
from ruse.words.naming import named


class Bucketed(NamedTuple):
    """Lines, and the probabilities of their actions in each bucket."""

    lines: Lines
    view: Buckets
    first: np.ndarray  # [node] where its rows begin; the row of a bucket is as long as the node has actions
    sigma: np.ndarray

    @classmethod
    def of(cls, strategy: Strategy) -> "Bucketed":
        """A strategy for any number of players with hands in buckets."""
        game, view = strategy.game, strategy.view
        if not isinstance(view, Buckets):
            raise RuseError(
                "this needs a strategy with hands in buckets, as `ruse solve holdem` makes it, not one for "
                f"{spec_of(game) or named(game)}"
            )
        strategy.refuse_unplayable()  # kernels read its tables without a look at their ends
        lines = lines_of(game)  # type: ignore[arg-type]
        count = np.diff(lines.start)
        buckets = np.array([STARTING_HANDS, view.cards.flop, view.cards.turn, view.cards.river])[lines.street]
        first = np.concatenate([[0], np.cumsum(count * buckets)]).astype(np.int64)
        sigma = np.zeros(first[-1])
        fits = fill_rows(strategy.keys, strategy.start, strategy.probability, lines[:5], view, buckets, first, sigma)
        if not fits:
            raise OtherWidth(f"the strategy does not fit {named(game)}: an infoset has another number of actions")
        return cls(lines, view, first, sigma)

    @classmethod
    def of_two(cls, strategy: Strategy) -> "Bucketed":
        """A strategy for two players."""
        if strategy.game.players != 2:
            raise RuseError(f"this is for two players; the strategy is for {strategy.game.players}")
        return cls.of(strategy)

    def rows(self, node: int) -> np.ndarray:
        """[bucket, action] what is played at a node."""
        count = int(self.lines.start[node + 1] - self.lines.start[node])
        rows: np.ndarray = self.sigma[self.first[node] : self.first[node + 1]].reshape(-1, count)
        return rows


@compiled_function
def fill_node(keys, start, probability, view, past, who, count, buckets, at, sigma):
    """Write the rows of one node; False if one of them has another number of actions."""
    for bucket in range(buckets):
        key = np.uint64(view.key_of(past, bucket, who))
        place = bisect(keys, key)
        is_known = place < len(keys) and keys[place] == key
        if is_known and start[place + 1] - start[place] != count:
            return False
        for a in range(count):
            sigma[at + bucket * count + a] = probability[start[place] + a] if is_known else 1.0 / count
    return True


@kernel
def fill_rows(keys, start, probability, lines, view, buckets, first, sigma):
    """Write the rows of all nodes: those of the strategy, and uniform ones where it knows nothing."""
    who, _, past, begin, _ = lines
    for n in range(len(who)):
        count = begin[n + 1] - begin[n]
        if who[n] >= 0 and not fill_node(
            keys, start, probability, view, past[n], who[n], count, buckets[n], first[n], sigma
        ):
            return False
    return True
