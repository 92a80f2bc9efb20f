"""Ending a game early: with one value a leaf from a full solve, and what the first round loses by it."""

import random
from typing import Any, NamedTuple

import numpy as np
import pytest
from rounds import LEDUC, SecondRound, blueprint, exactly

import ruse
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.evaluate.against import Against
from ruse.evaluate.exploitability import expected_values
from ruse.games.cheat.rules import Cheat
from ruse.games.leduc import ROUND
from ruse.protocol.game import CHANCE, OVER, needs_history
from ruse.protocol.guards.breaches import Unlawful
from ruse.protocol.scene import scene_of
from ruse.protocol.state import State
from ruse.protocol.wrapped import Wrapped, twist
from ruse.subgame.cut import After, Cut, LeafTable
from ruse.subgame.rooted import Rooted
from ruse.subgame.roots import Roots, leaf_values
from ruse.subgame.strategies import inside, patched
from ruse.tree.expanded import Expanded

DUE = SecondRound(board=False)


@pytest.fixture(scope="module")
def leaves() -> LeafTable:
    return leaf_values(LEDUC, DUE, blueprint()[0])


@twist
class FirstRound(NamedTuple):
    """One player's first round is fixed; the second is free."""

    who: int
    follows: Against

    def player_in(self, game, s, behind):
        player = game.player(s)
        return CHANCE if player == self.who and s[ROUND] == 0 else player

    def chance_in(self, game, s, behind, a):
        return self.follows.chance_in(game, s, behind, a)


def loss_of(first: ruse.Strategy, player: int) -> float:
    """What a first round loses to a best response in the whole game, if the player's second is the best possible."""
    value = blueprint()[1]
    fixed = Wrapped.of(LEDUC, FirstRound(player, Against.of(LEDUC, 1 - player, first).twist))
    return (value - exactly(fixed)[1]) * (1 if player == 0 else -1)


def test_one_value_a_leaf(leaves: LeafTable) -> None:
    """Under the blueprint the cut game is worth what the whole game is; solved anew its first round loses something."""
    strategy, value = blueprint()
    cut = Cut.of(LEDUC, DUE, leaves)
    assert len(leaves.keys) == 30 * 5
    assert expected_values(cut, [inside(strategy, cut)] * 2)[0] == pytest.approx(value, abs=1e-9)
    found, _ = exactly(cut)
    assert ruse.exploitability(cut, found) == pytest.approx(0.0, abs=1e-9)
    with_blueprint = ruse.exploitability(LEDUC, patched(strategy, found))
    best_after = [loss_of(patched(strategy, found), player) for player in range(2)]
    assert [loss_of(strategy, player) for player in range(2)] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert with_blueprint > 0.05
    assert min(best_after) > -1e-9
    assert sum(best_after) > 0.01


def test_the_engines_run(leaves: LeafTable) -> None:
    cut = Cut.of(LEDUC, DUE, leaves)
    value = exactly(cut)[1]
    for solver, iterations, close in (
        (ruse.dcfr(), 1_000, 1e-3), (ruse.cfr(prune="brp"), 2_000, 1e-2), (ruse.mccfr("external"), 50_000, 5e-2)
    ):  # fmt: skip
        run = ruse.train(cut, solver, iterations=iterations)
        assert run.exploitability < close
        assert run.measured.values[0] == pytest.approx(value, abs=close)


def test_a_depth() -> None:
    """Kuhn poker after three moves: two cards and the first player's."""
    uniform = ruse.Strategy.uniform(ruse.Kuhn())
    cut = Cut.of(ruse.Kuhn(), After(3), leaf_values(ruse.Kuhn(), After(3), uniform))
    state = State.of(cut).after("K", "Q", "bet")
    assert state.is_over
    assert state.payoffs == pytest.approx([1.5, -1.5])  # the other folds for 1, or calls and loses 2
    assert Expanded.of(cut).size.depth == 3


@compiled("leaf_worth")
class Pot(NamedTuple):
    """Any part can tell what a leaf is worth."""

    share: float

    def leaf_worth(self, game, s, player):
        return self.share if player == 0 else -self.share


def test_a_function_tells_the_value() -> None:
    cut = Cut.of(LEDUC, DUE, Pot(0.25))
    state = State.of(cut).after("Js", "Qs", "call", "call")
    assert (state.player, state.payoffs) == (OVER, [0.25, -0.25])
    assert State.of(cut).after("Js", "Qs", "raise", "fold").payoffs == [1.0, -1.0]
    assert not hasattr(cut, "payoff_sum")


def test_roots_in_a_game_that_is_cut(leaves: LeafTable) -> None:
    """From the first decision on, with the cards drawn by the roots: the cut game again."""
    cut = Cut.of(LEDUC, DUE, leaves)
    deals = Roots.at(cut, After(2), ruse.Strategy.uniform(cut))
    assert len(deals.rows) == 30
    assert exactly(deals.game(cut))[1] == pytest.approx(exactly(cut)[1], abs=1e-9)


CHEAT = Cheat(deal=2, hp=1)


def test_names_are_those_of_the_whole_game() -> None:
    """Of a game that tells its past by scenes, too: the way to a state is the same in a game that is cut."""
    cut, draw, told = Cut.of(CHEAT, After(9), Pot(0.25)), random.Random(0), 0
    for _ in range(20):
        here, whole = State.of(cut), State.of(CHEAT)
        while not here.is_over:
            a = draw.choice([a for a in range(here.num_actions) if not here.is_chance or here.chances[a] > 0.0])
            here, whole = here.step(a), whole.step(a)
            told += whole.describe(0) != CHEAT.describe(whole.row, 0)
            assert [here.describe(p) for p in (-1, 0, 1)] == [whole.describe(p) for p in (-1, 0, 1)]
        scene = scene_of(here, 0)
        assert (scene.turn, scene.payoffs) == (OVER, tuple(here.payoffs))
        assert scene.zones == scene_of(whole, 0).zones
    assert told > 0, "a row does not tell it all"


def test_what_has_no_way_from_the_start_is_told_by_its_row() -> None:
    """What came before the rows of a rooted game is not known, and a game without scenes has none in a cut."""
    whole = State.of(CHEAT)
    while whole.is_chance:
        whole = whole.child(next(a for a in range(whole.num_actions) if whole.chances[a] > 0.0))
    here = State.of(Rooted.of(CHEAT, [whole.row], [1.0])).child(0)
    assert not needs_history(here.game)
    assert here.describe(0) == CHEAT.describe(whole.row, 0) == scene_of(here, 0).words
    assert not hasattr(Cut.of(ruse.matrix([[1.0, 2.0], [3.0, 4.0]]), After(1), Pot(0.25)), "scene")


def test_sentences(leaves: LeafTable) -> None:
    rows = np.array([State.of(LEDUC).after("Js", "Qs", "call", "call").row])
    few = LeafTable.of(LEDUC, rows, [[1.0, -1.0]])
    with pytest.raises(Unlawful, match=r"the payoffs are \[nan, nan\], which must be finite numbers"):
        Expanded.of(Cut.of(LEDUC, DUE, few))
    with pytest.raises(
        RuseError, match=r"^give each of the 1 rows a value for each of 2 players: got values of the sh"
    ):
        LeafTable.of(LEDUC, rows, [1.0])
    with pytest.raises(RuseError, match=r"^values are finite numbers, got \[nan, 0\.0\] for row 0 of Leduc"):
        LeafTable.of(LEDUC, rows, [[np.nan, 0.0]])
    twice = np.concatenate([rows, rows])
    with pytest.raises(
        RuseError, match=r"^rows 0 and 1 are the same state of Leduc.*, and have two values: \[1\.0, -1"
    ):
        LeafTable.of(LEDUC, twice, [[1.0, -1.0], [2.0, -2.0]])
    assert LeafTable.of(LEDUC, twice, [[1.0, -1.0]] * 2) == few
    with pytest.raises(RuseError, match=r"^values are numbers, got \[\['a', 'b'\]\]$"):
        LeafTable.of(LEDUC, rows, np.array([["a", "b"]]).tolist())
    with pytest.raises(RuseError, match=r"^there are no rows: give at least one state of Leduc\("):
        LeafTable.of(LEDUC, rows[:0], np.zeros((0, 2)))
    wrong: Any = 0.5
    with pytest.raises(RuseError, match=r"^leaves need a method leaf_worth\(self, game, s, player\), @ruse.compiled"):
        Cut.of(LEDUC, DUE, wrong)
    with pytest.raises(RuseError, match=r"is neither Leduc\(.*\) nor a subgame of it$"):
        inside(blueprint()[0], ruse.Kuhn())
