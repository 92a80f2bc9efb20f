"""The fingerprint of what a game does: a changed rule is noticed, a changed comment is not."""

import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from commands import Ruse
from places import ROOT

from ruse.catalog import behaviour
from ruse.catalog.behaviour import CODE, has_changed, part, played, refuse_changed, whole
from ruse.compile import compiled
from ruse.compile.files.game_files import load_file
from ruse.compile.files.reached import in_single
from ruse.errors import RuseError
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.games.cheat.views import Memoryless
from ruse.games.explicit import Builder
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.interop import efg
from ruse.protocol.view import Full
from ruse.solve.solver.presets import cfr
from ruse.store import tensors
from ruse.strategy import Strategy
from ruse.training.curriculum import Copying, curriculum
from ruse.training.terms.stops import Iterations
from ruse.training.train import new_run, train
from ruse.training.train import resume as go_on

KUHN = efg.dump(Kuhn())
EXAMPLE = ROOT / "examples" / "coin_toss.py"


# ---- small games: all of it ------------------------------------------------------------------------------------------


def test_it_is_the_same_on_every_machine_and_in_every_version() -> None:
    """Files out there have these: if this fails, raise VERSION, and old files are no longer compared."""
    assert behaviour.behaviour(Kuhn()) == "1 whole=6707980f9b45583c"
    assert behaviour.behaviour(Leduc()) == "1 whole=ce6cf635d673289f"
    assert played(Cheat(), Full()) == "f8f67d672ca6c616"
    assert played(Cheat(), Sketch()) == played(Cheat(), Sketch())


def test_every_leaf_counts() -> None:
    """Each payoff of each leaf, however rare, and however little it changes."""
    game = efg.parse(KUHN)
    plain = whole(game, Full())
    assert plain == whole(efg.parse(KUHN), Full())
    leaves = np.flatnonzero(game.actor == -2)
    for leaf in leaves:
        for player in (0, 1):
            payoffs = game.payoffs.copy()
            payoffs[leaf, player] += 1e-4
            assert whole(game._replace(payoffs=payoffs), Full()) != plain, (leaf, player)


def test_every_rule_counts() -> None:
    game = efg.parse(KUHN)
    plain, seen = whole(game, Full()), set()
    chance = game.probability.copy()
    outcomes = np.flatnonzero(game.actor[game.parent] == -1)[1:3]
    chance[outcomes] += [0.01, -0.01]
    infosets = game.infoset_of.copy()
    infosets[infosets == infosets.max()] += 1  # the same game under other keys: a table of the old ones is of no use
    joined = np.where(game.infoset_of == 3, 4, game.infoset_of)
    actors = np.where(game.actor >= 0, 1 - game.actor, game.actor)
    for changed in (
        game._replace(probability=chance),
        game._replace(infoset_of=infosets),
        game._replace(infoset_of=joined),
        game._replace(actor=actors),
    ):
        seen.add(whole(changed, Full()))
    assert len(seen) == 4
    assert plain not in seen


def test_words_and_the_last_bits_do_not_count() -> None:
    """Another machine may round otherwise, and what things are called is no rule."""
    game = efg.parse(KUHN)
    plain = whole(game, Full())
    assert plain == whole(efg.parse(KUHN.replace("Kuhn", "Cohn").replace("pass", "check")), Full())
    shaken = game._replace(probability=game.probability * (1 + 1e-15), payoffs=game.payoffs * (1 - 1e-15))
    assert not np.array_equal(shaken.probability, game.probability)
    assert plain == whole(shaken, Full())


def test_the_order_of_equal_moves_of_chance_does_not_change_who_is_who() -> None:
    """Two trees with the same leaves below other actions are two games."""

    def tree(first: Fraction, second: Fraction) -> Any:
        builder = Builder("two coins", 2)
        start = builder.decide(0, player=0, infoset="a", actions=["l", "r"])
        for k, payoff in enumerate((first, second)):
            builder.end(start + k, [payoff, -payoff])
        return builder.game()

    assert whole(tree(Fraction(1), Fraction(2)), Full()) != whole(tree(Fraction(2), Fraction(1)), Full())


@compiled("key")
class Rank(NamedTuple):
    """Leduc by the own card, in one of several ways."""

    way: int = 0

    def key(self, game, s):  # type: ignore[no-untyped-def]
        return game.player(s) * 100 + game.num_actions(s) * 10 + self.way


def test_the_keys_of_a_view_count() -> None:
    game = Leduc()
    prints = [behaviour.behaviour(game, view) for view in (Full(), Rank(0), Rank(1))]
    assert len(set(prints)) == 3
    assert has_changed(prints[1], game, Rank(1))
    assert not has_changed(prints[1], game, Rank(0))
    with pytest.raises(
        RuseError, match=r"^the rules of leduc, or what Rank\(way=1\) sees of them, have changed since it"
    ):
        refuse_changed(prints[1], game, Rank(1), "it was made")


def test_what_cannot_be_compared_has_not_changed() -> None:
    for recorded in (None, "", "2 whole=0", "1", "1 something=0", "nonsense", "1 code2.7=12"):
        assert not has_changed(recorded, Kuhn()), recorded
    assert has_changed("1 whole=0", Kuhn())
    assert has_changed("1 played=0", Kuhn())
    assert has_changed("1 whole=0", Cheat()), "a game that has grown too large to be walked"


# ---- larger ones -----------------------------------------------------------------------------------------------------


def test_a_large_game_is_played() -> None:
    prints = [behaviour.behaviour(Cheat(), view) for view in (Full(), Memoryless(), Memoryless(cards=True))]
    assert [text.count("=") for text in prints] == [1, 2, 2]  # no code: a version of ruse is no other game
    assert len(set(prints)) == 3
    assert len({played(Cheat(**fields), Full()) for fields in ({}, {"hp": 2}, {"deal": 1}, {"allow_pass": True})}) == 4


def test_to_fail_is_to_behave() -> None:
    class Broken(NamedTuple):
        players: int = 2
        error: type = ValueError

        def start(self) -> Any:
            raise self.error

    assert played(Broken(), Full()) != played(Broken(error=KeyError), Full())  # type: ignore[arg-type]


SOURCE = '''"""A game with files beside it."""
from typing import NamedTuple
import numpy as np
import its_tables
from its_words import LINES, limit as most

STAKE = 2
UNUSED = 3
TABLE = np.arange(3)

def double(x):
    """Twice."""
    return 2 * x  # as it says

def other():
    return UNUSED

class Large(NamedTuple):
    """Too large to be walked."""
    depth: int = 40
    players = 2
    def start(self):
        return np.zeros(2, np.int64)
    def player(self, s):
        return s[0] % 2 if s[0] < self.depth else -2
    def num_actions(self, s):
        return most
    def chance(self, s, a):
        return 0.0
    def apply(self, s, a):
        s[0] += 1
        s[1] += a
    def infoset(self, s):
        return s[0]
    def payoff(self, s, player):
        if s[1] == 12345:  # which no game that is played comes to
            return 7.0
        return double(STAKE) * TABLE[0] + its_tables.value(s[1])
    def action_name(self, s, a):
        return LINES[a]
    def describe(self, s, viewer):
        return "nothing to see"
'''
SOURCE += """
if __name__ == "__main__":
    iterations = 1_000
    print(Large(), iterations)
"""
BESIDE = {"its_tables": "def value(x):\n    return 0\n", "its_words": "LINES = ('a', 'b')\nlimit = 2\n"}
SAME = [
    ("large", "# as it says", "# as it is said, at length"),
    ("large", '"""Twice."""', '"""Two times."""'),
    ("large", "return 2 * x", "return (2 *\n            x)"),
    ("large", "nothing to see", "something to see"),
    ("large", "UNUSED = 3", "UNUSED = 4"),
    ("large", "    return UNUSED", "    return 5"),
    ("large", "1_000", "2_000"),
    ("large", "import its_tables", "import its_tables, its_tables as again"),
    ("its_words", "'a', 'b'", "'x', 'y'"),
    ("its_tables", "return 0", "return 0  # nothing"),
]
OTHER = [
    ("large", "return 7.0", "return 8.0"),
    ("large", "12345", "12346"),
    ("large", "STAKE = 2", "STAKE = 3"),
    ("large", "return 2 * x", "return 3 * x"),
    ("large", "np.arange(3)", "np.arange(4)"),
    ("its_words", "limit = 2", "limit = 3"),
    ("its_tables", "return 0", "return 1 if x == 12345 else 0"),
]


def large(folder: Path, *changes: tuple[str, str, str]) -> Any:
    texts = {"large": SOURCE, **BESIDE}
    for name, old, new in changes:
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new)
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return load_file(folder / "large.py").Large()


def code_of(game: Any) -> str | None:
    return part(CODE, game, Full())


def test_the_code_of_a_large_game_counts(tmp_path: Path) -> None:
    plain = code_of(large(tmp_path))
    assert plain is not None
    for change in SAME:
        assert code_of(large(tmp_path, change)) == plain, change
    found = [code_of(large(tmp_path, change)) for change in OTHER]
    assert plain not in found
    assert len(set(found)) == len(OTHER)
    assert code_of(large(tmp_path, *SAME)) == plain


def test_packages_beside_a_game_count(tmp_path: Path) -> None:
    package = tmp_path / "its_parts"
    package.mkdir()
    (package / "__init__.py").write_text("from .rules import most\n")
    change = ("large", "from its_words import LINES, limit as most", "from its_parts import most\nLINES = 'ab'")
    found = []
    for number in ("2", "2  # two", "3"):
        (package / "numbers_of.py").write_text(f"two = {number}\n")
        (package / "rules.py").write_text("from . import numbers_of\nmost = numbers_of.two\n")
        found.append(code_of(large(tmp_path, change)))
    assert found[0] == found[1] != found[2]


def test_computed_numbers_may_differ_in_their_last_bits() -> None:
    assert 0.1 + 0.2 != 0.3
    assert [in_single(x) for x in (0.1 + 0.2, (1, 0.1 + 0.2))] == [in_single(x) for x in (0.3, (1, 0.3))]
    assert in_single(np.array([0.1 + 0.2])).tobytes() == in_single(np.array([0.3])).tobytes()
    assert in_single(0.3) != in_single(0.3001)
    assert in_single(1 << 60) == 1 << 60


def test_a_change_that_play_does_not_meet_is_told_by_the_code(tmp_path: Path) -> None:
    game = large(tmp_path)
    recorded = f"1 played={part('played', game, Full())} {CODE}={code_of(game)}"
    assert not has_changed(recorded, large(tmp_path, *SAME))
    rare = large(tmp_path, OTHER[0])
    assert part("played", rare, Full()) == part("played", game, Full())
    assert has_changed(recorded, rare)


def test_the_tables_of_a_large_tree_count() -> None:
    game = efg.parse(KUHN)
    payoffs = game.payoffs.copy()
    payoffs[-1] *= 2
    digests = {behaviour.data(one, Full()) for one in (game, game._replace(payoffs=payoffs))}
    assert len(digests) == 2
    assert behaviour.data(Kuhn(), Full()) is None


# ---- strategies and runs ---------------------------------------------------------------------------------------------


def rewritten(path: Path, **header: str) -> None:
    found, arrays = tensors.read(path)
    tensors.write(path, {name: array.copy() for name, array in arrays.items()}, found | header)


def test_a_strategy_of_a_changed_tree_is_refused(ruse: Ruse, tmp_path: Path) -> None:
    """Its text is the same: the name, the players and the number of histories."""
    (tmp_path / "tree.efg").write_text(KUHN)
    assert ruse("solve", "tree.efg", "--iterations", "20", "--out", "tree.strategy").code == 0
    assert ruse("evaluate", "tree.strategy").code == 0
    last = KUHN.rindex('4 "" { 2 -2 }')
    (tmp_path / "tree.efg").write_text(KUHN[:last] + '5 "" { 3 -3 }' + KUHN[KUHN.index("}", last) + 1 :])
    for words in (
        ["show", "tree.strategy"], ["evaluate", "tree.strategy"], ["match", "tree.strategy", "random"],
        ["match", "tree.efg", "tree.strategy", "random"], ["play", "tree.strategy"], ["export", "tree.strategy"],
        ["resume", "last", "--iterations", "40"], ["show", "last"], ["show", "tree.strategy", "--game", "tree.efg"],
    ):  # fmt: skip
        done = ruse(*words)
        assert done.code == 2, words
        assert f"the rules of {tmp_path / 'tree.efg'} have changed since" in done.err
        assert done.err.endswith("train anew, or add --game FILE with the rules of then\n")
    (tmp_path / "old.efg").write_text(KUHN)
    assert ruse("evaluate", "tree.strategy", "--game", "old.efg").code == 0
    assert ruse("resume", "last", "--iterations", "40", "--game", "old.efg").code == 0


def test_a_run_of_a_changed_game_is_not_gone_on_with(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"iterations": 10}
    directory = new_run(tmp_path, Kuhn(), cfr(), **settings)
    train(Kuhn(), cfr(), directory=directory, **settings)
    assert directory.settings["behaviour"] == behaviour.behaviour(Kuhn())
    directory.settings["behaviour"] = "1 whole=0"
    for again in (lambda: train(Kuhn(), cfr(), directory=directory, iterations=20), lambda: go_on(directory)):
        with pytest.raises(
            RuseError, match=r"^the rules of kuhn have changed since .*-kuhn-cfr was started: train anew"
        ):
            again()
    del directory.settings["behaviour"]  # a run from before there were fingerprints
    assert go_on(directory, iterations=20).iterations == 20


def test_a_lesson_of_a_changed_game_is_not_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    how: dict[str, Any] = {"until": Iterations(5), "transfer": Copying(), "runs": tmp_path}
    games = [Kuhn(), Kuhn(bet=2)]
    curriculum(games, cfr(), **how)
    curriculum(games, cfr(), **how)
    file = sorted(tmp_path.iterdir())[0] / "run.toml"
    file.write_text(file.read_text().replace("whole=6", "whole=7"))
    with pytest.raises(RuseError, match=r"^the rules of kuhn have changed since"):
        curriculum(games, cfr(), **how)


def test_a_strategy_says_what_its_game_did(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.strategy"
    Strategy.uniform(Kuhn()).save(path)
    assert tensors.read(path)[0]["behaviour"] == behaviour.behaviour(Kuhn())
    rewritten(path, behaviour="1 whole=0")
    for given in (None, Kuhn()):
        with pytest.raises(RuseError, match=r"^the rules of kuhn have changed since .*kuhn\.strategy was made: train"):
            Strategy.load(path, game=given)
    rewritten(path, behaviour="")
    assert Strategy.load(path).game == Kuhn()


def test_a_strategy_is_saved_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def fail(*_: object) -> str:
        raise ZeroDivisionError("no fingerprint")

    monkeypatch.setattr("ruse.strategy.behaviour", fail)
    Strategy.uniform(Kuhn()).save(tmp_path / "kuhn.strategy")
    assert "saved without a fingerprint of its game: no fingerprint" in caplog.text
    assert Strategy.load(tmp_path / "kuhn.strategy").game == Kuhn()


def test_a_game_that_looks_the_same_is_compared_as_it_was(tmp_path: Path) -> None:
    """A strategy made with another limit of turns carries over, but not if the rules are others."""
    path = tmp_path / "cut.strategy"
    Strategy.uniform(Cheat(max_turns=3)).save(path)
    assert Strategy.load(path, game=Cheat()).about["made_in"] == "cheat:max_turns=3"
    rewritten(path, behaviour="1 whole=0")
    with pytest.raises(RuseError, match=r"^the rules of cheat:max_turns=3 have changed since"):
        Strategy.load(path, game=Cheat())


@pytest.mark.slow
def test_a_game_in_a_file(ruse: Ruse, tmp_path: Path) -> None:
    """A comment does not matter, a payoff does. Slow, because each text is compiled anew."""
    shutil.copy(EXAMPLE, tmp_path / "coin_toss.py")
    text = EXAMPLE.read_text()
    assert ruse("solve", "coin_toss.py", "--iterations", "100", "--out", "coin.strategy").code == 0
    (tmp_path / "coin_toss.py").write_text(text.replace("    def payoff", "    # what it is worth\n    def payoff"))
    assert ruse("evaluate", "coin.strategy", "--game", "coin_toss.py").code == 0
    assert ruse("resume", "last", "--iterations", "200").code == 0
    (tmp_path / "coin_toss.py").write_text(text.replace("return -sign * self.stake", "return -2 * sign * self.stake"))
    for words in (["evaluate", "coin.strategy", "--game", "coin_toss.py"], ["resume", "last", "--iterations", "300"]):
        done = ruse(*words)
        assert (done.code, "have changed since" in done.err) == (2, True)
