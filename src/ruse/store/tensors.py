"""Named arrays in one file, in the safetensors format, memory-mapped.

A file is the length of its header (8 bytes, little-endian), the header (JSON: a type, a shape and a place for each
array, and metadata), then the arrays. It appears under its name whole or not at all. Nothing in it is ever executed.
A sealed file has the SHA-256 of all its bytes in its metadata, and is refused if one of them has changed.
"""

import errno
import hashlib
import json
import math
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ruse.errors import FileTrouble, NewerFile, RuseError

DTYPES = {
    "BOOL": np.dtype("?"),
    "U8": np.dtype("<u1"),
    "I8": np.dtype("<i1"),
    "U16": np.dtype("<u2"),
    "I16": np.dtype("<i2"),
    "F16": np.dtype("<f2"),
    "U32": np.dtype("<u4"),
    "I32": np.dtype("<i4"),
    "F32": np.dtype("<f4"),
    "U64": np.dtype("<u8"),
    "I64": np.dtype("<i8"),
    "F64": np.dtype("<f8"),
    "C64": np.dtype("<c8"),
}
_NAMES = {dtype.str[1:]: name for name, dtype in DTYPES.items()}
_LARGEST_HEADER = 100_000_000  # bytes; the format's own limit
SEAL, UNSEALED = "sha256", 64 * "0"  # the metadata with the checksum, and what stands there while it is computed


# ---- writing ---------------------------------------------------------------------------------------------------------


def write(
    path: str | Path, arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str], *, sealed: bool = False
) -> None:
    """Write arrays and metadata to a file, replacing the one at `path` in a single step."""
    for name, array in arrays.items():
        if array.dtype.str[1:] not in _NAMES:
            raise TypeError(f"array {name!r} has type {array.dtype}, which a file cannot hold; convert it first")
        if name == "__metadata__":
            raise ValueError("no array can be called '__metadata__'; choose another name")
    for name, value in metadata.items():
        if not isinstance(value, str):
            raise TypeError(f"metadata {name!r} must be a text, got {value!r}")
        if name == SEAL:
            raise ValueError(f"the metadata {SEAL!r} is the checksum; choose another name")
    # Widest items first, after a header of a multiple of 8 bytes: every array is aligned, as kernels want it.
    order = sorted(arrays, key=lambda name: -arrays[name].itemsize)
    header: dict[str, Any] = {"__metadata__": {**metadata, SEAL: UNSEALED} if sealed else dict(metadata)}
    end = 0
    for name in order:
        array, begin = arrays[name], end
        end += array.nbytes
        dtype = _NAMES[array.dtype.str[1:]]
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > _LARGEST_HEADER:
        raise ValueError(f"the header takes {len(text)} bytes, more than {_LARGEST_HEADER}; write less metadata")
    digest = hashlib.sha256()
    with replacing(path) as file:

        def put(data: Any) -> None:
            file.write(data)
            if sealed:
                digest.update(data)

        put(len(text).to_bytes(8, "little"))
        put(text)
        for name in order:
            little = arrays[name].astype(arrays[name].dtype.newbyteorder("<"), order="C", copy=False)
            put(little.reshape(-1).view(np.uint8).data)
        if sealed:
            file.seek(8 + text.index(_seal(UNSEALED)))
            file.write(_seal(digest.hexdigest()))


def _seal(checksum: str) -> bytes:
    """The checksum as it stands in the header; no text within quotes can look like it."""
    return f'"{SEAL}":"{checksum}"'.encode()


def as_path(given: str | Path) -> Path:
    """The path that is given; raises for what is none. To `open` a number would be a file that is open already."""
    text = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(text, str) or not text or "\0" in text:
        raise RuseError(f"a file or a folder is named by a text or a path, not {given!r}")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise RuseError(f"no file can be called {text!r}: it has a character that the system cannot write") from None
    return Path(text)


def is_nearly_a_seal(name: str) -> bool:
    """Whether one letter is wrong: a file that is damaged there would pass for one that never had a checksum."""
    return len(name) == len(SEAL) and sum(ours != theirs for ours, theirs in zip(SEAL, name, strict=True)) == 1


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes its name when all is on disk; after an error nothing has changed."""
    path = as_path(path)
    if not path.name:
        raise FileTrouble(f"cannot write {path}: it is a folder; name a file in it")
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    with explaining("write", path):
        try:
            with open(temporary, "xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make the names in a directory survive a loss of power, where the system can do that."""
    # Never an error: what was named is whole and in its place already.
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def explaining(verb: str, path: str | Path) -> Iterator[None]:
    """Turn the system's errors into one sentence: what could not be done to which file, and why."""
    full = "; free some space and try again"
    reasons = {errno.ENOSPC: f"the disk is full{full}", getattr(errno, "EDQUOT", -1): f"the quota is used up{full}"}
    try:
        yield
    except OSError as error:
        reason = reasons.get(error.errno or 0) or error.strerror or str(error)
        raise FileTrouble(f"cannot {verb} {path}: {reason}") from error


# ---- reading ---------------------------------------------------------------------------------------------------------


def read(path: str | Path) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """The metadata and the arrays of a file; the arrays are read-only and fetched from disk as they are touched."""
    raw, length, header, metadata = _opened(path)
    arrays = _arrays(path, header, raw[8 + length :])
    if any(is_nearly_a_seal(name) for name in metadata):
        raise FileTrouble(f"{path} is damaged: the name of its checksum has changed; get another copy of it")
    if (promised := metadata.pop(SEAL, None)) is not None:
        digest = hashlib.sha256(raw[: 8 + length].tobytes().replace(_seal(promised), _seal(UNSEALED)))
        digest.update(raw[8 + length :].data)
        if digest.hexdigest() != promised:
            raise FileTrouble(
                f"{path} is damaged, or another program has changed it: it does not have the {SEAL} that its header "
                f"names; get another copy of it, or make it again"
            )
    return metadata, arrays


def metadata_of(path: str | Path) -> dict[str, str]:
    """The metadata alone, as they are said to be: nothing is compared with the seal."""
    return _opened(path)[3]


def _opened(path: str | Path) -> tuple[NDArray[np.uint8], int, dict[str, Any], dict[str, str]]:
    """All bytes of a file, the length of its header, the header without the metadata, and these."""
    with explaining("read", path), open(as_path(path), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < 8:
            raise FileTrouble(f"{path} is not a safetensors file: it has {size} bytes")
        # One map for the whole file: what is checked here is what is handed out, even if the name moves on meanwhile.
        # Not the memmap subclass: plain arrays index faster and reach kernels by the short way.
        raw = np.memmap(file, dtype=np.uint8, mode="r").view(np.ndarray)
    length = int.from_bytes(raw[:8].tobytes(), "little")
    if length > min(len(raw) - 8, _LARGEST_HEADER):
        raise FileTrouble(
            f"{path} is cut short or is not a safetensors file: "
            f"its first bytes promise a header of {length} bytes, in a file of {len(raw)}"
        )
    try:
        header = json.loads(raw[8 : 8 + length].tobytes().decode(), object_pairs_hook=_unrepeated)
    except (ValueError, RecursionError) as error:
        raise FileTrouble(f"{path} is damaged or is not a safetensors file: its header is no JSON ({error})") from error
    if not isinstance(header, dict):
        raise FileTrouble(f"{path} is not a safetensors file: its header is no JSON object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise FileTrouble(f"{path} is damaged: its metadata is not a table of texts")
    return raw, length, header, metadata


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a name occurs twice")
    return table


def _arrays(path: str | Path, header: dict[str, Any], data: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """The arrays that a header describes; together they must be all of the data, without gap or overlap."""
    places = {}
    for name, entry in header.items():
        match entry:
            # Bounded, because the product of a long list of long numbers is a wait.
            case {"dtype": str(dtype), "shape": [*shape], "data_offsets": [begin, end]} if len(shape) < 1_000 and all(
                type(n) is int and 0 <= n < 1 << 63 for n in (*shape, begin, end)
            ):
                if dtype not in DTYPES:
                    raise FileTrouble(f"{path} holds {name!r} as {dtype}, a type that ruse does not read")
                if end - begin != math.prod(shape) * DTYPES[dtype].itemsize:
                    raise FileTrouble(f"{path} is damaged: array {name!r} has another size than its shape says")
                places[name] = (begin, end)
            case _:
                raise FileTrouble(f"{path} is damaged: its header does not say what array {name!r} is")
    covered = 0
    for name, (begin, end) in sorted(places.items(), key=lambda item: item[1]):
        if begin != covered:
            wrong = "overlaps another" if begin < covered else "leaves a gap before it"
            raise FileTrouble(f"{path} is damaged: array {name!r} {wrong}")
        covered = end
    if covered != len(data):
        wrong = "is cut short" if covered > len(data) else "has something else at its end"
        raise FileTrouble(f"{path} {wrong}: its arrays take {covered} bytes, and it has {len(data)}")
    arrays = {}
    for name, (begin, end) in places.items():
        try:
            arrays[name] = data[begin:end].view(DTYPES[header[name]["dtype"]]).reshape(header[name]["shape"])
        except (ValueError, OverflowError) as error:  # more dimensions than NumPy has, or longer ones beside a zero
            raise FileTrouble(f"{path} is damaged: array {name!r} cannot have its shape ({error})") from error
    return arrays


# ---- formats ---------------------------------------------------------------------------------------------------------


def format_name(kind: str, major: int) -> str:
    """What a file of ours says about itself, under `format` in its metadata."""
    return f"ruse-{kind}/{major}"


def check_format(found: object, kind: str, *, newest: int, path: str | Path) -> int:
    """The major version in a format's name; refuses other kinds and versions newer than `newest`.

    >>> check_format("ruse-strategy/1", "strategy", newest=1, path="a.safetensors")
    1
    """
    match = re.fullmatch(r"(ruse-[a-z-]+)/([1-9][0-9]{0,8})", found) if isinstance(found, str) else None
    if match is None:
        raise FileTrouble(f"{path} is not a {kind} of ruse: its format is {found!r}, not {format_name(kind, newest)!r}")
    if match[1] != f"ruse-{kind}":
        raise FileTrouble(f"{path} holds {match[1]}, not ruse-{kind}: give a file of the right kind")
    if int(match[2]) > newest:
        raise NewerFile(
            f"{path} was written by a newer version of ruse ({found}); this one reads up to {newest}: upgrade ruse"
        )
    return int(match[2])
