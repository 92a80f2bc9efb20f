"""Training: the loop around a solver, with checks, checkpoints and a way to stop.

What is computed does not depend on when it is interrupted, saved or resumed: iteration n has the same bits always.
"""

import math
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ruse.catalog.behaviour import behaviour, refuse_changed
from ruse.catalog.names import preset, spec_of
from ruse.catalog.names import view as view_of
from ruse.catalog.recorded import recorded_game
from ruse.compile.game_files import split
from ruse.compile.seeds import seed_of
from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.protocol.game import Game
from ruse.protocol.view import Full, View
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import PRESETS, Solver
from ruse.solve.solver.traits import start_traits
from ruse.solve.table.table import OutOfMemory
from ruse.store.records import is_number, misfit
from ruse.store.runs import RunDirectory
from ruse.training.engines import Engine, engine_for
from ruse.training.progress import Progress, Run
from ruse.training.starts import Start, refuse_other_start
from ruse.training.stops import Check, Measure, Stop, Until, interruptible, next_check
from ruse.training.teachers import Teachers
from ruse.words.naming import named

SLICE = 0.1  # seconds of iterations between two looks at the keyboard and the clock
CHECKPOINT_SECONDS = 30.0
MOST = 2**62  # iterations: kernels count them in 64 bits, and each player's apart
STATE: dict[str, Callable[[Any], bool]] = {  # of a checkpoint
    "seconds": lambda value: is_number(value) and 0.0 <= value < math.inf,
    "start": lambda value: value is None or isinstance(value, dict),
}


def train(
    game: Game, solver: Solver, *,
    iterations: int | None = None, target: float | None = None, seconds: float | None = None, seed: int = 0,
    view: View | None = None, memory: int | None = None, merging: bool = True,
    directory: RunDirectory | None = None, watch: Callable[[Progress], None] | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS, threads: int | None = None, shared: bool = False,
    debug_keys: bool = False, start: Start | None = None, until: Until | None = None, against: Teachers | None = None,
) -> Run:  # fmt: skip
    """Run a solver on a game until the iterations are done, the target exploitability is met or the time is up.

    The full-width engine uses no random numbers; the seed is recorded with the run. Sampled walks use one thread; with
    `threads` they run in chunks, and the result is the same for any number of threads; if these are to share one table
    they are faster, but no two runs are the same. `debug_keys` spends as much time again on looking for infosets that
    share a key. With a directory the training is checkpointed there, goes on from the newest checkpoint, and leaves its
    strategy and its result. It starts from nothing, or from what `start` brings (see docs/warm-start.md); a directory
    must have been made for the same start. `until` is a rule that may stop it earlier (see docs/curriculum.md).
    `against` gives bots the other seat in a share of the games.
    """
    iterations = limit_of(iterations, until)
    refuse_bad(solver, iterations=iterations, target=target, seconds=seconds, until=until)
    seed = seed_of(seed) if directory is None else seed  # which was looked at when the directory was made
    if directory is not None:
        refuse_changed(directory.settings.get("behaviour"), game, view, f"{directory.path} was started")
    must_fit(Setup(solver, start=start_traits(start)))
    engine = engine_for(
        game, solver, seed=seed, planned=iterations or 0, view=view, memory=memory, merging=merging,
        threads=threads, shared=shared, debug_keys=debug_keys, against=against,
    )  # fmt: skip
    if target is not None and not engine.is_judged:
        raise RuseError(
            f"exploitability of {named(game)} cannot be measured: {engine.unjudged}; give iterations or seconds, not a "
            "target"
        )
    training = Training(game, solver, engine)
    training.checkpoint_seconds = checkpoint_seconds
    stop = Stop(iterations, target, seconds, until)
    if directory is None:
        training.begin(start)
        with interruptible() as interrupted:
            is_finished = training.go(stop, watch, interrupted, None)
        return training.result(seed, is_finished, None)
    with directory.lock(), interruptible() as interrupted:
        refuse_other_start(directory, start)
        if not training.restore(directory) and start is not None:
            training.begin(start)
            training.save(directory)  # or a run that is killed early could not be gone on with
        is_finished = training.go(stop, watch, interrupted, directory)
        run = training.result(seed, is_finished, directory)
        run.strategy.save(directory.strategy_path)
        if is_finished:
            directory.finish(run.as_dict())
    return run


def new_run(
    root: str | Path, game: Game, solver: Solver, *, rule: str | None = None,
    iterations: int | None = None, target: float | None = None, seconds: float | None = None, seed: int = 0,
    view: View | None = None, memory: int | None = None, merging: bool = True, threads: int | None = None,
    shared: bool = False, start: Start | None = None, until: Until | None = None, against: Teachers | None = None,
) -> RunDirectory:  # fmt: skip
    """Make the directory of a run that `resume` can go on with. `rule` is the text that names the solver."""
    iterations = limit_of(iterations, until)
    refuse_bad(solver, iterations=iterations, target=target, seconds=seconds, until=until)
    must_fit(Setup(
        solver, game=game, view=view, threads=threads, shared=shared, against=against, start=start_traits(start)
    ))  # fmt: skip
    settings: dict[str, Any] = {
        "game": spec_of(game), "game_repr": repr(game), "rule": rule or _rule_of(solver), "solver": repr(solver),
        "iterations": iterations, "target": target, "seconds": seconds, "seed": seed_of(seed),
        "view": repr(view or Full()), "behaviour": behaviour(game, view), "memory": memory, "merging": merging,
        "threads": threads, "shared": shared,
        "start": None if start is None else repr(start), "until": None if until is None else repr(until),
    }  # fmt: skip
    if against is not None:
        settings |= {"against": against.names, "against_repr": repr(against), "shares": against.shares}
    if (prefer := preferring(solver.prefer)) is not None:
        settings["prefer"] = prefer.texts
        settings["rule"] = settings["rule"] if prefer.form is None else None  # no text names a form
    name = split(spec_of(game) or type(game).__name__)[0]
    return RunDirectory.create(root, Path(name).stem, slug=solver.name, settings=settings)


def resume(
    directory: RunDirectory, *, game: Game | None = None, solver: Solver | None = None, view: View | None = None,
    iterations: int | None = None, target: float | None = None, seconds: float | None = None,
    memory: int | None = None, start: Start | None = None, until: Until | None = None,
    watch: Callable[[Progress], None] | None = None, checkpoint_seconds: float = CHECKPOINT_SECONDS,
    against: Teachers | None = None,
) -> Run:  # fmt: skip
    """Go on with a run as it was asked for, or further if more iterations, a lower target or more seconds are given.

    `start` is needed only by a run that was to start from something, and was stopped before that was saved. `until` is
    needed by a run that was to stop by such a rule, unless something else is asked of it.
    """
    asked = directory.settings
    if missing := {"game_repr", "solver", "seed", "merging"} - asked.keys():
        raise FileTrouble(f"{directory.path} cannot be gone on with: its settings lack {', '.join(sorted(missing))}")
    if "until" in asked and (until, iterations, target, seconds) == (None,) * 4:
        raise RuseError(f"{directory.path} was to stop by {asked['until']}; give that as until, or give iterations")
    if game is None:
        if "game" not in asked:
            raise RuseError(f"{directory.path} trains {asked['game_repr']}, which a file cannot name; give the game")
        game = recorded_game(str(asked["game"]), directory.path / "run.toml")
    if solver is None:
        if "rule" not in asked:
            raise RuseError(f"{directory.path} uses {asked['solver']}, which a file cannot name; give the solver")
        solver = preset(asked["rule"])._replace(prefer=preferring(asked.get("prefer")))
    view = view or view_of(asked.get("view", repr(Full())), game)
    if against is None and "against_repr" in asked:
        if "against" not in asked:
            raise RuseError(f"{directory.path} trains against {asked['against_repr']}, which has no name; give it")
        against = Teachers.of(*asked["against"], share=asked["shares"])
    usual = {"view": repr(Full()), "against_repr": repr(None)}
    for kind, made in (("game_repr", game), ("solver", solver), ("view", view), ("against_repr", against)):
        if repr(made) != (before := asked.get(kind, usual.get(kind))):
            raise RuseError(f"{directory.path} was started with {before}, not with {made!r}")
    if solver.follows_schedule and iterations not in (None, asked.get("iterations")):
        raise RuseError(f"{solver.name} follows a schedule over {asked['iterations']} iterations; start a new run")
    # What made a finished run stop must not stop it again at once when something else is asked of it.
    if not directory.is_finished or solver.follows_schedule or (iterations, target, seconds) == (None, None, None):
        iterations = iterations if iterations is not None else asked.get("iterations")
        target = target if target is not None else asked.get("target")
        seconds = seconds if seconds is not None else asked.get("seconds")
    return train(
        game, solver, iterations=iterations, target=target, seconds=seconds,
        seed=asked["seed"], view=view, memory=memory if memory is not None else asked.get("memory"),
        merging=asked["merging"], threads=asked.get("threads"), shared=asked.get("shared", False),
        directory=directory, watch=watch, checkpoint_seconds=checkpoint_seconds, start=start, until=until,
        against=against,
    )  # fmt: skip


class Training:
    """The state of a training between two checks."""

    def __init__(self, game: Game, solver: Solver, engine: Engine) -> None:
        self.game, self.solver, self.engine = game, solver, engine
        self.done, self.seconds = 0, 0.0
        self.checkpoint_seconds = CHECKPOINT_SECONDS
        self.curve: list[tuple[int, float, float]] = []
        self.checks: list[Check] = []
        self.measured = Exploitability([0.0] * game.players, [math.inf] * game.players)
        self.start: dict[str, Any] | None = None

    def begin(self, start: Start | None) -> None:
        """Fill the tables with what the training is to start from."""
        if start is not None:
            self.start = start.begin(self.engine)

    def go(
        self, stop: Stop, watch: Callable[[Progress], None] | None,
        interrupted: threading.Event, directory: RunDirectory | None,
    ) -> bool:  # fmt: skip
        """Iterate until it is time to stop; whether it was."""
        compiled = False
        saved_at = time.monotonic()
        saved = self.done if directory and self.done else -1
        chunk = 1
        while not self.is_over(stop):
            if interrupted.is_set():
                break
            if not compiled:  # so that compiling is not counted as solving
                self.engine.warm_up()
                compiled = True
            began = time.perf_counter()
            check = next_check(self.done, stop.iterations, self.engine.growth)
            step = min(self.engine.round_size(self.done) or chunk, check - self.done)
            try:
                self.engine.run(self.done, step)
            except OutOfMemory as error:
                self.done = error.done
                self._save_if_kept(directory)
                if directory is None and self.done:
                    error.strategy = self.engine.strategy({"rule": self.solver.name, "iterations": self.done})
                raise
            self.done += step
            took = time.perf_counter() - began
            self.seconds += took
            chunk = max(1, min(2 * chunk, int(step * SLICE / max(took, 1e-9))))
            if self.done == check:
                self._measure(directory, stop.until.measure if stop.until is not None else None)
            if watch:
                watch(self._progress(stop))
            if directory and time.monotonic() - saved_at > self.checkpoint_seconds:
                self.save(directory)
                saved, saved_at = self.done, time.monotonic()
        is_finished = not interrupted.is_set() or self.is_over(stop)
        if directory and saved != self.done and self.done:
            self.save(directory)
        if not self.curve or self.curve[-1][0] != self.done:  # stopped between two checks
            self.measured = self.engine.exploitability()
        return is_finished

    def is_over(self, stop: Stop) -> bool:
        return stop.is_reached(self.done, self.last_check, self.seconds, self.checks)

    @property
    def last_check(self) -> float:
        """Exploitability at the last check; a target is met there, never in between, wherever the run was resumed."""
        return self.curve[-1][2] if self.curve else math.inf

    def _measure(self, directory: RunDirectory | None, measure: Measure | None) -> None:
        began = time.perf_counter()
        self.measured = self.engine.exploitability()
        if measure is not None:
            self.checks.append((self.done, measure.of(self)))
        self.seconds += time.perf_counter() - began
        self.curve.append((self.done, self.seconds, float(self.measured)))
        if directory:
            row = {"iteration": self.done, "seconds": self.seconds, "exploitability": float(self.measured)}
            directory.append_metrics(row if measure is None else row | {"measured": self.checks[-1][1]})

    def _progress(self, stop: Stop) -> Progress:
        told = self.engine.facts()
        names = ("nodes", "infosets", "bytes", "pruned", "given_back") if "nodes" in told else ()
        facts = {name: told[name] for name in names if name in told}
        return Progress(
            self.done, stop.iterations, self.seconds, self.last_check, stop.target, stop.seconds, **facts
        )  # fmt: skip

    def _save_if_kept(self, directory: RunDirectory | None) -> None:
        if directory is not None:
            self.save(directory)

    def save(self, directory: RunDirectory) -> None:
        state = {"seconds": self.seconds, "start": self.start}
        directory.save_checkpoint(self.done, self.engine.saved(), state=state)

    def restore(self, directory: RunDirectory) -> bool:
        """Go back to the newest checkpoint, and to the metrics of that moment; whether there was one."""
        checkpoint = directory.newest_checkpoint()
        if checkpoint:
            state = checkpoint.state
            if state.get("seconds") is None or misfit(state, STATE):
                raise FileTrouble(f"{directory.path} cannot be gone on with: its checkpoint is not one of a training")
            self.engine.restore(checkpoint.arrays)
            self.done, self.seconds, self.start = checkpoint.iteration, state["seconds"], state.get("start")
        directory.rewind(self.done)
        if checkpoint:
            # JSON has no NaN, which a game too large to be judged has for its exploitability.
            rows: list[dict[str, Any]] = [
                {k: math.nan if m[k] is None else m[k] for k in m} for m in directory.metrics()
            ]
            told = [m for m in rows if {"seconds", "exploitability"} <= m.keys()]
            self.curve = [(m["iteration"], m["seconds"], m["exploitability"]) for m in told]
            self.checks = [(m["iteration"], m["measured"]) for m in rows if "measured" in m]
            self.measured = self.engine.exploitability()
        return checkpoint is not None

    def result(self, seed: int, is_finished: bool, directory: RunDirectory | None) -> Run:
        about = {
            "rule": self.solver.name, "solver": repr(self.solver), "iterations": self.done, "seed": seed,
            "exploitability": None if math.isnan(self.measured) else float(self.measured),
        }  # fmt: skip
        if self.start is not None:
            about["start"] = self.start
        if (prefer := preferring(self.solver.prefer)) is not None:
            about["style"] = prefer.texts
        strategy = self.engine.strategy(about)
        return Run(
            self.game, self.solver, strategy, self.done, self.seconds, self.measured, self.curve, self.engine, seed,
            is_finished, directory, self.start, self.checks, self.engine.price(self.measured),
        )  # fmt: skip


def _rule_of(solver: Solver) -> str | None:
    """The text that names a solver, if it is a preset with its usual parameters."""
    maker = PRESETS.get(solver.name)
    return solver.name if maker is not None and repr(maker()) == repr(solver._replace(prefer=None)) else None


def limit_of(iterations: int | None, until: Until | None) -> int | None:
    """After how many iterations to stop in any case: what was asked, or what the rule says."""
    if until is not None and (isinstance(until, type) or not hasattr(until, "is_reached")):
        raise RuseError(f"until must be a rule such as ruse.Stalled(), not {until!r}; give a number as iterations")
    return until.iterations if iterations is None and until is not None else iterations


def refuse_bad(
    solver: Solver, *, iterations: int | None, target: float | None, seconds: float | None, until: Until | None = None
) -> None:
    if (iterations, target, seconds, until) == (None,) * 4:
        raise RuseError("say when to stop: give iterations, a target exploitability or seconds")
    must_fit(Setup(solver), "pruning and walk", "pruning and rule", "preference and rule")
    for name, value in (("iterations", iterations), ("target", target), ("seconds", seconds)):
        if value is not None and not value > 0:
            raise RuseError(f"{name} must be above 0, got {value}")
    if iterations is not None and (iterations != int(iterations) or iterations > MOST):
        raise RuseError(f"iterations must be a whole number up to {MOST}, got {iterations}")
    if solver.follows_schedule and iterations is None:
        raise RuseError(f"{solver.name} follows a schedule over the planned iterations: give iterations")
