"""Source files: a hash that changes with every text that a kernel depends on."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from ruse.compile.files import sources
from ruse.compile.files.sources import fingerprint


def test_fingerprint_of_what_has_no_file() -> None:
    assert fingerprint("builtins") is None
    assert fingerprint("no_such_module") is None


def test_fingerprint_follows_imports_but_not_the_list_of_names() -> None:
    """`import ruse` names all there is; what it leads to must not depend on what else this process has used."""
    importlib.import_module("ruse.games.kuhn")  # what is hashed has to be loaded
    assert fingerprint("ruse.games.kuhn") == fingerprint("ruse.games.kuhn")
    assert fingerprint("ruse.games.kuhn") != fingerprint("ruse.games.cards")
    _, imports = sources._read(str(Path(sources.__file__).parents[2] / "games/kuhn.py"), 0, "ruse.games.kuhn")
    assert {"ruse.games.cards", "ruse.compile", "ruse.protocol.game", "numpy"} <= set(imports)


def test_relative_imports(tmp_path: Path) -> None:
    file = tmp_path / "inner.py"
    file.write_text("from . import a\nfrom .b import c\nfrom ..d import e\nimport f.g\n")
    _, imports = sources._read(str(file), 0, "top.middle.inner")
    assert imports == ["top.middle", "top.middle.a", "top.middle.b", "top.middle.b.c", "top.d", "top.d.e", "f.g"]


@pytest.mark.parametrize("place", ["lib/site-packages", "dist-packages"])
def test_an_installed_game_is_hashed_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str) -> None:
    """What is installed, in this environment or another, is passed over; but not the package that a part comes from."""
    tmp_path /= place
    tmp_path.mkdir(parents=True)
    for name in ("mygame/__init__", "mygame/deck", "mygame/rules", "elsewhere"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text("")
    (tmp_path / "mygame/rules.py").write_text("import elsewhere\nfrom mygame import deck\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sources, "STARTED", 1 << 62)
    __import__("mygame.rules")
    before = fingerprint("mygame.rules")
    (tmp_path / "elsewhere.py").write_text("x = 1")
    assert fingerprint("mygame.rules") == before
    (tmp_path / "mygame/deck.py").write_text("x = 1")
    assert fingerprint("mygame.rules") != before
    for name in ("mygame.rules", "mygame.deck", "mygame", "elsewhere"):
        del sys.modules[name]


def test_a_module_may_hold_numpy_classes_and_values() -> None:
    """`from numpy import ndarray` in a game's file once broke the fingerprint."""
    assert sources.plain_value(np.ndarray) is None
    assert sources.plain_value(np.float64) is None
    assert sources.plain_value(np.float64(1.5)) is not None
    assert sources.plain_value(np.ma.masked) is None
    assert sources.plain_value(np.ndarray.dtype) is None
    assert sources.plain_value(np.arange(3)) != sources.plain_value(np.arange(4))
