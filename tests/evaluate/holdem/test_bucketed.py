"""A strategy over buckets on the lines of betting."""

import numpy as np
import pytest
from rough_hands import few_buckets

from ruse.catalog.names import game
from ruse.errors import RuseError
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.suits.deals import starting_names
from ruse.protocol.state import State
from ruse.strategy import Strategy


def test_a_strategy_is_found_on_its_lines() -> None:
    made, view = game("holdem:hu_pre20"), few_buckets()
    state = State.of(made)
    while state.is_chance:
        state = state.child(0)  # 2c 2d against 2h 2s
    key = int(view.key(made, state.row)) & (2**64 - 1)
    row = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    strategy = Strategy(made, np.array([key], np.uint64), np.array([0, 5]), row, view=view)
    found = Bucketed.of(strategy)
    pair = starting_names().index("22")
    assert found.rows(0)[pair].tolist() == row.tolist()
    assert np.allclose(np.delete(found.rows(0), pair, axis=0), 0.2)
    with pytest.raises(RuseError, match="another number of actions"):
        Bucketed.of(Strategy(made, strategy.keys, np.array([0, 4]), row[:4] / row[:4].sum(), view=view))


def test_other_strategies_are_refused() -> None:
    with pytest.raises(RuseError, match="hands in buckets, as `ruse solve holdem` makes it, not one for leduc"):
        Bucketed.of(Strategy.uniform(game("leduc")))
    three = Strategy(game("holdem:players=3"), np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0),
                     view=few_buckets())  # fmt: skip
    with pytest.raises(RuseError, match="two players; the strategy is for 3"):
        Bucketed.of_two(three)
    assert Bucketed.of(three).rows(0).shape == (169, 5)
