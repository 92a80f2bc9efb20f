"""Trainings up to a horizon: a blueprint first, then the part before the next card."""

from pathlib import Path

import numpy as np
import pytest

import ruse
from ruse.cli import main
from ruse.errors import RuseError
from ruse.horizon.horizon import Horizon, horizon_named
from ruse.spots.strategy import SpotStrategy
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep, kept_job
from ruse.training.training import Training

LEDUC = ruse.Leduc()
TURN = "holdem: board Qs Jh 2h 8d, pot 50, stack 100, oop TT, AQs, ip QQ, KQs, J9s, bets 75%, raises all-in"
RIVER = TURN.replace("8d", "8d 3c")
SHORT = "card:blueprint=20,ways=2"


def test_more_values_lose_less_in_the_whole_game() -> None:
    """What is told of the whole game is what the sequence form says of the strategy, which is another engine."""
    lost = []
    for ways in (1, 4):
        run = ruse.train(LEDUC, horizon=f"card:ways={ways},blueprint=2000", iterations=3_000)
        told = run.facts["horizon"]
        assert float(ruse.exploitability(LEDUC, run.strategy)) == pytest.approx(told["whole_exploitability"], abs=1e-9)
        assert run.strategy.about["exploitability"] == told["whole_exploitability"]
        assert told["blueprint_exploitability"] < 1e-3
        assert run.exploitability < 1e-3  # in the part
        lost.append(told["whole_exploitability"])
    assert lost[0] > 0.3  # as in tests/horizon/test_cut_games.py, which cuts by hand
    assert lost[1] < 0.03


@pytest.mark.parametrize("first", [10, 20, 35])
def test_it_goes_on_to_the_same_bits(first: int, tmp_path: Path) -> None:
    """Wherever it was stopped: in the blueprint, where it ends, and after it."""
    job = Job(LEDUC, ruse.dcfr(), iterations=50, horizon=SHORT)
    whole = Training(job).complete()
    directory = keep(tmp_path, job)
    training = Training(job, directory)
    for progress in training:
        if progress.iteration >= first:
            break
    assert not training.result.is_finished
    again = Training(kept_job(directory), directory)
    gone_on = again.complete()
    assert 0 < again.begun < 50
    assert np.array_equal(gone_on.strategy.probability, whole.strategy.probability)
    assert float(gone_on.measured) == float(whole.measured)
    assert gone_on.facts["horizon"] == whole.facts["horizon"]


def test_the_blueprint_stops_at_no_target() -> None:
    run = ruse.train(LEDUC, horizon=SHORT, target=100.0)
    assert run.iterations > 20


def test_a_spot_of_the_turn(tmp_path: Path) -> None:
    game = ruse.make_game(TURN)
    run = ruse.train(game, horizon="card:blueprint=60,ways=2", iterations=120)
    told = run.facts["horizon"]
    run.strategy.save(tmp_path / "turn.strategy")
    again = SpotStrategy.load(tmp_path / "turn.strategy")
    assert float(again.engine.exploitability()) == pytest.approx(told["whole_exploitability"], rel=1e-5)
    assert told["blueprint_exploitability"] < told["whole_exploitability"] < 0.2 * game.stake
    whole = ruse.train(game, ruse.dcfr(gamma=4.0), iterations=60).strategy
    river = next(n for n in range(len(game.who)) if game.who[n] >= 0 and game.betting.street[n] == 2)
    np.testing.assert_array_equal(again.rows(river, (0,)), whole.rows(river, (0,)))  # the blueprint's, bit by bit


@pytest.mark.parametrize(
    ("game", "asked", "sentence"),
    [
        ("kuhn", {}, "nowhere to cut"),
        ("kuhn:players=3", {}, "a horizon is for two players, and .* has 3"),
        (RIVER, {}, "before the river, and this one begins on the river"),
        (f"{TURN}, rake 5%", {}, "leave the rake out"),
        ("leduc", {"horizon": "river"}, "a game is solved up to the next card"),
        ("leduc", {"horizon": "card:ways=5"}, "there are 1 to 4 ways to go on, not 5"),
        ("leduc", {"horizon": "card:blueprint=0"}, "at least 1 iteration, got 0"),
        ("leduc", {"iterations": 20}, "the first 20 are the blueprint's, which leaves none"),
        ("leduc", {"on": "gpu"}, "by the processor alone"),
        ("leduc:ranks=10", {}, "games are cut that have at most 200,000"),
    ],
)
def test_what_has_no_horizon_is_refused(game: str, asked: dict[str, object], sentence: str) -> None:
    with pytest.raises(RuseError, match=sentence):
        ruse.train(game, **({"horizon": SHORT, "iterations": 50} | asked))  # type: ignore[arg-type]


def test_the_words() -> None:
    assert str(Horizon()) == "card"
    assert horizon_named("card:factor=10,ways=2") == Horizon(2, 10.0)
    assert str(Horizon(2, 10.0)) == "card:ways=2,factor=10"


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["solve", "leduc", "--horizon", SHORT, "--iterations", "60"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("up to the next card, 2 values a leaf, factor 5; exploitability in the whole game ")
    assert main(["solve", "leduc", "--horizon", "card", "--lock", "K, no board: raise 1"]) == 2
    assert "--lock is for whole games; leave --horizon or --lock out" in capsys.readouterr().err
