"""Fields that nobody sees in play: a strategy carries over between games that differ in these alone."""

import random
from typing import Any

import pytest
from commands import Ruse

from ruse.errors import RuseError
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.games.cheat.views import General, HistoryAware, HpAware, Memoryless
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.solve.solver.presets import mccfr
from ruse.strategy import Strategy
from ruse.training.train import train

SETTINGS: list[dict[str, Any]] = [{}, {"hp": -1}, {"players": 3, "ranks": 4}, Cheat.NAMED["half"]]
VIEWS = [Full(), Memoryless(), HpAware(), HistoryAware(), HistoryAware(window=2), General(), Sketch()]


@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_cheat_shows_nothing_of_its_unseen_fields(setting: dict[str, Any]) -> None:
    """The same moves lead to the same keys and actions in both games, as long as neither is stopped."""
    assert Cheat.unseen == ("max_turns",)
    games = [Cheat(**setting, max_turns=turns) for turns in (9, 40)]
    dice, compared = random.Random(0), 0
    for _ in range(20):
        states = [State.of(game) for game in games]
        while not any(state.is_over for state in states):
            one, other = states
            assert one.actions == other.actions
            if not one.is_chance:
                keys = [[int(view.key(state.game, state.row)) for view in VIEWS] for state in states]
                assert keys[0] == keys[1]
                compared += 1
            a = dice.randrange(len(one.actions))
            states = [state.child(a) for state in states]
    assert compared > 50


def test_a_strategy_carries_over(ruse: Ruse) -> None:
    cut = Cheat(max_turns=3)
    made = train(cut, mccfr(), iterations=200, view=Memoryless()).strategy
    made.save("cut.strategy")
    whole = Strategy.load("cut.strategy", game=Cheat())
    assert (whole.game, whole.view, whole.about["made_in"]) == (Cheat(), Memoryless(), "cheat:max_turns=3")
    assert whole.probability.tolist() == made.probability.tolist()
    assert "exploitability" not in whole.about
    assert "made_in" not in Strategy.load("cut.strategy", game=cut).about
    assert made.carried_to(Cheat()).about == whole.about
    assert made.carried_to(Cheat(max_turns=3)) is made
    with pytest.raises(RuseError, match=r"^what a player sees in Cheat\(.* is not what one sees in Cheat\("):
        made.carried_to(Cheat(hp=2))
    played = ruse("match", "cheat", "cut.strategy", "random", "--deals", "50", "--json")
    assert (played.code, played.out.count("\n")) == (0, 1)
    assert played.err == "cut.strategy was trained in cheat:max_turns=3; what it sees is the same in cheat\n"
    assert ruse("match", "cheat:max_turns=3", "cut.strategy", "random", "--deals", "50").err == ""


def test_other_fields_still_matter(ruse: Ruse) -> None:
    train(Cheat(max_turns=3), mccfr(), iterations=20, view=Memoryless()).strategy.save("cut.strategy")
    for other in (Cheat(hp=2), Cheat(hp=2, max_turns=3)):
        with pytest.raises(RuseError, match=r"cut.strategy is a strategy for Cheat\(.*max_turns=3.*, not for Cheat"):
            Strategy.load("cut.strategy", game=other)
    refused = ruse("match", "cheat:hp=2", "cut.strategy", "random")
    assert (refused.code, refused.out) == (2, "")
    assert "is a strategy for Cheat" in refused.err
