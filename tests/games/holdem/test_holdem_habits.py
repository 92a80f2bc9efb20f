"""The meter of Hold'em: what a match counts, beside a count by names from whole histories, and beside exact habits."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from rough_hands import few_buckets, rough_table

import ruse
from ruse.games.holdem.lines import lines_of
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.telling.habits import HabitMeter
from ruse.horizon.habits import habits
from ruse.horizon.preflop import Preflop
from ruse.protocol.game import CHANCE

GAMES = [Holdem(), Holdem(players=3, cap=3), Holdem(players=4, stack=9.0), Holdem(players=6), Holdem(limit=True)]
NAMES = ("vpip", "pfr", "3-bet", "fold to raise", "aggression")


def counted_by_names(moves: list[tuple[int, str]], found: list[Counter[str]]) -> None:
    """One hand before the flop, from who did what."""
    raises, paid, raised, called = 0, set(), set(), set()
    for player, name in moves:
        is_raise, is_call = name.startswith(("raise", "bet", "all-in")), name == "call"
        own = found[player]
        own["facing"] += raises > 0
        own["folds"] += raises > 0 and name == "fold"
        own["facing one"] += raises == 1
        own["3-bets"] += raises == 1 and is_raise
        own["raises"] += is_raise
        own["calls"] += is_call
        own["vpip"] += (is_raise or is_call) and player not in paid
        own["pfr"] += is_raise and player not in raised and not (raises >= 2 and player in called)
        paid |= {player} if is_raise or is_call else set()
        called |= {player} if is_call else set()
        raised |= {player} if is_raise else set()
        raises += is_raise


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_hands_are_counted_as_by_their_names(game: Holdem) -> None:
    rng, meter = np.random.default_rng(3), HabitMeter()
    notes, twin = np.zeros((game.players, meter.counted)), [Counter[str]() for _ in range(game.players)]
    hands = 300
    for _ in range(hands):
        state, moves = ruse.State.of(game), []
        while not state.is_over:
            a = int(rng.integers(len(state.actions)))
            if state.player != CHANCE:
                meter.note(game, state.row, a, notes, state.player)
                if len(state.history) and game.scene(state, -1).zones[-1].shown == ():
                    moves.append((state.player, state.actions[a]))
            state = state.child(a)
        counted_by_names(moves, twin)
    for player, own in enumerate(twin):
        share = {
            "vpip": own["vpip"] / hands, "pfr": own["pfr"] / hands, "3-bet": own["3-bets"] / own["facing one"],
            "fold to raise": own["folds"] / own["facing"], "aggression": own["raises"] / own["calls"],
        }  # fmt: skip
        assert meter.rates(notes[player], hands) == pytest.approx(share), game


class Does:
    """One thing wherever it can, in plain Python: nothing has to be compiled."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def act(self, seat: Any) -> int:
        return next((seat.actions.index(name) for name in self.names if name in seat.actions), 0)


def test_a_match_tells_them() -> None:
    found = ruse.match("holdem", [Does("call", "check"), Does("fold", "check")], deals=200, seed=1)
    caller, folder = found.rates
    assert tuple(caller) == NAMES
    assert (caller["vpip"], caller["pfr"], caller["aggression"]) == (0.5, 0.0, 0.0)  # the folder folds on the button
    assert (folder["vpip"], math.isnan(folder["aggression"]), math.isnan(folder["3-bet"])) == (0.0, True, True)
    told = str(found).splitlines()
    assert [line.strip() for line in told if "vpip" in line] == ["vpip 0.5, pfr 0, aggression 0", "vpip 0, pfr 0"]


def test_they_are_those_that_are_known_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a strategy for two by all pairs of hands (`horizon/habits.py`), within the luck of the deals."""
    monkeypatch.setattr("ruse.horizon.habits.starting_equities", rough_table)  # it deals pairs as they are
    game = Holdem(stack=8.0)
    strategy = ruse.Strategy(game, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())
    before = Preflop.of(lines_of(game))
    rows = {n: np.full((169, len(before.names(n))), 1.0 / len(before.names(n))) for n in before.decisions}
    known = [habits(before, rows, rows, player) for player in range(2)]
    (first, _) = ruse.match(game, [strategy, strategy], deals=4_000, seed=2).rates
    for name, exact in (("vpip", "vpip"), ("pfr", "pfr")):
        mean = (getattr(known[0], exact) + getattr(known[1], exact)) / 2
        assert first[name] == pytest.approx(mean, abs=4 * (0.25 / 8_000) ** 0.5)
