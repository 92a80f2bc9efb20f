"""A training at work: the loop around an engine, with checks, checkpoints and a way to stop.

    training = Training(Job(ruse.Leduc(), ruse.dcfr(), iterations=1_000))
    for progress in training:  # several times a second
        print(progress.iteration, progress.exploitability)
    training.result.strategy

What is computed does not depend on when it is interrupted, saved or resumed: iteration n has the same bits always.
"""

import math
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from ruse.catalog.behaviour import refuse_changed
from ruse.compile.files.mistakes import compiling
from ruse.compile.seeds import seed_of
from ruse.errors import FileTrouble, OtherWidth, RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.protocol.game import declared
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import is_recorded_as
from ruse.solve.table.table import OutOfMemory
from ruse.store.records import is_number, misfit
from ruse.store.restoring import refuse
from ruse.store.runs import RunDirectory
from ruse.training.engines.chosen import engine_for
from ruse.training.jobs.job import Job
from ruse.training.jobs.values import pause, unboxed
from ruse.training.progress import Progress, Run
from ruse.training.terms.starts import refuse_other_start
from ruse.training.terms.stops import Check, Measure, Stop, goes_further, interruptible
from ruse.words.long_work import refuse_uncallable

SLICE = 0.1  # seconds of iterations between two looks at the keyboard and the clock
CHECKPOINT_SECONDS = 30.0
BEAT, PATIENCE, SLOWEST = 0.25, 0.02, 5.0  # seconds between two beats of the pulse: at least, a share of all, at most
STATE: dict[str, Callable[[Any], bool]] = {  # of a checkpoint
    "seconds": lambda value: is_number(value) and 0.0 <= value < math.inf,
    "start": lambda value: value is None or isinstance(value, dict),
    "of": lambda value: isinstance(value, dict),
}


class Training:
    """A job at work, one slice of iterations after the other. Several may be in one process, each in a thread.

    With a directory it is checkpointed there, goes on from the newest checkpoint, and leaves its strategy and its
    result. A loop over it ends when the job is done, or after `stop()`; it may be left, and entered again.
    """

    def __init__(
        self, job: Job, directory: RunDirectory | None = None, *, checkpoint_seconds: float = CHECKPOINT_SECONDS
    ) -> None:
        if not isinstance(job, Job):
            raise RuseError(f"a training is of a ruse.Job, such as ruse.Job({job!r}, iterations=1_000)")
        job = job.checked()
        if directory is None:
            job = job._replace(seed=seed_of(job.seed))  # else it was looked at when the directory was made
        else:
            refuse_changed(directory.settings.get("behaviour"), job.game, job.view, f"{directory.path} was started")
        self.job, self.game, self.solver, self.limits = job, job.game, job.solver, job.limits
        self.stake = declared(job.game, "stake")  # what a percentage is of, where a game says so
        self.directory = directory
        self.checkpoint_seconds = pause("checkpoint_seconds", unboxed(checkpoint_seconds))
        prefer = preferring(job.solver.prefer)
        self.style = None if prefer is None else prefer.texts
        self._recorded = repr(self.solver)  # in checkpoints and results
        self._from_nothing()
        must_fit(Setup(game=job.game, limits=self.limits, unjudged=self.engine.unjudged), "limits")
        self._ended: Run | None = None
        self._is_begun = self._is_warm = self._is_stopping = self._is_torn = False
        self._saved, self._saved_at = -1, 0.0
        self._beaten, self._beat_at = 0, 0.0
        self.begun = 0  # the iteration that the last loop began with
        self._running = threading.Lock()

    def _from_nothing(self) -> None:
        with compiling():
            self.engine, self.done, self.seconds = engine_for(self.job), 0, 0.0
        self.curve: list[tuple[int, float, float]] = []
        self.checks: list[Check] = []
        self.measured = Exploitability([0.0] * self.game.players, [math.inf] * self.game.players)
        self.start: dict[str, Any] | None = None  # what was done before the first iteration

    # ---- for whoever drives it ---------------------------------------------------------------------------------------

    def __iter__(self) -> Generator[Progress]:
        """Iterate, and tell how it stands after each slice. Whoever leaves the loop stops it, and all is saved."""
        with self._alone(), compiling(), nullcontext() if self.directory is None else self.directory.lock():
            self._enter()
            try:
                yield from self._slices()
            except GeneratorExit:  # between two slices
                self._leave(is_finished=self.is_over)
                raise
            is_finished, self._is_stopping = not self._is_stopping or self.is_over, False
            self._leave(is_finished=is_finished)

    def stop(self) -> None:
        """End the loop after the slice that runs now, or else the next loop before it begins; from any thread."""
        self._is_stopping = True

    def complete(self, watch: Callable[[Progress], None] | None = None) -> Run:
        """Go on to the end, or to the first Ctrl-C, and tell `watch` how it stands after each slice."""
        refuse_uncallable(watch)
        with interruptible(self.stop):
            slices = iter(self)
            for progress in slices:
                try:
                    if watch is not None:
                        watch(progress)
                except BaseException as error:  # ends it here and now, as if it had come out of an iteration
                    slices.throw(error)
        return self.result

    @property
    def result(self) -> Run:
        """What it came to when the last loop ended."""
        if self._ended is None:
            raise RuseError("a training has no result before it was run; loop over it, or call complete()")
        return self._ended

    @property
    def is_over(self) -> bool:
        """Whether the job is done."""
        return self.limits.is_reached(self.done, self.last_check, self.seconds, self.checks)

    @property
    def last_check(self) -> float:
        """Exploitability at the last check; a target is met there, never in between, wherever the run was resumed."""
        return self.curve[-1][2] if self.curve else math.inf

    # ---- the loop ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._running.acquire(blocking=False):
            raise RuseError("this training is being run already; stop it first, or wait for it")
        try:
            yield
        finally:
            self._running.release()

    def _enter(self) -> None:
        """Take up what is in the directory, or else the start."""
        start, directory = self.job.start, self.directory
        if self._is_torn and directory is None:
            raise RuseError("this training was interrupted in the middle of an iteration; start it anew")
        if self._is_torn:
            self._from_nothing()
        if directory is not None:
            refuse_other_start(directory, start)
            self._is_begun = self._restore(directory)
        if not self._is_begun and start is not None:
            self.start = start.begin(self.engine)
            if directory is not None:
                self._save(directory)  # or a run that is killed early could not be gone on with
        self._is_begun, self._is_torn = True, False
        self.begun = self.done
        if directory is not None:
            self._ask(directory)
        self._saved, self._saved_at = self.done if directory and self.done else -1, time.monotonic()

    def _ask(self, directory: RunDirectory) -> None:
        """Keep what is asked now, if it goes further than what was kept: whoever goes on later goes on to that."""
        if self.is_over:
            return
        asked = {"iterations": self.job.planned, "target": self.job.target, "seconds": self.job.seconds}
        until, kept = None if self.job.until is None else repr(self.job.until), directory.settings
        if goes_further(asked, kept) or kept.get("until", until) != until:
            directory.ask(**asked, until=until)
        elif (result := directory.result) is not None:
            if self.done < result.get("iterations", 0):
                raise FileTrouble(
                    f"{directory.path} is finished, but the checkpoint or the metrics that it ended with are damaged "
                    f"or gone, so it cannot be gone on with; its strategy is there still: ruse show {directory.path}"
                )
            directory.ask()

    def _slices(self) -> Iterator[Progress]:
        chunk = 1
        while not self.is_over and not self._is_stopping:
            if not self._is_warm:  # so that compiling is not counted as solving
                self.engine.warm_up()
                self._is_warm = True
            began = time.perf_counter()
            check = self._next_check()
            step = min(self.engine.round_size(self.done) or chunk, check - self.done)
            self._step(step)
            took = time.perf_counter() - began
            self.seconds += took
            chunk = max(1, min(2 * chunk, int(step * SLICE / max(took, 1e-9))))
            if self.done == check:
                self._measure(self.limits.until.measure if self.limits.until is not None else None)
            self._beat()
            yield self._progress()
            if self.directory and time.monotonic() - self._saved_at > self.checkpoint_seconds:
                self._save(self.directory)

    def _next_check(self) -> int:
        """Where exploitability is measured next, and where it ends if that is sooner."""
        check, last = self.engine.next_check(self.done, self.curve, self.limits.target), self.limits.iterations
        return max(self.done + 1, check if last is None else min(check, last))

    def _step(self, step: int) -> None:
        """So many iterations, whole or not at all."""
        self._is_torn = True
        try:
            self.engine.run(self.done, step)
        except OutOfMemory as error:
            self.done, self._is_torn = error.done, False
            if self.directory is not None:
                self._save(self.directory)
            elif self.done:
                error.strategy = self.engine.strategy({"rule": self.solver.name, "iterations": self.done})
            raise
        self.done, self._is_torn = self.done + step, False

    def _measure(self, measure: Measure | None) -> None:
        began = time.perf_counter()
        self.measured = self.engine.exploitability()
        if measure is not None:
            self.checks.append((self.done, measure.of(self)))
        self.seconds += time.perf_counter() - began
        self.curve.append((self.done, self.seconds, float(self.measured)))
        if self.directory:
            row = {"iteration": self.done, "seconds": self.seconds, "exploitability": float(self.measured)}
            self.directory.append_metrics(row if measure is None else row | {"measured": self.checks[-1][1]})

    def _beat(self, *, is_last: bool = False) -> None:
        """Write how far it has come, now and then, for whoever watches the run's folder."""
        if self.directory is None or self._beaten == self.done or not (is_last or self.seconds >= self._beat_at):
            return
        self._beaten = self.done
        self._beat_at = self.seconds + min(SLOWEST, max(BEAT, PATIENCE * self.seconds))
        infosets = self.engine.facts().get("infosets")
        self.directory.append_pulse({"iteration": self.done, "seconds": self.seconds, "infosets": infosets})

    def _leave(self, *, is_finished: bool) -> None:
        if self.done != self.begun:
            self._beat(is_last=True)
        if self.directory and self._saved != self.done and self.done:
            self._save(self.directory)
        if not self.curve or self.curve[-1][0] != self.done:  # stopped between two checks
            self.measured = self.engine.exploitability()
        is_finished = is_finished and not self._falls_short()
        run = self._ended = self._run(is_finished=is_finished)
        if self.directory and not (self.done == self.begun and self.directory.is_whole):  # else it stays as it is
            run.strategy.save(self.directory.strategy_path)
            if is_finished:
                self.directory.finish(run.as_dict())

    # ---- what is told and kept ---------------------------------------------------------------------------------------

    def _progress(self) -> Progress:
        told, limits = self.engine.facts(), self.limits
        names = ("nodes", "infosets", "bytes", "pruned", "given_back") if "nodes" in told else ()
        facts = {name: told[name] for name in (*names, "stage") if name in told}
        return Progress(
            self.done, limits.iterations, self.seconds, self.last_check, limits.target, limits.seconds, **facts,
            stake=self.stake,
        )  # fmt: skip

    def _falls_short(self) -> bool:
        """Whether nothing was done, as less was asked for than there is, and the run was to go further before."""
        if self.directory is None or self.done != self.begun or self.directory.is_finished:
            return False
        kept = self.directory.settings
        goals = Stop(kept.get("iterations"), kept.get("target"), kept.get("seconds"), self.limits.until)
        return not goals.is_reached(self.done, self.last_check, self.seconds, self.checks)

    def _save(self, directory: RunDirectory) -> None:
        state = {"seconds": self.seconds, "start": self.start, "of": self._whose(directory)}
        directory.save_checkpoint(self.done, self.engine.saved(), state=state)
        self._saved, self._saved_at = self.done, time.monotonic()

    def _whose(self, directory: RunDirectory) -> dict[str, Any]:
        """What a checkpoint belongs to, so that none of another run is taken for it."""
        return {"game": directory.settings.get("behaviour"), "solver": self._recorded, "seed": self.job.seed}

    def _refuse_foreign(self, directory: RunDirectory, found: dict[str, Any]) -> None:
        """Raise if a checkpoint says that it is of another run; one from before there was this says nothing."""
        for kind, own in self._whose(directory).items():
            other = found.get(kind, own)
            is_same = is_recorded_as(self.solver, str(other)) if kind == "solver" else other == own
            if own is not None and not is_same:
                other = f"another {kind}" + ("" if kind == "game" else f", {found[kind]} instead of {own}")
                raise FileTrouble(
                    f"{directory.path} cannot be gone on with: its newest checkpoint is of a run with {other}; put its "
                    f"own back, or delete {directory.path / 'checkpoints'} to start afresh"
                )

    def _restore(self, directory: RunDirectory) -> bool:
        """Go back to the newest checkpoint, and to the metrics of that moment; whether there was one."""
        checkpoint = directory.newest_checkpoint()
        if checkpoint:
            state = checkpoint.state
            if state.get("seconds") is None or misfit(state, STATE):
                raise FileTrouble(f"{directory.path} cannot be gone on with: its checkpoint is not one of a training")
            self._refuse_foreign(directory, state.get("of", {}))
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
            try:
                self.measured = self.engine.exploitability()
            except OtherWidth:  # it is this run's own strategy, made of the checkpoint a moment ago
                refuse("an infoset has another number of actions than in the game")
        return checkpoint is not None

    def _run(self, *, is_finished: bool) -> Run:
        about = {
            "rule": self.solver.name, "solver": self._recorded, "iterations": self.done, "seed": self.job.seed,
            "exploitability": None if math.isnan(self.measured) else float(self.measured),
        }  # fmt: skip
        if self.start is not None:
            about["start"] = self.start
        if self.style is not None:
            about["style"] = self.style
        strategy = self.engine.strategy(about)
        return Run(
            self.game, self.solver, strategy, self.done, self.seconds, self.measured, self.curve, self.engine,
            self.job.seed, is_finished, self.directory, self.start, self.checks, self.engine.price(self.measured),
        )  # fmt: skip
