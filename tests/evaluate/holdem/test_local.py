"""What responses win against a strategy for Hold'em."""

import numpy as np
import pytest
from rough_hands import few_buckets, rough_table

from ruse.catalog.names import game
from ruse.errors import RuseError
from ruse.evaluate.exploitability import exploitability
from ruse.evaluate.holdem import preflop, rooms
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.evaluate.holdem.local import CallDown, Local, OnLines, local_best_response, winnings
from ruse.evaluate.holdem.preflop import preflop_exploitability
from ruse.games.holdem.lines import FOLD, SHOWDOWN
from ruse.games.holdem.rules import Holdem
from ruse.protocol.game import Game
from ruse.strategy import Strategy


@pytest.fixture(autouse=True)
def rough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equities that nobody has to wait for."""
    for module in (preflop, rooms):
        monkeypatch.setattr(module, "starting_equities", rough_table)


def nobodys(made: Game) -> Strategy:
    """A strategy that knows nothing: all is played uniformly."""
    return Strategy(made, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())


def test_calling_down_wins_what_its_lines_are_worth() -> None:
    """Against one who plays everything alike, lines have a probability, and only cards decide: equity is a half."""
    strategy = nobodys(Holdem())
    lines = Bucketed.of(strategy).lines
    expected = []
    for me in range(2):
        chance, worth = np.zeros(len(lines.who)), 0.0
        chance[0] = 1.0
        for node in range(len(lines.who)):
            children = lines.children(node)
            if lines.who[node] == me:
                chance[children[1 if lines.who[children[0]] == FOLD else 0]] = chance[node]
            elif lines.who[node] >= 0:
                chance[children] = chance[node] / len(children)
            elif lines.who[node] == FOLD:
                worth += chance[node] * lines.payoff[node, 0, me]
        expected.append(worth)
    (found,) = winnings(strategy, CallDown(), deals=400, seed=3)
    assert found.mean == pytest.approx(np.mean(expected), abs=1.5 * found.margin)
    assert winnings(strategy, CallDown(), deals=40, seed=3) == winnings(strategy, CallDown(), deals=40, seed=3)


def test_who_knows_the_range_wins_more_than_who_calls() -> None:
    strategy = nobodys(Holdem())
    (calls,), locals_ = winnings(strategy, CallDown(), deals=200), local_best_response(strategy, deals=200)
    local = locals_.by_street[0]
    assert local.interval[0] > calls.interval[1]
    assert locals_.bound >= local.interval[0]
    assert (local,) != winnings(strategy, Local(3), deals=200)  # who raises on the river alone


def test_without_later_bets_nobody_wins_more_than_a_best_response() -> None:
    strategy = nobodys(game("holdem:hu_pre20"))
    exact, (local,) = preflop_exploitability(strategy), winnings(strategy, Local(), deals=400)
    assert local.mean < sum(exact.best) / 2 + local.margin
    assert local.mean > 0.5 * sum(exact.best) / 2
    assert exploitability(strategy.game, strategy) == exact
    with pytest.raises(RuseError, match="without bets after the flop, as holdem:hu_pre20"):
        preflop_exploitability(nobodys(Holdem()))


def test_exact_values_by_hand() -> None:
    """Uniform play over lines and starting hands, without vectors."""
    strategy = nobodys(game("holdem:hu_pre20"))
    played, exact = OnLines.of(Bucketed.of(strategy)), preflop_exploitability(strategy)
    chance, value = np.zeros(len(played.who)), 0.0
    chance[0] = 1.0
    for node, who in enumerate(played.who):
        children = played.child[played.start[node] : played.start[node + 1]]
        chance[children] += chance[node] / max(len(children), 1)
        if who in (FOLD, SHOWDOWN):
            value += chance[node] * (played.payoff[node, 0, 0] + played.payoff[node, 1, 0]) / 2
    assert exact.values[0] == pytest.approx(value)
    assert exact.values[1] == pytest.approx(-value)
    assert min(exact.per_player) > 0
    assert np.allclose(rough_table().equity + rough_table().equity.T, 1)


def test_too_few_deals() -> None:
    with pytest.raises(RuseError, match="at least 2, got 1"):
        local_best_response(nobodys(Holdem()), deals=1)
