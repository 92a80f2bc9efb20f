"""Names of cards and tiles as a terminal shows them: in colour, or as symbols.

A game gives words. Its module `table` may have FACES: for a name a symbol of Unicode, and a colour.
"""

import re
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from ruse.catalog.names import GAMES, companion
from ruse.catalog.titles import title_of
from ruse.cli.terminal.output import is_coloured
from ruse.compile.files.game_files import split
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.words.printable import beneath, printable

COLOURS = {"bold": 1, "red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}


class Faces(NamedTuple):
    """How names are shown: all that a table has, and whether by symbols."""

    known: Mapping[str, tuple[str, str]] = {}  # by name: a symbol, and a colour
    symbols: bool = False

    @classmethod
    def of(cls, game: Game, *, symbols: bool) -> "Faces":
        return cls(getattr(companion(game, "table"), "FACES", {}), symbols).fitting(title_of(game))

    @classmethod
    def named(cls, spec: str, *, symbols: bool) -> "Faces":
        """Those of the game that a record names; no file is opened for it."""
        module, maker = GAMES.get(split(spec)[0], ("", ""))
        table = getattr(getattr(import_module(module), maker), "table", None) if module else None
        return cls(getattr(import_module(table), "FACES", {}) if table else {}, symbols).fitting(spec)

    def fitting(self, title: str) -> "Faces":
        """The same, unless symbols are asked for that cannot be shown."""
        if self.symbols and not self.known:
            raise RuseError(f"{title} has no symbols; leave --symbols out")
        try:
            "".join(symbol for symbol, _ in self.known.values()).encode(sys.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            if self.symbols:
                raise RuseError(f"symbols cannot be printed as {sys.stdout.encoding}; leave --symbols out") from None
        return self

    def print(self, text: Any) -> None:
        """Print a text with its names as they are shown; a colour is for those who look at a terminal."""
        has_colour = is_coloured()
        if not self.known or not (has_colour or self.symbols):
            print(text)
            return
        names = "|".join(map(re.escape, sorted(self.known, key=len, reverse=True)))
        dressed = re.sub(
            rf"(?<![\w'])(?:{names})(?![\w'])", lambda found: self.face(found[0], has_colour), printable(str(text))
        )
        print(dressed, file=beneath(sys.stdout))

    def face(self, name: str, has_colour: bool) -> str:
        symbol, colour = self.known[name]
        face = symbol if self.symbols else name
        return f"\033[{COLOURS[colour]}m{face}\033[0m" if has_colour else face


PLAIN = Faces()
