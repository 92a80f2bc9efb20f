"""A value of the wrong kind is told in one sentence, which names it, before anything is computed."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.games.mahjong.views import CfrP
from ruse.subgame.cut import After, Cut
from ruse.subgame.roots import Roots, Worthless
from ruse.training.ahead import steps_ahead
from ruse.training.jobs.job import Job
from ruse.training.jobs.values import CHECKS

KUHN = ruse.Kuhn()
WHOLE, NUMBER, YES, SMALL = (
    "must be a whole number",
    "must be a number above 0",
    "must be True or False",
    "must be above 0, got",
)
BAD: list[tuple[str, Any, str]] = [
    *(("iterations", value, WHOLE) for value in (2.5, math.inf, "10", [1], True, 2**70, 10**400)),
    *(("target", value, NUMBER) for value in (math.inf, "x")),
    *(("seconds", value, NUMBER) for value in (math.inf, "x", [1.0])),
    *(("memory", value, f"{WHOLE} of bytes from 1") for value in (1.5, True)),
    *((name, value, SMALL) for name in ("iterations", "target", "seconds", "memory") for value in (0, -1, math.nan)),
    *(("threads", value, WHOLE) for value in (2.5, math.nan, "2", True)),
    *((name, value, YES) for name in ("shared", "merging", "debug_keys") for value in ("x", 2, None, np.array([1, 0]))),
    ("seed", 1.5, "a seed must be a whole number"),
    ("view", "nonsense", "kuhn has no view 'nonsense'; there is full$"),
    ("memory", "lots", "cannot read the memory 'lots'"),
    ("view", ruse.Full, r"not Full, which is yet to be called$"),
    ("until", 3, r"until must be a rule such as ruse.Stalled\(\), not 3; give a number as iterations$"),
    ("start", "x", r"start must be such as ruse.WarmStart\(strategy\), not 'x'$"),
    ("against", 3, r'against must be such as ruse.Teachers.of\("heuristic"\), not'),
    ("on", 3, "on must be a text, got 3$"),
    ("on", None, "on must be a text, got None$"),
    ("rule", 3, "rule must be a text, got 3$"),
    ("rule", "nonsense", "unknown rule 'nonsense'"),
    ("rule", "dcfr", "^rule is the text that names the solver, which is mccfr, not dcfr; give 'dcfr' as solver$"),
]


class Built(Exception):
    """A view was built."""


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"horizon": "card"}, "too large to be solved up to a card"),
        ({"threads": 0}, "threads must be at least 1, got 0"),
        ({"shared": True}, "a shared table is for threads"),
    ],
)
def test_no_view_is_built_for_what_is_refused(asked: Any, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold'em's buckets take minutes of a processor."""

    def built(*of: object) -> None:
        raise Built

    monkeypatch.setattr("ruse.games.holdem.views.card_buckets", built)
    with pytest.raises(ruse.RuseError, match=words):
        ruse.train("holdem", **asked)
    with pytest.raises(Built):
        ruse.train("holdem")


@pytest.mark.parametrize(("name", "value", "words"), BAD)
def test_bad_values_are_named(name: str, value: Any, words: str, tmp_path: Path) -> None:
    asked: Any = {"iterations": 2, name: value}
    for call in (
        lambda: ruse.train(KUHN, ruse.mccfr(), **asked),
        lambda: ruse.new_run(tmp_path, KUHN, ruse.mccfr(), **asked),
    ):
        with pytest.raises(ruse.RuseError, match=words) as told:
            call()
        assert repr(value) in str(told.value) or getattr(value, "__name__", "?") in str(told.value)
    assert not list(tmp_path.iterdir())


def test_every_field_is_looked_at() -> None:
    assert set(CHECKS) == set(Job._fields) - {"seed"}  # which `seed_of` looks at


def test_numbers_are_plain_afterwards() -> None:
    job = Job(KUHN, ruse.mccfr(), iterations=1e3, threads=np.int64(2), memory=1e9, target=np.float64(0.5)).checked()  # type: ignore[arg-type]
    assert [type(n) for n in (job.iterations, job.threads, job.memory, job.target)] == [int, int, int, float]
    assert job == Job(KUHN, ruse.mccfr(), iterations=1_000, threads=2, memory=10**9, target=0.5)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int8, np.uint64])
@pytest.mark.filterwarnings("error")
def test_any_number_of_numpy_is_one(kind: Any) -> None:
    """One in 32 bits was compared with what it cannot hold, and NumPy warned of that."""
    two = kind(2)
    job = Job(KUHN, ruse.mccfr(), iterations=two, seconds=two, target=two, threads=two, memory=two).checked()
    assert (job.iterations, job.seconds, job.target, job.threads, job.memory) == (2, 2, 2, 2, 2)


@pytest.mark.parametrize("seconds", ["x", None, math.nan, math.inf, -1, True, np.array([1.0])])
def test_seconds_between_checkpoints(seconds: Any, tmp_path: Path) -> None:
    """Text was an error in the middle of a training, and NaN never came."""
    run = ruse.make_run(tmp_path, KUHN, "cfr", iterations=2)
    for call in (
        lambda: ruse.train(KUHN, "cfr", iterations=2, directory=run, checkpoint_seconds=seconds),
        lambda: ruse.resume(run, checkpoint_seconds=seconds),
    ):
        with pytest.raises(ruse.RuseError, match=r"^checkpoint_seconds must be a number of seconds, 0 or more, got "):
            call()
    assert ruse.resume(run, checkpoint_seconds=np.float32(0.5)).iterations == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("iterations", "^iterations must be (a whole number from 1|above 0)"),
        ("game", "^a game is needed"),
        ("solver", r"^solver must be such as ruse.dcfr\(\), not "),
        ("view", r"^view must be such as ruse.Full\(\), not "),
        ("against", r"^(against must be such as ruse.Teachers|name a bot to train against)"),
        ("on", "^on must be a text, got "),
    ],
)
@pytest.mark.parametrize("value", [np.array([1, 2]), 0, [], {}])
def test_what_is_given_to_go_on_with_is_looked_at(name: str, words: str, value: Any, tmp_path: Path) -> None:
    """What is empty was as if it were left out."""
    run = ruse.make_run(tmp_path, KUHN, "cfr", iterations=2)
    with pytest.raises(ruse.RuseError, match=words):
        ruse.resume(run, **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (ruse.Kuhn, r"^Kuhn is a class, and a game is needed; make one of it: Kuhn\(\)$"),
        (None, r"^a game is needed, such as ruse.Leduc\(\), got None, which has no start$"),
        (ruse.Kuhn(players=0), "^players must be 2 to 10 in Kuhn poker, got 0$"),
        (ruse.Leduc(suits="x"), "^suits of Leduc must be a number, got 'x'$"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_game(game: Any, words: str) -> None:
    strategy = ruse.Strategy.uniform(KUHN)
    for call in (
        lambda: ruse.train(game, iterations=2),
        lambda: next(steps_ahead(Job(game, iterations=2))),
        lambda: ruse.measure_size(game),
        lambda: ruse.find_equilibrium(game),
        lambda: ruse.match(game, ["random", "random"]),
        lambda: Roots.at(game, After(3), strategy),
    ):
        with pytest.raises(ruse.RuseError, match=words):
            call()


def test_the_solver_may_be_left_out() -> None:
    """It is then as on the command line; when to stop is still to be said."""
    assert Job(KUHN).solver == Job.typed(KUHN, {}).solver
    with pytest.raises(ruse.RuseError, match=r"^say when to stop: give iterations"):
        ruse.train(KUHN)
    for solver, got in ((5, "5"), (ruse.dcfr, "dcfr, which is yet to be called")):
        with pytest.raises(ruse.RuseError, match=rf"^solver must be such as ruse.dcfr\(\), not {got}$"):
            ruse.train(KUHN, solver, iterations=2)  # type: ignore[arg-type]


@pytest.mark.parametrize("share", [math.nan, [math.nan], "x", None, ["x"], math.inf, 0.0, 1.5])
def test_shares_are_numbers(share: Any) -> None:
    with pytest.raises(ruse.RuseError, match=r"^(a share is a number|shares must be) above 0, and 1 at most.*, got"):
        ruse.Teachers.of("heuristic", share=share)


def test_teachers_made_by_hand_are_looked_at() -> None:
    teachers = ruse.Teachers(("heuristic",), (math.nan,))
    with pytest.raises(ruse.RuseError, match=r"^shares must be above 0, and 1 at most in all, got nan$"):
        ruse.train(ruse.Cheat(hp=1), ruse.mccfr("probing"), against=teachers, iterations=2)
    with pytest.raises(
        ruse.RuseError, match=r'^name a bot to train against, as in Teachers.of\("heuristic"\), and not None$'
    ):
        ruse.train(ruse.Cheat(hp=1), ruse.mccfr("probing"), against=ruse.Teachers((None,), (1.0,)), iterations=2)


@pytest.mark.parametrize("moves", ["x", 2.5, -1, None])
def test_a_moment_is_a_number_of_moves(moves: Any) -> None:
    with pytest.raises(ruse.RuseError, match=r"^After\(moves\) takes a whole number from 0 on, got "):
        Cut.of(KUHN, After(moves), Worthless())


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"gamma": "x"}, "^gamma of dcfr must be a number, got 'x'$"),
        ({"alpha": None}, "^alpha of dcfr must be a number, got None$"),
        ({"gamma": math.nan}, "^gamma of dcfr must be a number, got nan$"),
        ({"alternating": "x"}, "^alternating of dcfr must be true or false, got 'x'$"),
        ({"walk": 3}, "^walk must be a walk, or the name of one: full, .*; got 3$"),
        ({"prune": 3}, "^prune must be a pruning, or the name of one: partial, .*; got 3$"),
    ],
)
def test_numbers_of_a_rule(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ruse.RuseError, match=words):
        ruse.dcfr(**fields)


def test_a_rule_has_numbers_of_one_kind() -> None:
    """Or a kernel would be compiled for each way to write them."""
    assert repr(ruse.dcfr(gamma=4, alternating=1)) == repr(ruse.dcfr(gamma=4.0))  # type: ignore[arg-type]
    assert repr(ruse.hedge(eta=np.float64(2.0))) == repr(ruse.hedge(2.0))


def test_a_view_gives_keys_or_names_a_hierarchy() -> None:
    for view in (ruse.Full(), CfrP()):
        assert CHECKS["view"]("view", view) is view


class Speechless:
    """Whatever is asked of it is an error."""

    def __repr__(self) -> str:
        raise ArithmeticError


@pytest.mark.parametrize("value", [10**5000, Speechless(), "\n" * 5000], ids=["digits", "speechless", "lines"])
@pytest.mark.parametrize("name", sorted(set(CHECKS) - {"game", "horizon", "view", "solver"}))
def test_whatever_is_given_there_are_words_for_it(name: str, value: Any) -> None:
    with pytest.raises(ruse.RuseError) as told:
        ruse.train(KUHN, ruse.mccfr(), **{"iterations": 1, name: value})
    assert len(str(told.value)) < 2_000
