"""Which files may be run: those whose path a person types, and those whose content was run that way before.

A strategy or a run names its game, which may be a Python file. Opening a strategy must not run whatever it names, so
such a file is run only if its content, and that of the files beside it that it imports, is remembered here.
"""

import hashlib
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ruse.compile.files.game_files import GameFile
from ruse.errors import RuseError


class Untrusted(RuseError):
    """A file of code that nobody asked to run."""


def state_dir() -> Path:
    """Where what a person has allowed is kept: $RUSE_STATE, or the user's own folder for such things."""
    if chosen := os.environ.get("RUSE_STATE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/ruse"
    fallback = Path.home() / ("AppData/Local" if os.name == "nt" else ".local/state")
    return Path(os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_STATE_HOME") or fallback) / "ruse"


_here: set[str] = set()  # what this process has run, wherever it can be written down


def trust(file: GameFile) -> None:
    """Remember the contents of a file that a person has named."""
    remember({text.content: str(text.path) for text in file.texts.values()})


def remember(contents: Mapping[bytes, str]) -> None:
    """Remember these contents, each with words for people. Where nothing can be written, a person types them again."""
    _here.update(map(_name, contents))
    folder = _folder()
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if refusal(folder) is not None:
            return
        for content, words in contents.items():
            with suppress(FileExistsError), open(folder / _name(content), "x", encoding="utf-8") as entry:
                entry.write(f"{words}\n")


def is_trusted(content: bytes) -> bool:
    """Whether a file of this content was run before because a person named it."""
    folder = _folder()
    return _name(content) in _here or (refusal(folder) is None and (folder / _name(content)).is_file())


def refusal(folder: Path | None = None) -> str | None:
    """Why what is remembered cannot be believed; None if it can, or if there is nothing."""
    folder = folder or _folder()
    try:
        found = folder.stat()
    except OSError:
        return None
    owner = getattr(os, "geteuid", lambda: found.st_uid)()  # Windows has none, and no such permissions
    if found.st_uid != owner:
        return f"{folder} is another user's"
    if os.name != "nt" and found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others can write to {folder}"
    return None


def _folder() -> Path:
    return state_dir() / "trusted"


def _name(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
