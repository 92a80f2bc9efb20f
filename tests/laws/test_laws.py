"""`check` finds what is wrong with a game and says it in one sentence; the package's own games have nothing wrong."""

from typing import NamedTuple

import numpy as np
import pytest
from faulty_game import (
    CHANCES,
    DECLARED,
    ENDLESS,
    FLAT,
    FLOATS,
    FORGETS,
    INFINITE,
    KNOWS,
    LARGE_KEY,
    LARGE_PAYOFF,
    LIST,
    MENU,
    NAMES,
    NEGATIVE,
    NOBODY,
    PAYOFFS,
    PEEKS,
    RANDOM,
    SILENT,
    SMALL_ROW,
    STRANGER,
    STUCK,
    TELLS,
    UNKNOWN,
    WIDE_KEY,
    Guess,
)
from random_games import random_game

import ruse
from ruse.catalog.names import GAMES
from ruse.errors import RuseError
from ruse.laws import check as laws
from ruse.laws.check import Report, check
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.guards.breaches import Unlawful, breach
from ruse.solve.sampled import engine as sampled
from ruse.tree.expanded import Expanded
from ruse.tree.measure.size import tree_size


def failures(fault: int) -> list[str]:
    return check(Guess(fault), games=100).failures


# ---- lawful games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_catalogue_is_lawful(name: str) -> None:
    game = ruse.game(name)
    report = check(game, games=60)
    assert report.is_lawful, str(report)
    remembers = getattr(game, "perfect_recall", True)  # Dark Hex says that its players forget
    assert any(line.startswith("perfect recall holds ") for line in report.lines) == remembers
    assert "payoffs add up to 0" in report.lines
    assert str(report).endswith("\nall laws hold")


@pytest.mark.parametrize(
    "game", [ruse.Kuhn(players=3), random_game(0), random_game(1, players=3), random_game(2, zero_sum=False)], ids=repr
)
def test_more_lawful_games(game: ruse.Game) -> None:
    assert check(game, games=60).failures == []


def test_the_game_that_the_broken_ones_are_made_of_is_lawful() -> None:
    report = check(Guess(), games=100)
    assert report.is_lawful, str(report)
    assert report.lines[:2] == [
        "2 players, a row of 4 integers (int64)",
        "100 random games of up to 3 moves met 5 infosets",  # three cards and two hints
    ]
    assert "28 histories, 5 infosets, 18 leaves" in report.lines[5]  # 1 + 3 + 6 + 18 histories


def test_the_sum_of_payoffs_may_be_left_open() -> None:
    report = check(ruse.matrix([[[3, 0], [5, 1]], [[3, 5], [0, 1]]]), games=10)  # the prisoner's dilemma
    assert report.is_lawful
    assert "payoffs are not promised to add up" in report.lines


# ---- broken ones -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (PAYOFFS, r"^after \w+, \w+, \w+ the payoffs \[.*\] add up to -?2, not to payoff_sum = 0$"),
        (CHANCES, r"^after the start the chances are \[0\.3, 0\.3, 0\.3\], which must be at least 0 and add to 1$"),
        (NEGATIVE, r"^after the start the chances are \[-1\.0, 1\.0, 1\.0\], which must be at least 0"),
        (MENU, r"^player 1 at 'hint \d': states of one infoset offer different actions$"),
        (
            TELLS,
            r"^describe tells player 1 at 'hint \d, card \d' what infoset\(\) does not: it leaks, or infoset",
        ),
        (KNOWS, r"^infoset\(\) tells player 1 at 'hint \d' what describe does not: two infosets have this name$"),
        (PEEKS, r"^on the way to player 1 at 'hint \d', describe shows what infoset\(\) does not know: it leaks$"),
        (FORGETS, r"^players forget \(no perfect recall\); say so with perfect_recall = False if it is meant$"),
        (NAMES, r"^player 0 at 'card \d' has two actions of one name: low, low$"),
        (STRANGER, r"^after \w+, \w+ player\(\) says 7; there are players 0 to 1$"),
        (STUCK, r"^after \w+, \w+ player 1 has no action: num_actions\(\) says 0$"),
        (NOBODY, r"^after \w+, \w+ player\(\) says -9; there are players 0 to 1$"),
        (INFINITE, r"^after \w+, \w+, \w+ the payoffs are \[-inf, inf\], which must be finite numbers$"),
        (UNKNOWN, r"^after \w+, \w+, \w+ the payoffs are \[nan, nan\], which must be finite numbers$"),
        (WIDE_KEY, r"^after \w+, \w+ infoset\(\) is \d{24,}, more than 63 bits can hold; use ruse\.mix$"),
        (SILENT, r"^describe\(s, EVERYTHING\) must show something at the end of a game$"),
        (RANDOM, r"^start\(\) must give the same row each time; leave chance to chance nodes$"),
        (LARGE_KEY, r"^after \w+, \w+ infoset\(\) differs between plain Python and compiled code; use ruse\.mix$"),
        (LARGE_PAYOFF, r"^after \w+, \w+, \w+ the payoffs are \[.*\], but \[.*\] when compiled$"),
        (SMALL_ROW, r"^after \w+, \w+ the compiled row differs from the one in plain Python: "),
        (FLAT, r"^start\(\) at faulty_game.py:\d+ must return a one-dimensional NumPy array of integers$"),
        (FLOATS, r"^start\(\) at faulty_game.py:\d+ must return a one-dimensional NumPy array of integers$"),
        (LIST, r"^start\(\) at faulty_game.py:\d+ must return a one-dimensional NumPy array of integers$"),
    ],
)
def test_a_broken_law_is_named(fault: int, words: str) -> None:
    report = check(Guess(fault), games=100)
    assert not report.is_lawful
    assert len(report.failures) == 1, report.failures
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(report.failures[0])
    assert str(report).endswith(f"! {report.failures[0]}\n1 failure")


def test_forgetting_may_be_declared() -> None:
    report = check(Guess(DECLARED), games=100)
    assert report.is_lawful, str(report)
    assert "perfect recall does not hold everywhere" in report.lines


@pytest.mark.timeout(900)
def test_an_endless_game_is_noticed_soon() -> None:
    (sentence,) = failures(ENDLESS)
    assert sentence.startswith("a random game has not ended after 10,000 moves: ")
    assert len(sentence) < 200


def test_recall_is_decided_by_the_games_played_where_the_whole_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "WHOLE", 10)
    assert failures(FORGETS) == [
        "players forget (no perfect recall); say so with perfect_recall = False if it is meant"
    ]
    report = check(Guess(), games=100)
    assert report.is_lawful, str(report)
    assert "perfect recall holds in the games played" in report.lines


def test_the_same_seed_plays_the_same_games() -> None:
    assert failures(PAYOFFS) == failures(PAYOFFS)
    assert len({check(Guess(PAYOFFS), games=1, seed=seed).failures[0] for seed in range(20)}) > 1


# ---- what cannot be compiled or is not there -------------------------------------------------------------------------


@ruse.compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class MakesArrays(NamedTuple):
    """Rules that create an array."""

    nothing: int = 0
    players = 1

    def start(self):
        return np.zeros(1, np.int64)

    def player(self, s):
        return OVER if s[0] else 0

    def num_actions(self, s):
        return 2

    def chance(self, s, a):
        return 1.0

    def apply(self, s, a):
        s[0] = np.ones(3)[a]

    def infoset(self, s):
        return 0

    def payoff(self, s, player):
        return 0.0

    def action_name(self, s, a):
        return "ab"[a]

    def describe(self, s, viewer):
        return "x"


def test_rules_that_create_arrays() -> None:
    (sentence,) = check(MakesArrays()).failures
    assert sentence.startswith("the rules could not be compiled: apply() at test_laws.py:")
    assert "makes an array, a list or a text, which rules cannot; rules may use numbers" in sentence
    assert "\n" not in sentence


def test_rules_that_are_not_marked() -> None:
    unmarked = type("Unmarked", (MakesArrays,), {})
    (sentence,) = check(unmarked()).failures
    assert sentence.startswith("the rules could not be compiled: ")
    assert "\n" not in sentence


def test_an_index_out_of_range_is_seen_in_compiled_code() -> None:
    inspector, state = laws.Inspector(Guess(), 100), ruse.State.of(Guess())
    with pytest.raises(
        laws.Breach, match=r"^at or after the start apply\(\) reads or writes beyond the end of an array"
    ):
        inspector.ask(state, np.zeros(1, np.int64), laws.STEP, 0)


def test_a_quick_check_plays_fewer_games_and_does_not_walk_the_whole() -> None:
    report = laws.quick_check(Guess())
    assert report.is_lawful
    assert report.lines[1].startswith("667 random games")  # 2,000 moves
    assert report.lines[-1] == "compiled rules keep within their arrays in the whole game"
    assert laws.quick_check(Guess(PAYOFFS)).failures == failures(PAYOFFS)


# ---- walks over the whole game ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [PAYOFFS, CHANCES, NEGATIVE, STRANGER, NOBODY, STUCK, INFINITE, UNKNOWN, ENDLESS])
def test_an_expansion_believes_nothing_that_check_refuses(fault: int) -> None:
    with pytest.raises(Unlawful) as error:
        Expanded.of(Guess(fault))
    if fault == ENDLESS:
        assert str(error.value).startswith(f"{Guess(fault)!r} has not ended after 100,000 moves")
    else:
        assert str(error.value) == f"{Guess(fault)!r}: {first_breach(fault)}; `ruse check` tells more"


def first_breach(fault: int) -> str:
    """The first in the order of a walk."""
    waiting = [ruse.State.of(Guess(fault))]
    while waiting:
        state = waiting.pop()
        if found := breach(state):
            return found
        waiting += reversed(list(state.children()))
    raise AssertionError


def test_sizes_of_unlawful_games_are_not_told() -> None:
    for fault in (CHANCES, NOBODY, STUCK, ENDLESS):
        with pytest.raises(Unlawful):
            tree_size(Guess(fault))


class Bare(NamedTuple):
    """Hardly a game."""

    nothing: int = 0

    def start(self):
        return np.zeros(1, np.int64)

    def player(self, s):
        return CHANCE


def test_missing_methods() -> None:
    lacking = "Bare lacks num_actions, chance, apply, infoset, payoff, action_name, describe"
    assert check(Bare()).failures == [lacking]  # type: ignore[arg-type]
    nobody = type("Nobody", (Guess,), {"players": None})
    assert check(nobody()).failures == ["Nobody lacks players, a whole number"]


def test_a_report_prints_facts_then_failures() -> None:
    report = Report(["2 players"], ["this", "that"])
    assert str(report) == "  2 players\n! this\n! that\n2 failures"


# ---- sampled walks ---------------------------------------------------------------------------------------------------

WALKS = ["external", *(pytest.param(walk, marks=pytest.mark.slow) for walk in ("chance", "outcome", "probing"))]


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (CHANCES, r"on the way the chances are \[0\.3, 0\.3, 0\.3\], which must be at least 0 and add to 1"),
        (NEGATIVE, r"on the way the chances are \[-1\.0, 1\.0, 1\.0\], which must be at least 0"),
        (STRANGER, r"on the way player\(\) says 7; there are players 0 to 1"),
        (NOBODY, r"on the way player\(\) says -9; there are players 0 to 1"),
        (STUCK, r"on the way player 1 has no action"),
        (INFINITE, r"at 'card \d, hint \d, guess \d' the payoffs are \[-inf, inf\], which must be finite"),
        (UNKNOWN, r"at 'card \d, hint \d, guess \d' the payoffs are \[nan, nan\], which must be finite"),
        (ENDLESS, r"has not ended after 100,000 moves|is deeper than 256 decisions on one path; limit its length"),
    ],
)
def test_a_sampled_walk_believes_nothing_that_check_refuses(
    fault: int, words: str, walk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampled, "deepest", lambda *_: 0)  # which would find the endless one before
    with pytest.raises(RuseError, match=words):
        sampled.SampledEngine(Guess(fault), ruse.mccfr(walk=walk)).run(0, 50)


def test_an_endless_game_is_found_by_random_play() -> None:
    with pytest.raises(Unlawful, match="has not ended after 100,000 moves"):
        sampled.SampledEngine(Guess(ENDLESS), ruse.mccfr(walk="external"))
