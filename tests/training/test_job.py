"""A job is one value: what a person types, what run.toml keeps and what the library takes are the same thing."""

import shlex
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

import ruse
from ruse.cli import app
from ruse.games.cheat.views import Memoryless
from ruse.prune import FixedLength, Hybrid, RegretBased, Threshold
from ruse.store.runs import RunDirectory
from ruse.training.jobs.job import Job, JobFields
from ruse.training.jobs.kept import keep, kept_job, settings_of
from ruse.training.jobs.schema import BY_NAME, ITERATIONS, OPTIONS, typed_words
from ruse.training.jobs.worded import PARTS
from ruse.walks import ExternalSampling, OutcomeSampling, Robust, RobustSampling

KUHN, LEDUC, CHEAT = ruse.Kuhn(), ruse.Leduc(), ruse.Cheat(hp=1)
TYPED: dict[str, dict[str, Any]] = {
    "leduc": {},
    "leduc --iterations 50 --seed 3": {"iterations": 50, "seed": 3},
    "leduc --rule cfr_plus --simultaneous --target 0.01": {"rule": "cfr_plus", "simultaneous": True, "target": 0.01},
    "leduc --rule dcfr:alpha=2.0,gamma=4 --seconds 2.5": {"rule": "dcfr:alpha=2.0,gamma=4", "seconds": 2.5},
    "leduc --prune brp --iterations 20": {"prune": "brp", "iterations": 20},
    "leduc --rule mccfr --walk external --prune threshold --iterations 20 --threads 2 --shared": {
        "rule": "mccfr", "walk": "external", "prune": "threshold", "iterations": 20, "threads": 2, "shared": True,
    },
    "leduc --rule mccfr --walk full --iterations 20": {"rule": "mccfr", "walk": "full", "iterations": 20},
    "leduc --prefer 'raise, player 0: delta=5' --prefer 'call: delta=2, beta=0.1' --iterations 9": {
        "prefer": ["raise, player 0: delta=5", "call: delta=2, beta=0.1"], "iterations": 9,
    },
    "leduc --iterations 9 --memory 8000000000 --no-merge --debug-keys": {
        "memory": "8GB", "no_merge": True, "debug_keys": True, "iterations": 9,
    },
    "cheat:hp=1 --walk probing --iterations 9 --view 'Memoryless(cards=False, claim=True, own_order=False)' "
    "--against naive --against heuristic --share 0.25 --share 0.5": {
        "walk": "probing", "view": repr(Memoryless(claim=True)), "against": ["naive", "heuristic"],
        "share": [0.25, 0.5], "iterations": 9,
    },
    "leduc --target 1 --seconds 3": {"target": 1.0, "seconds": 3.0},
    "leduc --iterations 900 --horizon card:ways=2": {"horizon": "card:ways=2", "iterations": 900},
    "cheat:hp=1 --walk probing --iterations 9 --against heuristic": {
        "walk": "probing", "against": ["heuristic"], "iterations": 9,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "walk"),
    [
        ("mahjong", "external"),
        ("mahjong --rule lcfr", "external"),  # it is solved by sampling, whatever the rule
        ("mahjong --rule dcfr:gamma=4", "external"),
        ("mahjong --prune threshold", "external"),
        ("mahjong --rule lcfr --walk outcome", "outcome"),
        ("mahjong --rule lcfr:walk=full", "full"),
        ("leduc --rule lcfr", "full"),
    ],
)
def test_the_usual_walk_of_a_game(line: str, walk: str) -> None:
    job = typed(line)
    assert str(job.solver.walk) == walk
    assert repr(typed(str(job).removeprefix("ruse solve ")).solver) == repr(job.solver)


def typed(line: str) -> Job:
    """What the command line makes of a line."""
    command: Any = typer.main.get_command(app)
    solve = command.commands["solve"]
    said = solve.make_context("solve", shlex.split(line)).params
    return Job.typed(ruse.game(said["game"]), {name: said[name] for name in BY_NAME})


@pytest.mark.parametrize("line", TYPED)
def test_a_job_prints_as_what_was_typed(line: str) -> None:
    game = ruse.game(line.split()[0])
    job = Job.typed(game, TYPED[line])
    limits = ("--iterations", "--target", "--seconds")
    default = "" if any(limit in line for limit in limits) else f" --iterations {ITERATIONS}"
    assert str(job) == f"ruse solve {line}{default}"
    assert typed(str(job).removeprefix("ruse solve ")) == job
    assert Job.typed(game, job.asked) == job


def test_what_nobody_can_type_stands_behind() -> None:
    mine = ruse.dcfr()._replace(weighting=ruse.Discount(alpha_slope=1.25))
    rule = ruse.Stalled(by=0.1)
    assert str(Job(KUHN, mine, iterations=5, until=rule)) == (
        f"ruse solve kuhn --iterations 5  # solver={mine!r}, until={rule!r}"
    )
    assert Job(KUHN, mine, rule="dcfr:alpha=1.25").unsaid == {}
    full = Job.typed(KUHN, {"rule": "mccfr:walk=full"})  # whose usual walk is another one
    assert typed(str(full).removeprefix("ruse solve ")) == full
    matrix = ruse.matrix([[1.0, -1.0], [-1.0, 1.0]])
    assert str(Job(matrix, ruse.dcfr(), iterations=5)).startswith("ruse solve Matrix --iterations 5  # game=")


NUMBERS = {  # solvers with numbers of their own, and what a person types for them
    "--rule dcfr:gamma=4": ruse.dcfr(gamma=4),
    "--rule dcfr:gamma=0.3333333333333333": ruse.dcfr(gamma=1 / 3),
    "--rule dcfr:alpha=1.25,beta=inf,gamma=0": ruse.dcfr()._replace(weighting=ruse.Discount(alpha=1.25)),
    "--rule hedge:eta=2.5 --simultaneous": ruse.hedge(2.5, alternating=False),
    "--rule mccfr --walk full --prune brp": ruse.mccfr("full", prune="brp"),
    "--rule mccfr --walk robust:k=2": ruse.mccfr(RobustSampling(Robust(2.0))),
    "--rule lcfr --walk probing:epsilon=0.3": ruse.lcfr(walk="probing:epsilon=0.3"),
    "--rule mccfr --walk outcome:epsilon=1,rate=0.1": ruse.mccfr(OutcomeSampling(1, 0.1)),
    "--rule lcfr --walk external --prune threshold:below=-200,exploring=0.1": ruse.lcfr(
        walk=ExternalSampling(Threshold(-200.0, 0.1))
    ),
    "--prune rbp_fixed:growth=1.5": ruse.cfr(prune=RegretBased(FixedLength(), growth=1.5)),
    "--walk external --prune hybrid:first=5000": ruse.cfr(walk="external", prune=Hybrid(first=5_000)),
}


@pytest.mark.parametrize("words", NUMBERS)
def test_numbers_of_a_solver_are_options(words: str, tmp_path: Path) -> None:
    job = Job(KUHN, NUMBERS[words], iterations=5)
    assert str(job) == f"ruse solve kuhn {words} --iterations 5"
    assert typed(str(job).removeprefix("ruse solve ")).solver == job.solver
    assert kept_job(keep(tmp_path, job)).solver == job.solver


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--rule dcfr:delta=4", "^dcfr has no field 'delta'; it has alpha, beta, gamma, "),
        ("--rule dcfr:gamma=nan", "^gamma of dcfr must be a number, got nan$"),
        ("--prune threshold:above=3", "^the pruning threshold has no number 'above'; it has below, exploring$"),
        ("--prune partial:growth=3", "^the pruning partial has no number 'growth'; it has none$"),
        ("--prune hybrid:first=0.5", "^first of the pruning hybrid must be a whole number, got 0.5$"),
        ("--walk outcome:rate", "^cannot read 'rate'; write name=value, .*, as in outcome:epsilon=0.5$"),
    ],
)
def test_numbers_that_are_none(option: str, words: str) -> None:
    with pytest.raises(ruse.RuseError, match=words):
        typed(f"kuhn {option}")


def test_a_record_of_before_may_have_short_numbers(tmp_path: Path) -> None:
    old = {"game": "kuhn", "game_repr": repr(KUHN), "solver": repr(ruse.dcfr()).replace("gamma=2.0", "gamma=4"),
           "seed": 2, "merging": True, "iterations": 7}  # fmt: skip
    given: Any = Settings(tmp_path, old)
    assert kept_job(given, solver=ruse.dcfr(gamma=4)).solver == ruse.dcfr(gamma=4)
    with pytest.raises(ruse.RuseError, match="was started with"):
        kept_job(given, solver=ruse.dcfr(gamma=5))


def test_the_schema_is_whole() -> None:
    """Every option goes into a field of a job, and the functions that take the fields by name know all of them."""
    assert {option.of for option in OPTIONS} <= set(Job._fields)
    assert set(Job._fields) - {"game", "solver"} == set(JobFields.__annotations__) - set(PARTS)
    assert all(option.help and option.name.isidentifier() for option in OPTIONS)
    with pytest.raises(TypeError, match="itrations"):
        ruse.train(KUHN, ruse.dcfr(), itrations=5)  # type: ignore[call-arg]


def test_the_command_line_has_all_of_it() -> None:
    command: Any = typer.main.get_command(app)
    options = {parameter.name: parameter for parameter in command.commands["solve"].params}
    for option in OPTIONS:
        found = options[option.name]
        assert found.help == option.help
        assert found.multiple == option.is_many
        assert (found.metavar or "") == option.shown
        assert f"--{option.name.replace('_', '-')}" in found.opts
    assert typed_words({option.name: option.default for option in OPTIONS}) == []


JOBS = [
    Job(LEDUC, ruse.dcfr(), iterations=20),
    Job(KUHN, ruse.cfr(prefer="bet, player 0: delta=5"), seed=3, iterations=20, target=0.5, seconds=9.0),
    Job(LEDUC, ruse.mccfr(), seed=1, iterations=20, threads=2, memory=10**9),
    Job(KUHN, ruse.mccfr(), iterations=20, debug_keys=True),
    Job(LEDUC, ruse.dcfr(), iterations=20, horizon="card:blueprint=9"),
    Job(CHEAT, ruse.lcfr(walk="probing"), Memoryless(), iterations=3, rule="lcfr:walk=probing",
        against=ruse.Teachers.of("naive", share=0.5)),
]  # fmt: skip


@pytest.mark.parametrize("job", JOBS, ids=str)
def test_a_job_comes_back_from_its_run(job: Job, tmp_path: Path) -> None:
    directory = keep(tmp_path, job)
    again = kept_job(RunDirectory.open(directory.path))
    assert again._replace(view=job.view, rule=job.rule) == job
    assert settings_of(again) == settings_of(job)
    assert str(again) == str(job)


class Settings(NamedTuple):
    """Of a run that was made before there were views, threads, teachers and starts."""

    path: Path
    settings: dict[str, Any]
    is_finished: bool = False


def test_settings_of_long_ago(tmp_path: Path) -> None:
    old = {"game": "kuhn", "game_repr": repr(KUHN), "rule": "cfr", "solver": repr(ruse.cfr()), "seed": 2,
           "merging": True, "iterations": 7}  # fmt: skip
    job = kept_job(Settings(tmp_path, old))  # type: ignore[arg-type]
    assert job == Job(KUHN, ruse.cfr(), ruse.Full(), 2, iterations=7, rule="cfr")
