"""A job in the `run.toml` of its run: written when the run is made, read when it is gone on with."""

from pathlib import Path
from typing import Any, TypedDict, Unpack

from ruse.catalog.behaviour import behaviour
from ruse.catalog.names import preset, spec_of
from ruse.catalog.names import view as view_of
from ruse.catalog.recorded import recorded_game
from ruse.compile.files.game_files import split
from ruse.compile.seeds import seed_of
from ruse.errors import FileTrouble, RuseError
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.noticed import Noticed
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import Solver, is_recorded_as
from ruse.store.runs import RunDirectory
from ruse.training.jobs.job import Job
from ruse.training.jobs.values import in_kind, in_payoffs
from ruse.training.jobs.worded import refuse_unknown, said
from ruse.training.terms.backends import CPU
from ruse.training.terms.starts import Start
from ruse.training.terms.stops import Until
from ruse.training.terms.teachers import Teachers


class Given(TypedDict, total=False):
    """What may be given again, or changed, when a run is gone on with."""

    game: Game | str | None
    solver: Solver | str | None
    view: View | str | None
    against: Teachers | None
    start: Start | None
    until: Until | None
    iterations: int | None
    target: float | str | None
    seconds: float | None
    memory: int | str | None
    on: str | None


def keep(root: str | Path, job: Job) -> RunDirectory:
    """Make the directory of a run of this job."""
    job = job.checked()
    job.refuse_unfit()
    settings = settings_of(job)
    name = split(spec_of(job.game) or type(job.game).__name__)[0]
    return RunDirectory.create(root, Path(name).stem, slug=job.solver.name, settings=settings)


def settings_of(job: Job) -> dict[str, Any]:
    """What `run.toml` says of a job. What has no name of its own is there in the words it prints as."""
    prefer = preferring(job.solver.prefer)
    settings: dict[str, Any] = {
        "game": spec_of(job.game), "game_repr": repr(job.game), "rule": job.rule_text, "solver": repr(job.solver),
        "iterations": job.planned, "target": job.target, "seconds": job.seconds, "seed": seed_of(job.seed),
        "view": repr(job.view or Full()), "behaviour": behaviour(job.game, job.view), "memory": job.memory,
        "merging": job.merging, "threads": job.threads, "shared": job.shared,
        "start": None if job.start is None else repr(job.start),
        "until": None if job.until is None else repr(job.until),
    }  # fmt: skip
    if (against := job.against) is not None:
        settings |= {"against": against.names, "against_repr": repr(against), "shares": against.shares}
    if prefer is not None:
        settings["prefer"] = prefer.texts
    # Only if it is not as usual, so that files are as they were before there was a choice.
    unusual = {name: getattr(job, name) for name in ("debug_keys", "on", "horizon")}
    return settings | {name: value for name, value in unusual.items() if value != Job._field_defaults[name]}


def kept_job(directory: RunDirectory, **given: Unpack[Given]) -> Job:
    """The job of a run, as it was asked for, or further if more iterations, a lower target or more seconds are given.

    What a file cannot name has to be given again, and what is given must be what it was.
    """
    refuse_unknown(given, Given.__annotations__)
    asked = directory.settings
    things: dict[str, Any] = said(given)
    if isinstance(things.get("view"), str):  # of the game that it was
        things = said(things | {"game": _game(directory)})
    if missing := {"game_repr", "solver", "seed", "merging"} - asked.keys():
        raise FileTrouble(f"{directory.path} cannot be gone on with: its settings lack {', '.join(sorted(missing))}")
    things = {name: thing for name, thing in things.items() if thing is not None}
    if isinstance(things.get("target"), str):
        things["target"] = in_payoffs(things["target"], things["game"] if "game" in things else _game(directory))
    things = in_kind(things)
    iterations, target, seconds = things.get("iterations"), things.get("target"), things.get("seconds")
    until, memory = things.get("until"), things.get("memory")
    if "until" in asked and (until, iterations, target, seconds) == (None,) * 4:
        raise RuseError(f"{directory.path} was to stop by {asked['until']}; give that as until, or give iterations")
    game = things["game"] if "game" in things else _game(directory)
    solver = things["solver"] if "solver" in things else _solver(directory)
    view = things["view"] if "view" in things else view_of(asked.get("view", repr(Full())), game)
    against = things["against"] if "against" in things else _teachers(directory)
    usual = {"view": repr(Full()), "against_repr": repr(None)}
    for kind, made in (("game_repr", game), ("solver", solver), ("view", view), ("against_repr", against)):
        before = asked.get(kind, usual.get(kind))
        if not (is_recorded_as(solver, str(before)) if kind == "solver" else repr(made) == before):
            raise RuseError(f"{directory.path} was started with {before}, not with {made!r}")
    if iterations not in (None, asked.get("iterations")):
        must_fit(Setup(solver, noticed=Noticed(scheduled=asked.get("iterations"))), "limits")
    # What made a finished run stop must not stop it again at once when something else is asked of it.
    if not directory.is_finished or solver.follows_schedule or (iterations, target, seconds) == (None, None, None):
        iterations = iterations if iterations is not None else asked.get("iterations")
        target = target if target is not None else asked.get("target")
        seconds = seconds if seconds is not None else asked.get("seconds")
    return Job(
        game, solver, view=view, seed=asked["seed"], iterations=iterations, target=target, seconds=seconds,
        until=until, start=things.get("start"), against=against, threads=asked.get("threads"),
        shared=asked.get("shared", False), memory=memory if memory is not None else asked.get("memory"),
        merging=asked["merging"], debug_keys=asked.get("debug_keys", False),
        on=things.get("on", asked.get("on", CPU)), rule=asked.get("rule"), horizon=asked.get("horizon"),
    )  # fmt: skip


def _game(directory: RunDirectory) -> Game:
    asked = directory.settings
    if "game" not in asked:
        raise RuseError(f"{directory.path} trains {asked['game_repr']}, which a file cannot name; give the game")
    return recorded_game(str(asked["game"]), directory.path / "run.toml")


def _solver(directory: RunDirectory) -> Solver:
    asked = directory.settings
    if "rule" not in asked:
        raise RuseError(f"{directory.path} uses {asked['solver']}, which a file cannot name; give the solver")
    solver: Solver = preset(asked["rule"])
    return solver._replace(prefer=preferring(asked.get("prefer")))


def _teachers(directory: RunDirectory) -> Teachers | None:
    asked = directory.settings
    if "against_repr" not in asked:
        return None
    if "against" not in asked:
        raise RuseError(f"{directory.path} trains against {asked['against_repr']}, which has no name; give it")
    return Teachers.of(*asked["against"], share=asked["shares"])
