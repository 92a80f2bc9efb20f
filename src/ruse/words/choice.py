"""What a strategy does at one infoset, as people read it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Choice(NamedTuple):
    """What a strategy does at one infoset."""

    player: int | None  # None: under its view several players share the infoset
    name: str
    actions: Mapping[str, float]

    def __str__(self) -> str:
        mix = ", ".join(f"{action} {share:.3f}" for action, share in self.actions.items())
        return f"{self.name}: {mix}"

    def is_like(self, other: "Choice") -> bool:
        """Whether both do the same, but for rounding."""
        return self.actions.keys() == other.actions.keys() and np.allclose(
            list(self.actions.values()), list(other.actions.values()), rtol=0, atol=1e-9
        )


def player_name(player: int | None) -> str:
    return "any player" if player is None else f"player {player}"
