"""The game that one player faces when the others' strategies are fixed: their decisions become chance."""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.laws.peeking import refuse_peeking
from ruse.play.bot import StrategyBot, bisect
from ruse.protocol.game import CHANCE, Game, Row
from ruse.protocol.view import infoset_key
from ruse.strategy import Strategy


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Against(NamedTuple):
    """A game in which all but one player follow a strategy, uniformly where it knows nothing."""

    rules: Any  # the game itself
    me: int
    others: StrategyBot

    @classmethod
    def of(cls, game: Game, me: int, strategy: Strategy) -> "Against":
        strategy.refuse_other(game)
        strategy.refuse_choices()
        refuse_peeking(game, strategy.view)
        return cls(game, me, StrategyBot.of(strategy))

    @property
    def players(self) -> int:
        return int(self.rules.players)

    def start(self) -> Row:
        return np.asarray(self.rules.start())

    def player(self, s):
        player = self.rules.player(s)
        return CHANCE if player >= 0 and player != self.me else player

    def num_actions(self, s):
        return self.rules.num_actions(s)

    def chance(self, s, a):
        player = self.rules.player(s)
        if player == CHANCE:
            return self.rules.chance(s, a)
        key = np.uint64(infoset_key(self.rules, self.others.sees, s))
        place, n = bisect(self.others.keys, key), self.rules.num_actions(s)
        if place == len(self.others.keys) or self.others.keys[place] != key:
            return 1.0 / n
        if self.others.start[place + 1] - self.others.start[place] != n:
            return 1.0 / n  # a row of another game: that is told when the strategy plays
        return self.others.probability[self.others.start[place] + a]

    def apply(self, s, a):
        self.rules.apply(s, a)

    def infoset(self, s):
        return self.rules.infoset(s)

    def payoff(self, s, player):
        return self.rules.payoff(s, player)

    def action_name(self, s: Row, a: int) -> str:
        return str(self.rules.action_name(s, a))

    def describe(self, s: Row, viewer: int) -> str:
        return str(self.rules.describe(s, viewer))

    def __repr__(self) -> str:
        return f"Against({self.rules!r}, me={self.me})"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:  # a tuple has its own, which stumbles over arrays
        return self is not other

    def __hash__(self) -> int:
        return id(self)
