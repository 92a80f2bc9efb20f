"""A job on its way to another machine. Games of one's own travel by their content, as it was read here.

What arrives is run, because the person who started the training named it. Classes that were typed into an interpreter,
or into the script that runs, are nowhere to be found on another machine, and are refused.
"""

import io
import pickle
import sys
from typing import Any, NamedTuple

from ruse.compile.files.game_files import GameFile, run, running
from ruse.errors import RuseError


class Packed(NamedTuple):
    """Something that can be sent, and the files that it is made of."""

    files: tuple[GameFile, ...]
    content: bytes


class _Pickler(pickle.Pickler):
    """Notes the modules of all classes and functions on the way."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=5)
        self.modules: set[str] = set()

    def persistent_id(self, thing: Any) -> None:
        if isinstance(thing, type) or callable(thing):
            self.modules.add(getattr(thing, "__module__", None) or "")


def packed(thing: Any) -> Packed:
    """The thing, ready to be sent; raises if another machine could not make it again."""
    buffer = io.BytesIO()
    pickler = _Pickler(buffer)
    try:
        pickler.dump(thing)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise RuseError(f"this job cannot be sent to a cluster: {error}; put what it is made of into a file") from error
    if "__main__" in pickler.modules:
        raise RuseError(
            "a class that this script or notebook defines cannot be sent to a cluster; put it into a file of its own "
            "and name that, as in ruse.game('my_game.py')"
        )
    return Packed(tuple(file_of(module) for module in sorted(pickler.modules) if module in running), buffer.getvalue())


def file_of(module: str) -> GameFile:
    """The file that a module was run from, with those beside it, as they were read."""
    text, beside = running[module]
    texts = {name: running[other][0] for name, other in beside.items() if other in running}
    return GameFile({"": text} | texts)


def unpacked(given: Packed) -> Any:
    """The thing again, on a machine that has no such files."""
    for file in given.files:
        if file.module_name() not in sys.modules:
            run(file)
    return pickle.loads(given.content)
