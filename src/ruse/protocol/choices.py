"""Action abstraction: a view may also offer fewer actions than the game has.

Such a view has two more methods: `num_choices`, how many it offers at a decision, and `meaning`, which of the game's
actions one of them stands for there. Walks then go through `Offered`, which is the game as it looks from such a view.
"""

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from ruse.compile import compiled
from ruse.protocol.game import CHANCE, Game, Row


@runtime_checkable
class Offering(Protocol):
    """A view with actions of its own."""

    def key(self, game: Game, s: Row) -> int: ...

    def num_choices(self, game: Game, s: Row) -> int:
        """How many choices the acting player has; the key must determine it."""

    def meaning(self, game: Game, s: Row, a: int) -> int:
        """The game's action that choice a stands for."""


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Offered(NamedTuple):
    """A game in which players see and do no more than a view offers."""

    rules: Any  # the game itself
    sees: Any

    @property
    def players(self) -> int:
        return int(self.rules.players)

    def start(self) -> Row:
        return np.asarray(self.rules.start())

    def player(self, s):
        return self.rules.player(s)

    def num_actions(self, s):
        if self.rules.player(s) == CHANCE:
            return self.rules.num_actions(s)
        return self.sees.num_choices(self.rules, s)

    def chance(self, s, a):
        return self.rules.chance(s, a)

    def apply(self, s, a):
        meant = a if self.rules.player(s) == CHANCE else self.sees.meaning(self.rules, s, a)
        self.rules.apply(s, meant)  # called once: it is inlined

    def infoset(self, s):
        return self.sees.key(self.rules, s)

    def payoff(self, s, player):
        return self.rules.payoff(s, player)

    def action_name(self, s: Row, a: int) -> str:
        meant = a if self.rules.player(s) == CHANCE else self.sees.meaning(self.rules, s, a)
        return str(self.rules.action_name(s, meant))

    def describe(self, s: Row, viewer: int) -> str:
        return str(self.rules.describe(s, viewer))


@compiled("key")
class Own(NamedTuple):
    """The view of an offered game: its infosets as they are, in the words of the view that offers it."""

    nothing: int = 0

    def key(self, game, s):
        return game.infoset(s)

    def describe(self, game: Offered, s: Row) -> str:
        return str(game.sees.describe(game.rules, s))

    def action_name(self, game: Offered, s: Row, a: int) -> str:
        own = getattr(game.sees, "action_name", None)
        return str(own(game.rules, s, a) if own else game.action_name(s, a))


@compiled("key", "num_choices", "meaning")
class AsItIs(NamedTuple):
    """A view that offers all actions of the game."""

    sees: Any

    def key(self, game, s):
        return self.sees.key(game, s)

    def num_choices(self, game, s):
        return game.num_actions(s)

    def meaning(self, game, s, a):
        return a
