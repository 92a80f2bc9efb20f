"""Views under which players forget what they did or saw."""

from typing import NamedTuple

from ruse.compile import compiled
from ruse.games.kuhn import BETS, CARDS, MOVES
from ruse.games.leduc import ANSWERS, RAISES, ROUND
from ruse.games.leduc import CARDS as LEDUC_CARDS


@compiled("key")
class CardAlone(NamedTuple):
    """Kuhn without the betting: even the own first move is forgotten at the second."""

    players: int

    def key(self, game, s):
        return s[CARDS + s[MOVES] % self.players] * self.players + game.player(s)


@compiled("key")
class NoCardLater(NamedTuple):
    """Kuhn with the card forgotten at the second move."""

    players: int

    def key(self, game, s):
        card = s[CARDS + s[MOVES]] if s[MOVES] < self.players else 0
        return ((1 << s[MOVES] | s[BETS]) * 16 + card) * self.players + game.player(s)


@compiled("key")
class SecondRoundAlone(NamedTuple):
    """Leduc with the betting of the first round forgotten in the second."""

    nothing: int = 0

    def key(self, game, s):
        own = s[LEDUC_CARDS + game.player(s)]
        seen = (((s[ROUND] * 8 + s[RAISES]) * 8 + s[ANSWERS]) * 8 + own) * 8 + s[LEDUC_CARDS + game.players] + 1
        return seen * 8 + game.player(s)
