"""Bound and price: against the slow twin, in every kind of game, and as the command line tells and resumes them."""

import json
from pathlib import Path
from typing import Any

import naive
import numpy as np
import prefer_twin
import pytest
from exact_games import raised
from random_games import random_game

import ruse
from ruse.cli import main
from ruse.errors import RuseError
from ruse.evaluate import price as price_module
from ruse.games.matrix import matrix
from ruse.protocol.game import Game
from ruse.solve.solver.prefer import preference
from ruse.store.runs import RunDirectory, find
from ruse.strategy import Strategy
from ruse.training.train import new_run, resume, train

RULE = "bet, player 0, first: delta=5, beta=0.1"


def slow_bounds(game: Game, strategy: Strategy, rules: list[str]) -> list[float]:
    """Walk the tree with the reach of everybody, and add up beta at every history of a preferred infoset."""
    wanted = prefer_twin.wishes(game, [preference(rule) for rule in rules])
    bounds = [0.0] * game.players

    def walk(node: naive.Node, chance: float, reach: list[float]) -> None:
        if node.infoset in wanted:
            others = np.prod([r for p, r in enumerate(reach) if p != node.player])
            bounds[node.player] += wanted[node.infoset].beta * chance * float(others)
        for a, child in enumerate(node.children):
            if node.infoset is None:
                walk(child, chance * node.chances[a], reach)
            else:
                share = strategy.probabilities(naive.key_of(node.infoset), len(node.children))[a]
                walk(child, chance, [r * share if p == node.player else r for p, r in enumerate(reach)])

    walk(naive.tree(game), 1.0, [1.0] * game.players)
    return bounds


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        (ruse.Kuhn(), [RULE]),
        (ruse.Kuhn(), ["bet: delta=2, beta=0.1", "pass, player 1: delta=3, beta=0.2"]),
        (ruse.Kuhn(players=3), ["bet: delta=2, beta=0.1"]),
        (random_game(2), ["a0: delta=5, beta=0.2"]),
        (random_game(3, players=3, zero_sum=False), ["a0, player 1: delta=5, beta=0.2", "a1: delta=2"]),
    ],
    ids=str,
)
def test_bounds_are_those_of_the_twin(game: Game, rules: list[str]) -> None:
    run = train(game, ruse.dcfr(prefer=rules), iterations=30)
    assert run.price is not None
    slow = slow_bounds(game, run.strategy, rules)
    assert run.price.regret_bound == pytest.approx(sum(slow), abs=1e-12)
    for seat in run.price.seats:
        assert seat.bound == pytest.approx(slow[seat.player], abs=1e-12)
        assert seat.gain == run.measured.per_player[seat.player]
    later = ruse.price(game, run.strategy, rules)
    assert later.bound == (None if run.price.bound is None else pytest.approx(run.price.bound, abs=1e-12))
    assert later[1:4] == pytest.approx(run.price[1:4], abs=1e-12)
    assert [tuple(seat) for seat in later.seats] == [pytest.approx(tuple(seat), abs=1e-12) for seat in run.price.seats]


def test_first_decisions_come_once_in_a_game() -> None:
    """So the bound of one player's first decision is beta itself."""
    for game, action in ((ruse.Kuhn(), "bet"), (ruse.Leduc(), "raise"), (ruse.Kuhn(players=3), "bet")):
        run = train(game, ruse.dcfr(prefer=f"{action}, player 0, first: delta=5, beta=0.1"), iterations=20)
        assert run.price is not None
        assert run.price.regret_bound == pytest.approx(0.1, abs=1e-12)
        assert run.price.bound == (run.price.regret_bound if game.players == 2 else None)


def test_the_styled_seat_alone() -> None:
    """What player 1's best answer takes more than the game is worth to it."""
    run = train(ruse.Kuhn(), ruse.dcfr(prefer=RULE), iterations=2_000)
    assert run.price is not None
    root = naive.tree(ruse.Kuhn())
    strategy = {
        infoset: run.strategy.probabilities(naive.key_of(infoset), n).tolist()
        for infoset, n in naive.infosets(root).items()
    }
    answer = naive.best_response_value(root, strategy, 1)
    assert run.price.game_value == pytest.approx(-1 / 18, abs=1e-12)
    assert run.price.margin == 0.0
    assert run.price.exploitability_of_styled_player == pytest.approx(answer - 1 / 18, abs=1e-9)
    assert run.price.bound is not None
    assert 0.0 < run.price.exploitability_of_styled_player < run.price.nash_conv < run.price.bound
    # The partner's share: it has answered a styled opponent, not the best one.
    partner = naive.best_response_value(root, strategy, 0) - -1 / 18
    assert run.price.nash_conv == pytest.approx(partner + run.price.exploitability_of_styled_player, abs=1e-9)


def test_the_value_is_an_estimate_where_the_program_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = train(ruse.Kuhn(), ruse.dcfr(prefer=RULE), iterations=2_000).price
    monkeypatch.setattr(price_module, "EXACT", 5)
    about = train(ruse.Kuhn(), ruse.dcfr(prefer=RULE), iterations=2_000).price
    assert exact is not None
    assert about is not None
    assert about.game_value is not None
    assert about.margin > 0.0
    assert abs(about.game_value - -1 / 18) <= about.margin
    assert about.exploitability_of_styled_player == pytest.approx(
        exact.exploitability_of_styled_player, abs=about.margin
    )
    assert "(within" in str(about)


def test_a_limit_is_not_called_a_bound_on_a_run_that_has_ended() -> None:
    """A large delta is slow with plain CFR: beta is 0, and so is the limit, but not what has been lost so far."""
    price = train(ruse.Kuhn(), ruse.cfr(prefer="bet, player 0, first: delta=100"), iterations=1_000).price
    assert price is not None
    assert price.bound == 0.0
    assert price.nash_conv > 1e-3
    assert str(price).endswith(f"NashConv {price.nash_conv:.3g}, in the limit at most 0")
    assert "bound" not in str(price)


def test_a_seat_has_its_price_if_payoffs_have_a_constant_sum() -> None:
    """Whatever both players are paid for playing, a style costs the same."""
    plain = random_game(4)
    prefer = "a0, player 1: delta=5, beta=0.2"
    prices = [train(game, ruse.dcfr(prefer=prefer), iterations=500).price for game in (plain, raised(plain, 2.0, -0.5))]
    seats = [price.seats[0] for price in prices if price is not None]
    assert seats[0].exploitability > 0.0  # type: ignore[operator]
    assert seats[0] == pytest.approx(seats[1], abs=1e-6)
    assert prices[1].game_value == pytest.approx(prices[0].game_value + 2.0)  # type: ignore[union-attr, operator]


def test_no_value_with_three_players_or_payoffs_that_do_not_cancel() -> None:
    for game, action in ((ruse.Kuhn(players=3), "bet"), (random_game(4, zero_sum=False), "a0")):
        price = train(game, ruse.dcfr(prefer=f"{action}: delta=5, beta=0.1"), iterations=200).price
        assert price is not None
        assert price.game_value is None
        assert price.exploitability_of_styled_player is None
        assert price.bound is None
        assert price.regret_bound is not None
        assert price.regret_bound > 0.0
        assert "not known" in str(price)


def test_a_limit_of_regret_is_not_called_one_of_nash_conv() -> None:
    """Shapley's game: regret vanishes, and NashConv does not."""
    game = matrix([[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]]])
    run = train(game, ruse.cfr(prefer="0, player 0: delta=2"), iterations=2_000)
    assert run.price is not None
    assert run.price.nash_conv > 0.1
    assert run.price.regret_bound == 0.0
    assert run.price.bound is None
    assert run.as_dict()["bound"] is None
    assert run.as_dict()["regret_bound"] == 0.0
    assert "in the limit at most" not in str(run.price)
    assert "the limit of 0 is one of regret alone" in str(run.price)


def test_without_preferences_there_is_no_price() -> None:
    run = train(ruse.Kuhn(), ruse.dcfr(), iterations=10)
    assert run.price is None
    assert run.style == {}
    assert "bound" not in run.as_dict()
    with pytest.raises(RuseError, match="say what is preferred"):
        ruse.price(ruse.Kuhn(), run.strategy, [])


# ---- runs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("walk", ["full", "external"])
def test_runs_are_recorded_and_resumed_to_the_same_bits(tmp_path: Path, walk: str) -> None:
    solver = ruse.dcfr(walk=walk, prefer=[RULE, "pass, player 1: delta=3.3333333333333335"])
    directory = new_run(tmp_path, ruse.Kuhn(), solver, rule=f"dcfr:walk={walk}", iterations=400)
    assert directory.settings["prefer"] == [RULE, "pass, player 1: delta=3.3333333333333335"]
    train(ruse.Kuhn(), solver, iterations=150, directory=directory)
    # Sampled weights follow the plan, so both know of 400 iterations.
    half = new_run(tmp_path, ruse.Kuhn(), solver, rule=f"dcfr:walk={walk}", iterations=400)
    first = resume(half)
    straight = train(ruse.Kuhn(), solver, iterations=400)
    assert first.strategy.probability.tobytes() == straight.strategy.probability.tobytes()
    again = resume(RunDirectory.open(half.path), iterations=500)
    whole = resume(new_run(tmp_path, ruse.Kuhn(), solver, rule=f"dcfr:walk={walk}", iterations=400), iterations=500)
    if walk == "full":
        assert again.strategy.probability.tobytes() == whole.strategy.probability.tobytes()
    assert again.solver == solver
    assert half.result is not None
    assert half.result["style"]["rules"] == solver.prefer.texts  # type: ignore[union-attr]
    assert Strategy.load(half.strategy_path).about["style"] == solver.prefer.texts  # type: ignore[union-attr]


def test_a_form_has_no_text(tmp_path: Path) -> None:
    solver = ruse.cfvfp(prefer=ruse.Prefer((preference(RULE),), ruse.Best(0.0)))
    directory = new_run(tmp_path, ruse.Kuhn(), solver, rule="cfvfp", iterations=10)
    with pytest.raises(RuseError, match="which a file cannot name; give the solver"):
        resume(directory)
    assert resume(directory, solver=solver).iterations == 10


# ---- the command line ------------------------------------------------------------------------------------------------


def solved(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["solve", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_solve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    style = "bet, player 0, first: delta=10"
    told = solved(capsys, "kuhn", "--rule", "pdcfr_plus", "--iterations", "3000", "--prefer", style)
    assert told["style"] == {"rules": [style], "players": [0], "infosets": 3}
    assert told["bound"] == 0.0
    assert told["exploitability_of_styled_player"] < 1e-9
    assert told["price"]["seats"][0]["player"] == 0
    saved = find(tmp_path / "runs", "last")
    assert saved.settings["prefer"] == [style]
    assert Strategy.load(saved.strategy_path)["J"]["bet"] > 0.32
    assert main(["resume", "last", "--iterations", "3500"]) == 0
    out = capsys.readouterr().out
    assert f"style: {style} (3 infosets)" in out
    assert "price of player 0's style: exploitability alone" in out
    two = solved(
        capsys, "kuhn", "--iterations", "50", "--prefer", style, "--prefer", "pass, player 1: delta=2, beta=0.1",
        "--walk", "external", "--no-run",
    )  # fmt: skip
    assert two["style"]["players"] == [0, 1]
    assert two["bound"] > 0.0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--prefer", "jump: delta=3"], "no action 'jump' in kuhn; there is pass, bet, "),
        (["--prefer", "bet: delta=0"], "delta must be at least 1"),
        (["--prefer", "bet"], "cannot read the preference 'bet'"),
        (["--prefer", "bet: delta=2", "--exact"], "--exact finds one equilibrium and has no preferences"),
        (["--prefer", "bet: delta=2, beta=0.1", "--rule", "hedge"], "hedge sees only how regrets differ"),
        (["--prefer", "bet: delta=2", "--prune", "rbp"], "leave prefer or prune out"),
    ],
)
def test_bad_input_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["solve", "kuhn", *words]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()
