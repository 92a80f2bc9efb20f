"""What a page may call things by: names of files in a folder of ours, and games."""

from pathlib import Path

from ruse.catalog.recorded import recorded_game, shown_path
from ruse.catalog.trust import Untrusted
from ruse.compile.files.game_files import split
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.studio.answers import Missing

BYTES = 240  # of a file's name: systems take 255, and ours are written with something before or behind them


def is_file_name(name: str) -> bool:
    """Whether a file can have this name: no path, and nothing that a system stumbles over."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:  # half a letter, which JSON can write
        return False
    return 0 < size <= BYTES and "\0" not in name and Path(name).name == name and name != ".."


def typed_game(text: str) -> Game:
    """The game that a page names; `Untrusted` if that would run code that was never run here."""
    name = split(text)[0]
    if not name.endswith((".py", ".efg")):
        return recorded_game(text, Path.cwd() / "page")
    try:
        is_there = Path(name).is_file()
    except (OSError, ValueError):  # too long, or with a null in it
        is_there = False
    if not is_there:
        raise Missing(f"there is no file {shown_path(name[:200])}; type the whole path of the game's file")
    try:
        return recorded_game(text, Path.cwd() / "page")
    except Untrusted:
        raise
    except RuseError as error:
        if name.endswith(".efg"):  # it may be any file, so nothing in it is told
            raise RuseError(f"{shown_path(name[:200])} cannot be read as a .efg file; choose another") from error
        raise
