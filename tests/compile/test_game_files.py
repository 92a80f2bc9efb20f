"""Files imported by their path: from what was read, with the files beside them, and nothing else."""

import importlib.util
import py_compile
import sys
from pathlib import Path

import pytest

from ruse.compile.files.game_files import load_file, read_game_file, run
from ruse.compile.files.sources import fingerprint


def test_load_file(tmp_path: Path) -> None:
    file = tmp_path / "thing.py"
    file.write_text("import beside_it\nx = beside_it.x")
    (tmp_path / "beside_it.py").write_text("x = 5")
    path, finders = list(sys.path), list(sys.meta_path)
    module = load_file(file)
    assert module.x == 5
    assert load_file(file) is module
    assert module.__name__ == read_game_file(file).module_name()
    file.write_text("x = 6")
    assert load_file(file).x == 6
    assert module.x == 5
    file.write_text("raise OSError('mine')")
    with pytest.raises(OSError, match="mine"):
        load_file(file)
    assert read_game_file(file).module_name() not in sys.modules
    assert (sys.path, sys.meta_path) == (path, finders)


def test_an_edited_file_beside_it_is_read_again(tmp_path: Path) -> None:
    """It used to be the old one for as long as the process lived, under the new one's fingerprint."""
    file, other = tmp_path / "main_one.py", tmp_path / "its_deck.py"
    file.write_text("from its_deck import x, f")
    other.write_text("x = 5\ndef f(): return x")
    old = load_file(file)
    old_print = fingerprint(old.__name__)
    other.write_text("x = 6\ndef f(): return x")
    new = load_file(file)
    assert (old.x, old.f(), new.x, new.f()) == (5, 5, 6, 6)
    assert old.f.__module__ != new.f.__module__
    assert old_print == fingerprint(old.__name__) != fingerprint(new.__name__) is not None
    other.write_text("x = 5\ndef f(): return x")
    assert load_file(file) is old


def test_two_folders_may_have_files_of_one_name(tmp_path: Path) -> None:
    for folder, value in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same_name.py").write_text(f"x = {value}")
        (tmp_path / folder / f"of_{folder}.py").write_text("import same_name\nx = same_name.x")
    assert [load_file(tmp_path / folder / f"of_{folder}.py").x for folder in "aba"] == [1, 2, 1]


def test_packages_beside_it(tmp_path: Path) -> None:
    package = tmp_path / "my_cards"
    package.mkdir()
    (package / "__init__.py").write_text("from .suits import count\nfrom . import ranks")
    (package / "suits.py").write_text("from my_cards.ranks import number\ncount = number + 1")
    (package / "ranks.py").write_text("number = 3")
    file = tmp_path / "with_package.py"
    file.write_text("import my_cards.suits\nfrom my_cards import ranks\nx = my_cards.count, ranks.number")
    assert sorted(read_game_file(file).texts) == ["", "my_cards", "my_cards.ranks", "my_cards.suits"]
    assert run(read_game_file(file)).x == (4, 3)


def test_what_is_not_named_in_the_text(tmp_path: Path) -> None:
    """A person who types the path may do anything; whoever only opens a file gets what was looked at."""
    file = tmp_path / "asks_by_name.py"
    file.write_text("import importlib\nx = importlib.import_module('in_the_dark').x")
    (tmp_path / "in_the_dark.py").write_text("x = 1")
    with pytest.raises(ModuleNotFoundError, match="in_the_dark"):
        run(read_game_file(file))
    assert load_file(file).x == 1
    del sys.modules["in_the_dark"]


def test_names_of_the_standard_library_are_its_own(tmp_path: Path) -> None:
    """`wave.py` beside a trusted game would otherwise be run for the library's."""
    for name in ("wave", "ruse", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not asked for')")
    file = tmp_path / "uses_wave.py"
    file.write_text("import wave, ruse, numpy\nx = wave.WAVE_FORMAT_PCM")
    assert list(read_game_file(file).texts) == [""]
    sys.modules.pop("wave", None)
    assert load_file(file).x == 1


def test_no_byte_code_is_taken_for_the_text(tmp_path: Path) -> None:
    """Byte code counts as that of a file by its time and size alone, and anybody can write it."""
    file, other = tmp_path / "cached_one.py", tmp_path / "other_one.py"
    file.write_text("x = 1")
    other.write_text("x = 2")
    forged = importlib.util.cache_from_source(str(file))
    py_compile.compile(str(other), forged, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert load_file(file).x == 1


def test_what_was_looked_at_is_what_runs(tmp_path: Path) -> None:
    file = tmp_path / "swapped.py"
    file.write_text("x = 1")

    def admit(path: Path, content: bytes) -> None:
        assert content == b"x = 1"
        path.write_text("x = 2")

    assert run(read_game_file(file, admit)).x == 1


def test_nothing_is_parsed_that_was_not_admitted(tmp_path: Path) -> None:
    file = tmp_path / "outer.py"
    file.write_text("import inner_one")
    (tmp_path / "inner_one.py").write_text("import innermost_one")
    (tmp_path / "innermost_one.py").write_text("")
    seen = []

    def admit(path: Path, content: bytes) -> None:
        seen.append(path.name)
        if path.name == "inner_one.py":
            raise PermissionError

    with pytest.raises(PermissionError):
        read_game_file(file, admit)
    assert seen == ["outer.py", "inner_one.py"]
