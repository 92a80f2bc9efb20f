"""Gambit's files: what is written is exact and reads back the same; what is malformed is named."""

import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from random_games import random_game
from surveys import survey

from ruse.games.explicit import Builder, Explicit
from ruse.games.goofspiel import POINT_DIFFERENCE, RANDOM, Goofspiel
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.matrix import matching_pennies, matrix, rock_paper_scissors
from ruse.interop import efg
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.solve.exact import solve_exactly
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded
from ruse.words.naming import distinct

GAMES: list[Game] = [
    Kuhn(),
    Kuhn(players=3),
    Leduc(),
    LiarsDice(sides=3),
    LiarsDice(players=3, sides=2),
    Goofspiel(cards=3, players=3, points_order=RANDOM, returns=POINT_DIFFERENCE),
    rock_paper_scissors(),
    random_game(1),
    random_game(2, players=3, zero_sum=False),
]


def fractions(line: str) -> list[Fraction]:
    """The numbers within the braces of a chance or terminal node; a decimal point anywhere would be a failure."""
    inner = re.sub(r'"(?:\\.|[^"\\])*"', " ", line[line.index("{") + 1 : line.rindex("}")])
    assert "." not in inner
    return [Fraction(word) for word in inner.split()]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_round_trip(game: Game, tmp_path: Path) -> None:
    efg.save(game, tmp_path / "game.efg")
    again = efg.load(tmp_path / "game.efg")
    ours, theirs = survey(game, game.start(), 40), survey(again, again.start(), 40)
    np.testing.assert_array_equal(ours[0], theirs[0])
    np.testing.assert_allclose(ours[2], theirs[2], rtol=0, atol=1e-14)
    np.testing.assert_allclose(ours[3], theirs[3], rtol=0, atol=1e-16)
    pairs = np.unique(np.column_stack([ours[1], theirs[1][:, 1]]), axis=0)
    assert len(pairs) == len(np.unique(ours[1], axis=0)) == len(np.unique(theirs[1], axis=0))
    assert efg.dump(again).splitlines()[1:] == efg.dump(game).splitlines()[1:]  # all but the title
    assert efg.parse(efg.dump(again)) == again


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_fractions_are_exact(game: Game) -> None:
    for line in efg.dump(game).splitlines():
        if line.startswith("c"):
            assert sum(fractions(line)) == 1
        elif line.startswith("t") and hasattr(game, "payoff_sum"):
            assert sum(fractions(line)) == game.payoff_sum


@pytest.mark.parametrize("seed", range(5))
def test_any_probabilities_sum_to_exactly_one(seed: int) -> None:
    draw = random.Random(seed)
    weights = [draw.random() for _ in range(draw.randint(2, 9))]
    chances = [w / sum(weights) for w in weights]
    exact = efg.chance_fractions(chances)
    assert sum(exact) == 1
    assert [float(x) for x in exact] == pytest.approx(chances, abs=1e-16)


def test_fractions_are_short_where_they_can_be() -> None:
    assert efg.fraction(1 / 3) == Fraction(1, 3)
    assert efg.fraction(0.1) == Fraction(1, 10)
    assert efg.fraction(13 / 3 - 5) == Fraction(-2, 3)
    assert float(efg.fraction(np.pi)) == np.pi
    assert float(efg.fraction(5e-13)) == 5e-13, "what is rare is not impossible"
    assert efg.chance_fractions([0.1, 0.2, 0.7]) == [Fraction(1, 10), Fraction(1, 5), Fraction(7, 10)]
    with pytest.raises(ValueError, match="finite"):
        efg.fraction(float("inf"))


@pytest.mark.parametrize("game", [Kuhn(), Leduc(), matching_pennies(), random_game(3)], ids=repr)
def test_openspiel_reads_it(game: Game, tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    from ruse.interop import openspiel

    efg.save(game, tmp_path / "game.efg")
    theirs = openspiel.load(f"efg_game(filename={tmp_path / 'game.efg'})")
    ours = survey(game, game.start(), 40)
    for a, b in zip(ours, survey(theirs, theirs.start(), 40), strict=True):
        assert a.shape == b.shape
    assert sorted(map(tuple, ours[2])) == sorted(map(tuple, theirs.payoffs[theirs.actor == -2]))


# ---- reading ---------------------------------------------------------------------------------------------------------

CORNERS = r"""
EFG 2 R "All \"corners\"" { "Alice" "Bob" }
"a comment"

c "root" 1 "(0,1)" { "left" 1/3, "right" 2/3 } 0
p "" 1 1 "Alice's \"move\"" { "up" "down" } 1 "entry" { -1/2, 1.5 }
t "" 2 "" { 1 2 }
p "" 2 1 { "" "stay" } 0
t "" 2
t "" 0
p "" 1 1 1
t "" 3 "third" { 1e2, -.5 }
p "" 2 2 "" { "x" } 3
t "" 2
"""


def test_corners() -> None:
    """Payoffs on the way, names left out, numbers in every form."""
    game = efg.parse(CORNERS)
    assert repr(game) == "Explicit('All \"corners\"', 2 players, 10 histories, 3 infosets)"
    start = State.of(game)
    assert start.chances == [1 / 3, 2 / 3]
    assert start.after("left").describe(0) == 'Alice\'s "move"'
    assert start.after("left").infoset == start.after("right").infoset
    assert start.after("left", "up").payoffs == [0.5, 3.5]
    assert start.after("left", "down").actions == ["1", "stay"]
    assert start.after("left", "down").describe(1) == "infoset 1"
    assert start.after("left", "down", "stay").payoffs == [-0.5, 1.5]
    assert start.after("right", "up").payoffs == [99.5, 1.0]
    assert start.after("right", "down", "x").payoffs == [-0.5 + 100 + 1, 1.5 - 0.5 + 2]


def test_infosets_of_one_name_stay_apart() -> None:
    game = efg.parse('EFG 2 R "" { "a" } p "" 1 1 "x" { "l" "r" } 0 p "" 1 2 "x" { "l" } 0 t "" 0 t "" 0')
    assert State.of(game).after("l").describe(0) == "x (2)"


GUESS = """EFG 2 R "guess one of three" {{ "hider" "seer" }}
p "" 1 1 "hide" {{ "a" "b" "c" }} 0
p "" 2 1 "{0}" {{ "a" "b" "c" }} 0
t "" 1 "" {{ -1 1 }} t "" 2 "" {{ 1 -1 }} t "" 2
p "" 2 2 "{1}" {{ "a" "b" "c" }} 0
t "" 2 t "" 1 t "" 2
p "" 2 3 "{2}" {{ "a" "b" "c" }} 0
t "" 2 t "" 2 t "" 1
"""


@pytest.mark.parametrize("labels", [("x", "x", "x (2)"), ("x (2)", "x", "x"), ("x", "x", "x"), ("x", "x (3)", "x")])
def test_what_is_seen_is_told_by_number_and_not_by_label(labels: tuple[str, str, str]) -> None:
    """He who sees the move always guesses it; if two of his infosets were one, he would lose one game in three."""
    pytest.importorskip("scipy")
    game = efg.parse(GUESS.format(*labels))
    names = [State.of(game).after(move).describe(1) for move in "abc"]
    assert len(set(names)) == 3
    assert all(given in names for given in labels)  # a name that is free is kept
    assert solve_exactly(Expanded.of(game)).value == pytest.approx(-1, abs=1e-9)
    again = efg.parse(efg.dump(game))
    assert np.array_equal(again.infoset_of, game.infoset_of)


def test_names_are_numbered_and_never_lost() -> None:
    assert distinct(["x", "x", "x (2)", "x", "y"]) == ["x", "x (3)", "x (2)", "x (4)", "y"]
    draw = random.Random(0)
    for _ in range(200):
        names = [draw.choice("xy") + draw.choice(["", " (2)", " (3)", " (2) (2)"]) for _ in range(draw.randint(1, 9))]
        told = distinct(names)
        assert len(set(told)) == len(told)
        assert set(names) <= set(told)


def test_actions_of_one_name_stay_apart() -> None:
    text = 'EFG 2 R "" { "a" } p "" 1 1 "x" { "l" "l" "" "3" "l" } 0'
    game = efg.parse(text + " ".join(f' t "" {k + 1} "" {{ {k} }}' for k in range(5)))
    assert State.of(game).actions == ["l", "l (2)", "3", "3 (2)", "l (3)"]
    assert State.of(game).after("3").payoffs == [2]
    assert len(Strategy.uniform(game)["x"]) == 5


def test_actions_of_one_name_stay_apart_in_any_strategy() -> None:
    """A game of one's own may call two actions alike; a strategy has a probability for each."""
    game = matrix([[1, -1], [-1, 1]], ["show", "show"])
    uniform = Strategy.uniform(game)
    assert uniform.at(State.of(game)).actions == {"show": 0.5, "show (2)": 0.5}
    assert [choice.actions for choice in uniform] == [{"show": 0.5, "show (2)": 0.5}] * 2


def test_text_of_old_editors_is_read(tmp_path: Path) -> None:
    text = 'EFG 2 R "caf\xe9" { "Jos\xe9" } p "" 1 1 "\xfc" { "\xdf" } 0 t "" 0'
    games = []
    for encoding in ("utf-8", "utf-8-sig", "latin-1", "cp1252"):
        (tmp_path / "old.efg").write_bytes(text.encode(encoding))
        games.append(efg.load(tmp_path / "old.efg"))
    assert all(game == games[0] for game in games)
    assert State.of(games[0]).actions == ["\xdf"]


def test_what_gambit_insists_on_when_it_reads() -> None:
    """Names of infosets are told apart and have single blanks; the states of an infoset say the same of it."""

    class Blurred(NamedTuple):
        """Two infosets, told in the same words, which go over two lines."""

        players: int = 1

        def start(self) -> Any:
            return np.zeros(1, np.int64)

        def player(self, s: Any) -> int:
            return 0 if s[0] < 2 else -2

        def num_actions(self, s: Any) -> int:
            return 1

        def apply(self, s: Any, a: int) -> None:
            s[0] += 1

        def infoset(self, s: Any) -> int:
            return int(s[0])

        def payoff(self, s: Any, player: int) -> float:
            return 0.0

        def chance(self, s: Any, a: int) -> float:
            return 1.0

        def action_name(self, s: Any, a: int) -> str:
            return "on"

        def describe(self, s: Any, viewer: int) -> str:
            return " at a  \n crossroads "

    lines = efg.dump(Blurred()).splitlines()  # type: ignore[arg-type]
    assert lines[2:4] == ['p "" 1 1 "at a crossroads" { "on" } 0', 'p "" 1 2 "at a crossroads (2)" { "on" } 0']


def test_names_with_quotes_and_backslashes() -> None:
    tree = Builder('"quoted" \\ title', 1)
    child = tree.decide(0, player=0, infoset='say "é"\\', actions=['"', "\\"])
    tree.end(child, [1])
    tree.end(child + 1, [2])
    game = tree.game()
    assert efg.parse(efg.dump(game)) == game


def test_decimals_that_nearly_sum_to_one_are_taken() -> None:
    thirds = " ".join(f'"{k}" 0.3333333333333333' for k in range(3))
    game = efg.parse(f'EFG 2 D "" {{ "a" }} c "" 1 "" {{ {thirds} }} 0 t "" 0 t "" 0 t "" 0')
    assert State.of(game).chances == [1 / 3] * 3


HEAD = 'EFG 2 R "title" { "a" "b" }\n'
MALFORMED = [
    ("", "expected a file that starts with EFG 2 R"),
    ("NFG 1 R", "line 1: expected a file that starts with EFG 2 R"),
    ("EFG 2 X", "expected R after EFG 2, found X"),
    ('EFG 2 R "t" { }', "at least one player"),
    ('EFG 2 R "t { "a" }', "found a"),
    (HEAD, "expected 1 more node, each starting with c, p or t, but the file ends"),
    (HEAD + 'x "" 1', "line 2: expected a node, starting with c, p or t, found x"),
    (HEAD + 't 1 "" { 0 0 }', "line 2: expected the node's name in quotes, found 1"),
    (HEAD + 't "" 1 "" { 0 }', "2 payoffs, one for each player, not 1"),
    (HEAD + 't "" 1 "" { 0 zero }', "a payoff or a closing brace, as a fraction or decimal, found zero"),
    (HEAD + 't "" 1 "" { 0 1/0 }', "found 1/0"),
    (HEAD + 't "" 1 "" { 0 1', "but the file ends"),
    (HEAD + 't "" 1', "the payoffs of outcome 1 in braces, where it comes first"),
    (HEAD + 't "" -1', "the number of the outcome, or 0 for none, found -1"),
    (HEAD + 't "" 0 t "" 0', "the end of the file"),
    (HEAD + 'p "" 3 1 "" { "l" } 0', "a player from 1 to 2, found 3"),
    (HEAD + 'p "" 1 1 "" { } 0', "at least one action"),
    (HEAD + 'p "" 1 1 0', "the actions of infoset 1 in braces"),
    (
        HEAD + 'p "" 1 1 "" { "l" "r" } 0\np "" 1 1 "" { "l" } 0',
        "line 3: expected the same actions ['l', 'r'] as before",
    ),
    (HEAD + 'p "" 1 1 "" { "l" "r } 0', "a closing quote is missing"),
    (HEAD + 'c "" 1 "" { "l" 1/3 "r" 1/3 } 0', "probabilities that sum to 1, not 2/3 (write fractions such as 1/3)"),
    (HEAD + 'c "" 1 "" { "l" 2 "r" -1 } 0', "line 2: expected probabilities of at least 0, not -1"),
    (HEAD + 'c "" 1 "" { "l" 1/2 "r" 0.500000002 } 0', "sum to 1, not 500000001/500000000 (write"),
    (HEAD + 'c "" 1 "" { "l" 1/2 "r" 0.5000000020000000000000000001 } 0', "sum to 1, not 1.00000000200000 (write"),
    (HEAD + 'c "" 1 "" { "l" 1e999 } 0', "sum to 1, not 1.00000000000000e+999"),
    (HEAD + 't "" 1 "" { 0 1e999 }', "line 2: the payoffs add up to more than 1.8e308"),
    (HEAD + 't "" 1 "" { 0 -1e400000000 }', "and an exponent of at most 1000, found -1e400000000"),
    (HEAD + 't "" 1 "" { 0 1e-400000000 }', "and an exponent of at most 1000"),
    (HEAD + f't "" 1 "" {{ 0 {"9" * 5_000} }}', "of at most 1000 digits"),
    (HEAD + f't "" {"9" * 5_000}', "the number of the outcome, or 0 for none, found 999"),
    (HEAD + 't "" 1 "" { 0 1_0 }', "as a fraction or decimal, found 1_0"),
    (HEAD + 't "" 1 "" { 0 1.5/2 }', "as a fraction or decimal, found 1.5/2"),
    (HEAD + 't "" 1 "" { 0 nan }', "as a fraction or decimal, found nan"),
    (HEAD + 't "" 1 "never closed { 0 1 }', "the outcome's name in quotes, found \"; a closing quote is missing"),
    (
        HEAD + 'p "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 1 -1 }\nt "" 1 "" { 2 -2 }',
        "line 4: outcome 1 had the payoffs 1 -1 before, not 2 -2; give it another number",
    ),
    (
        HEAD + 'p "" 1 1 "x" { "l" "r" } 0\np "" 1 1 "y" { "l" "r" } 0',
        "line 3: infoset 1 was called 'x' before, not 'y'; give it one name",
    ),
    (
        HEAD + 'c "" 1 "" { "l" 1/2 "r" 1/2 } 0\nc "" 1 "" { "l" 1/4 "r" 3/4 } 0',
        "line 3: the probabilities of infoset 1 were [0.5, 0.5] before, not [0.25, 0.75]",
    ),
    ('EFG 2 R "" {' + ' "a"' * 101 + "}", "at least one player, and no more than 100"),
    (HEAD + 'x "\x1b[2J" 1', "found x"),
    (HEAD + "t \x1b[2J", "the node's name in quotes, found  [2J"),
]


@pytest.mark.parametrize(("text", "words"), MALFORMED, ids=[words[-30:] for _, words in MALFORMED])
def test_malformed_files_are_named(text: str, words: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        efg.parse(text, source="bad.efg")
    assert words in str(error.value)
    assert str(error.value).startswith("bad.efg")
    assert "\n" not in str(error.value)


def test_an_outcome_may_be_told_twice() -> None:
    game = efg.parse(HEAD + 'p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -1/2 } t "" 1 "" { 1.0, -.5 }')
    assert State.of(game).after("r").payoffs == [1, -0.5]


def test_a_short_file_cannot_fill_the_memory() -> None:
    """Each node that refers to the infoset has a thousand children, which the file does not have."""
    menu = " ".join(f'"{k}"' for k in range(1_000))
    text = HEAD + f'p "" 1 1 "" {{ {menu} }} 0\n' + 'p "" 1 1 0\n' * 5_000
    with pytest.raises(ValueError, match="more nodes, each starting with c, p or t, but the file ends"):
        efg.parse(text)


PIECES = [
    '"', '\\"', "\\", "{", "}", " ", "\n", "-1", "0", "1/0", "1e999", "1e400000000", "9" * 5_000, "1_0", "nan",
    "\u0663", "\x00", "\x1b[2J", "\xe9", 'p "" 1 1 0', 'c "" 1 0', 't "" 0', 't "" 1', "99999999999999999999",
    "c", "p", "t",
]  # fmt: skip


def mutant(draw: random.Random, text: str) -> str:
    """The text after a few accidents: pieces lost, put in, put in the place of others, or said twice."""
    for _ in range(draw.choice([1, 1, 2, 5])):
        i = draw.randrange(len(text) + 1)
        j = min(len(text), i + draw.choice([1, 3, 20, 200]))
        k = draw.randrange(len(text) + 1)
        text = draw.choice([text[:i] + text[j:], text[:i] + text[k : k + 50] + text[i:]] +
                           [text[:i] + draw.choice(PIECES) + text[at:] for at in (i, i, j)])  # fmt: skip
    return text


def test_mutants_are_read_or_refused_in_one_sentence() -> None:
    draw = random.Random(12)
    originals = [CORNERS, efg.dump(Kuhn()), efg.dump(random_game(1))]
    read, told = 0, []
    for _ in range(400):
        try:
            game = efg.parse(mutant(draw, draw.choice(originals)))
        except ValueError as error:
            told.append(str(error))
        else:
            read += 1
            again = efg.parse(efg.dump(game))
            assert all(map(np.array_equal, again[:-1], game[:-1]))  # all but the labels of chance
    assert min(read, len(told)) > 10
    assert all(text.startswith("efg") and text.isprintable() and len(text) < 250 for text in told)


def test_large_games_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 100 histories"):
        efg.dump(Leduc(), limit=100)


def test_large_games_are_refused_before_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a deck of Cheat once took minutes until it was known to be too large."""
    monkeypatch.setattr(efg, "FEW", 50)
    with pytest.raises(ValueError, match="more than 9,000 histories"):
        efg.dump(Leduc(), limit=9_000)  # which has 457 more
    written: list[State] = []
    monkeypatch.setattr(State, "children", lambda state: written.append(state) or [state] * 2)
    with pytest.raises(ValueError, match="more than 9,000 histories"):
        efg.dump(Leduc(), limit=9_000)
    assert len(written) == 50


def test_general_sum_keeps_both_payoffs() -> None:
    game: Explicit = efg.parse(efg.dump(matrix([[[3, 0], [5, 1]], [[3, 5], [0, 1]]])))
    assert State.of(game).after(1, 0).payoffs == [5, 0]
