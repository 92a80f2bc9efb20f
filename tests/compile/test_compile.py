"""Parts and kernels: what runs is what the source says, in this process and in the next, and mistakes are told."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ruse import compile as ruse_compile
from ruse.compile import compiled, compiled_function, kernel, on_compile
from ruse.games.kuhn import Kuhn

COMPILED = hasattr(kernel(lambda x: x), "py_func")
compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT=1")

STAKES = """
from ruse.compile import compiled_function

HIGH = 3.0


@compiled_function
def prize(a, b):
    if a != b:
        return -1.0
    return HIGH if a == 0 else 1.0
"""
PENNIES = """
from typing import NamedTuple

import numpy as np
from {stakes} import prize

from ruse.compile import compiled
from ruse.protocol.game import OVER


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Pennies(NamedTuple):
    sides: int = 2
    players = 2

    def start(self):
        return np.zeros(3, np.int64)

    def player(self, s):
        return s[0] if s[0] < 2 else OVER

    def num_actions(self, s):
        return self.sides

    def chance(self, s, a):
        return 0.0

    def apply(self, s, a):
        s[1 + s[0]] = a
        s[0] += 1

    def infoset(self, s):
        return 0

    def payoff(self, s, player):
        gain = prize(s[1], s[2])
        return gain if player == 0 else -gain
"""
SCRIPT = """
import json
import sys
from pathlib import Path

from ruse.compile import kernel, on_compile
from ruse.compile.files.game_files import load_file


@kernel
def payoff_of_heads(game, s):
    game.apply(s, 0)
    game.apply(s, 0)
    return game.payoff(s, 0)


def solve(game):
    from ruse.evaluate.best_response import exploitability_of
    from ruse.tree.expanded import Expanded
    from ruse.solve.full.engine import Tables, average_strategy, iterate
    from ruse.solve.solver.presets import pdcfr_plus

    form = Expanded.of(game, merging=False).form
    tables = Tables.start(form)
    iterate(pdcfr_plus(), form, tables, 0, 100, 0)
    return exploitability_of(form, average_strategy(form, tables)).values[0]


names, values, games = [], [], {}
with on_compile(names.append):
    for line in sys.argv[1:]:
        verb, file, *words = line.split("|")
        if verb == "load":
            games[file] = load_file(Path(file)).Pennies()
        elif verb == "edit":
            Path(file).write_text(Path(file).read_text().replace(*words))
        elif verb == "solve":
            values.append(round(solve(games[file]), 9))
        elif verb == "pay":
            values.append(payoff_of_heads(games[file], games[file].start()))
print(json.dumps([values, names]))
"""


class Place:
    """A folder with the user's game, the helper that it imports, and a script."""

    def __init__(self, folder: Path, cache: Path, stakes: str = "stakes") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.cache, self.script = cache, folder / "script.py"
        self.game, self.helper = folder / "pennies.py", folder / f"{stakes}.py"
        self.game.write_text(PENNIES.replace("{stakes}", stakes))
        self.helper.write_text(STAKES)
        self.script.write_text(SCRIPT)

    def run(self, *lines: str) -> tuple[list[float], list[str]]:
        """A new process: the values that it found and the names of the kernels that it compiled."""
        environment = os.environ | {"RUSE_CACHE": str(self.cache)}
        environment.pop("NUMBA_DISABLE_JIT", None)
        done = subprocess.run(
            [sys.executable, str(self.script), *lines], env=environment, capture_output=True, text=True, timeout=900
        )
        assert done.returncode == 0, done.stderr
        values, names = json.loads(done.stdout)
        return values, names

    def solve(self) -> tuple[list[float], list[str]]:
        return self.run(f"load|{self.game}", f"solve|{self.game}")

    def pay(self) -> tuple[list[float], list[str]]:
        return self.run(f"load|{self.game}", f"pay|{self.game}")


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that starts empty and that the tests of this module fill."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> tuple[list[float], list[str]]:
    """What the first process of all has done."""
    return Place(tmp_path_factory.mktemp("first"), cache).solve()


@pytest.fixture
def place(tmp_path: Path, cache: Path) -> Place:
    return Place(tmp_path, cache)


# ---- the cache -------------------------------------------------------------------------------------------------------


def test_the_next_process_compiles_nothing(first: tuple[list[float], list[str]], place: Place) -> None:
    """It is another folder too: a game is known by its text."""
    values, names = first
    assert values == pytest.approx([1 / 3], abs=1e-6)
    assert {"go", "run", "evaluated"} <= set(names)
    assert place.solve() == (values, [])


def test_an_edited_game_is_the_one_that_is_solved(first: tuple[list[float], list[str]], place: Place) -> None:
    edit(place.game, "gain = prize", "gain = -prize")
    values, names = place.solve()
    assert values == pytest.approx([-1 / 3], abs=1e-6)
    assert set(names) == {"go"}, "only what depends on the game is compiled again"
    edit(place.game, "gain = -prize", "gain = prize")
    assert place.solve() == (first[0], []), "the old text is still there"


def test_an_edited_helper_counts_too(first: tuple[list[float], list[str]], place: Place) -> None:
    edit(place.helper, "HIGH = 3.0", "HIGH = 5.0")
    values, names = place.solve()
    assert values == pytest.approx([0.5], abs=1e-6)
    assert set(names) == {"go"}


def test_edits_while_the_process_runs(place: Place) -> None:
    """What runs is what was loaded, and it is not kept under the name of the new text."""
    load, pay = f"load|{place.game}", f"pay|{place.game}"
    assert place.run(load, f"edit|{place.helper}|HIGH = 3.0|HIGH = 7.0", pay) == ([3], ["payoff_of_heads"])
    assert place.pay() == ([7], ["payoff_of_heads"])
    assert place.pay() == ([7], [])
    negated = f"edit|{place.game}|gain = prize|gain = -prize"
    assert place.run(load, pay, negated, load, pay) == ([7, -7], ["payoff_of_heads"])


def test_two_files_with_one_class_name(tmp_path: Path, cache: Path) -> None:
    """Each is compiled in a process of its own, then both are used in one, in both orders."""
    one, other = Place(tmp_path / "one", cache), Place(tmp_path / "other", cache, stakes="other_stakes")
    edit(other.helper, "HIGH = 3.0", "HIGH = 5.0")
    assert one.pay()[0] == [3]
    assert other.pay()[0] == [5]
    games = [f"load|{one.game}", f"load|{other.game}"]
    pays = [f"pay|{one.game}", f"pay|{other.game}"]
    assert one.run(*games, *pays)[0] == [3, 5]
    assert one.run(*games[::-1], *pays[::-1])[0] == [5, 3]
    assert one.run(*games[::-1], *pays[::-1]) == ([5, 3], [])


def test_torn_entries_are_compiled_again(first: tuple[list[float], list[str]], place: Place, cache: Path) -> None:
    damage = {"normalise": b"", "fill_reach": b"\x80garbage", "counting_sort": None}
    for name, content in damage.items():
        (entry,) = cache.glob(f"{name}-*.kernel")
        entry.write_bytes(entry.read_bytes()[:1000] if content is None else content)
    values, names = place.solve()
    assert values == first[0]
    assert sorted(names) == sorted(damage)
    assert place.solve() == (first[0], [])
    assert not list(cache.glob("*.tmp"))


def test_what_is_read_from_elsewhere_counts_too(place: Place) -> None:
    """Kernels freeze a module's numbers; here they come from a file that no import names."""
    numbers = place.helper.with_name("numbers.txt")
    edit(place.helper, "HIGH = 3.0", f"HIGH = float(open({str(numbers)!r}).read())")
    numbers.write_text("4.0")
    assert place.pay() == ([4], ["payoff_of_heads"])
    assert place.pay() == ([4], [])
    numbers.write_text("6.0")
    assert place.pay() == ([6], ["payoff_of_heads"])


@compiled_only
def test_closures_are_not_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No file tells what they hold."""
    monkeypatch.setenv("RUSE_CACHE", str(tmp_path))
    assert kernel(scaled.py_func)(part(17.0)(), 1.0) == 34
    assert list(tmp_path.iterdir()) == []
    assert kernel(read_note.py_func)(Note(3, 0.5), Kuhn(), np.array([2, 1, -1, 0, 0, 0])) == 130.5
    assert [path.name.split("-")[0] for path in tmp_path.iterdir()] == ["read_note"]


def test_a_cache_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    place = Place(tmp_path / "game", tmp_path / "file/cache")
    assert place.pay() == ([3], ["payoff_of_heads"])
    assert place.pay() == ([3], ["payoff_of_heads"])


def test_cache_dir(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RUSE_CACHE", str(tmp_path))
    assert ruse_compile.cache_dir() == tmp_path
    monkeypatch.delenv("RUSE_CACHE")
    assert ruse_compile.cache_dir().name == "ruse"
    assert ruse_compile.cache_dir().is_absolute()


# ---- parts -----------------------------------------------------------------------------------------------------------


def test_a_part_needs_a_field() -> None:
    with pytest.raises(TypeError, match=r"Empty must be a NamedTuple with a field, such as nothing: int = 0"):

        @compiled("match")
        class Empty(NamedTuple):
            """No fields."""

    with pytest.raises(TypeError, match="Plain must be a NamedTuple"):

        @compiled("match")
        class Plain:
            """No tuple."""


def test_a_part_needs_its_methods() -> None:
    with pytest.raises(TypeError, match="Rule has no method 'match', which @compiled names"):

        @compiled("match")
        class Rule(NamedTuple):
            nothing: int = 0


def test_a_method_has_the_same_parameters_everywhere() -> None:
    with pytest.raises(TypeError) as error:

        @compiled("infoset")
        class Odd(NamedTuple):
            nothing: int = 0

            def infoset(self, row):
                return 0

    assert "Odd.infoset(self, row) must have the parameters of" in str(error.value)
    assert "infoset(self, s)" in str(error.value)
    assert "write it as def infoset(self, s)," in str(error.value)


class Note(NamedTuple):
    """Not a part: it may have fields called like a rule's methods."""

    player: int
    payoff: float


@kernel
def read_note(note, game, s):
    return note.payoff + 10 * note.player + 100 * game.player(s)


def test_a_plain_tuple_may_have_a_field_called_like_a_method() -> None:
    s = Kuhn().start()
    s[0] = 2  # both cards are dealt: player 0 is to act
    s[1] = 1  # and now player 1
    assert read_note(Note(3, 0.5), Kuhn(), s) == 130.5


@compiled_function
def twofold(x):
    return 2 * x


def part(factor: float, label: str = "Scale") -> Any:
    """A class made anew each time, as an edited cell of a notebook makes it."""

    class Scale(NamedTuple):
        nothing: int = 0

        def scale(self, x):
            return twofold(factor * x)

    Scale.__name__ = label
    return compiled("scale")(Scale)


@kernel
def scaled(part, x):
    return part.scale(x)


@compiled("shifted")
class Shift(NamedTuple):
    """The names of its parameters are those of `compile.py`'s own things."""

    by: int = 1

    def shifted(self, table, twin, code):
        return plus(table, twin, code) + self.by


@compiled_function
def plus(table, twin, code):
    return table + twin + code


@kernel
def shift(part):
    return part.shifted(10, 20, 30)


def test_parameters_may_have_any_name() -> None:
    """Once a method with a parameter called `table` was looked up in what was passed for it."""
    assert shift(Shift(5)) == 65


def test_a_class_defined_again_is_another() -> None:
    """Numba knows tuples by the name of their class: without care the first definition would run for ever."""
    classes = [part(factor) for factor in (1.0, 5.0, 7.0)]
    assert [scaled(cls(), 1.0) for cls in classes] == [2, 10, 14]
    assert [scaled(cls(), 1.0) for cls in reversed(classes)] == [14, 10, 2]
    assert [repr(cls()) for cls in classes] == ["Scale(nothing=0)"] * 3


@compiled_only
def test_on_compile_tells_names_once() -> None:
    names: list[str] = []
    other = part(11.0, "Eleven")
    with on_compile(names.append, lambda: names.append("done")):
        assert scaled(other(), 1.0) == 22
        assert scaled(other(), 2.0) == 44
    assert names == ["scaled", "done"]
    scaled(part(13.0, "Thirteen")(), 1.0)
    assert names == ["scaled", "done"], "the watcher is gone"


@compiled_only
def test_division_by_zero_is_as_in_numpy() -> None:
    @kernel
    def divide(a, b):
        return a / b

    assert divide(1.0, 0.0) == np.inf
    assert divide(np.zeros(1)[0], 0.0) != divide(np.zeros(1)[0], 0.0)  # not a number
