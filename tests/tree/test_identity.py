"""Parts of different classes are different, however deep they lie in a game: equal fields do not make them equal."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.catalog.behaviour import behaviour
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.evaluate.exploitability import expected_values
from ruse.protocol.values.recent import identity_of
from ruse.protocol.view import Full
from ruse.protocol.wrapped import Through
from ruse.subgame.cut import After, Cut, LeafTable
from ruse.subgame.strategies import inside
from ruse.tree.expanded import Expanded

KUHN = ruse.Kuhn()


@compiled("leaf_worth")
class Plus(NamedTuple):
    """Player 0 wins."""

    nothing: int = 0

    def leaf_worth(self, game, s, player):
        return 1.0 if player == 0 else -1.0


@compiled("leaf_worth")
class Minus(NamedTuple):
    """Player 0 loses."""

    nothing: int = 0

    def leaf_worth(self, game, s, player):
        return -1.0 if player == 0 else 1.0


class Holds(NamedTuple):
    """Any part around another."""

    part: Any


PLUS, MINUS = (Cut.of(KUHN, After(3), leaves) for leaves in (Plus(), Minus()))


def test_cut_games_with_different_leaves() -> None:
    """Both are expanded, one after the other, and each has its own value and its own fingerprint."""
    assert PLUS == MINUS  # as tuples are
    values = [expected_values(game, [ruse.Strategy.uniform(game)] * 2)[0] for game in (PLUS, MINUS)]
    assert values == pytest.approx([1.0, -1.0])
    assert behaviour(PLUS) != behaviour(MINUS)
    assert Expanded.of(PLUS) is Expanded.of(Cut.of(KUHN, After(3), Plus()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (PLUS, MINUS),
        (Holds(Holds(Plus())), Holds(Holds(Minus()))),
        (Holds((1, Plus())), Holds((1, Minus()))),
        (Holds(True), Holds(1)),
        (Through(Full()), Holds(Full())),
    ],
)
def test_identity_goes_down(one: Any, other: Any) -> None:
    assert one == other
    assert identity_of(one) != identity_of(other)
    assert identity_of(one) == identity_of(type(one)(*one))


def test_what_tells_itself_from_others_is_asked() -> None:
    """A table of leaves is equal to another with the same numbers, although it holds arrays."""
    rows = np.array([KUHN.start()])
    same, twin, other = (LeafTable.of(KUHN, rows, [[x, -x]]) for x in (1.0, 1.0, 2.0))
    assert identity_of(Holds(same)) == identity_of(Holds(twin)) != identity_of(Holds(other))
    arrays = [Holds(np.zeros(2)), Holds(np.zeros(2))]  # which has no hash: itself alone
    assert identity_of(arrays[0]) == identity_of(arrays[0]) != identity_of(arrays[1])


def plus_of_its_own() -> Any:
    @compiled("leaf_worth")
    class Plus(NamedTuple):
        nothing: int = 0

        def leaf_worth(self, game, s, player):
            return 0.5

    return Plus()


def test_classes_of_one_name() -> None:
    """A strategy is refused in a game whose part has the same name and fields, and comes from elsewhere."""
    strategy, other = ruse.Strategy.uniform(PLUS), Cut.of(KUHN, After(3), plus_of_its_own())
    assert repr(other) == repr(PLUS)
    with pytest.raises(RuseError, match=r"^the strategy is for .*identity\.Plus, not for .*own\.<locals>\.Plus$"):
        strategy.refuse_other(other)
    with pytest.raises(RuseError, match=r" nor a subgame of it$"):
        inside(strategy, other)
    strategy.refuse_other(Cut.of(KUHN, After(3), Plus()))
