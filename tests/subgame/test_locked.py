"""Node-locking: what is fixed stays fixed, the rest is solved around it, and what it is worth is told."""

import numpy as np
import pytest

import ruse
from ruse.subgame.locked import lock_of, typed

KUHN = ruse.Kuhn()


@pytest.fixture(scope="module")
def bluffer() -> ruse.LockedSolve:
    """Player 0 always bets the jack."""
    return ruse.solve_locked("kuhn", {"J": "bet"}, "dcfr", iterations=2_000)


def test_what_is_locked_is_played(bluffer: ruse.LockedSolve) -> None:
    assert bluffer.strategy["J"] == {"pass": 0.0, "bet": 1.0}
    assert len(bluffer.strategy) == 12
    assert bluffer.strategy.about["locked"] == ["J: bet"]
    assert ruse.Strategy.uniform("kuhn").keys.tolist() == []


def test_the_other_player_gains_what_the_program_says(bluffer: ruse.LockedSolve) -> None:
    """Against a jack that is always bet, a queen always calls."""
    assert bluffer.gains[1] > 0.01
    assert sum(bluffer.gains) == pytest.approx(0.0, abs=1e-9)
    assert bluffer.strategy["Q, bet"]["bet"] > 0.99
    # Nobody who is held to it can do better: player 0 with all else free gets no more than the value.
    best = ruse.find_best_response(KUHN, bluffer.strategy, player=1)
    assert best.gains[0] == pytest.approx(0.0, abs=2e-3)
    assert bluffer.measured.per_player[0] > 0.01  # it would rather not bet
    pytest.importorskip("scipy")
    exact = ruse.find_equilibrium(bluffer.lock.rest)
    assert bluffer.values[0] == pytest.approx(exact.value, abs=bluffer.margin)


def test_a_lock_that_is_an_equilibrium_costs_nothing() -> None:
    found = ruse.solve_locked("kuhn", ["J: bet 0.2", "K: bet 0.6"], "dcfr", iterations=2_000)
    assert abs(found.gains[0]) < found.margin + 1e-4
    assert found.strategy["J"]["pass"] == pytest.approx(0.8)


def test_all_that_a_player_does() -> None:
    fool = ruse.Strategy.uniform("kuhn")
    found = ruse.solve_locked("kuhn", {"player 1": fool}, "dcfr", iterations=500)
    best = ruse.find_best_response("kuhn", fool, player=0)
    assert found.values[0] == pytest.approx(best.values[0], abs=1e-3)
    assert "with 6 infosets locked" in str(found)
    assert "gains" in found._repr_html_()


def test_suits_may_be_left_out() -> None:
    lock = lock_of(ruse.Leduc(), {"K, no board": {"raise": 0.5}})
    assert len(lock.fixed) == 2
    assert lock.fixed.probability.tolist() == [0.5, 0.5, 0.5, 0.5]
    assert typed("raise to 3") == {"raise to": 3.0}  # which is then no share


def test_shares_may_be_numbers_of_numpy() -> None:
    for share in (np.float32(0.5), np.float64(0.5)):
        assert lock_of(KUHN, {"J": {"bet": share}}).fixed.probability.tolist() == [0.5, 0.5]
    assert lock_of(KUHN, {"J": {"bet": np.int64(1)}}).fixed.probability.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    "locks", [["K, no board: raise", "Ks, no board: call"], ["Ks, no board: call", "K, no board: raise"]]
)
def test_locks_may_not_overlap(locks: list[str]) -> None:
    with pytest.raises(ruse.RuseError, match=r"^'Ks, no board' is locked twice, by 'Ks?, no board"):
        lock_of(ruse.Leduc(), locks)


def test_a_lock_is_for_the_whole_game() -> None:
    """A horizon was once refused for what it made of the game that is left."""
    with pytest.raises(ruse.RuseError, match=r"^--lock is for whole games; leave --horizon or --lock out$"):
        ruse.solve_locked("leduc", "K, no board: raise", "cfr", iterations=600, horizon="card")


def test_a_preference_at_a_locked_first_decision() -> None:
    """It would go to the decision after it. Where that of another player is locked, or a later one, it is none."""
    prefer = "bet, player 0, first: delta=10, beta=0.3"
    assert lock_of(KUHN, {"J, pass bet": "bet"}).opens == ()
    assert lock_of(KUHN, {"J": "bet", "Q, bet": "bet"}).opens == (0, 1)
    with pytest.raises(ruse.RuseError, match=r"^what player 0 does first is locked, and a preference there"):
        ruse.solve_locked("kuhn", {"J": "bet"}, iterations=1, prefer=prefer)
    with pytest.raises(ruse.RuseError, match=r"^what player 1 does first is locked"):
        ruse.solve_locked("kuhn", {"Q, bet": "bet"}, iterations=1, prefer="bet, first: delta=10")
    found = ruse.solve_locked("kuhn", {"Q, bet": "pass"}, iterations=10, prefer=prefer)
    assert found.strategy["J"]["bet"] > 0.5


@pytest.mark.parametrize(
    ("locks", "words"),
    [
        ({"J": ""}, "^the lock at 'J' is empty; say what is played: pass, bet$"),
        ({"J": {}}, "^the lock at 'J' is empty"),
        (["J: bet 0.5, bet 0.4"], "^bet has two shares in 'bet 0.5, bet 0.4'"),
        ({"J": {"bet": 0.5, "BET": 0.5}}, "^bet has two shares at 'J'"),
        (["J: bet", "j: bet"], "^'J' is locked twice"),
        ({"player 0": ruse.Strategy.uniform("kuhn"), "K": "bet"}, "^'K' is locked twice"),
        ({}, "^say what is locked"),
        (5, "^locks are texts"),
        (["J"], "^cannot read the lock 'J'"),
        ({"X": "bet"}, "^no infoset 'X'; closest"),
        ({"J": "raise"}, "^no action 'raise' at 'J'; there is: pass, bet$"),
        ({"J": {"bet": 2}}, "^the share of bet at 'J' must be from 0 to 1, got 2$"),
        ({"J": {"bet": 0.5, "pass": 0.1}}, "^the shares at 'J' must add up to 1, got 0.6$"),
        ({"J": 5}, "^at 'J' give an action or shares"),
        ({"player 2": "x"}, "^there is no player 2 to lock"),
        ({5: "bet"}, "^an infoset is called by a text"),
    ],
)
def test_bad_locks(locks: object, words: str) -> None:
    with pytest.raises(ruse.RuseError, match=words):
        ruse.solve_locked("kuhn", locks, iterations=1)  # type: ignore[arg-type]
