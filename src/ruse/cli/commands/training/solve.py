"""`ruse solve` and `ruse resume`: run a solver on a game, and go on with it."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruse.cli.terminal.names import game_from, game_named, word_and_fields
from ruse.cli.terminal.options import (
    GAME,
    RUNS,
    AsJson,
    Checkpoint,
    Iterations,
    OutStrategy,
    Runs,
    Seconds,
    Target,
    TheirGame,
    taking,
    typed_names,
)
from ruse.cli.terminal.output import called, print_forgetting, print_json, signed, view_name, writable
from ruse.cli.terminal.progress import watching, working
from ruse.cli.terminal.signals import INTERRUPTED
from ruse.errors import RuseError
from ruse.protocol.choices import Bucketing, Hierarchical, Offering
from ruse.protocol.game import declared
from ruse.training.jobs.schema import OPTIONS, given
from ruse.words.amounts import bytes_of

if TYPE_CHECKING:
    from ruse.protocol.game import Game
    from ruse.training.ahead import Step
    from ruse.training.jobs.job import Job
    from ruse.training.progress import Run

LOCK = 'Fix what is played somewhere, and solve the rest: "K, no board: raise 0.7, call 0.3".'
STOPS = ("iterations", "target", "seconds")
ON_DEALS = 3_000  # for best responses to choices of policies
RESPONSES = 50_000  # iterations in which responses are learned to what cannot be judged exactly
COUNTED = 200_000  # histories; the size of larger games is estimated


@taking(OPTIONS)
def solve(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME, show_default=False)] = None,
    *,
    out: OutStrategy = None,
    exact: Annotated[bool, typer.Option("--exact", help="Solve by a linear program (two players).")] = False,
    lock: Annotated[list[str] | None, typer.Option("--lock", metavar="TEXT", help=LOCK)] = None,
    runs: Runs = RUNS,
    no_run: Annotated[bool, typer.Option("--no-run", help="Keep nothing on disk but --out.")] = False,
    resumed: Annotated[str | None, typer.Option("--resume", metavar="RUN", help="As `ruse resume RUN`.")] = None,
    as_json: AsJson = False,
    checkpoint_seconds: Checkpoint = 30.0,
    **asked: Any,
) -> None:
    """Solve a game, and save the strategy.

    Fields of the game are options too, as in --players 3. Ctrl-C stops and saves; `ruse resume last` goes on.
    Without --iterations, --target or --seconds it stops after 1000 iterations.

    Example: ruse solve leduc --iterations 1000 --out leduc.strategy
    """
    if resumed is not None:
        from ruse.solve.solver.fits import Setup, must_fit

        renamed = game or ("the fields" if word_and_fields(ctx, None)[1] else "")
        taken = {name: asked[name] for name in STOPS} | {"memory": room_of(asked["memory"])}
        taken["on"] = asked["on"] if "on" in typed_names(ctx) else None
        unused = [name for name in asked if name in typed_names(ctx) - taken.keys()]
        unused += [name for name, is_given in (("exact", exact), ("no-run", no_run), ("lock", lock)) if is_given]
        options = tuple(f"--{name.replace('_', '-')}" for name in unused[:1])  # one at a time
        must_fit(Setup(resumed=resumed, renamed=renamed, unused=options), "resume")
        go_on(resumed, runs, out=writable(out), as_json=as_json, checkpoint_seconds=checkpoint_seconds, **taken)
        return
    made = game_from(ctx, game)
    out = writable(out)
    if exact or lock or no_run:
        from ruse.solve.solver.fits import Setup, must_fit

        # No word on --no-run beside --exact or --lock, which is what is done.
        kept = max({"runs", "checkpoint_seconds"} & typed_names(ctx), default="")
        about_run, horizon = kept and f"--{kept.replace('_', '-')}", asked["horizon"] or None
        runless = "--exact" if exact else "--lock" if lock else "--no-run"
        must_fit(
            Setup(exact=exact, is_locked=bool(lock), horizon=horizon, about_run=about_run, runless=runless), "lock"
        )
    if exact:
        ignored = [name for name in given(asked) if name not in ("memory", "no_merge", "seed")]
        must_fit(Setup(exact=True, unused=tuple(f"--{name.replace('_', '-')}" for name in ignored)))
        solve_by_program(
            made,
            out=out,
            memory=room_of(asked["memory"]),
            merging=not asked["no_merge"],
            seed=asked["seed"],
            as_json=as_json,
        )
        return

    from ruse.solve.table.table import OutOfMemory
    from ruse.training.ahead import steps_ahead
    from ruse.training.jobs.job import Job
    from ruse.training.jobs.kept import keep
    from ruse.training.training import Training

    with working(f"getting {called(made)} ready"):  # a view may have tables that are built once
        job = Job.typed(made, asked)
    if lock:
        solve_with_lock(job, lock, out=out, as_json=as_json)
        return
    step_by_step(steps_ahead(job), as_json=as_json)
    with working(f"getting {called(made)} ready"):
        directory = None if no_run else keep(runs, job)
    try:
        with watching(called(made)) as watch:
            run = Training(job, directory, checkpoint_seconds=checkpoint_seconds).complete(watch)
    except OutOfMemory as error:
        if out is None or error.strategy is None:
            raise
        error.strategy.save(out)
        raise RuseError(f"{error}; {out} holds the strategy after {error.done:,} iterations") from error
    conclude(run, out=out, name="last" if runs == RUNS else None, as_json=as_json)


def step_by_step(steps: "Iterable[Step]", *, as_json: bool) -> None:
    """Do them, and say what is being done and what has come out."""
    for step in steps:
        with working(step.what):
            told = step.do()
        if told and not as_json:
            print(told)


def resume(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run: its folder, name, a part of it, or last.")],
    *,
    iterations: Iterations = None,
    target: Target = None,
    seconds: Seconds = None,
    memory: Annotated[str | None, typer.Option(metavar="SIZE", help="How much the run may take from now on.")] = None,
    on: Annotated[str | None, typer.Option(metavar="WHERE", help="Where it goes on, if not where it was.")] = None,
    out: OutStrategy = None,
    game: TheirGame = None,
    runs: Runs = RUNS,
    as_json: AsJson = False,
    checkpoint_seconds: Checkpoint = 30.0,
) -> None:
    """Go on with a run, stopped or finished.

    A finished one needs to be told how far: --iterations, --target or --seconds.

    Example: ruse resume last --iterations 5000
    """
    asked: dict[str, Any] = {"iterations": iterations, "target": target, "seconds": seconds, "memory": room_of(memory)}
    asked["on"] = on
    asked["game"] = None if game is None else game_named(game)
    go_on(run, runs, out=writable(out), as_json=as_json, checkpoint_seconds=checkpoint_seconds, **asked)


def room_of(memory: str | None) -> int | None:
    """Bytes, of what was typed."""
    return None if memory is None else bytes_of(memory)


def go_on(
    text: str, runs: Path, *, out: Path | None, as_json: bool, checkpoint_seconds: float, **asked: Any
) -> None:  # fmt: skip
    """Find the run and train it further."""
    from ruse.store.runs import find
    from ruse.training.jobs.kept import kept_job
    from ruse.training.training import Training

    directory = find(runs, text)
    # Not the part of a name that was typed: to other commands it may be a game's. And where they do not look: its path.
    is_found = runs == RUNS and directory.path.parent.resolve() == RUNS.resolve()
    name = None if not is_found else "last" if text == "last" else directory.name
    again = f"ruse resume {name or directory.path}"
    with working(f"looking whether {directory.game} is as it was"):
        training = Training(kept_job(directory, **asked), directory, checkpoint_seconds=checkpoint_seconds)

    def going_on() -> None:
        if not as_json:
            print(f"going on with {directory.path} from iteration {training.begun:,}")

    with watching(directory.game, once_begun=going_on) as watch:
        run = training.complete(watch)
    begun = training.begun
    if not run.is_finished and run.iterations == begun and training.is_over:
        if as_json:
            print_json(run.as_dict() | {"view": view_name(run.strategy.view), "out": None})
        else:
            print(
                f"{directory.path} has come further already than was asked for now, {begun:,} iterations in "
                f"{run.seconds:.3g} s, so nothing was done; `{again}` goes on to what it was begun for"
            )
        return
    has_more = asked["iterations"] is not None and 0 < asked["iterations"] < begun
    if not as_json and run.is_finished and run.iterations == begun:
        further = f"{run.solver.name} follows a schedule that ends there, so start a new run to go further"
        if asked_next := whole_of_it(run) or further_than(run):
            further = f"to go on, say how far: {again} {asked_next}"
        more = f"has {begun:,} iterations already, more than {asked['iterations'] or 0:,}"
        print(f"{directory.path} {more if has_more else f'is finished, at iteration {begun:,}'}; {further}")
    conclude(run, out=out, name=name, as_json=as_json)


def conclude(run: "Run", *, out: Path | None, name: str | None, as_json: bool) -> None:
    """Save, report, and say what to type next; `name` is short for the run, whose path is used without one."""
    # An interrupted run is in its folder; only where there is none is an older file replaced by half a solution.
    keeps_out = out is not None and (run.is_finished or run.directory is None)
    if out is not None and keeps_out:
        run.strategy.save(out)
    if as_json:
        print_json(run.as_dict() | {"view": view_name(run.strategy.view), "out": str(out) if keeps_out else None})
    else:
        print(run)
        if "nodes" in run.facts:
            print(
                "{nodes:,} nodes, {nodes_per_second:,.0f} a second, {infosets:,} infosets, {bytes:,} bytes".format(
                    **run.facts
                )
            )
        if "pruned" in run.facts:
            print(
                "{pruned:.0%} of all actions are pruned, {regret_live:,} of {regret_entries:,} entries of regret are "
                "live, {given_back:,} bytes given back".format(**run.facts)
            )
        if "horizon" in run.facts:
            print(run.facts["horizon"]["told"])
        if math.isnan(run.exploitability):
            print(f"exploitability is not known: {run.engine.unjudged}")
        elif declared(run.game, "stake"):
            oop, ip = map(signed, run.measured.values)
            print(f"value above half of the pot: {oop} out of position, {ip} in position")
        else:
            print_forgetting(run.game)
            of = "part" if "horizon" in run.facts else "game"
            print(f"value of the {of} to player 0: {signed(run.game_value)}")
        if run.style:
            told = run.style["style"]
            print(f"style: {'; '.join(told['rules'])} ({told['infosets']:,} infosets)")
        if run.price:
            print(run.price)
        if run.directory:
            print(f"run: {run.directory.path}")
        if out is not None:
            print(f"strategy: {out}" if keeps_out else f"not finished, so {out} was not written")
        saved = name or run.directory.path if run.directory else None
        further = None if run.directory is None else whole_of_it(run)
        if not run.is_finished:
            print(f"stopped; go on with: ruse resume {saved}" if saved else "stopped")
        elif further is not None:
            print(f"to solve what comes after the blueprint: ruse resume {saved} {further}")
        elif result := out or saved:
            print(f"next: {', '.join(f'ruse {words}' for words in what_next(run, result))}")
    if not run.is_finished:
        raise typer.Exit(INTERRUPTED)


def whole_of_it(run: "Run") -> str | None:
    """What to ask more of a run up to a horizon that has ended in its blueprint; None of others."""
    horizon = run.facts.get("horizon", {"is_begun": True})
    if horizon["is_begun"]:
        return None
    planned = planned_of(run)
    if run.solver.follows_schedule and planned:
        return further_than(run)
    return f"--iterations {planned or 2 * horizon['blueprint']}"


def further_than(run: "Run") -> str | None:
    """What to ask more of a run that has ended; None if its schedule has."""
    if not run.solver.follows_schedule:
        return f"--iterations {2 * max(run.iterations, 1)}"
    planned = planned_of(run)  # which no other number of iterations fits; it may have been out of time
    if run.iterations >= planned:
        return None
    return f"--seconds {math.ceil(2 * run.seconds * planned / max(run.iterations, 1))}"


def planned_of(run: "Run") -> int:
    """How many iterations were asked for when it began, if that is known."""
    return int(run.directory.settings.get("iterations") or 0) if run.directory else 0


def what_next(run: "Run", result: Path | str) -> list[str]:
    """What can be done with the result: a game too large to be walked whole can be played, but neither shown nor judged
    exactly, and what has actions of its own can be judged by nothing but play.
    """
    if declared(run.game, "stake"):  # a spot, which is played and judged hand by hand
        return [f"show {result}", f'show {result} --history "check"']
    if not math.isnan(run.exploitability):
        return [f"show {result}", f"play {result}", f"evaluate {result}"]
    if isinstance(run.strategy.view, Bucketing):  # hands in buckets: a square of them can be shown
        judged = [f"evaluate {result} --local-best-response 2000"] if run.game.players == 2 else []
        return [f"show {result}", f"play {result}", *judged]
    from ruse.play.bots.names import bots_of

    random, *own = bots_of(run.game)
    others = " ".join([own[0] if own else random] * (run.game.players - 1))
    exactly = "" if fits_a_judge(run.game) else f" --lower-bound {RESPONSES}"
    judged = [] if isinstance(run.strategy.view, Offering) else [f"evaluate {result}{exactly}"]
    if isinstance(run.strategy.view, Hierarchical):
        judged = [f"evaluate {result} --on-deals {ON_DEALS}"]
    return [f"play {result}", f"match {result} {others}", *judged]


def fits_a_judge(game: "Game") -> bool:
    """Whether `ruse evaluate` has room for the whole game, though a training did not walk it at every check."""
    from ruse.tree.measure.free import free_memory
    from ruse.tree.measure.size import tree_size

    return tree_size(game, limit=COUNTED).bytes <= free_memory() / 2


def solve_with_lock(job: "Job", texts: list[str], *, out: Path | None, as_json: bool) -> None:
    """The game without and with the lock; no run is kept, because no file can name such a game."""
    from ruse.subgame.locked import lock_of
    from ruse.training.locked import solve_around

    with working(f"looking for what is locked in {called(job.game)}"):
        lock = lock_of(job.game, texts)
    with watching(called(job.game)) as watch:
        found = solve_around(lock, job, watch)
    if out is not None:
        found.strategy.save(out)
    if as_json:
        print_json(found.as_dict() | {"out": str(out) if out else None})
        return
    print(found)
    print(f"exploitability of all of it, where nobody is held to the lock: {float(found.measured):.6g}")
    print(f"strategy: {out}" if out else "nothing was saved; --out FILE keeps the strategy")


def solve_by_program(
    game: "Game", *, out: Path | None, memory: int | None, merging: bool, seed: int, as_json: bool
) -> None:  # fmt: skip
    """The exact equilibrium, from one linear program."""
    from ruse.evaluate.exact import solve_and_judge
    from ruse.solve.exact import ProgramSize
    from ruse.training.ahead import steps_of_expanding
    from ruse.tree.expanded import Expanded

    step_by_step(steps_of_expanding(game, None, memory=memory, merging=merging), as_json=as_json)
    expanded = Expanded.of(game, memory=memory, merging=merging)
    if not as_json and game.players == 2:
        print(f"linear program: {ProgramSize.of(expanded)}")
    with working(f"solving {called(game)} by a linear program"):
        found = solve_and_judge(expanded, memory=memory)
    if out is not None:
        found.strategy.save(out)
    if as_json:
        rest = {"seed": seed, "finished": True, "run": None, "out": str(out) if out else None}
        print_json(found.as_dict() | rest)
        return
    measured = float(found.measured)
    print(f"{called(game)}, exact: linear program in {found.seconds:.3g} s, exploitability {measured:.3g}")
    print(f"value of the game to player 0: {signed(found.value, 9)}")
    print(f"next: ruse show {out}, ruse play {out}" if out else "nothing was saved; --out FILE keeps the strategy")
