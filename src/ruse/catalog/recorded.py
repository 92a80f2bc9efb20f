"""The game that a strategy or a run names: text that somebody else may have written.

Opening a file runs no code that the person has not had run before. The games of the package and trees
in .efg files are found again by their names; a Python file only if its content is trusted, and a game of OpenSpiel if
a person has typed its name before (`ruse.catalog.trust`).
"""

import shlex
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from ruse.catalog.names import game_by
from ruse.catalog.trust import Untrusted, is_trusted, refusal
from ruse.compile.files.game_files import read_game_file, run, split
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.protocol.values.fields import EMPTY

LARGEST = 1 << 24  # bytes of a game's file


def recorded_game(spec: str, by: str | Path, also: Mapping[str, Any] = EMPTY) -> Game:
    """The game that the file `by` names, with fields that it names beside. A path that is not absolute means a file
    beside the one that names it.
    """
    name, fields = split(spec)
    if name == "openspiel" and not is_trusted(spec.encode()):  # such a text may name any file, or fill the memory
        raise Untrusted(
            f"{by} is for {shown_path(spec)}, and opening a file loads no game of OpenSpiel that you have not typed "
            "before: "
            f"add --game {shown_path(spec)}, or game=ruse.game(...) in Python"
        )
    if not name.endswith((".py", ".efg")):
        return game_by(spec, dict(also), lambda path: _module(path, by))
    path = Path(by).absolute().parent / name
    if not _is_file(path):
        raise RuseError(
            f"{by} is for the game in {shown_path(name)}, which is not there; if it was moved, add --game FILE"
        )
    if name.endswith(".py"):
        return game_by(f"{path}:{fields}", dict(also), lambda path: _module(path, by))
    try:
        return game_by(str(path), dict(also), lambda path: _module(path, by))
    except (RuseError, OSError) as error:  # it may be any file, so nothing in it is told
        reason = f"{by} is for the game in {shown_path(path)}, which cannot be read as a .efg file; add --game FILE"
        raise RuseError(reason) from error


def _module(path: Path, by: str | Path) -> ModuleType:
    """The module in a Python file, if nothing in it is run that has not been before."""
    add = f"add --game {shown_path(path)}"

    def admit(one: Path, content: bytes) -> None:
        if not is_trusted(content):
            why = refusal() or f"{shown_path(one)} is new or has changed"
            raise Untrusted(
                f"{by} is for the game in {shown_path(path)}, and opening a file runs no code that you have not "
                f"run before ({why}): if you trust it, {add}, or game=ruse.game(...) in Python"
            )

    if path.stat().st_size > LARGEST:
        raise Untrusted(
            f"{by} is for the game in {shown_path(path)}, which is too large for a game; if it is one, {add}"
        )
    file = read_game_file(path, admit)
    try:
        return run(file)
    except ImportError as error:  # it takes what its text does not name
        raise Untrusted(f"{shown_path(path)} could not be imported: {error}; if you trust it, {add}") from error


def shown_path(path: str | Path) -> str:
    """A path as one types it, on one line whatever a file says."""
    return shlex.quote(str(path)) if str(path).isprintable() else ascii(str(path))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, or with a null in it
        return False
