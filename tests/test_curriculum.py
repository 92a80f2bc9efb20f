"""Curricula: what is handed on, when a lesson ends, that no kill changes a bit, and whether it helps at all."""

import os
import signal
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError
from ruse.game import mix
from ruse.games.cheat_views import General, HistoryAware, HpAware, Memoryless
from ruse.games.liars_dice import BIDS, HANDS, WHO
from ruse.runs import RunDirectory, list_runs
from ruse.solve.expanded import Expanded
from ruse.solve.learned import Infosets
from ruse.stops import Stop
from ruse.training import Training, new_run, resume

KUHN, LEDUC = ruse.Kuhn(), ruse.Leduc()
RAISES = [ruse.Leduc(max_raises=n) for n in (1, 2, 3)]
posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")
compiled_only = pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="needs thousands of iterations")


def probabilities(run: ruse.Run) -> bytes:
    return run.strategy.keys.tobytes() + run.strategy.probability.tobytes()


def matched(run: ruse.Run) -> list[int]:
    assert run.start is not None
    return [run.start[name] for name in ("copied", "unseen", "misfit")]


@ruse.compiled("key")
class OneFaceFewer(NamedTuple):
    """Liar's Dice for two with one die each, as if it had no lowest face: bids on that are not seen, nor its die."""

    nothing: int = 0

    def key(self, game, s):
        faces, bids, player = game.sides - 1, 0, 0
        for bid in range(2 * game.sides):
            face = bid % game.sides
            if face > 0 and s[BIDS] >> bid & 1:
                bids |= 1 << bid // game.sides * faces + face - 1
                player = 1 - player
        hand = s[HANDS + s[WHO]]
        return mix(bids << 4 * faces | (hand >> 4 if hand > 1 else hand), player)


# ---- what is handed on -----------------------------------------------------------------------------------------------


def test_the_module_does_not_hide_the_function() -> None:
    assert ruse.curriculum is import_module("ruse.curriculum").curriculum


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


# ---- when a lesson ends ----------------------------------------------------------------------------------------------


def is_stalled(rule: ruse.Stalled, *measured: float) -> bool:
    return rule.is_reached(list(enumerate(measured, 1)))


def test_a_stall() -> None:
    lower = ruse.Stalled(by=0.1, checks=2, at_least=0)
    assert not is_stalled(lower)
    assert not is_stalled(lower, 3.0, 3.0)  # nothing before the last two
    assert is_stalled(lower, 3.0, 3.0, 3.0)
    assert is_stalled(lower, 3.0, 2.95, 2.91)
    assert not is_stalled(lower, 3.0, 2.8, 3.0)
    assert is_stalled(lower, 3.0, 2.8, 3.0, 2.75)
    assert not is_stalled(lower, 3.0, 2.8, 2.75, 2.6)
    assert is_stalled(lower, 2.0, 3.0, 2.95, 1.95)  # no better than at its best
    higher = ruse.Stalled(ruse.WinRate(ruse.RandomBot()), by=0.1, checks=2, at_least=0)
    assert is_stalled(higher, 0.5, 0.6, 0.55)
    assert not is_stalled(higher, 0.5, 0.65, 0.3)
    patient = lower._replace(at_least=4)
    assert not is_stalled(patient, 3.0, 3.0, 3.0)
    assert is_stalled(patient, 3.0, 3.0, 3.0, 3.0)
    for bad in (ruse.Stalled(checks=0), ruse.Stalled(by=-1.0), ruse.Stalled(by=float("nan"))):
        with pytest.raises(RuseError, match=r"^a stall is no gain by 0 or more over 1 check or more, got .* over \d+$"):
            ruse.train(KUHN, ruse.cfr(), until=bad)


def test_stops_when_exploitability_stalls() -> None:
    rule = ruse.Stalled(by=0.05, checks=3, at_least=0)
    run = ruse.train(LEDUC, ruse.cfr(), until=rule)
    found = list(run.checks)
    assert run.is_finished
    assert [(n, e) for n, _, e in run.curve] == found
    assert rule.is_reached(found)
    assert not any(rule.is_reached(found[:n]) for n in range(len(found)))
    assert 10 < run.iterations < 200
    plain = ruse.train(LEDUC, ruse.cfr(), iterations=run.iterations)
    assert probabilities(run) == probabilities(plain)  # a rule does not change what is computed
    assert plain.checks == []
    limited = ruse.train(LEDUC, ruse.cfr(), until=rule._replace(iterations=10))
    assert limited.iterations == 10
    assert list(limited.checks) == found[:10]
    longer = ruse.train(LEDUC, ruse.cfr(), until=rule._replace(at_least=run.iterations + 1))
    assert longer.iterations > run.iterations


@compiled_only
def test_stops_when_the_win_rate_stalls() -> None:
    """The same game once more: a copy has no more to learn, and stops as soon as the rule allows it."""
    measure = ruse.WinRate(ruse.RandomBot(), deals=500, seed=3)
    rule = ruse.Stalled(measure, by=0.02, checks=6, at_least=20, iterations=10_000)
    dice = ruse.LiarsDice(sides=4)
    first, second = ruse.curriculum([dice, dice], ruse.mccfr(), transfer=ruse.Copying(), until=rule)
    for run in (first, second):
        assert rule.is_reached(run.checks)
        last = ruse.match(dice, [run.strategy, ruse.RandomBot()], deals=500, seed=3).win_rate[0]
        assert run.checks[-1] == (run.iterations, last)
    assert first.checks[0][1] < 0.6 < 0.7 < first.checks[-1][1]
    assert second.checks[0][1] == pytest.approx(first.checks[-1][1], abs=0.01)
    assert second.iterations == 22 < 100 < first.iterations < 10_000  # the first check after 20


def test_a_measure_need_not_stop_anything() -> None:
    run = ruse.train(KUHN, ruse.cfr(), until=ruse.Iterations(12, measure=ruse.Exploited()))
    assert [n for n, _ in run.checks] == list(range(1, 13))
    assert run.checks[-1][1] == run.exploitability


def test_a_rule_of_ones_own() -> None:
    class Halved(NamedTuple):
        iterations: int | None = None
        measure: Any = ruse.Exploited()

        def is_reached(self, seen: Any) -> bool:
            return len(seen) > 0 and seen[-1][1] < seen[0][1] / 2

    run = ruse.train(LEDUC, ruse.cfr(), until=Halved())
    assert run.exploitability < run.curve[0][2] / 2 <= run.curve[-2][2]


@pytest.mark.parametrize("bad", [100, ruse.Stalled])
def test_no_rule(bad: Any) -> None:
    with pytest.raises(
        RuseError, match=r"^until must be a rule such as ruse.Stalled\(\), not .*; give a number as iter"
    ):
        ruse.train(KUHN, ruse.cfr(), until=bad)


def test_too_large_to_be_exploited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.engines.MEASURED", 100)
    with pytest.raises(RuseError, match=r"^Leduc\(.*\) is too large to measure exploitability: measure the win rate"):
        ruse.train(LEDUC, ruse.mccfr(), until=ruse.Stalled())


def test_what_stops_first() -> None:
    never, always = ruse.Iterations(10), ruse.Stalled(checks=1, at_least=0)
    assert Stop(None, None, None, always).is_reached(5, 0.1, 1.0, [(1, 1.0), (2, 1.0)])
    assert not Stop(None, None, None, always).is_reached(5, 0.1, 1.0, [(1, 1.0), (2, 0.9)])
    assert Stop(5, None, None, never).is_reached(5, 0.1, 1.0, [])
    assert not Stop(None, None, None, never).is_reached(5, 0.1, 1.0, [])
    assert ruse.train(KUHN, ruse.cfr(), iterations=4, until=never).iterations == 4


# ---- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lessons", "changes", "message"),
    [
        ([], {}, r"^a curriculum needs at least one game$"),
        (["kuhn"], {}, r"^a lesson is a game or a ruse.Lesson, not 'kuhn'$"),
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

STALLS = ruse.Stalled(ruse.WinRate(ruse.RandomBot(), deals=100), checks=8, at_least=50)


def course(folder: Path | None, games: Any = RAISES, **changes: Any) -> list[ruse.Run]:
    settings: dict[str, Any] = {"transfer": ruse.Copying(0.5), "until": STALLS, "seed": 1} | changes
    return ruse.curriculum(games, settings.pop("solver", ruse.mccfr()), runs=folder, **settings)


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
import test_curriculum as t
import ruse
lessons, killed, count = [], int(sys.argv[2]), 0

def watch(progress):
    global count
    count += 1
    if count == killed:
        os.kill(os.getpid(), getattr(signal, sys.argv[3]))

runs = t.course(Path(sys.argv[1]), watch=watch, checkpoint_seconds=0.0)
assert not runs[-1].is_finished
"""


@compiled_only
@posix
@pytest.mark.parametrize(("killed", "how"), [(3, "SIGKILL"), (50, "SIGKILL"), (50, "SIGINT")])
def test_a_kill_changes_nothing(killed: int, how: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
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


# ---- Cheat: figure 3 of the paper ------------------------------------------------------------------------------------

CHEAT = [ruse.Cheat(hp=3), ruse.Cheat(hp=4)]
AT = (1, 10, 40)
# Win rate against RandomBot in Cheat-4 after 1, 10 and 40 iterations, measured before by other code.
KNOWN = {
    ("memoryless", "nothing"): (0.846, 0.883, 0.893),
    ("memoryless", "copy"): (0.894, 0.895, 0.890),
    ("history", "nothing"): (0.547, 0.659, 0.764),
    ("history", "copy"): (0.823, 0.832, 0.837),
    ("hp", "nothing"): (0.55, 0.68, 0.79),
    ("hp", "copy"): (0.57, 0.69, 0.78),
    ("general", "nothing"): (0.50, 0.63, 0.74),
    ("general", "lost"): (0.81, None, None),
}
VIEWS: dict[str, Any] = {
    "memoryless": Memoryless(), "history": HistoryAware(), "hp": HpAware(), "general": General(),
}  # fmt: skip


@cache
def win_rates(agent: str, how: str) -> tuple[float, ...]:
    """100 chance-sampled iterations of Cheat-3, then Cheat-4. Copies have the same points, or as many lost."""
    final = ruse.Iterations(40, measure=ruse.WinRate(ruse.RandomBot(), deals=5_000))
    view = VIEWS[agent]
    runs = ruse.curriculum(
        [CHEAT[0], ruse.Lesson(CHEAT[1], until=final)], ruse.mccfr("chance"), view=view, until=ruse.Iterations(100),
        transfer=ruse.Nothing() if how == "nothing" else ruse.Copying(),
        mapping=view._replace(hp_shift=1) if how == "lost" else None,
    )  # fmt: skip
    rates = dict(runs[-1].checks)
    found = tuple(rates[n] for n in AT)
    known = ["  -  " if x is None else f"{x:.3f}" for x in KNOWN[agent, how]]
    print(f"\n{agent:<10} {how:<8}", "  ".join(f"{x:.3f} ({y})" for x, y in zip(found, known, strict=True)), end="")
    return found


@compiled_only
@pytest.mark.parametrize("agent", ["memoryless", "history"])
def test_a_copy_helps(agent: str) -> None:
    assert all(np.array(win_rates(agent, "copy")) >= np.array(win_rates(agent, "nothing")))
    assert win_rates(agent, "copy") == pytest.approx(KNOWN[agent, "copy"], abs=0.03)


@compiled_only
def test_a_copy_of_the_same_points_is_no_help_to_those_who_see_points() -> None:
    assert win_rates("hp", "copy") == pytest.approx(win_rates("hp", "nothing"), abs=0.03)
    for how in ("nothing", "copy"):
        assert win_rates("hp", how) == pytest.approx(KNOWN["hp", how], abs=0.05)


@compiled_only
def test_as_many_points_lost_help() -> None:
    lost, fresh = win_rates("general", "lost"), win_rates("general", "nothing")
    assert lost[0] == pytest.approx(0.81, abs=0.03)
    assert all(np.array(lost) > np.array(fresh) + 0.05)


# ---- Leduc and Liar's Dice: exploitability ---------------------------------------------------------------------------


def final(games: list[Any], transfer: Any, mapping: Any = None) -> dict[int, float]:
    """Exploitability by iteration in the last game, after 1,000 iterations of each of those before."""
    lessons = [*games[:-1], ruse.Lesson(games[-1], until=ruse.Iterations(1_000))]
    runs = ruse.curriculum(lessons, ruse.cfr(), transfer=transfer, until=ruse.Iterations(1_000), mapping=mapping)
    return {n: found for n, _, found in runs[-1].curve}


@compiled_only
@pytest.mark.parametrize(
    ("games", "mapping"),
    [(RAISES, None), ([ruse.LiarsDice(sides=n) for n in (3, 4, 5)], OneFaceFewer())],
    ids=["leduc", "liars_dice"],
)
def test_a_copy_looks_good_and_then_hurts(games: list[Any], mapping: Any) -> None:
    fresh, copied, warmed = (final(games, t, mapping) for t in (ruse.Nothing(), ruse.Copying(), ruse.Warming()))
    print()
    for name, curve in (("nothing", fresh), ("copy", copied), ("warm", warmed)):
        print(f"{name:<8}", "  ".join(f"{curve[n]:.4f}" for n in (1, 1_000)))
    assert copied[1] < fresh[1]
    assert warmed[1] < fresh[1]
    assert copied[1_000] > 10 * fresh[1_000]
    assert warmed[1_000] < 1.5 * fresh[1_000]


# ---- the page --------------------------------------------------------------------------------------------------------


@compiled_only
def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parent.parent / "docs/curriculum.md").read_text()
    scope: dict[str, Any] = {"__name__": "curriculum"}
    for block in page.split("```python\n")[1:]:
        exec(compile(block.split("```")[0], "curriculum.md", "exec"), scope)
    assert "'unseen': " in capsys.readouterr().out
    assert len(scope["runs"]) == 2
    assert scope["run"].iterations < 10_000
