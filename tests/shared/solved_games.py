"""Strategies in a folder of runs, made quickly: what the studio's areas look at."""

from pathlib import Path
from typing import Any

import numpy as np
from rough_hands import few_buckets

from ruse.catalog.names import preset
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.spots.rules import SpotGame
from ruse.games.kuhn import Kuhn
from ruse.solve.solver.presets import Solver, cfr, dcfr
from ruse.spots.solving import engine_of
from ruse.spots.strategy import SpotStrategy
from ruse.store.runs import RunDirectory
from ruse.strategy import Strategy
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


def holdem_run(runs: Path, game: Holdem) -> RunDirectory:
    """A blueprint that plays everything alike, with one bucket a street, as a run that has been trained."""
    solver = preset("lcfr:walk=external")
    directory = keep(runs, Job(game, solver, view=few_buckets(), iterations=1))
    nothing: Any = np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0)
    Strategy(game, *nothing, view=few_buckets()).save(directory.strategy_path)
    return directory
