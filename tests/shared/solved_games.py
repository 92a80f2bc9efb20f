"""Strategies in a folder of runs, made quickly: what the studio's areas look at."""

from pathlib import Path

from ruse.games.holdem.spots.rules import SpotGame
from ruse.games.kuhn import Kuhn
from ruse.solve.solver.presets import Solver, cfr, dcfr
from ruse.spots.solving import engine_of
from ruse.spots.strategy import SpotStrategy
from ruse.store.runs import RunDirectory
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep
from ruse.training.training import Training

KUHN = Kuhn()


def kuhn_run(runs: Path, solver: Solver | None = None, iterations: int = 200) -> RunDirectory:
    """A run of Kuhn, as a terminal would leave it."""
    job = Job(KUHN, solver or dcfr(), iterations=iterations)
    directory = keep(runs, job)
    Training(job, directory).complete()
    return directory


def spot_file(runs: Path, game: SpotGame, name: str = "spot.strategy") -> str:
    """A spot that was looked at for a few iterations; the id by which a page names it."""
    engine = engine_of(game, cfr())
    engine.run(0, 8)
    runs.mkdir(parents=True, exist_ok=True)
    SpotStrategy(game, engine, {"rule": "cfr", "iterations": 8, "exploitability": 1.5}).save(runs / name)
    return name
