"""The game that one player faces when the others' strategies are fixed: their decisions become chance."""

from typing import NamedTuple

import numpy as np

from ruse.laws.peeking import refuse_peeking
from ruse.play.bots.bot import StrategyBot, bisect
from ruse.protocol.choices import Hierarchical
from ruse.protocol.game import CHANCE, Game
from ruse.protocol.values.sameness import told_apart_by
from ruse.protocol.view import infoset_key
from ruse.protocol.wrapped import Wrapped, twist
from ruse.strategy import Strategy

NOBODY = -1  # who plays freely, if all follow the strategy


@twist
@told_apart_by(id)
class Against(NamedTuple):
    """The twist of a game in which all but one player follow a strategy, uniformly where it knows nothing."""

    me: int  # NOBODY: all follow it
    others: StrategyBot

    @classmethod
    def of(cls, game: Game, me: int, strategy: Strategy) -> Wrapped:
        strategy.refuse_other(game)
        refuse_peeking(game, strategy.view)
        if isinstance(strategy.view, Hierarchical):  # the others choose policies, one player has the game's own actions
            facing = strategy.view.hierarchy(game).abstract(game, plain=me)
            return Wrapped.of(facing, cls(me, StrategyBot.of(strategy.as_offered())))
        strategy.refuse_choices()
        return Wrapped.of(game, cls(me, StrategyBot.of(strategy)))

    def player_in(self, game, s, behind):
        player = game.player(s)
        return CHANCE if player >= 0 and player != self.me else player

    def chance_in(self, game, s, behind, a):
        player = game.player(s)
        if player == CHANCE:
            return game.chance(s, a)
        key = np.uint64(infoset_key(game, self.others.sees, s))
        place, n = bisect(self.others.keys, key), game.num_actions(s)
        if place == len(self.others.keys) or self.others.keys[place] != key:
            return 1.0 / n
        if self.others.start[place + 1] - self.others.start[place] != n:
            return 1.0 / n  # a row of another game: that is told when the strategy plays
        return self.others.probability[self.others.start[place] + a]

    def __repr__(self) -> str:
        return f"Against(me={self.me})"
