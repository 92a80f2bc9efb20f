"""`ruse solve` and `ruse resume`: run a solver on a game, and go on with it."""

import math
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruse.catalog import names as catalog
from ruse.catalog.titles import spec
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
    Seed,
    Target,
    TheirGame,
    number,
    whole,
)
from ruse.cli.terminal.output import called, print_json, signed, view_name, writable
from ruse.cli.terminal.progress import watching, working
from ruse.cli.terminal.signals import INTERRUPTED
from ruse.errors import RuseError
from ruse.protocol.choices import Offering

if TYPE_CHECKING:
    from ruse.protocol.game import Game
    from ruse.protocol.view import View
    from ruse.training.progress import Run
    from ruse.training.teachers import Teachers
    from ruse.tree.expanded import Expanded

ITERATIONS = 1_000  # when nothing says when to stop
RESPONSES = 50_000  # iterations in which responses are learned to what cannot be judged exactly


def solve(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME, show_default=False)] = None,
    *,
    rule: Annotated[
        str | None,
        typer.Option(metavar="RULE", help="dcfr (the default; cfr with --prune), cfr_plus, dcfr:gamma=4, ..."),
    ] = None,
    walk: Annotated[
        str | None,
        typer.Option(metavar="WALK", help="full (the default; mccfr has external), chance, outcome, average, ..."),
    ] = None,
    prune: Annotated[
        str | None,
        typer.Option(metavar="PRUNING", help="partial, rbp[_fixed], brp[_fixed], threshold or hybrid."),
    ] = None,
    prefer: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help='Favour an action: "bet, player 0, first: delta=10".')
    ] = None,
    iterations: Iterations = None,
    target: Target = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    out: OutStrategy = None,
    exact: Annotated[bool, typer.Option("--exact", help="Solve by a linear program (two players).")] = False,
    simultaneous: Annotated[bool, typer.Option("--simultaneous", help="All players update at once.")] = False,
    memory: Annotated[str | None, typer.Option(metavar="SIZE", help="Refuse games that need more, as 8GB.")] = None,
    threads: Annotated[
        int | None, typer.Option(parser=whole, metavar="N", help="Sample in chunks on so many threads.")
    ] = None,
    shared: Annotated[bool, typer.Option("--shared", help="Threads share one table: faster, never the same.")] = False,
    debug_keys: Annotated[bool, typer.Option("--debug-keys", help="Look for infosets that share a key.")] = False,
    view: Annotated[
        str, typer.Option(metavar="VIEW", help="What agents remember: full, or as the game offers.")
    ] = "full",
    against: Annotated[
        list[str] | None, typer.Option(metavar="BOT", help="Train against a bot of the game, as heuristic.")
    ] = None,
    share: Annotated[
        list[float] | None,
        typer.Option(parser=number, metavar="SHARE", help="Of all games, against them or each; 1 if not given."),
    ] = None,
    no_merge: Annotated[bool, typer.Option("--no-merge", help="Keep infosets apart that are alike.")] = False,
    runs: Runs = RUNS,
    no_run: Annotated[bool, typer.Option("--no-run", help="Keep nothing on disk but --out.")] = False,
    resumed: Annotated[str | None, typer.Option("--resume", metavar="RUN", help="As `ruse resume RUN`.")] = None,
    as_json: AsJson = False,
    checkpoint_seconds: Checkpoint = 30.0,
) -> None:
    """Solve a game, and save the strategy.

    Fields of the game are options too, as in --players 3. Ctrl-C stops and saves; `ruse resume last` goes on.
    Without --iterations, --target or --seconds it stops after 1000 iterations.

    Example: ruse solve leduc --iterations 1000 --out leduc.strategy
    """
    stops: dict[str, Any] = {"iterations": iterations, "target": target, "seconds": seconds}
    if resumed is not None:
        if game is not None or word_and_fields(ctx, None)[1]:
            other = f"`ruse resume {resumed} --game GAME` takes another file of it"
            raise RuseError(f"--resume {resumed} knows its game; leave {game or 'the fields'} out; {other}")
        go_on(resumed, runs, out=writable(out), as_json=as_json, checkpoint_seconds=checkpoint_seconds, **stops)
        return
    made = game_from(ctx, game)
    out = writable(out)
    room = None if memory is None else parse_memory(memory)
    from ruse.solve.solver.fits import Setup, must_fit

    if exact:
        given = {
            **stops, "prefer": prefer, "rule": rule, "walk": walk, "prune": prune, "view": view != "full" or None,
            "threads": threads, "shared": shared or None, "debug-keys": debug_keys or None,
            "simultaneous": simultaneous or None, "against": against or None, "share": share or None,
        }  # fmt: skip
        must_fit(Setup(exact=True, unused=tuple(f"--{name}" for name, value in given.items() if value is not None)))
        solve_by_program(made, out=out, memory=room, merging=not no_merge, seed=seed, as_json=as_json)
        return

    from ruse.laws.peeking import refuse_peeking
    from ruse.solve.prefer.preferred import preferred
    from ruse.solve.solver.prefer import preferring
    from ruse.solve.solver.traits import pruning_traits
    from ruse.solve.table.table import OutOfMemory
    from ruse.training.train import new_run, refuse_bad, train

    rule = rule or ("cfr" if prune else "dcfr")
    if simultaneous:
        rule += f"{',' if ':' in rule else ':'}alternating=false"
    if walk is not None:
        rule += f"{',' if ':' in rule else ':'}walk={walk}"
    if prune:
        rule += f"{',' if ':' in rule else ':'}prune={prune}"
    solver = catalog.preset(rule)._replace(prefer=preferring(prefer))
    if all(stop is None for stop in stops.values()):
        stops["iterations"] = ITERATIONS
    refuse_bad(solver, **stops)
    settings: dict[str, Any] = {**stops, "seed": seed, "memory": room, "merging": not no_merge, "threads": threads}
    settings |= {"shared": shared, "view": catalog.view(view, made), "against": teachers_from(against, share)}
    together: dict[str, Any] = {"game": made, "view": settings["view"]}
    must_fit(Setup(solver, **together, threads=threads, shared=shared, debug_keys=debug_keys,
                   against=settings["against"]))  # fmt: skip
    refuse_peeking(made, settings["view"])  # before a run is made
    if settings["against"] is not None:
        settings["against"].facing(made, settings["view"])  # which refuses what cannot be, before a run is made
    if solver.prefer is not None:
        with working(f"looking for what is preferred in {called(made)}"):
            preferred(made, settings["view"], solver.prefer.rules)
    if not solver.samples:
        expanded = prepare(made, memory=room, merging=not no_merge, view=settings["view"], as_json=as_json)
        must_fit(Setup(solver, **together, form=expanded.form))
    elif pruning_traits(solver.pruning).reviews:
        from ruse.solve.hybrid.reviews import whole_game

        with working(f"expanding {called(made)}"):
            whole_game(made, settings["view"], solver.pruning, room)
    directory = None if no_run else new_run(runs, made, solver, rule=rule, **settings)
    try:
        with watching(called(made)) as watch:
            run = train(
                made, solver, **settings, directory=directory, watch=watch, checkpoint_seconds=checkpoint_seconds,
                debug_keys=debug_keys,
            )  # fmt: skip
    except OutOfMemory as error:
        if out is None or error.strategy is None:
            raise
        error.strategy.save(out)
        raise RuseError(f"{error}; {out} holds the strategy after {error.done:,} iterations") from error
    conclude(run, out=out, name="last" if runs == RUNS else None, as_json=as_json)


def resume(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run: its folder, name, a part of it, or last.")],
    *,
    iterations: Iterations = None,
    target: Target = None,
    seconds: Seconds = None,
    memory: Annotated[str | None, typer.Option(metavar="SIZE", help="How much the run may take from now on.")] = None,
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
    room = None if memory is None else parse_memory(memory)
    asked: dict[str, Any] = {"iterations": iterations, "target": target, "seconds": seconds, "memory": room}
    asked["game"] = None if game is None else game_named(game)
    go_on(run, runs, out=writable(out), as_json=as_json, checkpoint_seconds=checkpoint_seconds, **asked)


def go_on(
    text: str, runs: Path, *, out: Path | None, as_json: bool, checkpoint_seconds: float, **asked: Any
) -> None:  # fmt: skip
    """Find the run and train it further."""
    from ruse.store.runs import find
    from ruse.training.train import resume as train_on

    directory = find(runs, text)
    # Not the part of a name that was typed: to other commands it may be a game's.
    name = "last" if text == "last" else directory.name
    again = f"ruse resume {name if runs == RUNS else directory.path}"
    begun = directory.saved_iteration
    is_to_go_on = not directory.is_finished or any(
        asked[stop] is not None for stop in ("iterations", "target", "seconds")
    )
    if not as_json and is_to_go_on:
        print(f"going on with {directory.path} from iteration {begun:,}")
    with watching(directory.game) as watch:
        run = train_on(directory, **asked, watch=watch, checkpoint_seconds=checkpoint_seconds)
    if not as_json and run.is_finished and run.iterations == begun:
        further = f"to go on, say how far: {again} --iterations {2 * max(begun, 1)}"
        if run.solver.follows_schedule:
            further = f"{run.solver.name} follows a schedule that ends there, so start a new run to go further"
        print(f"{directory.path} is finished, at iteration {begun:,}; {further}")
    conclude(run, out=out, name=name if runs == RUNS else None, as_json=as_json)


def prepare(
    game: "Game", *, memory: int | None, merging: bool, as_json: bool, view: "View | None" = None
) -> "Expanded":
    """Expand the game; its size is told before anything is allocated."""
    from ruse.tree.expanded import Expanded
    from ruse.tree.free import free_memory
    from ruse.tree.size import refuse_if_too_large, size

    with working(f"measuring {called(game)}"):
        measured = size(game, room=free_memory() if memory is None else memory)
    if not as_json:
        print(f"{called(game)}: {measured}")
    refuse_if_too_large(game, measured, memory)
    with working(f"expanding {called(game)}"):
        expanded = Expanded.of(game, view, memory=memory, merging=merging)
        merged = str(expanded)  # in a large game this takes longer than all the rest
    if not as_json:
        print(f"merged: {merged}" if merging else "not merged")
    return expanded


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
        if math.isnan(run.exploitability):
            print(f"exploitability is not known: {run.engine.unjudged}")
        else:
            print(f"value of the game to player 0: {signed(run.game_value)}")
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
        if not run.is_finished:
            print(f"stopped; go on with: ruse resume {saved}" if saved else "stopped")
        elif result := out or saved:
            print(f"next: {', '.join(f'ruse {words}' for words in what_next(run, result))}")
    if not run.is_finished:
        raise typer.Exit(INTERRUPTED)


def what_next(run: "Run", result: Path | str) -> list[str]:
    """What can be done with the result: a game too large to be walked whole can be played, but neither shown nor judged
    exactly, and what has actions of its own can be judged by nothing but play.
    """
    if not math.isnan(run.exploitability):
        return [f"show {result}", f"play {result}", f"evaluate {result}"]
    others = " ".join(["random"] * (run.game.players - 1))
    judged = [] if isinstance(run.strategy.view, Offering) else [f"evaluate {result} --lower-bound {RESPONSES}"]
    return [f"play {result}", f"match {result} {others}", *judged]


def teachers_from(bots: list[str] | None, shares: list[float] | None) -> "Teachers | None":
    """The bots to train against."""
    from ruse.training.teachers import Teachers

    if shares and not bots:
        raise RuseError(f"--share {shares[0]} is a share of games against a bot; say which, as in --against heuristic")
    if not bots:
        return None
    return Teachers.of(*bots, share=1.0 if not shares else shares[0] if len(shares) == 1 else shares)


def solve_by_program(
    game: "Game", *, out: Path | None, memory: int | None, merging: bool, seed: int, as_json: bool
) -> None:  # fmt: skip
    """The exact equilibrium, from one linear program."""
    from ruse.evaluate.best_response import exploitability_of
    from ruse.solve.exact import ProgramSize, solve_exactly
    from ruse.strategy import Strategy

    expanded = prepare(game, memory=memory, merging=merging, as_json=as_json)
    if not as_json and game.players == 2:
        print(f"linear program: {ProgramSize.of(expanded)}")
    began = time.perf_counter()
    with working(f"solving {called(game)} by a linear program"):
        answer = solve_exactly(expanded, memory=memory)
        seconds = time.perf_counter() - began
        sigma = expanded.unmerged(answer.sigma)
        measured = exploitability_of(expanded.form, sigma)
    strategy: Strategy = Strategy.of(expanded, sigma, {"rule": "exact", "exploitability": float(measured)})
    if out is not None:
        strategy.save(out)
    if as_json:
        print_json({
            "game": spec(game), "rule": "exact", "solver": "linear program", "iterations": 0, "seconds": seconds,
            "exploitability": float(measured), "exploitability_per_player": list(measured.per_player),
            "game_value": answer.value, "values": list(measured.values), "infosets": len(expanded.form.parent),
            "infosets_merged": len(expanded.merged.parent), "leaves": int(expanded.size.leaves), "seed": seed,
            "finished": True, "run": None, "out": str(out) if out else None,
        })  # fmt: skip
        return
    print(f"{called(game)}, exact: linear program in {seconds:.3g} s, exploitability {float(measured):.3g}")
    print(f"value of the game to player 0: {signed(answer.value, 9)}")
    print(f"next: ruse show {out}, ruse play {out}" if out else "nothing was saved; --out FILE keeps the strategy")


def parse_memory(text: str) -> int:
    """From "8GB", "500 MiB" or "2e9" to bytes.

    >>> parse_memory("8GB"), parse_memory("1.5KiB")
    (8000000000, 1536)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?(?:e\d+)?)\s*([kmgt]?)(i?)b?\s*", text.casefold())
    if match is None or (match[3] and not match[2]):
        raise RuseError(f"cannot read the memory {text!r}; write a number and a unit, as 8GB or 500MB")
    power = "kmgt".index(match[2]) + 1 if match[2] else 0
    count = float(match[1]) * (1024 if match[3] else 1000) ** power
    if not 1 <= count < 1 << 63:
        raise RuseError(f"the memory must be at least a byte, and less than 2^63 of them, got {text!r}")
    return int(count)
