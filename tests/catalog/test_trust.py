"""Opening a file runs no code: a strategy or a run that names a Python file gets it only if a person typed its path."""

import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from commands import Ruse

from ruse.catalog import trust
from ruse.catalog.names import game
from ruse.catalog.recorded import recorded_game
from ruse.errors import RuseError
from ruse.store import tensors
from ruse.store.runs import find
from ruse.strategy import Strategy
from ruse.training.train import resume

posix = pytest.mark.skipif(os.name == "nt", reason="permissions are another matter there")

GAME = """
from pathlib import Path
from typing import NamedTuple
import numpy as np
Path(MARKER).write_text("it was run")

class Evil(NamedTuple):
    stake: int = 1
    players = 2
    def start(self): return np.zeros(1, np.int64)
    def player(self, s): return -2
    def num_actions(self, s): return 0
    def chance(self, s, a): return 0.0
    def apply(self, s, a): pass
    def infoset(self, s): return 0
    def payoff(self, s, player): return 0.0
    def action_name(self, s, a): return ""
    def describe(self, s, viewer): return ""
"""


class Trap(NamedTuple):
    """A folder with a file of code, and files that name it."""

    ruse: Ruse
    code: Path
    marker: Path
    run: Path

    @property
    def is_sprung(self) -> bool:
        return self.marker.exists()


@pytest.fixture
def trap(solved: Ruse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    """In a folder with a strategy and a run of Kuhn poker: evil.strategy and a run that name evil.py."""
    monkeypatch.setenv("RUSE_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("ruse.catalog.trust._here", set())  # nor what other tests have typed in this process
    code, marker = tmp_path / "evil.py", tmp_path / "marker"
    code.write_text(GAME.replace("MARKER", repr(str(marker))))
    naming("evil.strategy", game=str(code))
    assert solved("solve", "kuhn", "--iterations", "20").code == 0
    path = find("runs", "last").path
    settings = (path / "run.toml").read_text()
    (path / "run.toml").write_text(settings.replace('game = "kuhn"\ngame_repr', f'game = "{code}"\ngame_repr'))
    header, arrays = tensors.read(path / "strategy.safetensors")
    tensors.write(path / "strategy.safetensors", {k: v.copy() for k, v in arrays.items()}, header | {"game": str(code)})
    return Trap(solved, code, marker, path)


def naming(path: str, **header: str) -> None:
    """A strategy of Kuhn poker that says other things about itself."""
    found, arrays = tensors.read("kuhn.strategy")
    tensors.write(path, {name: array.copy() for name, array in arrays.items()}, found | header)


OPENING: list[list[str]] = [
    ["show", "evil.strategy"],
    ["show", "evil.strategy", "--at", "K"],
    ["show", "evil.strategy", "--history", "K, Q"],
    ["show", "kuhn.strategy", "--compare", "evil.strategy"],
    ["evaluate", "evil.strategy"],
    ["evaluate", "evil.strategy", "--style"],
    ["evaluate", "evil.strategy", "--lower-bound", "10"],
    ["evaluate", "kuhn.strategy", "--against", "evil.strategy"],
    ["match", "evil.strategy", "random"],
    ["match", "random", "evil.strategy", "--json"],
    ["match", "kuhn.strategy", "evil.strategy"],
    ["play", "evil.strategy"],
    ["export", "evil.strategy"],
    ["export", "evil.strategy", "--format", "csv"],
    ["resume", "last", "--iterations", "40"],
    ["solve", "--resume", "last", "--iterations", "40"],
    ["show", "last"],
    ["evaluate", "last"],
    ["play", "last"],
    ["match", "last", "random"],
    ["export", "last"],
]


def test_opening_a_file_runs_no_code(trap: Trap) -> None:
    """Every one of these used to import evil.py before it compared anything."""
    for words in OPENING:
        done = trap.ruse(*words)
        assert not trap.is_sprung, words
        if words[:2] == ["match", "kuhn.strategy"]:
            continue  # the game is that of the first strategy, and the second one fits it
        assert done.code == 2, words
        assert done.err.count("\n") == 1
        assert "opening a file runs no code that you have not run before" in done.err
        assert f"add --game {trap.code}" in done.err
    assert trap.ruse("runs").code == 0
    assert not trap.is_sprung


def test_where_the_caller_names_the_game_nobody_looks_at_the_one_in_the_file(trap: Trap) -> None:
    for words in (
        ["show", "evil.strategy", "--game", "kuhn"],
        ["show", "kuhn.strategy", "--compare", "evil.strategy", "--game", "kuhn"],
        ["evaluate", "evil.strategy", "--game", "kuhn"],
        ["match", "kuhn", "evil.strategy", "random", "--deals", "10"],
        ["match", "evil.strategy", "random", "--deals", "10", "--game", "kuhn"],
        ["play", "kuhn", "--against", "evil.strategy"],
        ["play", "evil.strategy", "--game", "kuhn"],
        ["export", "evil.strategy", "--game", "kuhn"],
        ["resume", "last", "--iterations", "40", "--game", "kuhn"],
    ):
        done = trap.ruse(*words)
        assert (done.code, done.err) == (0, ""), words
        assert not trap.is_sprung
    trap.code.unlink()
    assert trap.ruse("show", "evil.strategy", "--game", "kuhn").code == 0
    gone = trap.ruse("show", "evil.strategy")
    assert gone.err == (
        f"ruse: evil.strategy is for the game in {trap.code}, which is not there; if it was moved, add --game FILE\n"
    )


def test_in_python_too(trap: Trap) -> None:
    with pytest.raises(
        RuseError, match=r"evil\.strategy is for the game in .*evil\.py, and opening a file runs no code"
    ):
        Strategy.load("evil.strategy")
    with pytest.raises(RuseError, match=r"run\.toml is for the game in .*evil\.py, and opening a file runs no code"):
        resume(find("runs", "last"))
    assert not trap.is_sprung
    assert Strategy.load("evil.strategy", game=game("kuhn")).game == game("kuhn")
    assert not trap.is_sprung


def test_what_a_person_types_is_run_and_known_from_then_on(trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    assert trap.ruse("show", "evil.strategy", "--game", "evil.py").code == 2  # it is a strategy for Kuhn
    assert trap.is_sprung
    monkeypatch.setattr(trust, "_here", set())  # as in a process of its own
    assert repr(recorded_game(f"{trap.code}:stake=3", "any.strategy")) == "Evil(stake=3)"
    trap.code.write_text(trap.code.read_text() + "# changed\n")
    with pytest.raises(RuseError, match=r"evil\.py is new or has changed\): if you trust it, add --game"):
        recorded_game(str(trap.code), "any.strategy")
    assert trap.ruse("evaluate", "kuhn.strategy", "--game", "evil.py").code == 2
    assert repr(recorded_game(str(trap.code), "any.strategy")) == "Evil(stake=1)"


def test_files_beside_it_count_too(trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = tmp_path / "their_rules.py"
    beside.write_text("x = 1\n")
    trap.code.write_text(trap.code.read_text() + "import their_rules\n")
    game(str(trap.code))
    monkeypatch.setattr(trust, "_here", set())
    recorded_game(str(trap.code), "any.strategy")
    trap.marker.unlink()
    beside.write_text(f"open({str(trap.marker)!r}, 'w')\n")
    for name in [name for name in sys.modules if name.startswith(("ruse_file_evil", "their_rules"))]:
        del sys.modules[name]
    with pytest.raises(RuseError, match=r"their_rules\.py is new or has changed"):
        recorded_game(str(trap.code), "any.strategy")
    assert not trap.is_sprung


def test_a_path_means_a_file_beside_the_one_that_names_it(trap: Trap, tmp_path: Path) -> None:
    """Never one in the folder where somebody happens to be."""
    game(str(trap.code))
    assert repr(recorded_game("evil.py", tmp_path / "some.strategy")) == "Evil(stake=1)"
    with pytest.raises(RuseError, match=r"is for the game in evil\.py, which is not there"):
        recorded_game("evil.py", trap.run / "run.toml")


@posix
def test_what_others_can_write_is_not_believed(trap: Trap, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game(str(trap.code))
    monkeypatch.setattr(trust, "_here", set())
    folder = tmp_path / "state" / "trusted"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert len(list(folder.iterdir())) == 1
    for mode in (0o777, 0o770, 0o702):
        folder.chmod(mode)
        with pytest.raises(RuseError, match=rf"\(others can write to {folder}\): if you trust it, add --game"):
            recorded_game(str(trap.code), "any.strategy")
    folder.chmod(0o700)
    recorded_game(str(trap.code), "any.strategy")
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    with pytest.raises(RuseError, match="is another user's"):
        recorded_game(str(trap.code), "any.strategy")


def test_where_nothing_can_be_remembered(trap: Trap, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A home that cannot be written to costs typing, not the work."""
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("RUSE_STATE", str(tmp_path / "a file"))
    game(str(trap.code))
    recorded_game(str(trap.code), "any.strategy")
    monkeypatch.setattr(trust, "_here", set())
    with pytest.raises(RuseError, match="new or has changed"):
        recorded_game(str(trap.code), "any.strategy")


@pytest.mark.parametrize(
    "view",
    [
        "__import__('os').mkdir('marker')",
        "Full(nothing=__import__('os').mkdir('marker'))",
        "Full(nothing=open('marker', 'w'))",
        "os.mkdir('marker')",
        "evil",
        "evil.Evil()",
        "Evil(stake=3)",
        "Full(1)",
        "(lambda: open('marker', 'w'))()",
        "NamedTuple('x')",
        f"Full(nothing={'-' * 90_000}1)",
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_the_text_of_a_view_is_no_program(trap: Trap, view: str) -> None:
    naming("viewed.strategy", view=view)
    done = trap.ruse("show", "viewed.strategy")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "uses the view" in done.err
    assert not trap.is_sprung


@pytest.mark.parametrize(
    "named",
    [
        "os.system",
        "evil",
        "ruse.games.kuhn",
        "os:x=1",
        "kuhn:__class__=1",
        "openspiel:",
        "x.py",
        "\0.py",
        "a" * 5000 + ".py",
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_the_text_of_a_game_is_no_program(trap: Trap, named: str) -> None:
    naming("named.strategy", game=named)
    done = trap.ruse("show", "named.strategy")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.isprintable() or done.err[:-1].isprintable()
    assert not trap.is_sprung


def test_what_is_in_some_file_is_not_told(trap: Trap, tmp_path: Path) -> None:
    """A header may name any file as a tree; an error that quotes it would tell what is in there."""
    secret = tmp_path / "secret.efg"
    for text in (
        "EFG 2 R password123",
        "password123 is mine",
        'EFG 2 R "password123" { "a" } x',
        "\xff\xfe password123",
    ):
        secret.write_bytes(text.encode("latin-1"))
        naming("tree.strategy", game=str(secret))
        done = trap.ruse("show", "tree.strategy")
        assert done.code == 2
        assert "cannot be read as a .efg file" in done.err
        assert "password" not in done.err + done.out


@pytest.mark.parametrize("text", ["efg_game(filename=/etc/passwd)", "blotto(coins=1000,fields=100)", "kuhn_poker"])
def test_a_game_of_openspiel_is_loaded_if_it_was_typed_before(trap: Trap, text: str) -> None:
    """Such a text may name any file, or fill the memory, and OpenSpiel prints what it likes."""
    naming("theirs.strategy", game=f"openspiel:{text}")
    done = trap.ruse("show", "theirs.strategy")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "loads no game of OpenSpiel that you have not typed before: add --game" in done.err
    assert done.out == ""


def test_a_path_from_a_file_cannot_write_on_the_terminal(trap: Trap) -> None:
    naming("coloured.strategy", game="\x1b[31mred.py")
    done = trap.ruse("show", "coloured.strategy")
    assert done.code == 2
    assert "\x1b" not in done.err


def test_a_game_and_a_game(trap: Trap) -> None:
    assert "kuhn is a game already; leave --game leduc out" in trap.ruse("show", "kuhn", "--game", "leduc").err
    assert "kuhn is a game already" in trap.ruse("match", "kuhn", "random", "random", "--game", "leduc").err


def test_the_trap_works(trap: Trap) -> None:
    """A check that finds nothing must be able to find something."""
    made: Any = game(str(trap.code))
    assert trap.is_sprung
    assert made.stake == 1
