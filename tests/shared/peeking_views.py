"""Views that tell a player what is hidden, or could; `Remembers` does not."""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.games.cheat.cards import LAST
from ruse.games.kuhn import CARDS


@compiled("key")
class Peek(NamedTuple):
    """What the player knows, and the other's card."""

    nothing: int = 0

    def key(self, game, s):
        return mix(mix(game.infoset(s), game.player(s)), s[CARDS + 1 - game.player(s)])


class Rarely(NamedTuple):
    """Tells about the last cards laid only whether there was a pair among them."""

    column: int = LAST

    def key(self, game: Any, s: Any) -> int:
        return mix(game.infoset(s), bool(s[self.column] & 0b1010))


class Wordy(NamedTuple):
    """A key that tells nothing, and words that tell all."""

    nothing: int = 0

    def key(self, game: Any, s: Any) -> int:
        return 0

    def describe(self, game: Any, s: Any) -> str:
        return f"he has {s[CARDS + 1 - game.player(s)]}"


class Offers(NamedTuple):
    """Choices that stand for other actions if the other's card is high."""

    nothing: int = 0

    def key(self, game: Any, s: Any) -> int:
        return 0

    def num_choices(self, game: Any, s: Any) -> int:
        return 2

    def meaning(self, game: Any, s: Any, a: int) -> int:
        return a if s[CARDS + 1 - game.player(s)] > 0 else 1 - a


class Keeps(NamedTuple):
    """A key that tells nothing, and an array in which the card is left for the bot."""

    card: np.ndarray

    def key(self, game: Any, s: Any) -> int:
        self.card[0] = 1 + s[CARDS + 1 - game.player(s)]
        return 0


class Writes(NamedTuple):
    """Changes the other's card."""

    nothing: int = 0

    def key(self, game: Any, s: Any) -> int:
        s[CARDS + 1 - game.player(s)] = 0
        return 0


class Loose:
    """No part: it could keep what it is shown."""

    def key(self, game: Any, s: Any) -> int:
        return 0

    def __repr__(self) -> str:
        return "Loose()"


class Remembers(NamedTuple):
    """The player's own card."""

    nothing: int = 0

    def key(self, game: Any, s: Any) -> int:
        return int(s[CARDS + game.player(s)])
