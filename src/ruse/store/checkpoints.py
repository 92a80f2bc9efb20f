"""Checkpoints: where a run stands, in a directory that is renamed into place when all of it is on disk."""

import hashlib
import json
import logging
import os
import re
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ruse.errors import FileTrouble, NewerFile
from ruse.store import tensors
from ruse.store.checksums import digest_of, with_digest
from ruse.store.records import parsed, plain

log = logging.getLogger(__name__)

NOWHERE = (-1, 0)  # the place of a directory that is no checkpoint


class Checkpoint(NamedTuple):
    """A moment from which a run can go on. The arrays are read-only and mapped: copy what will change."""

    iteration: int
    state: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def save(
    folder: Path, iteration: int, arrays: Mapping[str, NDArray[Any]], *, state: Mapping[str, Any], keep: int = 2
) -> None:
    """Save where the run stands, then delete all but the newest `keep` checkpoints and any of later iterations.

    The state comes back as JSON keeps it: tuples as lists, keys as texts.
    """
    if iteration < 0 or keep < 1:
        raise ValueError(f"iteration must be at least 0 and keep at least 1, got {iteration} and {keep}")
    # A second one of the same iteration is put beside the first, which is deleted only when both are whole.
    copy = 1 + max((place[1] for path in folder.glob("*") if (place := _place(path))[0] == iteration), default=0)
    final = folder / (f"{iteration:08d}" if copy == 1 else f"{iteration:08d}-{copy}")
    temporary = _hidden(final)
    with tensors.explaining("write", final):
        folder.mkdir(exist_ok=True)
        for leftover in folder.glob(".*.tmp"):  # of a process that was killed
            shutil.rmtree(leftover, ignore_errors=True)
        try:
            temporary.mkdir()
            _write(temporary, iteration, arrays, state)
            os.rename(temporary, final)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    tensors.sync_directory(folder)
    tensors.sync_directory(folder.parent)
    others = [path for path in _all(folder) if path != final]
    earlier = [path for path in others if _place(path)[0] < iteration]
    kept = earlier[max(len(earlier) - (keep - 1), 0) :]
    for path in others:
        if path not in kept:
            _remove(path)


def _write(folder: Path, iteration: int, arrays: Mapping[str, NDArray[Any]], state: Mapping[str, Any]) -> None:
    tables = folder / "tables.safetensors"
    tensors.write(tables, arrays, {"format": tensors.format_name("tables", 1), "iteration": str(iteration)})
    manifest = {
        "format": tensors.format_name("checkpoint", 1),
        "iteration": iteration,
        "files": {tables.name: _digest(tables)},
        "state": plain(state),
    }
    manifest = json.loads(json.dumps(manifest))
    with tensors.replacing(folder / "manifest.json") as file:
        file.write(json.dumps(with_digest(manifest), indent=1).encode())


def newest(folder: Path) -> Checkpoint | None:
    """The last whole checkpoint; a damaged one is passed over with a warning, unless there is no other."""
    damaged: list[Path] = []
    # The directory is listed again after each failure: the one who trains may have replaced all of them meanwhile.
    while paths := [path for path in _all(folder) if path not in damaged]:
        try:
            return _load(paths[-1])
        except NewerFile:
            raise
        except FileTrouble as trouble:
            if paths[-1].exists():
                log.warning("%s; going back to the checkpoint before it", trouble)
            damaged.append(paths[-1])
    if any(path.exists() for path in damaged):
        raise FileTrouble(f"no checkpoint in {folder} is whole: delete that folder to start the run afresh")
    return None


def iterations(folder: Path) -> list[int]:
    """The iterations of which there is a checkpoint, ascending."""
    return [_place(path)[0] for path in _all(folder)]


def _all(folder: Path) -> list[Path]:
    """The checkpoints, oldest first."""
    paths = (manifest.parent for manifest in folder.glob("*/manifest.json"))
    return sorted((path for path in paths if _place(path) != NOWHERE), key=_place)


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _load(folder: Path) -> Checkpoint:
    file = folder / "manifest.json"
    with tensors.explaining("read", file):
        manifest = parsed(file.read_bytes())
    if not isinstance(manifest, dict):
        raise FileTrouble(f"{folder} is damaged: {file.name} is no JSON object")
    tensors.check_format(manifest.get("format"), "checkpoint", newest=1, path=file)
    promised = manifest.pop(tensors.SEAL, None)
    if promised != digest_of(manifest):
        raise FileTrouble(f"{folder} is damaged: {file.name} does not have the sha256 that it names")
    match manifest:
        case {"iteration": int(iteration), "state": dict(), "files": dict()} if iteration == _place(folder)[0]:
            pass
        case _:
            raise FileTrouble(f"{folder} is damaged: {file.name} does not say what it is a checkpoint of")
    tables = folder / "tables.safetensors"
    with tensors.explaining("read", tables):
        if manifest["files"].get(tables.name) != _digest(tables):
            raise FileTrouble(f"{folder} is damaged: {tables.name} does not have the sha256 that {file.name} names")
    found, arrays = tensors.read(tables)
    tensors.check_format(found.get("format"), "tables", newest=1, path=tables)
    return Checkpoint(manifest["iteration"], manifest["state"], arrays)


def _place(path: Path) -> tuple[int, int]:
    """The iteration of a checkpoint and which copy of it this is, by its name alone."""
    match = re.fullmatch(r"([0-9]{8,18})(?:-([0-9]{1,9}))?", path.name)
    return (int(match[1]), int(match[2] or 1)) if match else NOWHERE


def _hidden(path: Path) -> Path:
    """A name that readers pass over and that the next save sweeps away."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")


def _remove(path: Path) -> None:
    """Delete a checkpoint; half deleted it must not look like one."""
    with suppress(OSError):
        hidden = _hidden(path)
        os.rename(path, hidden)
        shutil.rmtree(hidden)
