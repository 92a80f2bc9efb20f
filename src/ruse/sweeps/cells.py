"""The cells of a sweep: one job each, or the sentence why there is none; and the work of training one."""

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ruse.catalog.titles import title, title_of
from ruse.compile.files.mistakes import is_compilers, raised, reason
from ruse.errors import RuseError
from ruse.protocol.game import Game
from ruse.solve.solver.fits import Unfit
from ruse.spread.pieces import heeding
from ruse.store.records import plain
from ruse.store.runs import RunDirectory
from ruse.sweeps.grid import SweepGrid
from ruse.sweeps.values import value_text
from ruse.training.ahead import steps_ahead
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import kept_job, settings_of
from ruse.training.training import Training

MakeGame = Callable[[str, Mapping[str, Any]], Game]
LONGEST = 100  # characters of a cell's name
PATIENCE = 15.0  # seconds in which another process may let go of a run


class SweepCell(NamedTuple):
    """One combination."""

    said: dict[str, str]  # what was said of it, by option and field
    seed: int
    job: Job | None
    unfit: str | None = None  # why there is no job

    @property
    def identity(self) -> str:
        """What its run says of itself, so that it is found again."""
        return "" if self.job is None else cell_identity(settings_of(self.job))

    def named(self, varied: Iterable[str]) -> str:
        """A name for its run, of what tells it from the others."""
        rule = self.said.get("rule") or ("" if self.job is None else self.job.solver.name)
        others = [f"{name} {self.said.get(name, '')}" for name in varied if name not in ("game", "rule")]
        return slug(" ".join([self.said["game"], rule, *others, f"seed {self.seed}"]))


def cell_identity(settings: Mapping[str, Any]) -> str:
    return json.dumps(plain(settings, drop_none=True), sort_keys=True)


def slug(text: str) -> str:
    """Letters, digits and dashes."""
    return re.sub(r"[^a-z0-9._]+", "-", text.casefold())[:LONGEST].strip("-.") or "cell"


def cells_of(grids: Iterable[SweepGrid], make: MakeGame, on: str) -> list[SweepCell]:
    """All cells, each once. What is wrong in itself is refused; what does not go together is told by its cell."""
    found: dict[str, SweepCell] = {}
    games: dict[tuple[str, str], Game] = {}
    for grid in grids:
        for text, fields, asked in grid.points():
            place = text, json.dumps(fields)
            if place not in games:
                games[place] = make(text, fields)
            cell = cell_of(games[place], text, fields, asked | {"on": on})
            found.setdefault(cell.identity or json.dumps([cell.said, cell.seed]), cell)
    return list(found.values())


def cell_of(game: Game, text: str, fields: Mapping[str, Any], asked: Mapping[str, Any]) -> SweepCell:
    words = {name: value_text(value) for name, value in asked.items() if name not in ("seed", "on")}
    said = {"game": title(text) if fields else title_of(game), **{k: value_text(v) for k, v in fields.items()}, **words}
    try:
        job = Job.typed(game, asked).checked()
        job.refuse_unfit()
    except Unfit as error:
        return SweepCell(said, asked["seed"], None, str(error))
    return SweepCell(said, asked["seed"], job)


def varied_in(cells: Sequence[SweepCell]) -> list[str]:
    """What differs from cell to cell but the seed, in the order in which it was said."""
    names = dict.fromkeys(name for cell in cells for name in cell.said)
    return [name for name in names if len({cell.said.get(name, "") for cell in cells}) > 1]


# ---- the work --------------------------------------------------------------------------------------------------------


def train_run(piece: dict[str, Any]) -> bool:
    """Train the run in a folder to its end, from wherever it stands; whether it got there."""
    path = Path(piece["run"])
    if not path.is_dir():
        raise RuseError(f"this process does not see {path}: all machines of a sweep need one disk for its folder")
    directory = RunDirectory.open(path)
    wait_for(directory)
    try:
        job = kept_job(directory)
        for step in steps_ahead(job):
            step.do()
        training = Training(job, directory, checkpoint_seconds=piece["checkpoint_seconds"])
        with heeding(training.stop):
            return training.complete().is_finished
    except (RuseError, OSError, MemoryError):
        raise
    except Exception as error:
        told = f"the game's rules could not be compiled: {reason(error)}" if is_compilers(error) else raised(error)
        raise RuseError(str(told or f"{type(error).__name__}: {error}")) from error


def wait_for(directory: RunDirectory) -> None:
    """Until nobody else trains it: a worker of a sweep that was killed is ending just now."""
    until = time.monotonic() + PATIENCE
    while directory.is_running and time.monotonic() < until:
        time.sleep(0.05)
