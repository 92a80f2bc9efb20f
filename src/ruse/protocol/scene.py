"""A scene: what one viewer may see of a game at one moment, as plain data that any surface can show.

A game may offer `scene(state, viewer)`: it gives facts, and words are made from them. Without it the scene is plain,
made of what `describe` tells and of the names of the actions. A scene holds nothing that the viewer may not know: what
is hidden is only counted. `state.history` is there for games whose rows do not keep their past; they say so by
`needs_history = True`, and must give a scene without it too, where only a row is at hand.
"""

import json
from collections.abc import Container, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ruse.protocol.game import EVERYTHING, has_scenes, needs_history
from ruse.protocol.state import State

NOBODY = -1  # the owner of a place that belongs to no player


class Zone(NamedTuple):
    """Where cards, dice or tiles lie: a hand, the board, a pile."""

    name: str
    owner: int = NOBODY
    shown: tuple[str, ...] = ()  # the names of those that the viewer sees
    hidden: int = 0  # how many more lie there that the viewer does not see


def held(
    name: str, by_player: Sequence[Sequence[str]], viewer: int, *, open_of: Container[int] = ()
) -> tuple[Zone, ...]:  # fmt: skip
    """A zone for each player, of which the viewer sees no cards but the own, and those that lie open at a showdown."""
    return tuple(
        Zone(name, p, tuple(cards)) if viewer in (p, EVERYTHING) or p in open_of else Zone(name, p, hidden=len(cards))
        for p, cards in enumerate(by_player)
    )


class Event(NamedTuple):
    """Something that has happened, as the viewer saw it."""

    player: int  # or CHANCE
    what: str


class Scene(NamedTuple):
    """What a viewer sees. Only `viewer`, `turn` and `words` are always there; a game fills in what it has.

    What any game can tell it may leave out: `scene_of` adds the actions and the payoffs.
    """

    viewer: int  # a player, or EVERYTHING
    turn: int  # a player, CHANCE or OVER
    words: str  # all of it in one line, as `describe` has it
    zones: tuple[Zone, ...] = ()
    numbers: Mapping[str, tuple[float, ...]] = {}  # one for each player: stakes, points; or one for all: the pot
    events: tuple[Event, ...] = ()  # what has happened so far
    actions: tuple[str, ...] = ()  # what the viewer may do now
    payoffs: tuple[float, ...] = ()  # at the end
    facts: Mapping[str, str] = {}  # what is told in a word: the current rank

    def shown_of(self, player: int) -> tuple[str, ...]:
        """What the viewer sees of a player's cards: a text for each place where they lie."""
        return tuple(" ".join(zone.shown) for zone in self.zones if zone.owner == player)

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON has it."""
        return {
            **self._asdict(),
            "zones": [zone._asdict() for zone in self.zones],
            "events": [event._asdict() for event in self.events],
            "numbers": {name: list(values) for name, values in self.numbers.items()},
            "facts": dict(self.facts),
        }


class Staged(Protocol):
    """A game with scenes of its own."""

    def scene(self, state: State, viewer: int) -> Scene: ...


def scene_of(state: State, viewer: int = EVERYTHING) -> Scene:
    """The game's own scene, or a plain one."""
    scene = own_scene(state, viewer)
    return plain_scene(state, viewer) if scene is None else completed(scene, state, viewer)


def own_scene(state: State, viewer: int) -> Scene | None:
    """What the game itself gives, if it has scenes."""
    if not has_scenes(state.game):
        return None
    game: Any = state.game
    scene = game.scene(state, viewer)
    if not isinstance(scene, Scene):
        raise state.refused(game.scene, scene, "a Scene")
    return scene


def scene_text(state: State, viewer: int) -> str:
    """All of a game's own scene as one text of JSON; raises in one sentence if it is none, or another viewer's."""
    scene = own_scene(state, viewer)
    game: Any = state.game
    own, wanted = game.scene, (viewer, state.player)
    if scene is None or scene[:2] != wanted:
        raise state.refused(own, scene, f"a Scene whose viewer and turn are {wanted}")
    if not isinstance(scene.words, str):
        raise state.refused(own, scene, "a Scene with words")
    if not needs_history(game) and scene.words != (told := state.describe(viewer)):  # else its words are described
        raise state.refused(own, scene.words, f"a Scene with the words of describe(), {told!r}")
    offered = completed(scene, state, viewer).actions
    if tuple(scene.actions) not in ((), offered):
        raise state.refused(own, scene.actions, f"a Scene with no actions, or with those that there are, {offered}")
    try:
        return json.dumps(scene.as_dict(), sort_keys=True, allow_nan=False)
    except (AttributeError, TypeError, ValueError) as error:
        raise state.refused(own, scene, f"a Scene of texts and numbers that JSON can hold ({error})") from error


def plain_scene(state: State, viewer: int = EVERYTHING) -> Scene:
    """What any game can tell: its words, whose turn it is, what the viewer may do, how it ended."""
    return completed(Scene(viewer, state.player, state.describe(viewer)), state, viewer)


def completed(scene: Scene, state: State, viewer: int) -> Scene:
    """The scene with what the viewer may do and how it ended. These are the rules' own: an action is chosen by them."""
    may_act = not state.is_over and viewer in (state.player, EVERYTHING)
    return scene._replace(
        actions=tuple(state.actions) if may_act else (), payoffs=tuple(state.payoffs) if state.is_over else ()
    )
