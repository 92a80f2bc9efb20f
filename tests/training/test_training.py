"""Training: when it stops, what it measures, and that no interruption changes a bit of what comes out."""

import json
import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from marks import posix

import ruse
from ruse.errors import RuseError
from ruse.solve.solver.presets import Solver
from ruse.store.runs import RunDirectory
from ruse.training import training
from ruse.training.progress import Progress
from ruse.training.terms.stops import next_check

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()


def grid(last: int) -> list[int]:
    """Where exploitability is measured: each iteration grows by a twentieth, at least by one; and at the end."""
    points = [1]
    while points[-1] < last:
        points.append(max(points[-1] + 1, int(points[-1] * 1.05)))
    return [point for point in points if point < last] + [last]


# ---- what a run promises ---------------------------------------------------------------------------------------------


def test_promised_names(tmp_path: Path) -> None:
    run = ruse.train(LEDUC, ruse.dcfr(), iterations=200, seed=5)
    assert 0 < run.exploitability < 0.01
    assert run.seconds > 0
    run.strategy.save(tmp_path / "leduc.strategy")
    again = ruse.Strategy.load(tmp_path / "leduc.strategy")
    assert float(ruse.exploitability(LEDUC, again)) == pytest.approx(run.exploitability, abs=1e-12)
    assert (run.game, run.solver, run.iterations, run.seed) == (LEDUC, ruse.dcfr(), 200, 5)
    assert run.game_value == pytest.approx(-0.0856, abs=0.005)  # Southey et al. 2005
    assert run.is_finished
    assert str(run).startswith("leduc, dcfr: 200 iterations in ")
    told = json.loads(json.dumps(run.as_dict(), allow_nan=False))
    assert told["exploitability"] == run.exploitability
    assert sum(told["exploitability_per_player"]) == pytest.approx(2 * run.exploitability)
    assert (told["infosets"], told["infosets_merged"], told["leaves"]) == (936, 288, 5520)
    assert (told["game"], told["rule"], told["run"]) == ("leduc", "dcfr", None)


def test_the_same_training_gives_the_same_bits() -> None:
    first, second = (ruse.train(LEDUC, ruse.pdcfr_plus(), iterations=100) for _ in range(2))
    assert first.strategy.probability.tobytes() == second.strategy.probability.tobytes()
    assert first.exploitability == second.exploitability


def test_merging_changes_nothing_but_the_speed() -> None:
    merged, whole = (ruse.train(LEDUC, ruse.cfr(), iterations=50, merging=merging) for merging in (True, False))
    assert merged.strategy.probability == pytest.approx(whole.strategy.probability, abs=1e-9)
    assert [row[2] for row in merged.curve] == pytest.approx([row[2] for row in whole.curve], abs=1e-9)


def test_too_large_for_the_memory() -> None:
    with pytest.raises(ruse.TooLarge, match=r"Leduc\(.*\) is too large to expand: .* make the game smaller"):
        ruse.train(ruse.Leduc(suits=3), ruse.cfr(), iterations=1, memory=10_000)


# ---- when it stops ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("iterations", [1, 2, 39, 100, 161])
def test_stops_at_the_iterations_and_measures_on_the_grid(iterations: int) -> None:
    run = ruse.train(KUHN, ruse.cfr(), iterations=iterations)
    assert run.iterations == iterations
    assert [row[0] for row in run.curve] == grid(iterations)
    seconds = [row[1] for row in run.curve]
    assert seconds == sorted(seconds)
    assert run.seconds == seconds[-1]
    assert run.curve[-1][2] == run.exploitability
    longer = ruse.train(KUHN, ruse.cfr(), iterations=2 * iterations)  # measures the same where it measures too
    ours, theirs = ({n: e for n, _, e in r.curve} for r in (run, longer))
    assert {n: e for n, e in ours.items() if n in theirs} == {n: e for n, e in theirs.items() if n in ours}


def test_the_grid() -> None:
    points, done = [], 0
    while done < 10_000:
        done = next_check(done, 10_000)
        points.append(done)
    assert points == grid(10_000)
    assert points[:41] == [*range(1, 41), 42]
    assert next_check(41, None) == next_check(40, None) == 42  # wherever it was interrupted
    assert next_check(50, 51) == 51
    assert next_check(60, 50) > 60  # asked for fewer than are done


def test_stops_at_the_target() -> None:
    run = ruse.train(LEDUC, ruse.dcfr(), target=0.01)
    assert run.exploitability <= 0.01 < run.curve[-2][2]
    assert run.iterations == grid(run.iterations)[-1] == run.curve[-1][0]
    assert next_check(run.curve[-2][0], None) == run.iterations
    assert run.is_finished


def test_stops_when_the_time_is_up() -> None:
    run = ruse.train(LEDUC, ruse.cfr(), seconds=0.2)
    assert run.seconds >= 0.2
    assert run.iterations > 10
    assert run.is_finished
    # Between two checks it is measured once more, but the curve keeps to the grid.
    assert {row[0] for row in run.curve} <= set(grid(10 * run.iterations))
    assert run.exploitability == pytest.approx(ruse.exploitability(LEDUC, run.strategy), abs=1e-12)


def test_stops_at_whichever_comes_first() -> None:
    assert ruse.train(KUHN, ruse.cfr(), iterations=10, target=1e-9, seconds=1000).iterations == 10
    assert ruse.train(KUHN, ruse.cfr(), iterations=10**6, target=0.1).iterations < 1000


def test_whoever_watches_is_told_how_it_goes() -> None:
    told: list[Progress] = []
    ruse.train(KUHN, ruse.cfr(), iterations=500, seconds=1000, target=1e-12, watch=told.append)
    assert [p.iteration for p in told] == sorted({p.iteration for p in told})
    last = told[-1]
    assert (last.iteration, last.planned, last.target, last.seconds_limit) == (500, 500, 1e-12, 1000)
    assert 0 < last.exploitability < told[0].exploitability
    assert last.rate == pytest.approx(500 / last.seconds)
    assert last.seconds_left == 0
    half = Progress(50, 200, 2.0, 0.1, None, 3.5)
    assert half.seconds_left == pytest.approx(1.5)
    assert half._replace(seconds_limit=None).seconds_left == pytest.approx(6)
    assert half._replace(seconds_limit=None, planned=None).seconds_left is None
    assert half._replace(seconds=0.0).rate == 0


@pytest.mark.parametrize(
    ("stops", "words"),
    [
        ({}, "^say when to stop: give iterations, a target exploitability or seconds$"),
        ({"iterations": 0}, "^iterations must be above 0, got 0$"),
        ({"iterations": -3}, "^iterations must be above 0, got -3$"),
        ({"target": 0.0}, r"^target must be above 0, got 0\.0$"),
        ({"target": -1.0}, r"^target must be above 0, got -1\.0$"),
        ({"target": math.nan}, "^target must be above 0, got nan$"),
        ({"seconds": 0}, "^seconds must be above 0, got 0$"),
        ({"iterations": 5, "seconds": -0.5}, r"^seconds must be above 0, got -0\.5$"),
    ],
)
def test_bad_values_are_refused(stops: dict[str, float], words: str, tmp_path: Path) -> None:
    with pytest.raises(RuseError, match=words):
        ruse.train(KUHN, ruse.cfr(), **stops)
    with pytest.raises(RuseError, match=words):
        ruse.new_run(tmp_path, KUHN, ruse.cfr(), **stops)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("solver", [ruse.hs_dcfr(), ruse.hs_pcfr_plus()], ids=lambda solver: solver.name)
def test_rules_with_a_schedule_need_its_length(solver: Solver) -> None:
    words = f"^{solver.name} follows a schedule over the planned iterations: give iterations$"
    for stops in ({"target": 0.01}, {"seconds": 1.0}):
        with pytest.raises(RuseError, match=words):
            ruse.train(KUHN, solver, **stops)
    # The schedule is that of the planned iterations, not of those that were done.
    short, long = (ruse.train(KUHN, solver, iterations=n).curve for n in (50, 500))
    assert short[-1][0] == 50
    assert short[-1][2] not in [row[2] for row in long]


# ---- interrupted and resumed -----------------------------------------------------------------------------------------


def interrupting(at: int, times: int = 1) -> Callable[[Progress], None]:
    """A watcher that presses Ctrl-C once `at` iterations are done."""
    pressed = 0

    def watch(progress: Progress) -> None:
        nonlocal pressed
        while progress.iteration >= at and pressed < times:
            pressed += 1
            signal.raise_signal(signal.SIGINT)

    return watch


def timeless(value: Any) -> Any:
    """The same without what may differ: times and places."""
    if isinstance(value, dict):
        return {k: v for k, v in value.items() if k not in ("seconds", "iterations_per_second", "run")}
    return [timeless(row) for row in value]


def assert_same(one: RunDirectory, other: RunDirectory) -> None:
    assert one.strategy_path.read_bytes() == other.strategy_path.read_bytes()
    assert timeless(one.metrics()) == timeless(other.metrics())
    assert one.is_finished
    assert other.is_finished
    assert timeless(one.result) == timeless(other.result)
    ends = [run.newest_checkpoint() for run in (one, other)]
    assert ends[0] is not None
    assert ends[1] is not None
    assert ends[0].iteration == ends[1].iteration
    for name, table in ends[0].arrays.items():
        assert table.tobytes() == ends[1].arrays[name].tobytes(), name


@posix
@pytest.mark.parametrize(
    ("game", "solver", "stops"),
    [
        (LEDUC, ruse.dcfr(), {"iterations": 120}),
        (LEDUC, ruse.pdcfr_plus(), {"target": 0.01}),
        (KUHN, ruse.hs_dcfr(), {"iterations": 120}),
        (KUHN, ruse.hedge(), {"iterations": 120}),
        (ruse.Kuhn(players=3), ruse.cfr(alternating=False), {"iterations": 120}),
    ],
    ids=["dcfr", "pdcfr_plus", "hs_dcfr", "hedge", "kuhn3"],
)
def test_interrupted_and_resumed_is_the_same_to_the_bit(
    game: ruse.Game, solver: Solver, stops: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SLICE", 1e-9)  # look at the keyboard after each iteration, so between checks too
    steady = ruse.new_run(tmp_path, game, solver, **stops, seed=3)
    whole = ruse.train(game, solver, **stops, seed=3, directory=steady)
    broken = ruse.new_run(tmp_path, game, solver, **stops, seed=3)
    run = ruse.train(game, solver, **stops, seed=3, directory=broken, watch=interrupting(1))
    assert (run.iterations, run.is_finished) == (1, False)
    for at in (7, 41, 43, 55, whole.iterations - 1):
        run = ruse.resume(broken, solver=solver, watch=interrupting(at))
        assert (run.iterations, run.is_finished) == (at, False)
        assert not broken.is_finished
        assert [row["iteration"] for row in broken.metrics()] == [n for n in grid(1000) if n <= at]
        saved = ruse.Strategy.load(broken.strategy_path)
        assert saved.about["iterations"] == at
        assert saved.about["exploitability"] == pytest.approx(ruse.exploitability(game, saved), abs=1e-12)
    run = ruse.resume(broken, solver=solver)
    assert (run.iterations, run.is_finished, run.seed) == (whole.iterations, True, 3)
    assert [(n, e) for n, _, e in run.curve] == [(n, e) for n, _, e in whole.curve]
    assert_same(steady, broken)


@posix
def test_an_interrupted_run_without_a_directory_has_its_strategy() -> None:
    before = signal.getsignal(signal.SIGINT)
    run = ruse.train(KUHN, ruse.cfr(), iterations=10**9, watch=interrupting(100))
    assert 100 <= run.iterations < 10**9
    assert not run.is_finished
    assert run.exploitability == pytest.approx(ruse.exploitability(KUHN, run.strategy), abs=1e-12)
    with pytest.raises(KeyboardInterrupt):  # the second time it is meant
        ruse.train(KUHN, ruse.cfr(), iterations=10**9, watch=interrupting(100, times=2))
    assert signal.getsignal(signal.SIGINT) is before


@posix
def test_ctrl_c_at_the_very_end_is_no_interruption() -> None:
    run = ruse.train(KUHN, ruse.cfr(), iterations=100, watch=interrupting(100))
    assert run.is_finished


def test_training_outside_the_main_thread() -> None:
    runs: list[ruse.Run] = []
    thread = threading.Thread(target=lambda: runs.append(ruse.train(KUHN, ruse.cfr(), iterations=10)))
    thread.start()
    thread.join()
    assert runs[0].iterations == 10


KILLED = """
import os, random, signal, sys, time
import ruse
from ruse.store.runs import RunDirectory

steady, killed = RunDirectory.open(sys.argv[1]), RunDirectory.open(sys.argv[2])
ruse.train(ruse.Leduc(), ruse.dcfr(), iterations=2)  # so that children need not compile
dice, progress = random.Random(1), [0]
while len(progress) < 60 and (len(progress) < 9 or len(set(progress)) < 4):  # some may die before they have done much
    child = os.fork()
    if child == 0:
        ruse.resume(killed, checkpoint_seconds=0.0)
        os._exit(1)
    time.sleep(dice.uniform(0.0, 0.4))
    os.kill(child, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1]), "it ended by itself"
    newest = killed.newest_checkpoint()
    progress.append(newest.iteration if newest else 0)
assert progress == sorted(progress), progress
last = progress[-1] + 777
for run in (killed, steady):
    assert ruse.resume(run, iterations=last).iterations == last
print(*progress)
"""


@posix
def test_killed_again_and_again_ends_like_a_run_never_killed(tmp_path: Path) -> None:
    runs = [ruse.new_run(tmp_path, LEDUC, ruse.dcfr(), iterations=10**9) for _ in range(2)]
    program = [sys.executable, "-c", KILLED, *(str(run.path) for run in runs)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(program, capture_output=True, text=True, env=environment, timeout=900)
    assert done.returncode == 0, done.stderr
    progress = list(map(int, done.stdout.split()))
    assert len(set(progress)) >= 4, progress  # three were killed with work of their own done
    assert_same(*(RunDirectory.open(run.path) for run in runs))


# ---- what resume will and will not do --------------------------------------------------------------------------------


def test_a_finished_run_stays_as_it_is_or_goes_further(tmp_path: Path) -> None:
    directory = ruse.new_run(tmp_path, KUHN, ruse.dcfr(), iterations=40)
    first = ruse.train(KUHN, ruse.dcfr(), iterations=40, directory=directory)
    before = directory.strategy_path.read_bytes()
    again = ruse.resume(RunDirectory.open(directory.path))
    assert again.iterations == 40
    assert again.exploitability == first.exploitability
    assert directory.strategy_path.read_bytes() == before
    further = ruse.resume(directory, iterations=60)
    assert further.iterations == 60
    assert [row[0] for row in further.curve] == grid(60)  # 40 is a point of the grid
    whole = ruse.train(KUHN, ruse.dcfr(), iterations=60)
    assert further.strategy.probability.tobytes() == whole.strategy.probability.tobytes()
    assert directory.result is not None
    assert directory.result["iterations"] == 60


def test_resume_refuses_another_game_or_rule(tmp_path: Path) -> None:
    directory = ruse.new_run(tmp_path, KUHN, ruse.dcfr(), iterations=10)
    with pytest.raises(RuseError, match=r"was started with Kuhn\(players=2.*\), not with Kuhn\(players=3"):
        ruse.resume(directory, game=ruse.Kuhn(players=3))
    with pytest.raises(RuseError, match=r"was started with Solver\(name='dcfr'.*, not with Solver\(name='cfr'"):
        ruse.resume(directory, solver=ruse.cfr())
    with pytest.raises(RuseError, match=r"was started with .*alpha=1\.5.*, not with .*alpha=2"):
        ruse.resume(directory, solver=ruse.dcfr(alpha=2.0))
    assert ruse.resume(directory, game=KUHN, solver=ruse.dcfr()).iterations == 10


def test_resume_refuses_another_length_of_a_schedule(tmp_path: Path) -> None:
    directory = ruse.new_run(tmp_path, KUHN, ruse.hs_dcfr(), iterations=30)
    with pytest.raises(RuseError, match=r"^hs_dcfr follows a schedule over 30 iterations; start a new run$"):
        ruse.resume(directory, iterations=60)
    assert ruse.resume(directory, iterations=30).iterations == 30


def test_what_a_file_cannot_name_must_be_given(tmp_path: Path) -> None:
    game = ruse.matrix([[2, -1], [-1, 1]], name="mine")
    directory = ruse.new_run(tmp_path, game, ruse.cfr(), iterations=10)
    with pytest.raises(RuseError, match=r"trains Matrix\('mine', 2x2\), which a file cannot name; give the game$"):
        ruse.resume(directory)
    assert ruse.resume(directory, game=game).iterations == 10
    mine = ruse.dcfr()._replace(weighting=ruse.Discount(1.25, 0.0, 2.0, offset=2.0))
    directory = ruse.new_run(tmp_path, KUHN, mine, iterations=10)
    with pytest.raises(RuseError, match=r"uses Solver\(.*alpha=1\.25.*\), which a file cannot name; give the solver$"):
        ruse.resume(directory)
    assert ruse.resume(directory, solver=mine).iterations == 10
    other = ruse.cfr()._replace(minimizer=ruse.BestRegret())  # another part, but the same tuple
    with pytest.raises(RuseError, match=r"which a file cannot name; give the solver$"):
        ruse.resume(ruse.new_run(tmp_path, KUHN, other, iterations=10))
    named = ruse.dcfr(alpha=1.25)
    for rule in ("dcfr:alpha=1.25", None):  # a preset with other numbers is named by these
        directory = ruse.new_run(tmp_path, KUHN, named, rule=rule, iterations=10)
        assert ruse.resume(directory).solver == named


# ---- views -----------------------------------------------------------------------------------------------------------


@ruse.compiled("key")
class Blurred(NamedTuple):
    """Kuhn poker without telling Jack from Queen or, if it forgets, with nothing but the card."""

    forgets: bool

    def key(self, game, s):
        key = game.infoset(s)
        card = key % (game.players + 1)
        return 2 * card + game.player(s) if self.forgets else 2 * (key - card + max(card, 1)) + game.player(s)


@pytest.mark.parametrize("forgets", [False, True])
def test_a_view_is_trained_on_its_own_infosets_and_judged_in_the_whole_game(forgets: bool) -> None:
    view = Blurred(forgets)  # as a tuple, (False,) equals the full view's (0,)
    run = ruse.train(KUHN, ruse.cfr(), iterations=2_000, view=view)
    assert len(run.strategy) == (6 if forgets else 8)  # 3 cards x 2 players, or 2 cards x 4 histories
    assert run.exploitability == float(ruse.exploitability(KUHN, run.strategy))
    assert run.curve[-1][2] == run.exploitability
    assert run.exploitability > 0.01  # what it does not see costs it, however long it trains
    if forgets:
        assert run.strategy["Q"] == run.strategy["Q, pass bet"]
        assert run.strategy["Q, pass"] == run.strategy["Q, bet"]
        assert not run.expanded.form.perfect_recall
    else:
        assert run.strategy["Q, bet"] == run.strategy["J, bet"] != run.strategy["K, bet"]
