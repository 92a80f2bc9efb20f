"""Habits as targets, on top of a blueprint that knows nothing."""

from pathlib import Path

import numpy as np
import pytest
from rough_hands import few_buckets, rough_table

from ruse.cli import main
from ruse.compile.hashing import MASK
from ruse.errors import RuseError
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import STARTING_HANDS
from ruse.horizon import habits, holdem_leaves, preflop, targets
from ruse.horizon.adapting import adapted_button
from ruse.horizon.preflop import patched_before_flop, rows_before_flop
from ruse.horizon.targets import Effort, find_habit, is_habit, leaves_of
from ruse.strategy import Strategy


@pytest.fixture(autouse=True)
def rough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Equities that nobody has to wait for, and leaves that are not kept for others."""
    for module in (holdem_leaves, preflop, habits):
        monkeypatch.setattr(module, "starting_equities", rough_table)
    monkeypatch.setattr(targets, "cache_dir", lambda: tmp_path)


def nobodys(game: Holdem) -> Strategy:
    return Strategy(game, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())


def everywhere(strategy: Strategy, before: preflop.Preflop) -> Strategy:
    """The same with a row for each hand at each decision before the flop, so that they can be written."""
    view, rows = few_buckets(), []
    for n in before.decisions:
        past, who = int(before.lines.past[before.kept[n]]), int(before.tree.player[n])
        keys = [int(view.key_of(past, hand, who)) & MASK for hand in range(STARTING_HANDS)]
        rows += [(key, len(before.names(n))) for key in keys]
    rows.sort()
    start = np.cumsum([0, *(count for _, count in rows)])
    shares = np.concatenate([np.full(count, 1.0 / count) for _, count in rows])
    return Strategy(strategy.game, np.array([key for key, _ in rows], np.uint64), start, shares, view=view)


def test_a_habit_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(targets, "WAYS", 2)
    strategy = nobodys(Holdem(stack=8.0))
    with pytest.raises(RuseError, match="give more iterations than 100, or allow more"):
        find_habit(strategy, "PFR", 0.0, cap=1e-9, effort=Effort(4, 100))
    plain = find_habit(strategy, "PFR", 1.0, cap=0.01, effort=Effort(4, 60))
    assert not plain.is_met
    assert plain.chosen.cost <= 0.01
    assert len(list(tmp_path.glob("holdem-leaves-*"))) == 1
    was = plain.tried[0].value
    found = find_habit(strategy, "PFR", was - 0.05, cap=1.0, effort=Effort(4, 60))
    nearest = min(found.tried, key=lambda one: abs(one.value - found.target))
    assert found.chosen is nearest
    assert found.chosen.value < was
    assert found.is_met == (abs(found.chosen.value - found.target) <= targets.MET)
    assert found.actions == ("call",)
    assert found.preference is not None
    assert found.habits.pfr == found.chosen.value
    assert found.chosen.cost < 0.5


def test_no_more_is_tried_than_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "WAYS", 2)
    strategy = nobodys(Holdem(stack=8.0))
    many = find_habit(strategy, "PFR", 0.9, cap=1.0, effort=Effort(4, 20))
    few = find_habit(strategy, "PFR", 0.9, cap=1.0, effort=Effort(4, 20, 4))
    assert (len(few.tried), len(many.tried) > 4) == (4, True)
    assert [one.beta for one in few.tried] == [one.beta for one in many.tried[:4]]
    with pytest.raises(RuseError, match="a search needs at least 4 solves, got 3"):
        find_habit(strategy, "PFR", 0.9, cap=1.0, effort=Effort(4, solves=3))


def test_what_is_no_habit_is_refused() -> None:
    assert is_habit(" vpip")
    assert not is_habit("raise, player 0, first")
    strategy = nobodys(Holdem(stack=8.0))
    with pytest.raises(RuseError, match="there is no habit 'limps'; there are VPIP, PFR"):
        find_habit(strategy, "limps", 0.5, cap=1.0)
    with pytest.raises(RuseError, match="from 0 to 1"):
        find_habit(strategy, "VPIP", 1.5, cap=1.0)
    with pytest.raises(RuseError, match="Hold'em for two with bets after the flop"):
        leaves_of(nobodys(Holdem(players=3)), 4)


def test_a_button_adapts(monkeypatch: pytest.MonkeyPatch) -> None:
    """To a big blind who always folds, and to one who plays as the blueprint does."""
    monkeypatch.setattr(targets, "WAYS", 2)
    blueprint = nobodys(Holdem(stack=8.0))
    before = leaves_of(blueprint, 4)[0]
    folds = {n: np.eye(len(before.names(n)))[[0] * STARTING_HANDS] for n in before.decisions}
    folder = patched_before_flop(everywhere(blueprint, before), before, folds, folds)
    assert all(np.array_equal(rows, folds[n]) for n, rows in rows_before_flop(folder, before).items())
    found = adapted_button(blueprint, folder, price=0.5, boards=4, iterations=60)
    assert 0.0 < found.found.price <= 0.5
    assert found.found.gain > 0.01
    assert found.after == found.before + found.found.gain
    with pytest.raises(RuseError, match="both have to play one game"):
        adapted_button(blueprint, nobodys(Holdem(stack=9.0)), price=0.5, boards=4)


def test_the_command_needs_a_blueprint(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["style", "holdem", "--target", "VPIP = 0.9"]) == 2
    assert "VPIP is found on top of a blueprint" in capsys.readouterr().err
