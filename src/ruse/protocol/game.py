"""The game protocol: a game is one NamedTuple whose methods are its rules.

A state is one row of small integers. Chance is a player whose actions are its outcomes. Actions are numbered 0..n-1 at
a state and mean the same thing at every state of an infoset. The rules change the row in place: whoever walks the game
owns the copies.
"""

from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

CHANCE = -1  # player(): a random event is due
OVER = -2  # player(): the game has ended
EVERYTHING = -1  # describe(): the viewer to whom nothing is hidden

Row: TypeAlias = np.ndarray  # [column] any integer type

RULES = ("player", "num_actions", "chance", "apply", "infoset", "payoff")  # what @compiled must name


@runtime_checkable
class Game(Protocol):
    """What any game must offer. `players` may be a field, a property or a class attribute.

    Two more class attributes are promises that `check` tests: `payoff_sum` (payoffs add up to it at every end; leave it
    out for a general-sum game) and `perfect_recall = False` (players forget, and are meant to). One method more is
    optional: `scene(state, viewer)`, what `describe` tells as facts (`ruse.protocol.scene`).
    """

    @property
    def players(self) -> int: ...

    def start(self) -> Row:
        """A fresh row at the beginning of the game. Never compiled."""

    def player(self, s: Row) -> int:
        """Who acts: 0, 1, ..., CHANCE or OVER."""

    def num_actions(self, s: Row) -> int:
        """How many actions, or outcomes at a chance node."""

    def chance(self, s: Row, a: int) -> float:
        """The probability of outcome a at a chance node."""

    def apply(self, s: Row, a: int) -> None:
        """Change the row s by action or outcome a."""

    def infoset(self, s: Row) -> int:
        """All that the acting player knows, as one integer; two players may use the same one."""

    def payoff(self, s: Row, player: int) -> float:
        """What the player gets at the end."""

    def action_name(self, s: Row, a: int) -> str:
        """The action in the game's own words. Never compiled."""

    def describe(self, s: Row, viewer: int) -> str:
        """What this viewer may see, or all of it for EVERYTHING. Never compiled.

        For the player to act it is the name of the infoset: what a person types to look it up.
        """


def declared(game: object, name: str, default: Any = None) -> Any:
    """What a game says of itself by a class attribute or a property. A field of that name is a setting: a game may have
    a stake without being a spot.
    """
    return default if name in getattr(type(game), "_fields", ()) else getattr(game, name, default)


def needs_history(game: object) -> bool:
    """Whether the game tells its past by scenes, from the way to a state, because its row does not keep it."""
    return bool(declared(game, "needs_history", False)) and has_scenes(game)


def has_scenes(game: object) -> bool:
    """Whether it offers scenes of its own; a field of that name is none."""
    return callable(getattr(game, "scene", None))
