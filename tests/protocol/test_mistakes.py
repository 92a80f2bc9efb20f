"""Mistakes in somebody's code are told by method, line and cure; a game in a file is checked before its first use."""

import re
from pathlib import Path

import pytest
from commands import Ruse

import ruse as package
from ruse.catalog.titles import title_of
from ruse.compile.files.mistakes import raised, reason
from ruse.errors import RuseError
from ruse.laws import first_check
from ruse.laws.check import Report, check, quick_check
from ruse.protocol.guards.breaches import Unlawful
from ruse.strategy import Strategy

SOURCE = """from typing import NamedTuple
import numpy as np
import ruse

WEIGHTS = {0: 1.0}

def helper(x):
    return x + 1

@ruse.compiled_function
def annotated(x: int) -> int:
    return x

@ruse.compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Toy(NamedTuple):
    stake: int = 1
    players = 2
    payoff_sum = 0

    def start(self):
        return np.zeros(3, np.int64)

    def player(self, s):
        return ruse.OVER if s[0] == 2 else s[0]

    def num_actions(self, s):
        return 2

    def chance(self, s, a):
        return 0.5

    def apply(self, s, a):
        s[0] += 1
        s[s[0]] = a

    def infoset(self, s):
        return s[0]

    def payoff(self, s, player):
        sign = 1.0 if s[1] == s[2] else -1.0
        return sign if player == 0 else -sign

    def action_name(self, s, a):
        return "ab"[a]

    def describe(self, s, viewer):
        return f"move {s[0]}"
"""


def written(path: Path, line: str, instead: str) -> tuple[str, int]:
    """A toy game with another line in it; its path, and the number of the line."""
    assert SOURCE.count(line) == 1
    path.write_text(SOURCE.replace(line, instead))
    return str(path), SOURCE[: SOURCE.index(line)].count("\n") + 1


COMPILED = {
    "a list": ("        return s[0]\n", "        return [1, 2][s[0]]\n", r"infoset\(\) at HERE makes a list"),
    "an empty list": (
        "        return 2\n", "        return 2 + len([])\n", r"num_actions\(\) at HERE makes a list"
    ),
    "a dictionary": (
        "        return 0.5\n", "        return {0: 0.5}[a]\n", r"chance\(\) at HERE makes a dictionary, which rules"
    ),
    "a text": ("        return s[0]\n", '        return len(f"{s[0]}")\n', r"infoset\(\) at HERE makes a text, which"),
    "an array": (
        "        s[0] += 1\n", "        s[0] += np.ones(1)[0]\n", r"apply\(\) at HERE makes an array, a list or a text"
    ),
    "a helper": (
        "        return s[0]\n", "        return helper(s[0])\n",
        r"infoset\(\) at HERE calls helper, a plain Python function; decorate it with @ruse\.compiled_function$",
    ),
    "a dictionary of the module": (
        "        return 0.5\n", "        return WEIGHTS[0]\n",
        r"chance\(\) at HERE uses WEIGHTS, of type dict, which rules cannot; rules may use numbers",
    ),
    "a name that is not there": (
        "        return s[0]\n", "        return nowhere(s[0])\n",
        r"infoset\(\) at HERE uses nowhere, which is not defined$"
    ),
    "a field that is not there": (
        "        return 2\n", "        return self.width\n",
        r"num_actions\(\) at HERE asks for \.width, which Toy does not have when compiled; make it a field, or name",
    ),
    "nothing returned": (
        "        return 0.5\n", "        return None\n",
        r"chance\(\) at toy\.py:\d+ must return a number, and returns nothing$"
    ),
    "nothing returned for a key": (
        "        return s[0]\n", "        pass\n",
        r"infoset\(\) at toy\.py:\d+ must return a number, and returns nothing$"
    ),
    "a name of the module that changes": (
        "        s[0] += 1\n", "        global WEIGHTS; WEIGHTS = 1; s[0] += 1\n",
        r"apply\(\) at HERE changes a name of the module, which rules cannot; what changes is kept in the row$",
    ),
    "two kinds in one name": (
        "        return 2\n", '        x = "a" if s[0] == 0 else 1.0; return 2 + (x == x)\n',
        r"num_actions\(\) at HERE puts a number and a text into one name; give each kind a name of its own$",
    ),
    "a field that is set": (
        "        return 2\n", "        self.stake = 2; return 2\n",
        r"num_actions\(\) at HERE sets \.stake, and no field can be set; what changes is kept in the row$",
    ),
    "a file that is opened": (
        "        return 2\n", '        with open("x") as f: return 2\n',
        r"num_actions\(\) at HERE opens something by `with`, which rules cannot; rules may use numbers",
    ),
    "a function of Python's own": (
        "        return 2\n", "        return 2 + len(open(s[0]))\n",
        r"num_actions\(\) at HERE calls open, which rules cannot; rules may use numbers",
    ),
    "a number beyond 64 bits": (
        "        return s[0]\n", "        return (1 << 70) * int(s[0])\n",
        r"infoset\(\) at HERE uses 1180591620717411303424, a number beyond 64 bits; use ruse\.mix",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPILED)
def test_rules_that_do_not_compile(name: str, tmp_path: Path) -> None:
    line, instead, words = COMPILED[name]
    path, number = written(tmp_path / "toy.py", line, instead)
    (sentence,) = check(package.game(path)).failures
    where = re.escape(f"toy.py:{number}")
    assert re.match(rf"the rules could not be compiled: {words}".replace("HERE", where), sentence), sentence
    assert "\n" not in sentence


PYTHON = {
    "describe": ('        return f"move {s[0]}"', "        return {}[7]", "describe() raised KeyError: 7 at toy.py:"),
    "action_name": (
        '        return "ab"[a]', '        return "a"[a]',
        "action_name() raised IndexError: string index out of range at toy.py:",
    ),
    "apply": (
        "        s[s[0]] = a", "        s[s[0] + 1] = a",
        "apply() raised IndexError: index 3 is out of bounds for axis 0 with size 3 at toy.py:",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PYTHON)
def test_exceptions_of_the_games_own_python(name: str, tmp_path: Path) -> None:
    line, instead, words = PYTHON[name]
    path, number = written(tmp_path / "toy.py", line, instead)
    assert check(package.game(path)).failures == [f"{words}{number}"]


ANSWERS = {
    "a key beyond 64 bits": ("        return s[0]\n", "        return s[0] + 9223372036854775808\n",
        r"infoset\(\) at toy\.py:\d+ comes to a number beyond 64 bits; ruse\.mix makes keys of many numbers$"),
    "a million million actions": ("        return 2\n", "        return 2 + (s[0] << 40)\n",
        r"after b num_actions\(\) says 1,099,511,627,778; there may be 2,147,483,648 at most"),
    "no payoff": ("        sign = 1.0 if s[1]",
        "        if s[1] == s[2]:\n            return None\n        sign = 1.0 if s[1]",
        r"payoff\(\) at toy\.py:\d+ must return a number, and returns nothing after \w, \w$"),
    "half a player": ("        return ruse.OVER if s[0] == 2 else s[0]",
        "        return ruse.OVER if s[0] == 2 else 0.5 * s[0]",
        r"player\(\) at toy\.py:\d+ must return a whole number, and returns .*0\.5.* after \w$"),
    "parameters": ("    def describe(self, s, viewer):", "    def describe(self, extra, s, viewer):",
        r"describe\(\) at toy\.py:\d+ takes \(extra, s, viewer\); write it as def describe\(self, s, viewer\)$"),
    "a promise": ("    payoff_sum = 0", "    payoff_sum = 'zero'", "payoff_sum must be a number, or be left out"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_that_are_none(name: str, tmp_path: Path) -> None:
    line, instead, words = ANSWERS[name]
    path, _ = written(tmp_path / "toy.py", line, instead)
    (sentence,) = check(package.game(path)).failures
    assert re.match(words, sentence), sentence


def test_a_rare_write_beyond_the_row_is_found_by_both_checks(tmp_path: Path) -> None:
    """After one move in ten thousand, where the games that plain Python plays do not come."""
    rare = SOURCE.replace("return 2\n", "return 200\n").replace('"ab"[a]', 'f"m{a}"')
    rare = rare.replace("        s[s[0]] = a", "        s[s[0] + 60000 * (s[1] == 3 and s[0] == 2 and a == 3)] = a")
    rare = rare.replace("        return s[0]\n", "        return s[0]\n")
    (tmp_path / "toy.py").write_text(rare)
    for look in (check, quick_check):
        (sentence,) = look(package.game(str(tmp_path / "toy.py"))).failures
        assert sentence.startswith("after m3 apply() raised IndexError: index 60002 is out of bounds"), sentence


def test_files_that_cannot_be_loaded(tmp_path: Path) -> None:
    path, number = written(tmp_path / "toy.py", "WEIGHTS = {0: 1.0}", "raise SystemExit(3)")
    with pytest.raises(RuseError, match=rf"it calls sys\.exit\(\) at toy\.py:{number}; take that out$"):
        package.game(path)
    path, _ = written(tmp_path / "toy.py", "    stake: int = 1", "    stake: int")
    with pytest.raises(RuseError, match=r"needs a value for stake: type .*toy\.py:stake=\.\.\., or give the field a"):
        package.game(path)


def test_options_are_refused_before_a_run_is_made(ruse: Ruse, tmp_path: Path) -> None:
    for memory in ("1e30", str(1 << 63), str(1 << 64)):
        result = ruse("solve", "kuhn", "--memory", memory)
        assert (result.code, "less than 2^63" in result.err) == (2, True)
    assert "'abc' is not a whole number" in ruse("solve", "kuhn", "--threads", "abc").err
    assert "ruse: kuhn is too large to expand" in ruse("solve", "kuhn", "--memory", "5").err
    assert not (tmp_path / "runs").exists()


def test_a_helper_that_raises_is_named_beside_the_method(tmp_path: Path) -> None:
    source = SOURCE.replace('return f"move {s[0]}"', "return helper(None)")
    (tmp_path / "toy.py").write_text(source)
    (sentence,) = check(package.game(str(tmp_path / "toy.py"))).failures
    assert sentence.startswith("describe() raised TypeError: ")
    assert sentence.endswith(" in helper() at toy.py:8")


def test_trouble_of_our_own_is_not_blamed_on_others() -> None:
    with pytest.raises(ValueError, match="players") as told:
        package.Kuhn(players=99).start()
    assert "test_trouble_of_our_own" in str(raised(told.value))
    assert told.value.__traceback__ is not None
    told.value.__traceback__ = told.value.__traceback__.tb_next  # without this file
    assert raised(told.value) is None
    assert reason(ValueError("something new\nand more")).startswith("something new; rules may use numbers")


def test_commands_tell_it_in_one_line(ruse: Ruse, tmp_path: Path) -> None:
    _, number = written(tmp_path / "toy.py", *PYTHON["describe"][:2])
    sentence = f"{PYTHON['describe'][2]}{number}"
    for command in ("solve", "play", "show"):
        result = ruse(command, "toy.py")
        assert result.code == 2
        told = [line for line in result.err.splitlines() if line.startswith("ruse: ")]
        assert told == [f"ruse: toy.py: {sentence}; `ruse check toy.py` tells more"]
        assert "Traceback" not in result.err
    result = ruse("check", "toy.py")
    assert result.code == 2
    assert f"! {sentence}" in result.out


def test_annotations_are_no_mistake(tmp_path: Path) -> None:
    """Of helpers, and of rules."""
    path, _ = written(tmp_path / "toy.py", "        return s[0]\n", "        return annotated(s[0])\n")
    source = (
        Path(path).read_text().replace("def chance(self, s, a):", "def chance(self, s: np.ndarray, a: int) -> float:")
    )
    Path(path).write_text(source)
    assert check(package.game(path), games=20).failures == []


# ---- the first check -------------------------------------------------------------------------------------------------


def test_a_file_is_checked_once_and_again_when_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[package.Game] = []

    def counted(game: package.Game) -> Report:
        played.append(game)
        return Report([], [])

    monkeypatch.setattr(first_check, "quick_check", counted)
    monkeypatch.setattr(first_check, "cache_dir", lambda: tmp_path / "cache")
    path, _ = written(tmp_path / "toy.py", "payoff_sum = 0", "payoff_sum = 0")
    game, richer = package.game(path), package.game(f"{path}:stake=2")
    assert not first_check.is_checked(game)
    first_check.refuse_unlawful(game, "toy.py")
    assert first_check.is_checked(game)
    assert not first_check.is_checked(richer), "other fields may break other laws"
    written(tmp_path / "toy.py", "payoff_sum = 0", "payoff_sum = 1")
    assert not first_check.is_checked(package.game(path))
    assert len(played) == 1


def test_what_the_check_itself_loads_is_no_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was: whatever was asked before it and written after it was never found again."""
    loaded = ["before"]

    def loading(game: package.Game) -> Report:
        loaded[0] = "after"
        return Report([], [])

    monkeypatch.setattr(first_check, "quick_check", loading)
    monkeypatch.setattr(first_check, "fingerprint", lambda module: f"{module} {loaded[0]}")
    monkeypatch.setattr(first_check, "cache_dir", lambda: tmp_path)
    first_check.refuse_unlawful(package.Kuhn(), "toy.py")
    loaded[0] = "before"  # the next command begins with as little
    assert first_check.is_checked(package.Kuhn())


def test_a_game_that_fails_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_check, "quick_check", lambda game: Report([], ["it is wrong"]))
    monkeypatch.setattr(first_check, "cache_dir", lambda: tmp_path / "cache")
    path, _ = written(tmp_path / "toy.py", "payoff_sum = 0", "payoff_sum = 0")
    game = package.game(path)
    with pytest.raises(Unlawful, match=r"^toy\.py: it is wrong; `ruse check toy\.py` tells more$"):
        first_check.refuse_unlawful(game, "toy.py")
    assert not first_check.is_checked(game)


def test_solve_refuses_what_check_refuses(ruse: Ruse, tmp_path: Path) -> None:
    written(tmp_path / "toy.py", "        return sign if player == 0 else -sign", "        return sign")
    for walk in ("full", "external"):
        result = ruse("solve", "toy.py", "--walk", walk, "--iterations", "3", "--no-run")
        assert result.code == 2
        assert "add up to 2, not to payoff_sum = 0; `ruse check toy.py` tells more" in result.err
    for words in ("match toy.py random random", "evaluate a.strategy --game toy.py", "resume last --game toy.py"):
        result = ruse(*words.split())
        assert result.code == 2
        assert "add up to 2, not to payoff_sum = 0; `ruse check toy.py` tells more" in result.err, words


def test_a_path_may_have_colons(ruse: Ruse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_check, "is_checked", lambda game: True)
    folder = tmp_path / "at 10:30"
    folder.mkdir()
    written(folder / "toy.py", "payoff_sum = 0", "payoff_sum = 0")
    named = "at 10:30/toy.py:stake=2"
    game = package.game(named)
    assert (type(game).__name__.partition("_")[0], game.stake) == ("Toy", 2)  # type: ignore[attr-defined]
    assert title_of(game) == named
    Strategy.uniform(game).save(tmp_path / "a.strategy")
    assert Strategy.load(tmp_path / "a.strategy").game == game
    result = ruse("play", named, "--against", "random", "--games", "1")
    assert result.code == 0
    assert ruse("play", "at 10:30/toy.py:take=2").err.count("no field 'take'") == 1
