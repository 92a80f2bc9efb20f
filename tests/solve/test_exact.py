"""The exact answer by linear programming: known values, and agreement with many iterations."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from exact_games import PRISONERS, forgetful, raised
from random_games import random_game

import ruse
from ruse.cli import main
from ruse.errors import RuseError
from ruse.evaluate.best_response import exploitability_of
from ruse.games.explicit import Builder, Explicit
from ruse.interop import efg
from ruse.solve.exact import Exact, ProgramSize, solve_exactly, times_merged
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded
from ruse.tree.measure.size import TooLarge

pytest.importorskip("scipy")


def solved(game: ruse.Game, *, merging: bool = True) -> tuple[Expanded, Exact]:
    expanded = Expanded.of(game, merging=merging)
    return expanded, ruse.solve_exactly(expanded)


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (ruse.matching_pennies(), 0.0),
        (ruse.rock_paper_scissors(), 0.0),
        (ruse.matrix([[3, -1], [-2, 1]]), 1 / 7),  # (ad - bc) / (a + d - b - c), von Neumann and Morgenstern 1944
        (ruse.Kuhn(), -1 / 18),  # Kuhn 1950
        (ruse.Leduc(), -0.0856064240780),  # -0.0856 in Southey et al. 2005; the digits are OpenSpiel's
        (ruse.LiarsDice(sides=4), 1 / 16),
        pytest.param(ruse.LiarsDice(), -7 / 258, marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_known_values(game: ruse.Game, value: float) -> None:
    expanded, exact = solved(game)
    assert exact.value == pytest.approx(value, abs=1e-9)
    measured = exploitability_of(expanded.merged, exact.sigma)
    assert measured == pytest.approx(0, abs=1e-9)
    assert measured.values == pytest.approx([value, -value], abs=1e-9)


def test_the_family_of_equilibria_in_kuhn_poker() -> None:
    """J bets a, K bets 3a, Q never; Q calls a + 1/3; the second player has one strategy alone (Kuhn 1950)."""
    expanded, exact = solved(ruse.Kuhn())
    strategy = Strategy.of(expanded, expanded.unmerged(exact.sigma))
    bets = {choice.name: choice.actions["bet"] for choice in strategy}
    alpha = bets["J"]
    assert 0 <= alpha <= 1 / 3 + 1e-9
    assert bets["K"] == pytest.approx(3 * alpha, abs=1e-9)
    assert bets["Q"] == pytest.approx(0, abs=1e-9)
    assert bets["Q, pass bet"] == pytest.approx(alpha + 1 / 3, abs=1e-9)
    second = {"J, pass": 1 / 3, "J, bet": 0, "Q, pass": 0, "Q, bet": 1 / 3, "K, pass": 1, "K, bet": 1}
    assert {name: bets[name] for name in second} == pytest.approx(second, abs=1e-9)


@pytest.mark.parametrize("game", [ruse.Kuhn(), ruse.Leduc()], ids=repr)
def test_the_profile_is_an_equilibrium_of_the_whole_game(game: ruse.Game) -> None:
    expanded, exact = solved(game)
    strategy = Strategy.of(expanded, expanded.unmerged(exact.sigma))
    measured = ruse.exploitability(game, strategy)
    assert abs(measured) < 1e-9
    assert all(abs(gain) < 1e-9 for gain in measured.per_player)
    unmerged, whole = solved(game, merging=False)
    assert whole.value == pytest.approx(exact.value, abs=1e-9)
    assert abs(exploitability_of(unmerged.merged, whole.sigma)) < 1e-9
    assert set(times_merged(unmerged.merged)) == {1.0}
    assert times_merged(expanded.merged).sum() == expanded.form.num_sequences


@pytest.mark.parametrize("seed", range(12))
def test_random_games_agree_with_many_iterations(seed: int) -> None:
    game = random_game(seed)
    expanded, exact = solved(game)
    assert abs(exploitability_of(expanded.merged, exact.sigma)) < 1e-9
    for solver in (ruse.pdcfr_plus(), ruse.dcfr()):
        run = ruse.train(game, solver, iterations=20_000)
        # A profile's value is off by no more than what its players could gain.
        assert abs(run.game_value - exact.value) <= sum(run.measured.per_player) + 1e-9
        assert run.game_value == pytest.approx(exact.value, abs=1e-4)
        assert -run.measured.best[1] - 1e-9 <= exact.value <= run.measured.best[0] + 1e-9


# ---- constant sums ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("paid", [(3.0, 0.0), (0.25, -7.0), (1e4, 1e4)], ids=str)
def test_players_may_be_paid_for_playing(seed: int, paid: tuple[float, float]) -> None:
    game = random_game(seed)
    plain = solved(game)[1]
    expanded, exact = solved(raised(game, *paid))
    assert exact.value == pytest.approx(plain.value + paid[0], abs=1e-9 * max(1.0, *map(abs, paid)))
    assert exact.payoff_sum == pytest.approx(sum(paid))
    assert plain.payoff_sum == 0.0
    assert abs(exploitability_of(expanded.merged, exact.sigma)) < 1e-9 * max(1.0, *map(abs, paid))


def test_a_matrix_of_constant_sum() -> None:
    """Three to share: 3/2 + 1/14 and the rest, von Neumann and Morgenstern's 1/7 by half and shifted."""
    own = np.array([[3, -1], [-2, 1]]) / 2 + 1.5
    exact = solved(ruse.matrix([own, 3 - own]))[1]
    assert exact.value == pytest.approx(1.5 + 1 / 14, abs=1e-9)
    assert exact.payoff_sum == pytest.approx(3)


def test_the_cake_may_depend_on_chance_alone() -> None:
    """Payoffs add up to 1 or to 3, which a coin says that nobody sees: to the players the sum is 2."""

    def toss(shares: list[list[list[float]]]) -> Explicit:
        tree = Builder("cake", players=2)
        coin = tree.chance(0, outcomes=["heads", "tails"], probabilities=[0.5, 0.5])
        for side in range(2):
            own = tree.decide(coin + side, player=0, infoset="cut", actions=["a", "b"])
            for a in range(2):
                other = tree.decide(own + a, player=1, infoset="choose", actions=["a", "b"])
                for b in range(2):
                    mine = 3.0 if a == b else -1.0
                    tree.end(other + b, [mine, shares[side][a][b] - mine])
        return tree.game()

    exact = solved(toss([[[1, 1], [1, 1]], [[3, 3], [3, 3]]]))[1]
    assert (exact.value, exact.payoff_sum) == pytest.approx((1, 2), abs=1e-9)
    with pytest.raises(RuseError, match=ZERO_SUM):  # the cake depends on what player 1 does
        solved(toss([[[1, 2], [1, 2]], [[3, 3], [3, 3]]]))
    with pytest.raises(RuseError, match=ZERO_SUM):  # on what player 0 does
        solved(toss([[[1, 1], [1, 1]], [[3, 3], [4, 4]]]))
    with pytest.raises(RuseError, match=ZERO_SUM):  # on whether they do the same
        solved(toss([[[1, 2], [2, 1]], [[3, 3], [3, 3]]]))


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    efg.save(raised(random_game(0), 2, 1), tmp_path / "pot.efg")
    assert main(["solve", str(tmp_path / "pot.efg"), "--exact"]) == 0
    told = capsys.readouterr().out
    assert f"value of the game to player 0: {solved(random_game(0))[1].value + 2:+.9f}" in told


# ---- refusals --------------------------------------------------------------------------------------------------------


def cancelling() -> Explicit:
    """Player 1's payoffs are not player 0's, but cancel over chance, which player 0 sees to no avail."""
    tree = Builder("cancelling", players=2)
    coin = tree.chance(0, outcomes=["heads", "tails"], probabilities=[0.5, 0.5])
    for side in range(2):
        own = tree.decide(coin + side, player=0, infoset=f"saw {side}", actions=["a", "b"])
        for a in range(2):
            blind = tree.decide(own + a, player=1, infoset="blind", actions=["a", "b"])
            for b in range(2):
                tree.end(blind + b, [0, (1 if side else -1) * (1 if a == b else 2)])
    return tree.game()


RECALL = "^only two-player games with perfect recall have an exact answer by linear programming$"
ZERO_SUM = "^only games of zero or constant sum have an exact answer by linear programming; these payoffs add up to "


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (ruse.Kuhn(players=3), RECALL),
        (forgetful(), RECALL),
        (PRISONERS, ZERO_SUM),
        (random_game(0, zero_sum=False), ZERO_SUM),
        (cancelling(), ZERO_SUM),
    ],
    ids=["three players", "forgetful", "prisoners", "random", "cancelling"],
)
def test_refusals(game: ruse.Game, words: str) -> None:
    with pytest.raises(RuseError, match=words):
        ruse.solve_exactly(Expanded.of(game))


MEASURED = """
from pathlib import Path
import ruse
from ruse.solve.exact import ProgramSize, solve_exactly
from ruse.tree.expanded import Expanded
from ruse.tree.measure.size import TooLarge

solve_exactly(Expanded.of(ruse.Leduc()))
expanded = Expanded.of(ruse.LiarsDice(sides=5))
told = ProgramSize.of(expanded).bytes
def told_by_the_system(name):
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if name in line)

Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
before = told_by_the_system("VmRSS:")
solve_exactly(expanded)
print(told, 1024 * (told_by_the_system("VmHWM:") - before))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system must tell the peak")
def test_memory_of_a_program_is_told() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
    told, used = map(int, done.stdout.split())
    assert told / 4 < used <= told


def test_a_program_that_does_not_fit_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    expanded = Expanded.of(ruse.Leduc())
    told = ProgramSize.of(expanded)
    assert solve_exactly(expanded, memory=told.bytes)
    with pytest.raises(TooLarge, match=r"^the linear program is too large: 674 sequences, 966 payoffs, .* allowed; "):
        solve_exactly(expanded, memory=told.bytes - 1)
    assert main(["solve", "leduc", "--exact", "--memory", "800KiB"]) == 2
    out, err = capsys.readouterr()
    assert f"linear program: {told}" in out
    assert "1.37 MiB needed, 800 KiB allowed; make the game smaller, or solve it by iterations" in err


def test_an_answer_has_a_short_repr() -> None:
    assert repr(ruse.solve_exactly("kuhn")) == "Exact(value -0.055556, 26 sequences)"
