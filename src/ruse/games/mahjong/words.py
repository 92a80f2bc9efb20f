"""A game of Mahjong as a viewer sees it: the facts, and the words that are made of them."""

from typing import TYPE_CHECKING

from ruse.protocol.scene import Scene
from ruse.protocol.state import State

if TYPE_CHECKING:
    from ruse.games.mahjong.rules import Mahjong


def seen(game: "Mahjong", state: State, viewer: int) -> Scene:
    return Scene(viewer, int(state.row[0]), "")
