"""Curricula: what is handed on, when a lesson ends, that no kill changes a bit, and whether it helps at all."""

import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from courses import RAISES, STALLS, OneFaceFewer, course, probabilities
from marks import compiled_only, posix
from places import ROOT

import ruse
from ruse.errors import RuseError
from ruse.solve.start.learned import Infosets
from ruse.store.runs import RunDirectory, list_runs
from ruse.training.train import new_run, resume
from ruse.training.training import Training
from ruse.tree.expanded import Expanded

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()


def matched(run: ruse.Run) -> list[int]:
    assert run.start is not None
    return [run.start[name] for name in ("copied", "unseen", "misfit")]


# ---- what is handed on -----------------------------------------------------------------------------------------------


def test_the_module_does_not_hide_the_function() -> None:
    assert ruse.curriculum is import_module("ruse.training.curriculum").curriculum


def test_each_lesson_starts_from_the_one_before() -> None:
    first, second, third = ruse.curriculum(RAISES, ruse.cfr(), transfer=ruse.Copying(), until=ruse.Iterations(20))
    assert [run.game for run in (first, second, third)] == RAISES
    assert [run.iterations for run in (first, second, third)] == [20, 20, 20]
    assert [run.seed for run in (first, second, third)] == [0, 1, 2]
    assert first.start is None
    assert (matched(second), matched(third)) == ([192, 552, 192], [624, 792, 312])
    by_hand = ruse.train(RAISES[0], ruse.cfr(), iterations=20)
    for game, found in zip(RAISES[1:], (second, third), strict=True):
        by_hand = ruse.train(game, ruse.cfr(), iterations=20, start=ruse.Copied(by_hand))
        assert probabilities(found) == probabilities(by_hand)


@pytest.mark.parametrize(
    ("transfer", "start"),
    [
        (ruse.Nothing(), lambda run: None),
        (ruse.Copying(factor=0.5), lambda run: ruse.Copied(run, factor=0.5)),
        (ruse.Warming(), lambda run: ruse.WarmStart(run.strategy)),
        (ruse.Warming(iterations=7), lambda run: ruse.WarmStart(run.strategy, iterations=7)),
        (ruse.Tilting(weight=3.0), lambda run: ruse.Leaning(run.strategy, weight=3.0)),
    ],
    ids=["nothing", "copying", "warming", "warming_for_seven", "tilting"],
)
def test_a_transfer_is_a_start(transfer: Any, start: Any) -> None:
    games = [ruse.Leduc(second_raise=5), LEDUC]
    first, second = ruse.curriculum(games, ruse.cfr(), transfer=transfer, until=ruse.Iterations(15))
    again = ruse.train(LEDUC, ruse.cfr(), iterations=15, start=start(first))
    assert probabilities(second) == probabilities(again)
    assert second.start == again.start


@compiled_only
@pytest.mark.parametrize("transfer", [ruse.Copying(), ruse.Tilting(weight=10.0)], ids=repr)
def test_under_sampling(transfer: Any) -> None:
    games = [ruse.Leduc(second_raise=5), LEDUC]
    runs = ruse.curriculum(games, ruse.mccfr(), transfer=transfer, until=ruse.Iterations(2_000), seed=4)
    assert [run.seed for run in runs] == [4, 5]
    assert runs[1].exploitability < ruse.train(LEDUC, ruse.mccfr(), iterations=2_000, seed=5).exploitability


def test_a_lesson_may_differ() -> None:
    """A sampled teacher, another rule and number of iterations; and a game that is not taught at all."""
    lessons = [
        ruse.Lesson(ruse.Leduc(second_raise=5), ruse.mccfr(), ruse.Iterations(500), seed=9),
        LEDUC,
        ruse.Lesson(KUHN, transfer=ruse.Nothing()),
    ]
    first, second, third = ruse.curriculum(
        lessons, ruse.cfr(), transfer=ruse.Warming(), until=ruse.Iterations(5), seed=2
    )
    assert (first.solver, first.iterations, first.seed) == (ruse.mccfr(), 500, 9)
    assert (second.solver, second.iterations, second.seed) == (ruse.cfr(), 5, 3)
    assert second.start is not None
    assert "WarmStart(Strategy(Leduc(" in second.start["from"]
    assert third.start is None
    assert probabilities(third) == probabilities(ruse.train(KUHN, ruse.cfr(), iterations=5))


@pytest.mark.parametrize("transfer", [ruse.Copying(), ruse.Warming(), ruse.Tilting()], ids=repr)
def test_infosets_by_a_view_or_a_function(transfer: Any) -> None:
    """Three ways to say the same: a view, a function that gives it, and a function that gives all new keys of one."""
    games = [ruse.LiarsDice(sides=3), ruse.LiarsDice(sides=4)]
    infosets = Infosets.of(Expanded.of(games[1]), OneFaceFewer())
    asked = []

    def the_view(game: ruse.Game, new: ruse.Game) -> Any:
        asked.append((game, new))
        return OneFaceFewer()

    def the_keys(game: ruse.Game, new: ruse.Game) -> Any:
        return lambda key: infosets.keys[infosets.names == key].tolist()

    def last(mapping: Any) -> ruse.Run:
        runs = ruse.curriculum(games, ruse.cfr(), transfer=transfer, until=ruse.Iterations(10), mapping=mapping)
        return runs[-1]

    by_view, by_function, by_keys = last(OneFaceFewer()), last(the_view), last(the_keys)
    assert asked == [tuple(games)]
    assert matched(by_view) == [928, 0, 96]  # of bids on one die too few, there is another number of higher ones
    assert probabilities(by_view) == probabilities(by_function)
    assert by_keys.strategy.probability == pytest.approx(by_view.strategy.probability, abs=1e-12)
    assert by_view.start is not None
    assert "OneFaceFewer(nothing=0)" in by_view.start["from"]
    assert matched(last(lambda game, new: None))[0] < 100  # only what has the same key by chance


def test_three_players() -> None:
    games = [ruse.Kuhn(players=3, bet=2), ruse.Kuhn(players=3)]
    runs = ruse.curriculum(games, ruse.cfr(), transfer=ruse.Copying(0.1), until=ruse.Iterations(200))
    assert matched(runs[1]) == [48, 0, 0]
    rule = ruse.Iterations(30, measure=ruse.WinRate(ruse.RandomBot(), deals=200))
    rates = [found for _, found in ruse.train(games[0], ruse.cfr(), until=rule).checks]
    assert len(rates) == 30
    assert all(0 < rate < 1 for rate in rates)


# ---- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lessons", "changes", "message"),
    [
        ([], {}, r"^a curriculum needs at least one game$"),
        ([3], {}, r"^a lesson is a game or a ruse.Lesson, not 3$"),
        ([KUHN, ruse.Kuhn], {}, r"^a lesson is a game or a ruse.Lesson, not <class .*Kuhn'>$"),
        ([KUHN, ruse.Kuhn(players=1)], {}, r"^players must be 2 to 10 in Kuhn poker, got 1$"),
        ([KUHN], {"until": 100}, r"^until must be such as ruse.Iterations\(100\), not 100$"),
        ([KUHN], {"transfer": ruse.Copying}, r"^transfer must be such as ruse.Copying\(\), not <class .*Copying'>$"),
        ([KUHN], {"until": ruse.Iterations(0)}, r"^iterations must be above 0, got 0$"),
        ([KUHN, ruse.Lesson(KUHN, until=ruse.Stalled(checks=0))], {}, r"^a stall is no gain by 0 or more"),
        ([KUHN, KUHN], {"solver": ruse.dcfr()}, r"^dcfr forgets all that was before its first iteration.* use cfr"),
        ([KUHN, KUHN], {"solver": ruse.mccfr(), "transfer": ruse.Warming()}, r"^Warming needs the full-width engine"),
        (
            [KUHN, KUHN],
            {"solver": ruse.hedge(), "transfer": ruse.Warming()},
            r"^hedge does not play by regret",
        ),
    ],
)
def test_mistakes_are_told_before_the_first_lesson(
    lessons: Any, changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    settings = {"solver": ruse.cfr(), "transfer": ruse.Copying(), "until": ruse.Iterations(10)} | changes
    with pytest.raises(RuseError, match=message):
        ruse.curriculum(lessons, settings.pop("solver"), runs=tmp_path, **settings)
    assert list(tmp_path.iterdir()) == []


def test_a_first_lesson_takes_over_nothing() -> None:
    """So a rule that forgets may come first, and the games after it may be copied to."""
    lessons = [ruse.Lesson(ruse.Leduc(second_raise=5), solver=ruse.dcfr()), LEDUC]
    runs = ruse.curriculum(lessons, ruse.cfr(), transfer=ruse.Copying(), until=ruse.Iterations(30))
    assert runs[1].exploitability < 0.3


# ---- runs that are kept ----------------------------------------------------------------------------------------------


@compiled_only
def test_finished_lessons_are_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unkept = course(None)
    first = course(tmp_path / "runs", RAISES[:2])
    assert [summary.status for summary in list_runs(tmp_path / "runs")] == ["finished", "finished"]
    iterated = []
    monkeypatch.setattr(Training, "_measure", _counting(Training._measure, iterated))
    again = course(tmp_path / "runs", RAISES[:2])
    assert iterated == []
    longer = course(tmp_path / "runs")
    assert {game for game, _ in iterated} == {RAISES[2]}
    for runs in (first, again, longer, unkept):
        assert [probabilities(run) for run in runs] == [probabilities(run) for run in unkept[: len(runs)]]
        assert [list(run.checks) for run in runs] == [list(run.checks) for run in unkept[: len(runs)]]
        assert [run.start for run in runs] == [run.start for run in unkept[: len(runs)]]
    assert [run.directory.path.parent for run in longer if run.directory] == [tmp_path / "runs"] * 3


def _counting(measure: Any, seen: list[Any]) -> Any:
    def counted(self: Training, *rest: Any) -> None:
        seen.append((self.game, self.done))
        measure(self, *rest)

    return counted


@compiled_only
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 2}, r"lesson 1 has seed 2, not 1; give another folder for the runs$"),
        ({"until": ruse.Iterations(7)}, r"lesson 1 has iterations 7, not None;"),
        ({"until": STALLS._replace(checks=9)}, r"lesson 1 has until Stalled\(.*checks=9.*, not Stalled\(.*checks=8"),
        ({"games": [*RAISES[:1], LEDUC._replace(ante=2)]}, r"lesson 2 has game Leduc\(.*ante=2.*, not Leduc\("),
        ({"transfer": ruse.Copying(0.1)}, r"lesson 2 has start Copied\(.*factor=0.1\), not Copied\(.*factor=0.5\);"),
        ({"transfer": ruse.Nothing()}, r"lesson 2 has start None, not Copied\("),
        ({"solver": ruse.mccfr("chance")}, r"lesson 1 has solver Solver\(.*, not Solver\("),
    ],
)
def test_a_folder_is_for_one_curriculum(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    course(tmp_path, RAISES[:2])
    with pytest.raises(RuseError, match=f"is not of this curriculum: {message}"):
        course(tmp_path, **{"games": RAISES[:2]} | changes)
    assert len(list_runs(tmp_path)) == 2


def test_the_mapping_is_part_of_it(tmp_path: Path) -> None:
    games = [ruse.LiarsDice(sides=3), ruse.LiarsDice(sides=4)]
    settings: dict[str, Any] = {"solver": ruse.cfr(), "transfer": ruse.Warming(), "until": ruse.Iterations(3)}
    first = course(tmp_path, games, mapping=OneFaceFewer(), **settings)
    again = course(tmp_path, games, mapping=OneFaceFewer(), **settings)
    assert probabilities(first[1]) == probabilities(again[1])
    with pytest.raises(RuseError, match=r"lesson 2 has start WarmStart\(.*\), not WarmStart\(.*mapping=OneFaceFewer"):
        course(tmp_path, games, **settings)
    assert resume(RunDirectory.open(list_runs(tmp_path)[1].path)).iterations == 3  # it stops by iterations alone


@compiled_only
def test_a_rule_must_be_given_again(tmp_path: Path) -> None:
    run = new_run(tmp_path, LEDUC, ruse.cfr(), until=STALLS)
    assert "RandomBot(" in run.settings["until"]
    with pytest.raises(RuseError, match=r"was to stop by Stalled\(.*; give that as until, or give iterations$"):
        resume(run)
    assert resume(run, until=STALLS).checks == ruse.train(LEDUC, ruse.cfr(), until=STALLS).checks
    assert resume(run, iterations=100).iterations == 100
    with pytest.raises(RuseError, match=r"^say when to stop"):
        ruse.train(LEDUC, ruse.cfr())
    assert repr(ruse.WinRate(object())) == "WinRate(object, deals=1000, seed=0)"


COURSE = """
import os, signal, sys
from pathlib import Path
from courses import course
import ruse
lessons, killed, count = [], int(sys.argv[2]), 0

def watch(progress):
    global count
    count += 1
    if count == killed:
        os.kill(os.getpid(), getattr(signal, sys.argv[3]))

runs = course(Path(sys.argv[1]), watch=watch, checkpoint_seconds=0.0)
assert not runs[-1].is_finished
"""


@compiled_only
@posix
@pytest.mark.parametrize(
    ("killed", "how"),
    [
        (3, "SIGKILL"),
        pytest.param(50, "SIGKILL", marks=pytest.mark.slow),
        pytest.param(50, "SIGINT", marks=pytest.mark.slow),
    ],
)
def test_a_kill_changes_nothing(killed: int, how: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", COURSE, str(tmp_path), str(killed), how], env=environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == (-signal.SIGKILL if how == "SIGKILL" else 0), done.stderr
    kept = list_runs(tmp_path)
    assert 1 <= len(kept) < 3
    assert kept[-1].status == "interrupted"
    went_on, whole = course(tmp_path), course(None)
    assert [probabilities(run) for run in went_on] == [probabilities(run) for run in whole]
    assert [list(run.checks) for run in went_on] == [list(run.checks) for run in whole]


# ---- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@compiled_only
def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/curriculum.md").read_text()
    scope: dict[str, Any] = {"__name__": "curriculum"}
    for block in page.split("```python\n")[1:]:
        exec(compile(block.split("```")[0], "curriculum.md", "exec"), scope)
    assert "'unseen': " in capsys.readouterr().out
    assert len(scope["runs"]) == 2
    assert scope["run"].iterations < 10_000
