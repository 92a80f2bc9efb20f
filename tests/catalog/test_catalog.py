"""Games and rules by name: texts that come back, and a sentence for each that cannot be read."""

import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from ruse.catalog.names import GAMES, companion, game, preset, spec_of
from ruse.errors import RuseError
from ruse.interop import efg
from ruse.protocol.values.fields import parse_fields
from ruse.solve.solver.presets import PRESETS

# ---- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        *((name, name) for name in GAMES),
        ("kuhn:players=3", "kuhn:players=3"),
        ("kuhn:players=2", "kuhn"),
        ("kuhn:", "kuhn"),
        ("kuhn: bet=2 , players=3,", "kuhn:players=3,bet=2"),
        ("leduc:ranks=5,suits=3,ante=2", "leduc:ranks=5,suits=3,ante=2"),
        ("liars_dice:sides=4,dice=2", "liars_dice:dice=2,sides=4"),
        ("goofspiel:cards=3", "goofspiel:cards=3"),
        ("cheat:tiny", "cheat"),
        ("cheat:half", "cheat:ranks=7,copies=4,deal=6,hp=-1"),
        ("cheat:half,players=3,max_turns=40", "cheat:ranks=7,copies=4,deal=6,players=3,hp=-1,max_turns=40"),
        ("cheat:players=3,mid,hp=2", "cheat:ranks=5,copies=3,deal=4,players=3,hp=2"),
    ],
)
def test_a_text_comes_back(text: str, canonical: str) -> None:
    made = game(text)
    assert spec_of(made) == canonical
    again = game(canonical)
    assert (type(again), again) == (type(made), made)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "players": st.integers(2, 3),
            "suits": st.integers(2, 4),
            "ante": st.integers(1, 9),
            "first_raise": st.integers(1, 9),
            "max_raises": st.integers(1, 3),
        },
    )
)
@settings(deadline=None)  # no test may depend on how fast the machine is
def test_any_fields_come_back(fields: dict[str, int]) -> None:
    made = ruse.Leduc(**fields)
    text = spec_of(made)
    assert text is not None
    assert game(text) == made == game("leduc", **fields)
    assert text.count("=") == sum(value != getattr(ruse.Leduc(), name) for name, value in fields.items())


def test_fields_by_text_and_by_keyword() -> None:
    assert game("leduc:players=3", suits=3) == ruse.Leduc(players=3, suits=3)
    assert game("leduc:players=3,suits=4", suits=3) == ruse.Leduc(players=3, suits=3)  # the keyword is nearer
    assert isinstance(game("kuhn"), ruse.Kuhn)
    assert parse_fields("a=1, b = 2.5 ,c=x,d=true") == {"a": 1, "b": 2.5, "c": "x", "d": 1}
    assert parse_fields("") == {}


def test_games_that_only_a_program_can_make() -> None:
    assert spec_of(ruse.matrix([[1, 2], [3, 5]], name="a program's")) is None

    class Table(NamedTuple):
        """Its field has no hash."""

        payoffs: Any

    assert spec_of(Table(np.zeros(3))) is None  # type: ignore[arg-type]


def test_another_class_of_the_same_name_is_another_game() -> None:
    ours = ruse.Kuhn()

    class Kuhn(NamedTuple):
        """Not the one in the catalogue."""

        players: int = 2
        ante: int = 1
        bet: int = 1

    assert Kuhn() == ours
    assert spec_of(ours) == "kuhn"
    assert spec_of(Kuhn()) is None  # type: ignore[arg-type]


def test_equal_tuples_are_not_the_same_game() -> None:
    assert game("kuhn:bet=6") == ruse.LiarsDice()  # both are (2, 1, 6)
    assert spec_of(ruse.LiarsDice()) == "liars_dice"


def test_naming_a_game_does_not_wait_for_numba() -> None:
    program = (
        "import sys, ruse; ruse.game('leduc:players=3'); ruse.matching_pennies(); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


# ---- sentences -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("leduk", r"^unknown game 'leduk'; did you mean leduc\?, or give a \.py or \.efg file$"),
        ("Kuhn", r"^unknown game 'Kuhn'; did you mean kuhn\?"),
        ("zzz", f"^unknown game 'zzz'; there are {', '.join(GAMES)}, or give"),
        ("", "^unknown game ''; there are kuhn, "),
        ("kuhn:cards=3", "^kuhn has no field 'cards'; it has players, ante, bet$"),
        ("matching_pennies:sides=3", "^matching_pennies has no field 'sides'; it has none$"),
        (
            "kuhn:players",
            "^cannot read 'players'; write name=value, several with commas, as in leduc:players=3,suits=3$",
        ),
        ("cheat:halff", "^cannot read 'halff'; .* as in leduc:players=3,suits=3; or one of tiny, mid, half, full$"),
        ("kuhn:half", "^cannot read 'half'; .* as in leduc:players=3,suits=3$"),
        ("kuhn:players=", "^cannot read 'players='; write name=value"),
        ("kuhn:=3", "^cannot read '=3'; write name=value"),
        ("kuhn:players=3;ante=2", "^players of kuhn must be a whole number, got '3;ante=2'$"),
        ("kuhn:players=two", "^players of kuhn must be a whole number, got 'two'$"),
        ("kuhn:players=2.5", r"^players of kuhn must be a whole number, got 2\.5$"),
        ("kuhn:players=1", "^players must be 2 to 10 in Kuhn poker, got 1$"),
        ("leduc:suits=0", "^0 cards are too few for 2 players and a board in Leduc poker$"),
        ("nowhere.py", r"^there is no file nowhere\.py$"),
        ("nowhere.efg", r"^there is no file nowhere\.efg$"),
    ],
)
def test_sentences(text: str, words: str) -> None:
    with pytest.raises(RuseError, match=words) as caught:
        game(text)
    assert "\n" not in str(caught.value)


# ---- a user's file ---------------------------------------------------------------------------------------------------

SOURCE = '''
from typing import NamedTuple
import numpy as np
from ruse import OVER, compiled

class Move(NamedTuple):
    """Not a game, though it has a field of that name."""
    player: int

@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class NAME(NamedTuple):
    """Hide a coin under one of the cups; the other player looks under one."""
    cups: int = 3
    stake: float = 1.0
    players = 2
    payoff_sum = 0
    def start(self):
        if self.cups < 2:
            raise ValueError(f"cups must be at least 2, got {self.cups}")
        return np.zeros(3, np.int64)
    def player(self, s):
        return s[0] if s[0] < 2 else OVER
    def num_actions(self, s):
        return self.cups
    def chance(self, s, a):
        return 0.0
    def apply(self, s, a):
        s[1 + s[0]] = a
        s[0] += 1
    def infoset(self, s):
        return 0
    def payoff(self, s, player):
        return self.stake * (1 if (s[1] == s[2]) == (player == 1) else -1)
    def action_name(self, s, a):
        return f"cup {a + 1}"
    def describe(self, s, viewer):
        return f"cups {s[1]} and {s[2]}" if viewer < 0 else "choose"
'''


def written(path: Path, *names: str, source: str = SOURCE) -> str:
    path.write_text("\n".join(source.replace("NAME", name) for name in names), encoding="utf-8")
    return str(path)


def test_one_game_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "cups.py", "Cups")
    made = game(path)
    assert repr(made) == "Cups(cups=3, stake=1.0)"
    assert spec_of(made) == path
    other = game(f"{path}:stake=2", cups=4)
    assert repr(other) == "Cups(cups=4, stake=2.0)"  # a float, as the field's default
    assert spec_of(other) == f"{path}:cups=4,stake=2.0"
    assert game(str(spec_of(other))) == other
    monkeypatch.chdir(tmp_path)
    assert spec_of(game("cups.py")) == path  # wherever it is asked for next
    with pytest.raises(RuseError, match=r"^.*cups\.py has no field 'size'; it has cups, stake$"):
        game(path, size=3)
    with pytest.raises(RuseError, match=r"^cups must be at least 2, got 1$"):
        game(path, cups=1)
    with pytest.raises(RuseError, match=r"^stake of .*cups\.py must be a number, got 'high'$"):
        game(f"{path}:stake=high")


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path / "edited.py", "Edited")
    before = game(path)
    written(tmp_path / "edited.py", "Edited", source=SOURCE.replace("cups: int = 3", "cups: int = 5"))
    after = game(path)
    assert [before._asdict()["cups"], after._asdict()["cups"]] == [3, 5]  # type: ignore[attr-defined]
    assert type(before) is not type(after)


def test_files_without_one_game(tmp_path: Path) -> None:
    rules = "player, num_actions, chance, apply, infoset, payoff"
    with pytest.raises(RuseError, match=rf"^.*none\.py must define one game, a NamedTuple with {rules}; found none$"):
        game(written(tmp_path / "none.py", "", source="import ruse\nfrom ruse import Kuhn\n"))
    with pytest.raises(RuseError, match=r"^.*two\.py must define one game, .*; found First, Second$"):
        game(written(tmp_path / "two.py", "First", "Second"))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def oops(:\n", r"^.*broken\.py could not be imported: SyntaxError: .*line 1\)$"),
        (
            "import no_such_module\n",
            r"^.*broken\.py could not be imported: ModuleNotFoundError: .*'no_such_module' at broken\.py:1$",
        ),
        ("1 / 0\n", r"^.*broken\.py could not be imported: ZeroDivisionError: division by zero at broken\.py:1$"),
        (SOURCE.replace("def describe", "def depict"), r"^NAME in .*broken\.py lacks describe$"),
        (SOURCE.replace("players = 2", "people = 2"), r"^NAME in .*broken\.py lacks players$"),
        (
            SOURCE.replace("def payoff", "def gain"),
            r"broken\.py could not be imported: TypeError: NAME has no method 'payoff', which @compiled names at ",
        ),
    ],
    ids=["syntax", "import", "raises", "describe", "players", "payoff"],
)
def test_broken_files(tmp_path: Path, source: str, words: str) -> None:
    for _ in range(2):  # a failed import leaves nothing behind
        with pytest.raises(RuseError, match=words):
            game(written(tmp_path / "broken.py", "NAME", source=source))


# ---- files of other systems ------------------------------------------------------------------------------------------


def test_a_file_of_gambit(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.efg"
    efg.save(ruse.Kuhn(), path)
    made = game(str(path))
    assert made.players == 2
    assert spec_of(made) == str(path)
    assert game(str(spec_of(made))) == made
    for text, fields in ((f"{path}:ante=2", {}), (str(path), {"ante": 2})):
        with pytest.raises(RuseError, match=r"^.*kuhn\.efg takes no fields of ours, got ante"):
            game(text, **fields)
    path.write_text("not a game", encoding="utf-8")
    with pytest.raises(RuseError):
        game(str(path))


def test_a_game_of_openspiel() -> None:
    pytest.importorskip("pyspiel")
    made = game("openspiel:kuhn_poker")
    assert spec_of(made) == "openspiel:kuhn_poker"
    assert spec_of(game("openspiel:kuhn_poker(players=3)")) == "openspiel:kuhn_poker(players=3)"
    with pytest.raises(
        RuseError, match=r"^kuhn_poker takes no fields of ours, got players; OpenSpiel's go into its own"
    ):
        game("openspiel:kuhn_poker", players=3)


# ---- rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "solver"),
    [
        *((name, make()) for name, make in PRESETS.items()),
        ("CFR+", ruse.cfr_plus()),
        ("PDCFR+", ruse.pdcfr_plus()),
        ("HS-DCFR", ruse.hs_dcfr()),
        ("dcfr:alpha=2", ruse.dcfr(alpha=2.0)),
        ("dcfr:alpha=2,gamma=3.5", ruse.dcfr(alpha=2.0, gamma=3.5)),
        ("dcfr:beta=-inf", ruse.dcfr(beta=-float("inf"))),
        ("cfr:alternating=false", ruse.cfr(alternating=False)),
        ("cfr:alternating=1", ruse.cfr()),
    ],
)
def test_rules(text: str, solver: ruse.Solver) -> None:
    assert repr(preset(text)) == repr(solver)  # 2 is not 2.0: kernels are compiled for the kind of number


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dcrf", r"^unknown rule 'dcrf'; did you mean dcfr\?$"),
        ("alphazero", "^unknown rule 'alphazero'; there are cfr, cfr_plus, "),
        ("dcfr:delta=1", "^dcfr has no field 'delta'; it has alpha, beta, gamma, alternating"),
        ("dcfr:alpha=much", "^alpha of dcfr must be a number, got 'much'$"),
        ("dcfr:alpha", "^cannot read 'alpha'; write name=value"),
        ("cfr:alternating=7", "^alternating of cfr must be true or false, got 7$"),
        ("cfr:alternating=perhaps", "^alternating of cfr must be true or false, got 'perhaps'$"),
    ],
)
def test_sentences_about_rules(text: str, words: str) -> None:
    with pytest.raises(RuseError, match=words):
        preset(text)


def test_walks_with_a_number() -> None:
    assert preset("lcfr:walk=probing:epsilon=0.3") == ruse.lcfr(walk=ruse.Probing(epsilon=0.3))
    assert preset("mccfr:walk=outcome:rate=0") == ruse.mccfr(walk=ruse.OutcomeSampling(rate=0.0))
    for bad, told in (
        ("probing:epsilon=much", "^epsilon of the walk probing must be a number, got 'much'$"),
        ("probing:gamma=1", "^the walk probing has no number 'gamma'; it has epsilon$"),
        ("external:epsilon=1", "^the walk external has no number 'epsilon'; it has none$"),
        ("probing:epsilon", "^cannot read 'epsilon'; write name=value, .*, as in probing:epsilon=0.5$"),
        ("nowhere", "^unknown walk 'nowhere'; there are full, "),
    ):
        with pytest.raises(RuseError, match=told):
            ruse.mccfr(walk=bad)


def test_a_module_that_a_game_names_and_that_is_not_there() -> None:
    class Table(NamedTuple):
        """It names its bots."""

        nothing: int = 0

        bots = "not_there_at_all"

    with pytest.raises(
        RuseError, match=r"^\S*Table names 'not_there_at_all' for its bots, which cannot be imported \(No"
    ):
        companion(Table(), "bots")  # type: ignore[arg-type]
