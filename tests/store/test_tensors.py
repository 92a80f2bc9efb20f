"""The file format: round trips, agreement with the safetensors library, and refusal of everything else."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from ruse.errors import FileTrouble, NewerFile, RuseError
from ruse.store import tensors

FIELDS = {"keys": np.arange(5, dtype=np.uint64), "odd": np.arange(3, dtype=np.uint8), "half": np.eye(2)}
METADATA = {"format": "ruse-strategy/1", "game": "leduc"}

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = texts.filter(lambda name: name != "__metadata__")
shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)
dtypes = st.sampled_from([d.newbyteorder(o) for d in tensors.DTYPES.values() for o in "<>"])
files = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal to the bit, whatever the byte order."""
    return a.shape == b.shape and a.astype(a.dtype.newbyteorder("<")).tobytes() == b.tobytes()


def raw(header: object, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype: str, shape: object, *offsets: object) -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": list(offsets)}


# ---- round trips -----------------------------------------------------------------------------------------------------


@files
@given(
    st.dictionaries(names, dtypes.flatmap(lambda d: hnp.arrays(d, shapes)), max_size=5),
    st.dictionaries(texts.filter(lambda name: name != tensors.SEAL), texts),
)
def test_round_trip(tmp_path: Path, arrays: dict[str, np.ndarray], metadata: dict[str, str]) -> None:
    path = tmp_path / "a.safetensors"
    tensors.write(path, arrays, metadata)
    found, back = tensors.read(path)
    assert found == metadata
    assert back.keys() == arrays.keys()
    for name, array in arrays.items():
        assert same(array, back[name])
        assert back[name].dtype == array.dtype.newbyteorder("<")
        assert back[name].flags.aligned
        assert not back[name].flags.writeable
    theirs = load_file(path)
    assert all(same(array, theirs[name]) for name, array in arrays.items())


@files
@given(st.dictionaries(names, dtypes.flatmap(lambda d: hnp.arrays(d.newbyteorder("<"), shapes)), max_size=5))
def test_reads_what_the_library_writes(tmp_path: Path, arrays: dict[str, np.ndarray]) -> None:
    save_file(arrays, tmp_path / "a.safetensors", metadata={"by": "the library"})
    metadata, back = tensors.read(tmp_path / "a.safetensors")
    assert metadata == {"by": "the library"}
    assert back.keys() == arrays.keys()
    assert all(same(array, back[name]) for name, array in arrays.items())


def test_the_library_reads_metadata(tmp_path: Path) -> None:
    tensors.write(tmp_path / "a", FIELDS, METADATA)
    with safe_open(tmp_path / "a", "np") as file:
        assert file.metadata() == METADATA


@pytest.mark.parametrize("array", [np.arange(12).reshape(3, 4).T, np.arange(10)[::-3], np.asfortranarray(np.eye(3))])
def test_strided_arrays(tmp_path: Path, array: np.ndarray) -> None:
    tensors.write(tmp_path / "a", {"x": array}, {})
    assert np.array_equal(tensors.read(tmp_path / "a")[1]["x"], array)


def test_a_mapped_file_can_be_written_over(tmp_path: Path) -> None:
    tensors.write(tmp_path / "a", FIELDS, METADATA)
    _, old = tensors.read(tmp_path / "a")
    tensors.write(tmp_path / "a", {"keys": old["keys"] + np.uint64(1)}, METADATA)
    assert np.array_equal(old["keys"], FIELDS["keys"])
    assert np.array_equal(tensors.read(tmp_path / "a")[1]["keys"], FIELDS["keys"] + 1)


def test_what_cannot_be_written_is_refused_before_a_file_is_made(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="'x' has type object"):
        tensors.write(tmp_path / "a", {"x": np.array([None])}, {})
    with pytest.raises(TypeError, match="'seed' must be a text, got 7"):
        tensors.write(tmp_path / "a", {}, {"seed": 7})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="__metadata__"):
        tensors.write(tmp_path / "a", {"__metadata__": np.zeros(1)}, {})
    assert not list(tmp_path.iterdir())


# ---- refusals --------------------------------------------------------------------------------------------------------


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    tensors.write(path, FIELDS, METADATA)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(FileTrouble, match=r"a\.safetensors (is cut short|is not a safetensors file)") as trouble:
            tensors.read(path)
        assert "\n" not in str(trouble.value)
    path.write_bytes(whole + b"\0")
    with pytest.raises(FileTrouble, match="has something else at its end"):
        tensors.read(path)


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "it has 0 bytes"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "promise a header"),
        (b"PK\x03\x04" + bytes(100), "promise a header"),
        (bytes(100), "is no JSON"),
        (raw(b"[]"), "no JSON object"),
        (raw(b"\xff\xfe"), "is no JSON"),
        (raw(b"[" * 100_000), "is no JSON"),
        (raw(b'{"x":1,"x":2}'), "occurs twice"),
        (raw({"__metadata__": {"a": 1}}), "not a table of texts"),
        (raw({"__metadata__": []}), "not a table of texts"),
        (raw({"x": 3}), "does not say what array 'x' is"),
        (raw({"x": {"dtype": "U8", "shape": [1]}}, b"a"), "does not say what"),
        (raw({"x": entry("U8", [-1], 0, 1)}, b"a"), "does not say what"),
        (raw({"x": entry("U8", [True], 0, 1)}, b"a"), "does not say what"),
        (raw({"x": entry("U8", [1.0], 0, 1)}, b"a"), "does not say what"),
        (raw({"x": entry("U8", "1", 0, 1)}, b"a"), "does not say what"),
        (raw({"x": entry("U8", [1], 0, 1, 2)}, b"a"), "does not say what"),
        (raw({"x": entry("BF16", [1], 0, 2)}, b"ab"), "BF16, a type that ruse does not read"),
        (raw({"x": entry("U16", [2], 0, 2)}, b"ab"), "another size than its shape"),
        (raw({"x": entry("U8", [10**4000] * 2000, 0, 1)}, b"a"), "does not say what"),
        (raw({"x": entry("U8", [1 << 63], 0, 1)}, b"a"), "does not say what"),
        (raw({"x": entry("U8", [2**40, 2**40], 0, 2)}, b"ab"), "another size than its shape"),
        (raw({"x": entry("U8", [1], 1, 2)}, b"ab"), "leaves a gap"),
        (raw({"x": entry("U8", [1], 0, 1), "y": entry("U8", [1], 0, 1)}, b"a"), "overlaps"),
        (raw({"x": entry("U8", [2], 0, 2)}, b"a"), "is cut short"),
        (raw({"x": entry("U8", [1], 0, 1)}, b"ab"), "something else at its end"),
        (raw({"x": entry("U8", [0, 2**62, 4], 0, 0)}), "cannot have its shape"),
        (raw({"x": entry("U8", [1] * 100, 0, 1)}, b"a"), "cannot have its shape"),
    ],
)
def test_foreign_and_damaged_files_are_refused(tmp_path: Path, content: bytes, wrong: str) -> None:
    path = tmp_path / "strange"
    path.write_bytes(content)
    with pytest.raises(FileTrouble, match=wrong) as trouble:
        tensors.read(path)
    assert str(path) in str(trouble.value)


@files
@given(st.binary(max_size=200), st.integers(0, 300))
def test_random_damage_is_refused_or_harmless(tmp_path: Path, junk: bytes, at: int) -> None:
    path = tmp_path / "a"
    tensors.write(path, FIELDS, METADATA)
    whole = path.read_bytes()
    for content in (junk, raw(junk), whole[:at] + junk + whole[at + len(junk) :]):
        path.write_bytes(content)
        try:
            _, arrays = tensors.read(path)
        except FileTrouble:
            continue
        assert sum(array.nbytes for array in arrays.values()) < len(content)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble, match=r"cannot read .*missing: No such file"):
        tensors.read(tmp_path / "missing")
    with pytest.raises(FileTrouble, match="cannot read"):
        tensors.read(tmp_path)
    with pytest.raises(FileTrouble, match=r"cannot write .*nowhere/a: No such file"):
        tensors.write(tmp_path / "nowhere/a", {}, {})


# ---- formats ---------------------------------------------------------------------------------------------------------


def test_format() -> None:
    def check(found: object) -> int:
        return tensors.check_format(found, "strategy", newest=2, path="a.safetensors")

    assert check(tensors.format_name("strategy", 1)) == 1
    assert check("ruse-strategy/2") == 2
    with pytest.raises(NewerFile) as newer:
        check("ruse-strategy/3")
    assert str(newer.value) == (
        "a.safetensors was written by a newer version of ruse (ruse-strategy/3); this one reads up to 2: upgrade ruse"
    )
    with pytest.raises(FileTrouble, match="holds ruse-tables, not ruse-strategy"):
        check("ruse-tables/1")
    for strange in (None, "", "pt", "ruse-strategy", "ruse-strategy/0", "ruse-strategy/1.0", "ruse-strategy/1\n", 1):
        with pytest.raises(FileTrouble, match="is not a strategy of ruse"):
            check(strange)
    assert issubclass(NewerFile, FileTrouble)
    assert issubclass(FileTrouble, RuseError)


# ---- full disks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    path = tmp_path / "a.safetensors"
    tensors.write(path, FIELDS, METADATA)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(FileTrouble, match=r"cannot write .*a\.safetensors: the disk is full; free some space"):
            tensors.write(path, {"x": np.zeros(1000)}, {})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with tensors.replacing(path) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


LIMITED = """
import resource, sys
import numpy as np
from ruse.store import tensors
from ruse.errors import FileTrouble
tensors.write(sys.argv[1], {"x": np.arange(10)}, {})
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
for size in (600, 100_000):
    try:
        tensors.write(sys.argv[1], {"x": np.zeros(size)}, {})
    except FileTrouble as trouble:
        print(trouble)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on the size of files")
def test_a_limit_of_the_system_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    done = subprocess.run([sys.executable, "-c", LIMITED, path], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"cannot write {path}: File too large"] * 2
    assert np.array_equal(tensors.read(path)[1]["x"], np.arange(10))
    assert list(tmp_path.iterdir()) == [path]
