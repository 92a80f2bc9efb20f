"""A scene: what one viewer may see of a game at one moment, as plain data that any surface can show.

A game may offer `scene(state, viewer)`: it gives facts, and words are made from them. Without it the scene is plain,
made of what `describe` tells and of the names of the actions. A scene holds nothing that the viewer may not know: what
is hidden is only counted.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ruse.protocol.game import EVERYTHING
from ruse.protocol.state import State

NOBODY = -1  # the owner of a place that belongs to no player


class Zone(NamedTuple):
    """Where cards, dice or tiles lie: a hand, the board, a pile."""

    name: str
    owner: int = NOBODY
    shown: tuple[str, ...] = ()  # the names of those that the viewer sees
    hidden: int = 0  # how many more lie there that the viewer does not see


class Event(NamedTuple):
    """Something that has happened, as the viewer saw it."""

    player: int  # or CHANCE
    what: str


class Scene(NamedTuple):
    """What a viewer sees. Only `viewer`, `turn` and `words` are always there; a game fills in what it has."""

    viewer: int  # a player, or EVERYTHING
    turn: int  # a player, CHANCE or OVER
    words: str  # all of it in one line, as `describe` has it
    zones: tuple[Zone, ...] = ()
    numbers: Mapping[str, tuple[float, ...]] = {}  # one for each player: stakes, points; or one for all: the pot
    events: tuple[Event, ...] = ()  # what has happened so far
    actions: tuple[str, ...] = ()  # what the viewer may do now
    payoffs: tuple[float, ...] = ()  # at the end

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON has it."""
        return {
            **self._asdict(),
            "zones": [zone._asdict() for zone in self.zones],
            "events": [event._asdict() for event in self.events],
            "numbers": {name: list(values) for name, values in self.numbers.items()},
        }


def scene_of(state: State, viewer: int = EVERYTHING) -> Scene:
    """The game's own scene, or a plain one."""
    own = getattr(state.game, "scene", None)
    return own(state, viewer) if own else plain_scene(state, viewer)


def plain_scene(state: State, viewer: int = EVERYTHING) -> Scene:
    """What any game can tell: its words, whose turn it is, what the viewer may do, how it ended."""
    may_act = not state.is_over and (viewer == state.player or viewer == EVERYTHING)
    return Scene(
        viewer,
        state.player,
        state.describe(viewer),
        actions=tuple(state.actions) if may_act else (),
        payoffs=tuple(state.payoffs) if state.is_over else (),
    )
