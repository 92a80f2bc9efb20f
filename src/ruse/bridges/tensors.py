"""Observations as numbers: what a viewer is told, word by word, each a one among zeros.

The name of an infoset is all that its player knows, so nothing is lost, and nothing is told that he may not see.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.bridges.outline import Outline, words_in
from ruse.catalog.given import GameLike, as_game
from ruse.errors import RuseError
from ruse.protocol.state import State


class Tensors(NamedTuple):
    """How what is seen in a game becomes an array: places by words, and a place for the player."""

    words: tuple[str, ...]
    longest: int
    players: int

    @classmethod
    def of(cls, game: GameLike) -> "Tensors":
        """Those of a game that is small enough to be walked.

        >>> import ruse
        >>> tensors = Tensors.of("kuhn")
        >>> tensors.shape, tensors(ruse.State.of(ruse.Kuhn()).after("K", "J"), 0).sum()
        ((17,), np.float32(2.0))
        """
        made = as_game(game)
        outline = Outline.of(made)
        return cls(outline.words, outline.longest, made.players)

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.players + self.longest * len(self.words),)

    def __call__(self, state: State, viewer: int) -> NDArray[Any]:
        """What the viewer sees at a state: who he is, then his words, one place after the other."""
        said = words_in(state.describe(viewer))
        if len(said) > self.longest:
            raise RuseError(f"{state!r} is of another game than these tensors")
        found = np.zeros(self.shape, np.float32)
        found[viewer] = 1.0
        places = {word: k for k, word in enumerate(self.words)}
        for k, word in enumerate(said):
            if word not in places:
                raise RuseError(f"{state!r} is of another game than these tensors: nobody says {word!r} there")
            found[self.players + k * len(self.words) + places[word]] = 1.0
        return found
