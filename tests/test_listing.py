"""Names in strategy files: what a listing says, and that the game is the judge of it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.evaluate.explaining.explain import explain
from ruse.listing import INFOSETS, Listing, listing_of, read_listing, wrong_with
from ruse.protocol.view import Full
from ruse.store import tensors
from ruse.strategy import Strategy

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()


def saved(strategy: Strategy, folder: Path) -> Path:
    strategy.save(folder / "it.strategy")
    return folder / "it.strategy"


@pytest.fixture(scope="module")
def kuhn() -> Strategy:
    return ruse.train(KUHN, ruse.cfr(), iterations=20).strategy


def header_of(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(tensors.read(path)[0]["listing"])
    return found


def with_listing(path: Path, listing: dict[str, Any]) -> Path:
    """The same file with another listing, and a seal that is right."""
    header, arrays = tensors.read(path)
    copies = {name: array.copy() for name, array in arrays.items()}
    tensors.write(path, copies, header | {"listing": json.dumps(listing)}, sealed=True)
    return path


# ---- what it says ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "solver"), [(KUHN, ruse.cfr()), (LEDUC, ruse.dcfr()), (LEDUC, ruse.mccfr())], ids=["kuhn", "leduc", "some"]
)
def test_a_file_lists_what_a_walk_tells(game: ruse.Game, solver: ruse.Solver, tmp_path: Path) -> None:
    """Those infosets, too, that sampling has not met."""
    strategy = ruse.train(game, solver, iterations=3).strategy
    told, walked = Strategy.load(saved(strategy, tmp_path), to_list=True).listed(), explain(strategy)
    assert told is not None
    assert [(t.player, t.name, t.actions, t.probability, t.met) for t in told] == [
        (e.player, e.name, e.actions, e.probability, e.met) for e in walked
    ]
    np.testing.assert_allclose([t.reach for t in told], [e.reach for e in walked], rtol=0, atol=1e-12)
    assert any(not t.met for t in told) == solver.samples


def test_the_tables_are_as_older_versions_know_them(kuhn: Strategy, tmp_path: Path) -> None:
    header, arrays = tensors.read(saved(kuhn, tmp_path))
    assert sorted(arrays) == ["keys", "probability", "start"]
    assert header["format"] == "ruse-strategy/1"


def test_a_file_from_before_has_no_listing(kuhn: Strategy, tmp_path: Path) -> None:
    path = saved(kuhn, tmp_path)
    header, arrays = tensors.read(path)
    del header["listing"]
    tensors.write(path, {name: array.copy() for name, array in arrays.items()}, header, sealed=True)
    assert Strategy.load(path, to_list=True).listed() is None
    assert len(explain(Strategy.load(path, to_list=True))) == 12


def test_a_large_game_is_not_listed(tmp_path: Path) -> None:
    path = saved(Strategy.uniform(ruse.Goofspiel(cards=6)), tmp_path)
    assert "listing" not in tensors.read(path)[0]


def test_showing_a_listed_strategy_needs_no_compiler(kuhn: Strategy, tmp_path: Path) -> None:
    """Importing it takes longer than all the rest."""
    path = saved(kuhn, tmp_path)
    program = (
        f"import sys; sys.argv = ['ruse', 'show', {str(path)!r}]\n"
        "from ruse.cli import main\ntry: main()\nexcept SystemExit: pass\n"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "bet" in done.stdout
    assert done.stdout.endswith("False\n")


# ---- the game is the judge -------------------------------------------------------------------------------------------


def test_a_name_that_the_game_does_not_say_is_not_believed(kuhn: Strategy, tmp_path: Path) -> None:
    path = saved(kuhn, tmp_path)
    lies = header_of(path)
    lies["name"][0], lies["name"][1] = lies["name"][1], lies["name"][0]
    strategy = Strategy.load(with_listing(path, lies), to_list=True)
    assert strategy.listed() is None
    assert [e.name for e in explain(strategy)] == [e.name for e in explain(kuhn)]


class Renamed(NamedTuple):
    """Kuhn poker with other words, and the same rules."""

    word: str = "K"

    def __getattr__(self, name: str) -> Any:
        return getattr(KUHN, name)

    def describe(self, s: Any, viewer: int) -> str:
        return f"{self.word} {KUHN.describe(s, viewer)}"


def test_other_words_for_the_same_rules_are_noticed(kuhn: Strategy, tmp_path: Path) -> None:
    text = tensors.read(saved(kuhn, tmp_path))[0]["listing"]
    renamed: Any = Renamed()
    assert read_listing(text, KUHN, Full(), (KUHN, Full())) is not None
    assert read_listing(text, renamed, Full(), (KUHN, Full())) is None


def test_other_rules_are_noticed(kuhn: Strategy, tmp_path: Path) -> None:
    text = tensors.read(saved(kuhn, tmp_path))[0]["listing"]
    dearer = ruse.Kuhn(bet=2)
    assert read_listing(text, dearer, Full(), (dearer, Full())) is None


WRONG: dict[str, Any] = {
    "escape": lambda it: it["name"].__setitem__(0, "\x1b[2J"),
    "turned": lambda it: it["kinds"][0].__setitem__(0, "bet\u202e"),
    "long": lambda it: it["name"].__setitem__(0, "J" * 1_001),
    "no text": lambda it: it["name"].__setitem__(0, 7),
    "two keys": lambda it: it["key"].__setitem__(0, it["key"][1]),
    "no key": lambda it: it["key"].__setitem__(0, -1),
    "no player": lambda it: it["player"].__setitem__(0, True),
    "no kind": lambda it: it["actions"].__setitem__(0, 99),
    "no actions": lambda it: it["kinds"].append([]),
    "endless": lambda it: it["reach"].__setitem__(0, 1e999),
    "negative": lambda it: it["reach"].__setitem__(0, -0.5),
    "short": lambda it: it["reach"].pop(),
    "more": lambda it: it.__setitem__("more", 1),
    "no list": lambda it: it.__setitem__("key", "abc"),
    "nothing": lambda it: it.clear(),
}


@pytest.mark.parametrize("how", WRONG)
def test_a_listing_that_is_not_whole_is_left_aside(how: str, kuhn: Strategy, tmp_path: Path) -> None:
    path = saved(kuhn, tmp_path)
    listing = header_of(path)
    WRONG[how](listing)
    strategy = Strategy.load(with_listing(path, listing), to_list=True)
    assert strategy.listed() is None
    assert len(explain(strategy)) == 12


def test_more_infosets_than_are_kept() -> None:
    many = range(INFOSETS + 1)
    found = Listing("", list(many), [0] * len(many), ["x"] * len(many), [0] * len(many), [["a"]], [0.0] * len(many))
    assert wrong_with(found) == "its lists do not fit together"
    assert listing_of(KUHN, Full(), Strategy.uniform(KUHN).probabilities, "") is not None


class Endless(NamedTuple):
    """A game that goes on for ever in plain Python, whatever its compiled rules do."""

    nothing: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(KUHN, name)

    def apply(self, s: Any, a: int) -> None:
        pass


def test_a_game_that_does_not_end_is_left() -> None:
    endless: Any = Endless()
    with pytest.raises(ruse.RuseError, match=r"^the game has more than 20,000 histories in plain Python$"):
        listing_of(endless, Full(), Strategy.uniform(KUHN).probabilities, "")
