"""What bots do, as strategies: those that plain play knows, and those that are none."""

import doctest

import numpy as np
import pytest
from plain_bots import Uniform
from strategies import lopsided

import ruse
from ruse.errors import RuseError
from ruse.games.cheat.bots import Heuristic, Naive
from ruse.play import by_infoset
from ruse.play.bots.bot import StrategyBot
from ruse.play.bots.either import Either
from ruse.play.by_infoset import TooFine, pieces, strategy_of

CHEAT = ruse.Cheat(hp=1)


@pytest.mark.parametrize("game", [ruse.Kuhn(), ruse.Leduc()], ids=["kuhn", "leduc"])
def test_who_plays_a_strategy_does_what_it_says(game: ruse.Game) -> None:
    """Where he comes: what he never does himself is not followed."""
    strategy = lopsided(game)
    found = strategy_of(StrategyBot.of(strategy), game)
    expanded = ruse.Expanded.of(game)
    mine, own = found.on(expanded), strategy.on(expanded)
    known = np.repeat(np.isin(expanded.keys, found.keys), np.diff(expanded.form.first))
    np.testing.assert_allclose(mine[2:][known], own[2:][known], atol=1e-9)
    assert float(ruse.exploitability(game, found)) == pytest.approx(float(ruse.exploitability(game, strategy)))


def test_who_draws_nothing_plays_the_same_games() -> None:
    """Move by move: where seats are exchanged what one wins the other loses, to the last chip."""
    played = ruse.match(CHEAT, [Heuristic(), strategy_of(Heuristic(), CHEAT)], deals=2_000, seed=2)
    assert played.interval[0] == (0.0, 0.0)


def test_how_often_something_is_done_is_told() -> None:
    """Naive challenges by the toss of a coin, unless it sees the lie, and lays any of its cards alike."""
    strategy = strategy_of(Naive(0.3), CHEAT)
    parts = strategy.probability * 120  # of up to six cards one or two, one after the other, or 0.3
    np.testing.assert_allclose(parts, np.rint(parts), atol=1e-6)
    assert np.isclose(strategy.probability, 0.3).any()
    one, other = (ruse.match(CHEAT, [who, "random"], deals=5_000, seed=2) for who in (Naive(0.3), strategy))
    assert abs(one.mean[0] - other.mean[0]) < one.interval[0][1] - one.interval[0][0]


def test_all_pieces_are_found() -> None:
    """Wherever they begin: at the ends however narrow, and several between two looks."""
    ends = [0.0, 1e-9, 0.3, 0.301, 0.304, 0.9, 1.0]
    found = pieces(lambda u: int(np.searchsorted(ends, u, side="right")) - 1)
    assert [a for _, _, a in found] == [0, 1, 2, 3, 4, 5]
    np.testing.assert_allclose([first for first, _, _ in found], ends[:-1], atol=1e-11)
    narrow = pieces(lambda u: int(600 * u) % 7)  # many, each as wide as others
    assert len(narrow) == 600
    with pytest.raises(TooFine, match="more finely than into 4,096 parts"):
        pieces(lambda u: int(1e7 * u) % 7)
    assert [last for _, last, _ in found] == [*[first for first, _, _ in found][1:], 1.0]


@pytest.mark.parametrize("parts", [16, 64, 256, 1024, 4096, 1 << 20])
def test_choices_by_what_is_left_of_a_number_are_found_or_refused(parts: int) -> None:
    """Of numbers in step with the parts nothing is left, and what is done 7 times of 10 was told to be rare."""
    try:
        found = pieces(lambda u: int(parts * u % 1.0 >= 0.3))
    except TooFine:
        assert parts > 256
    else:
        assert sum(last - first for first, last, a in found if a == 1) == pytest.approx(0.7)


def test_what_is_no_strategy_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    either = Either(Heuristic(), Naive())
    with pytest.raises(RuseError, match="Either remembers more of what it has drawn than what it did"):
        strategy_of(either, CHEAT)
    with pytest.raises(RuseError, match="Uniform is a bot in plain Python, which may remember anything"):
        strategy_of(Uniform(), CHEAT)
    monkeypatch.setattr(by_infoset, "MOST_HISTORIES", 100)
    with pytest.raises(
        RuseError, match=r"what Naive does everywhere is found by playing the game through, and .* more"
    ):
        strategy_of(Naive(), CHEAT)


def test_the_example_runs() -> None:
    assert doctest.testmod(by_infoset).failed == 0
