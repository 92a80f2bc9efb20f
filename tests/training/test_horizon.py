"""Trainings up to a horizon: a blueprint first, then the part before the next card."""

import json
import math
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import ruse
from ruse.cli import main
from ruse.cli.commands.training.plot import labels_of
from ruse.cli.commands.training.solve import conclude, whole_of_it
from ruse.errors import RuseError
from ruse.horizon import games
from ruse.horizon.games import UncutGame
from ruse.horizon.horizon import Horizon, horizon_named
from ruse.horizon.size import CutSize
from ruse.solve.ranges.engine import RangeEngine
from ruse.solve.ranges.plans.leaves import leaf_plan
from ruse.spots.strategy import SpotStrategy
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep, kept_job
from ruse.training.telling import numbers
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
        ("leduc", {"horizon": "card:who=2.5"}, "who of card must be a whole number or a word \\(both\\), got 2.5"),
        ("leduc", {"horizon": "card:who=nobody"}, "a whole number or a word \\(both\\), got 'nobody'"),
        ("leduc", {"horizon": "card:who=3"}, "who is 0, 1 or both, got 3"),
        ("holdem", {}, "of Hold'em a turn is, as a spot, and before the flop"),
        ("leduc", {"iterations": 20}, "the first 20 are the blueprint's, which leaves none"),
        ("leduc", {"on": "gpu"}, "by the processor alone"),
        ("leduc:ranks=10", {}, "has more than 200,000 histories, which is the most"),
        ("leduc", {"memory": "1MB"}, "takes .* MiB to be cut, and there is room for 977 KiB; make the game smaller"),
        ("leduc", {"memory": "5MB"}, "takes 6.2 MiB to be cut, and there is room for 4.77 MiB"),  # the walk fits
    ],
)
def test_what_has_no_horizon_is_refused(game: str, asked: dict[str, object], sentence: str) -> None:
    with pytest.raises(RuseError, match=sentence):
        ruse.train(game, **({"horizon": SHORT, "iterations": 50} | asked))  # type: ignore[arg-type]


def test_a_way_that_changes_nothing_is_refused_before_anything_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "action_names", lambda walked: {0: ["up", "down"]})
    with pytest.raises(RuseError, match="raising more often would change nothing"):
        Training(Job(LEDUC, ruse.dcfr(), iterations=50, horizon=SHORT))


def test_one_player_alone_may_choose() -> None:
    """It is he who answers whoever leans too much on the leaves; the other leans on."""
    lost = {}
    for who in ("both", "0", "1"):
        run = ruse.train(LEDUC, horizon=f"card:ways=4,factor=10,who={who},blueprint=2000", iterations=3_000)
        told = run.facts["horizon"]
        lost[who] = told["whole_exploitability"]
        assert ("chosen by player" in told["told"]) == (who != "both")
    assert lost["both"] < lost["1"] / 3 < lost["0"] / 3


def test_memory_is_no_less_than_what_is_taken() -> None:
    """Of the walk, the whole and the part."""
    horizon, game = Horizon(), ruse.Leduc(ranks=2)
    for _ in range(2):  # the first compiles
        tracemalloc.start()
        whole = UncutGame(game, ruse.dcfr(), 2, horizon.leafs, 1 << 30)
        whole.engine.run(0, 2)
        plan, _ = leaf_plan(whole.valued(horizon.leafs))
        RangeEngine(plan, ruse.dcfr(), dtype=np.float64).run(0, 1)
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    size = CutSize.of(game).planned(whole.cut.walked, horizon.ways)
    assert whole.told == size.told
    assert size.bytes / 2 < taken < size.bytes


def test_what_ends_in_its_blueprint_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what to type to go on; what is told of it is of the whole game, of which the blueprint is."""
    monkeypatch.chdir(tmp_path)
    job = Job(LEDUC, ruse.dcfr(), seconds=1e-9, horizon="card:blueprint=30,ways=2")
    run = Training(job, keep("runs", job)).complete()
    assert run.is_finished
    assert 0 < run.iterations < 30
    conclude(run, out=None, name="last", as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].endswith("it ended among them: nothing is solved up to the next card yet")
    assert lines[-1] == "to solve what comes after the blueprint: ruse resume last --iterations 60"
    told = run.as_dict()
    assert (told["stage"], told["horizon"]["is_begun"]) == ("blueprint", False)
    assert float(ruse.exploitability(LEDUC, run.strategy)) == pytest.approx(run.exploitability)
    listed = ["runs", "--json"]
    assert main(listed) == 0
    assert json.loads(capsys.readouterr().out)[0]["exploitability"] == run.exploitability
    further = lines[-1].partition("ruse ")[2]
    assert main(["resume", "last"]) == 0
    assert f"at iteration {run.iterations}; to go on, say how far: ruse {further}\n" in capsys.readouterr().out
    assert main(further.split()) == 0
    assert "nothing is solved" not in capsys.readouterr().out
    scheduled = Job(LEDUC, ruse.hs_dcfr(), iterations=60, seconds=1e-9, horizon="card:blueprint=30")
    run = Training(scheduled, keep("runs", scheduled)).complete()
    assert whole_of_it(run).startswith("--seconds "), "another number of iterations would not fit its schedule"


def test_lists_tell_what_a_strategy_loses_in_the_whole_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not in the part, where one value a leaf looks as good as four; and curves, which are the part's, say so."""
    monkeypatch.chdir(tmp_path)
    job = Job(LEDUC, ruse.dcfr(), iterations=200, horizon="card:blueprint=100,ways=1")
    directory = keep("runs", job)
    training = Training(job, directory)
    for progress in training:
        if progress.iteration >= 150:
            assert directory.summary().exploitability is None, "while it goes on nobody knows"
            break
    assert directory.summary().exploitability == training.result.facts["horizon"]["whole_exploitability"]
    run = training.complete()
    lost = run.facts["horizon"]["whole_exploitability"]
    assert lost > 0.1 > 0.05 > run.exploitability
    assert directory.summary().exploitability == lost
    assert main(["runs", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["exploitability"] == lost
    assert main(["runs"]) == 0
    assert "leduc up to the next card" in capsys.readouterr().out
    assert labels_of({directory.path: directory}) == {directory.path: "leduc up to the next card dcfr"}
    swept = ruse.sweep("leduc", horizon=["card:ways=1,blueprint=100"], iterations=200, out=tmp_path / "swept")
    assert swept.rows[0].exploitability.value == lost
    assert swept.rows[0].note == ""


def test_a_sweep_says_what_ended_in_its_blueprint(tmp_path: Path) -> None:
    swept = ruse.sweep(
        "leduc", horizon=["card:ways=1,blueprint=30"], seconds=[1e-9], seed=[0, 1], out=tmp_path / "swept"
    )
    assert [cell.standing for cell in swept.cells] == ["done"] * 2
    assert swept.rows[0].note == "ended in its blueprint"
    assert "| ended in its blueprint |" in (tmp_path / "swept" / "table.md").read_text()
    one = swept.cells[0]._replace(remark=None)
    other = swept.cells[0]._replace(standing="failed", trouble="no room", seed=2)
    row = swept.rows[0]._replace(cells=(one, swept.cells[1], other))
    assert row.note == "failed (seed 2): no room; ended in its blueprint (seed 1)"


def test_progress_says_which_part_it_is_in() -> None:
    seen = []
    Training(Job(LEDUC, ruse.dcfr(), iterations=60, horizon=SHORT)).complete(lambda progress: seen.append(progress))
    told = [numbers(progress) for progress in seen]
    assert "inf" not in " ".join(told)
    assert told[0].startswith(f"{seen[0].iteration}/60 in the blueprint, "), "nothing is measured there"
    assert told[-1].startswith("60/60 in the part, exploitability ")
    before = seen[0]._replace(stage="", exploitability=math.inf)
    assert ", exploitability not measured yet, " in numbers(before)


@pytest.mark.parametrize("name", ["horizon", "rule", "view", "prune", "walk"])
def test_an_option_that_is_there_says_something(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "leduc", f"--{name}", "", "--no-run", "--iterations", "1"]) == 2
    assert f"{name} is an empty text; leave it out, or say which" in capsys.readouterr().err


def test_going_on_to_less_than_the_blueprint_advises_what_there_is(tmp_path: Path) -> None:
    directory = keep(tmp_path, Job(LEDUC, ruse.dcfr(), iterations=60, horizon=SHORT))
    with pytest.raises(RuseError, match="give more than 20 iterations, or start a run with a smaller blueprint"):
        Training(kept_job(directory, iterations=15), directory)


def test_the_words() -> None:
    assert str(Horizon()) == "card"
    assert horizon_named("card:factor=10,ways=2") == Horizon(2, 10.0)
    assert str(Horizon(2, 10.0)) == "card:ways=2,factor=10"
    assert horizon_named("card:who=both") == Horizon()
    assert str(horizon_named("card:who=0")) == "card:who=0"
    assert horizon_named("card:who=0").leafs.who == (True, False)
    assert horizon_named("card:who=1").leafs.who == (False, True)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["solve", "leduc", "--horizon", SHORT, "--iterations", "60"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("up to the next card, 2 values a leaf, factor 5; exploitability in the whole game ")
    assert main(["solve", "leduc", "--horizon", "card", "--lock", "K, no board: raise 1"]) == 2
    assert "--lock is for whole games; leave --horizon or --lock out" in capsys.readouterr().err
