"""Views: what an agent chooses to remember. A view replaces the game's own infosets, and may forget."""

from typing import NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.protocol.game import Game, Row


class View(Protocol):
    """One integer for all that the acting player bases the decision on: the player too, unless the seats play alike."""

    def key(self, game: Game, s: Row) -> int: ...


@compiled("key")
class Full(NamedTuple):
    """Everything that the game lets the player know."""

    nothing: int = 0  # a part has at least one field

    def key(self, game, s):
        return mix(game.infoset(s), game.player(s))


@compiled_function
def infoset_key(game, view, s):
    """The 64-bit key by which tables and strategies know an infoset."""
    return np.int64(view.key(game, s))
