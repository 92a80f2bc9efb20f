"""Luck taken out of matches: whatever is guessed, the mean is the exact value; a good guess narrows its interval."""

from typing import NamedTuple

import pytest

import ruse
from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.evaluate.exploitability import expected_values
from ruse.evaluate.holdem.luck import EquityLuck, refuse_others
from ruse.evaluate.luck import Enumerated, less_luck
from ruse.games.holdem.bots import BOTS
from ruse.games.holdem.rules import Holdem
from ruse.strategy import Strategy

LEDUC = ruse.Leduc()


@compiled("guessed")
class Nonsense(NamedTuple):
    """Any number, from what stands in the row."""

    size: float = 1.0

    def guessed(self, game, s, rng, memory):
        key = 0
        for c in range(len(s)):
            key = mix(key, s[c])
        return self.size * (key % 1000) / 1000.0


@compiled("guessed")
class Shown(NamedTuple):
    """What the end pays, and nothing before."""

    nothing: int = 0

    def guessed(self, game, s, rng, memory):
        return game.payoff(s, 0) if game.player(s) == -2 else 0.0


@pytest.fixture(scope="module")
def strategies() -> tuple[Strategy, Strategy, float]:
    """A strategy, a worse one, and what the first wins of the second, exactly."""
    solved = ruse.train(LEDUC, ruse.dcfr(), iterations=50).strategy
    uniform = Strategy.uniform(LEDUC)
    first, second = expected_values(LEDUC, [solved, uniform]), expected_values(LEDUC, [uniform, solved])
    return solved, uniform, (first[0] + second[1]) / 2


@pytest.mark.parametrize(
    ("guess", "least", "most"),
    [(Nonsense(0.0), 1.0, 1.0), (Nonsense(4.0), 0.1, 0.99), (Shown(), 1.01, 9.0)],  # nothing, noise, some luck
    ids=["nothing", "noise", "ends"],
)
def test_there_is_no_bias_whatever_is_guessed(
    strategies: tuple[Strategy, Strategy, float], guess: object, least: float, most: float
) -> None:
    solved, uniform, exact = strategies
    found = less_luck(LEDUC, (solved, uniform), Enumerated(guess), deals=20_000, seed=2)
    assert abs(found.mean - exact) < 1.5 * found.margin
    assert abs(found.plain_mean - exact) < 1.5 * found.plain_margin
    assert least <= found.gain <= most


def test_equity_takes_luck_out_of_holdem() -> None:
    """Between two who call, mirrored deals leave nothing but how hands before the flop are judged, by drawn boards."""
    found = less_luck(Holdem(), (BOTS["call"], BOTS["call"]), EquityLuck(), deals=200)
    assert found.plain_mean == 0.0
    assert abs(found.mean) < 2 * found.margin < 0.05
    other = less_luck(Holdem(), (BOTS["tight"], BOTS["call"]), EquityLuck(), deals=2_000)
    assert abs(other.mean - other.plain_mean) < 1.5 * other.plain_margin
    assert other.gain > 1.5


def test_what_is_refused() -> None:
    with pytest.raises(RuseError, match="Hold'em for two players, not out of leduc"):
        refuse_others(LEDUC)
    with pytest.raises(RuseError, match="two players whose payoffs cancel"):
        less_luck(Holdem(players=3), (BOTS["call"], BOTS["call"]), EquityLuck())
    with pytest.raises(RuseError, match="at least 2, got 1"):
        less_luck(Holdem(), (BOTS["call"], BOTS["call"]), EquityLuck(), deals=1)
