"""The kernels on disk: a changed byte is noticed, and what others could have written is not run."""

import os
import random
from pathlib import Path

import pytest

from ruse.compile.cache import MAGIC, read_entry, write_entry
from ruse.errors import RuseError

PAYLOAD = bytes(range(256)) * 20
posix = pytest.mark.skipif(os.name == "nt", reason="permissions are another matter there")


@pytest.fixture
def entry(tmp_path: Path) -> Path:
    path = tmp_path / "cache" / "kernel-0.kernel"
    write_entry(path, PAYLOAD)
    return path


def test_what_is_written_is_read(entry: Path) -> None:
    assert read_entry(entry) == PAYLOAD
    assert read_entry(entry.with_name("other.kernel")) is None
    assert [path.name for path in entry.parent.iterdir()] == [entry.name]


def test_an_entry_is_not_taken_for_another(entry: Path) -> None:
    """It would be run as that kernel, with its arguments."""
    other = entry.with_name("other.kernel")
    other.write_bytes(entry.read_bytes())
    assert read_entry(other) is None


def test_every_flipped_bit_and_every_cut_is_noticed(entry: Path) -> None:
    """Machine code with one wrong bit crashed 14 times out of 50, and each time anew."""
    whole, rng = entry.read_bytes(), random.Random(0)
    places = [*range(len(MAGIC) + 40), *(rng.randrange(len(whole)) for _ in range(300))]
    for place in places:
        flipped = bytearray(whole)
        flipped[place] ^= 1 << rng.randrange(8)
        entry.write_bytes(flipped)
        assert read_entry(entry) is None, place
        entry.write_bytes(whole[:place])
        assert read_entry(entry) is None, place
    entry.write_bytes(whole + b"x")
    assert read_entry(entry) is None
    write_entry(entry, PAYLOAD)
    assert read_entry(entry) == PAYLOAD, "it is written anew"


@posix
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_others_can_write_is_refused(entry: Path, what: str) -> None:
    path = entry if what == "file" else entry.parent
    for mode in (0o777, 0o770, 0o702):
        path.chmod(mode)
        with pytest.raises(RuseError, match=r"others can write .*chmod go-w"):
            read_entry(entry)
    if what == "folder":
        with pytest.raises(RuseError, match="others can write"):
            write_entry(entry, PAYLOAD)
    path.chmod(0o700)
    assert read_entry(entry) == PAYLOAD


@posix
def test_another_users_folder_is_refused(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = entry.stat().st_uid
    if owner == 0:
        os.chown(entry.parent, 12345, 12345)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(RuseError, match=r"belongs to another user.*RUSE_CACHE"):
        read_entry(entry)


@posix
def test_the_folder_is_made_for_oneself_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_entry(tmp_path / "new" / "kernel.kernel", PAYLOAD)
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "new" / "kernel.kernel").stat().st_mode & 0o777 == 0o600
