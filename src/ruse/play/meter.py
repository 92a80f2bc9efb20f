"""Meters: what bots do in a match, counted move by move. A meter sees everything, and tells it only afterwards."""

from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.protocol.game import Game, Row, declared
from ruse.words.printable import shown


class Meter(Protocol):
    """Counts what a bot does."""

    @property
    def counted(self) -> int:
        """How many numbers it counts."""

    def note(self, game: Game, s: Row, a: int, notes: np.ndarray, bot: int) -> None:
        """The player to act at s takes action a; add to notes[bot, k]."""

    def rates(self, notes: np.ndarray, games: int) -> dict[str, float]:
        """What the counts of one bot say, in words and numbers. Never compiled."""


@compiled("note")
class Silent(NamedTuple):
    """Counts nothing."""

    nothing: int = 0

    @property
    def counted(self) -> int:
        return 0

    def note(self, game, s, a, notes, bot):
        pass

    def rates(self, notes: np.ndarray, games: int) -> dict[str, float]:
        return {}


def meter_for(game: Game) -> Meter:
    """The game's own meter: its attribute `meter` names it, as module:class."""
    module, _, name = declared(game, "meter", "ruse.play.meter:Silent").partition(":")
    return getattr(import_module(module), name)()  # type: ignore[no-any-return]


def checked_meter(given: Any) -> Meter:
    """The meter that is given, if it is one."""
    if isinstance(given, type) or not all(hasattr(given, part) for part in ("counted", "note", "rates")):
        raise RuseError(f"a meter has counted, note and rates (`ruse.play.meter`), which {shown(given, 80)} has not")
    return given  # type: ignore[no-any-return]
