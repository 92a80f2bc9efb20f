"""Solve a game in which something is locked, and tell what the lock is worth to whom."""

from collections.abc import Callable
from typing import Any, NamedTuple, Unpack

from ruse.catalog.given import GameLike, SolverLike
from ruse.catalog.titles import title_of
from ruse.evaluate.best_response import Exploitability
from ruse.evaluate.exploitability import exploitability
from ruse.solve.solver.fits import Setup, must_fit
from ruse.strategy import Strategy
from ruse.subgame.locked import Lock, Locks, lock_of
from ruse.training.jobs.job import Job, JobFields
from ruse.training.notebook import shown_in_notebook
from ruse.training.progress import Progress, Run
from ruse.training.training import Training
from ruse.words.html import table_of


class LockedSolve(NamedTuple):
    """The rest of a game solved around what is locked, beside the game without a lock."""

    lock: Lock
    strategy: Strategy  # of the whole game, with what is locked in its place
    run: Run  # of the rest
    plain: Run  # of the game without the lock, by the same solver
    measured: Exploitability  # of the strategy in the whole game, where nobody is held to anything

    @property
    def values(self) -> tuple[float, ...]:
        """What each player gets with the lock."""
        return self.run.measured.values

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player gets more than without the lock."""
        return tuple(a - b for a, b in zip(self.values, self.plain.measured.values, strict=True))

    @property
    def margin(self) -> float:
        """By how much gains may be off with two players of zero sum: what is not converged yet in either solve."""
        return self.run.measured.nash_conv + self.plain.measured.nash_conv

    def __repr__(self) -> str:
        return f"LockedSolve({str(self).splitlines()[0]})"

    def __str__(self) -> str:
        count, words = len(self.lock.fixed), "; ".join(self.lock.words)
        lines = [f"{title_of(self.lock.game)} with {count} infoset{'s' * (count > 1)} locked: {words}"]
        for p, (before, now, gain) in enumerate(self._columns):
            lines.append(f"player {p}: {before:+z.6f} without, {now:+z.6f} with the lock: {gain:+z.6f}")
        lines.append(f"within {self.margin:.2g}; the rest is solved to exploitability {self.run.exploitability:.3g}")
        return "\n".join(lines)

    @property
    def _columns(self) -> list[tuple[float, float, float]]:
        return list(zip(self.plain.measured.values, self.values, self.gains, strict=True))

    def _repr_html_(self) -> str:
        cells = [(f"player {p}", *(f"{x:+z.6f}" for x in row)) for p, row in enumerate(self._columns)]
        return table_of(["", "without", "with the lock", "gains"], cells, caption="; ".join(self.lock.words))

    def as_dict(self) -> dict[str, Any]:
        told = self.run.as_dict() | {"game": self.plain.as_dict()["game"], "locked": list(self.lock.words)}
        return told | {
            "locked_infosets": len(self.lock.fixed), "values_without": list(self.plain.measured.values),
            "gains": list(self.gains), "margin": self.margin, "exploitability_unlocked": float(self.measured),
        }  # fmt: skip


def solve_locked(
    game: GameLike, locks: Locks, solver: SolverLike | None = None, *,
    watch: Callable[[Progress], None] | None = None, **asked: Unpack[JobFields],
) -> LockedSolve:  # fmt: skip
    """Fix what is done at some infosets, solve the rest, and tell what each player gains by that.

    `locks` maps names of infosets to actions or shares, {"J": "bet"}, or is a list of texts, ["J: bet 0.5, pass 0.5"];
    `{"player 1": strategy}` locks all that a player does. Takes what `train` takes, except a directory: no file can
    name the game that is left.
    """
    job = Job.of(game, solver, asked)
    with shown_in_notebook(title_of(job.game), watch) as told:
        return solve_around(lock_of(job.game, locks), job, told)


def solve_around(lock: Lock, job: Job, watch: Callable[[Progress], None] | None = None) -> LockedSolve:
    """The same for a job, whose game the lock is of."""
    must_fit(Setup(job.solver, view=job.view, horizon=job.horizon, is_locked=True, opens=lock.opens), "lock")
    plain = Training(job).complete(watch)
    run = Training(job._replace(game=lock.rest)).complete(watch)
    strategy = lock.on(run.strategy)
    return LockedSolve(lock, strategy, run, plain, exploitability(job.game, strategy))
