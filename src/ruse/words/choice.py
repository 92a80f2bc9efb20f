"""What a strategy does at one infoset, as people read it."""

from collections.abc import Mapping, Sequence
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


def told_choices(choices: Sequence[Choice]) -> str:
    """A table: one line an infoset, players one after the other."""
    lines: list[str] = []
    width = max((len(c.name) for c in choices), default=0)
    for player in sorted({c.player for c in choices}, key=lambda p: (p is None, p)):
        lines.append(player_name(player))
        for choice in (c for c in choices if c.player == player):
            mix = "  ".join(f"{action} {share:5.3f}" for action, share in choice.actions.items())
            lines.append(f"  {choice.name:<{width}}  {mix}")
    return "\n".join(lines)
