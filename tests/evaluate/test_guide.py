"""A guide through a game's tree: nodes by their moves, infosets by their names, what other cards would do."""

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError
from ruse.evaluate.explaining.explain import what_here
from ruse.evaluate.explaining.guide import TreeGuide
from ruse.games.cheat.policies import Manners
from ruse.games.kuhn import Kuhn
from ruse.games.liars_dice import LiarsDice
from ruse.protocol.game import CHANCE
from ruse.strategy import Strategy

KUHN = Kuhn()


@pytest.fixture(scope="module")
def solved() -> Strategy:
    return ruse.train(KUHN, ruse.dcfr(), iterations=200).strategy


@pytest.fixture(scope="module")
def guide(solved: Strategy) -> TreeGuide:
    return TreeGuide(KUHN, solved)


def test_the_root_of_kuhn_is_chance(guide: TreeGuide) -> None:
    node = guide.node([])
    assert node.state.is_chance
    assert [(one.name, one.probability) for one in node.actions] == [(card, pytest.approx(1 / 3)) for card in "JQK"]
    assert (node.steps, node.way) == ([], 1.0)


def test_a_decision_has_what_the_strategy_does_and_is_worth(guide: TreeGuide, solved: Strategy) -> None:
    way = guide.followed(["Q", "K", "pass", "bet"])
    node, told = guide.node(way), what_here(solved, ["Q", "K", "pass", "bet"])
    assert node.name == told.name == "Q, pass bet"
    assert [one.name for one in node.actions] == ["pass", "bet"]
    assert [one.probability for one in node.actions] == told.probability
    assert [one.value for one in node.actions] == told.value
    assert node.reach == told.reach
    assert min(one.lost for one in node.actions if one.lost is not None) == 0.0
    assert node.mean == pytest.approx(sum((one.probability or 0.0) * (one.value or 0.0) for one in node.actions))
    assert [(step.player, step.name) for step in node.steps] == [(CHANCE, "Q"), (CHANCE, "K"), (0, "pass"), (1, "bet")]
    assert node.steps[-1].moves == way
    first, second = guide.node(way[:2]), guide.node(way[:3])
    passed, bet = first.actions[0].probability, second.actions[1].probability
    assert passed is not None
    assert bet is not None
    assert node.way == pytest.approx(passed * bet / 6)


def test_the_end_has_payoffs(guide: TreeGuide) -> None:
    node = guide.node(guide.followed(["Q", "K", "bet", "pass"]))
    assert node.state.is_over
    assert node.actions == []
    assert node.state.payoffs == [1.0, -1.0]


def test_other_cards_are_shown_beside(guide: TreeGuide, solved: Strategy) -> None:
    """At player 0's first decision only the own card matters."""
    (group,) = guide.node(guide.followed(["Q", "K"])).deals
    assert (group.step, group.instead_of) == (0, "Q")
    assert [(one.name, one.is_here) for one in group.deals] == [("J", False), ("Q", True)]  # K is the other's
    for one in group.deals:
        assert dict(zip(("pass", "bet"), one.probability, strict=True)) == solved[one.name]
        assert guide.node(one.moves).name == one.name


def test_infosets_are_found_by_words(guide: TreeGuide) -> None:
    count, found = guide.search("k bet")
    assert count == len(found) == 2  # K facing a bet, in either seat
    assert {place.name for place in found} == {"K, bet", "K, pass bet"}
    for place in found:
        assert guide.node(place.moves).name == place.name
    count, found = guide.search("", limit=3)
    assert (count, len(found)) == (12, 3)
    assert found[0].reach == max(place.reach for place in guide.places)
    assert guide.search("Z") == (0, [])
    assert guide.search("j, pass bet")[1][0].name == "J, pass bet"


def test_a_game_without_a_strategy_is_walked_too() -> None:
    node = TreeGuide(KUHN).node([0, 0])
    assert [(one.name, one.probability, one.value) for one in node.actions] == [
        ("pass", None, None),
        ("bet", None, None),
    ]
    assert node.way is None


def test_a_large_game_tells_no_values() -> None:
    game = LiarsDice(dice=3)
    guide = TreeGuide(game, Strategy.uniform(game))
    node = guide.node([0] * 6)
    assert {one.value for one in node.actions} == {None}
    assert sum(one.probability or 0.0 for one in node.actions) == pytest.approx(1.0)
    with pytest.raises(RuseError, match="too large to look infosets up by name; type the moves"):
        guide.search("1")


@pytest.mark.parametrize(
    ("moves", "why"),
    [([7], "there is no move 7 after the start; there are 3 moves"), ([0, 0, 0, 0, 0], "none, the game is over")],
)
def test_a_move_that_is_none_is_refused(guide: TreeGuide, moves: list[int], why: str) -> None:
    with pytest.raises(RuseError, match=why):
        guide.node(moves)
    with pytest.raises(RuseError, match="no action 'X'"):
        guide.followed(["X"])


def test_policies_are_not_played_out_a_million_times() -> None:
    """A hierarchy's moves are whole stretches of play, in which a million of them take minutes."""
    cheat = ruse.game("cheat:hp=1")
    none = np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0)
    strategy = Strategy(cheat, *none, view=Manners())  # type: ignore[arg-type]
    assert TreeGuide(cheat, strategy).most < TreeGuide(cheat, Strategy.uniform(cheat)).most
