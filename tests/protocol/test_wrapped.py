"""A game with a twist: what a twist does not define is as in the game inside, which sees its own columns only."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.protocol.game import OVER
from ruse.protocol.state import State
from ruse.protocol.wrapped import Wrapped, twist


@twist
class Counted(NamedTuple):
    """Counts moves behind the row."""

    first: int = 0

    def behind(self, game: Any) -> Any:
        return np.array([self.first], np.int64)

    def apply_in(self, game, s, behind, a):
        game.apply(s, a)
        behind[0] += 1


@twist
class Doubled(NamedTuple):
    """Twice the payoffs."""

    times: float = 2.0

    def payoff_in(self, game, s, behind, player):
        return self.times * game.payoff(s, player)


class FromTheEnd(NamedTuple):
    """A game that counts its columns from the end."""

    players: int = 2

    def start(self) -> Any:
        return np.array([7, 3], np.int64)

    def player(self, s: Any) -> int:
        return 0 if s[-1] > 0 else OVER

    def apply(self, s: Any, a: int) -> None:
        s[len(s) - 1] -= 1


def test_columns_lie_behind() -> None:
    game = Wrapped.of(FromTheEnd(), Counted(10))
    s = game.start()
    assert s.tolist() == [7, 3, 10]
    while game.player(s) != OVER:
        game.apply(s, 0)
    assert s.tolist() == [7, 0, 13]


def test_the_rest_is_as_it_was() -> None:
    kuhn = ruse.Kuhn()
    twice = Wrapped.of(Wrapped.of(kuhn, Counted()), Counted(5))
    inner, outer = State.of(kuhn).after("K", "Q", "bet"), State.of(twice).after("K", "Q", "bet")
    assert outer.row[-2:].tolist() == [3, 8]
    assert (inner.player, inner.infoset, inner.actions) == (outer.player, outer.infoset, outer.actions)
    assert inner.describe(0) == outer.describe(0)
    assert twice == Wrapped.of(Wrapped.of(kuhn, Counted()), Counted(5)) != Wrapped.of(kuhn, Counted())
    assert (twice.players, twice.payoff_sum) == (2, 0.0)
    assert repr(twice) == f"Wrapped(Wrapped({kuhn!r}, Counted(first=0)), Counted(first=5))"


def test_a_promise_is_kept_where_payoffs_are() -> None:
    doubled = Wrapped.of(ruse.Kuhn(), Doubled())
    assert State.of(doubled).after("K", "Q", "bet", "pass").payoffs == [2.0, -2.0]
    with pytest.raises(AttributeError, match="another sum"):
        _ = doubled.payoff_sum


def test_kernels_see_the_same_game() -> None:
    """Columns that nobody looks at change no bit."""
    plain, counted = (
        ruse.train(game, ruse.dcfr(), iterations=20) for game in (ruse.Kuhn(), Wrapped.of(ruse.Kuhn(), Counted()))
    )
    assert plain.strategy.keys.tobytes() == counted.strategy.keys.tobytes()
    assert plain.strategy.probability.tobytes() == counted.strategy.probability.tobytes()
