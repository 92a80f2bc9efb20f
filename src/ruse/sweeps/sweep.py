"""A sweep at work: every cell trained once, wherever there is room, and what all of them came to.

    found = ruse.sweep("leduc", rule=["dcfr", "cfr_plus"], seed=range(5), iterations=1_000, out="sweep-leduc")
    found.plot()

A cell that is done is skipped, and one that was begun goes on from its checkpoint, to the same bits. So a sweep that
was stopped, or killed, or whose workers were, is gone on with by asking for it again.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ruse.catalog.given import as_game
from ruse.catalog.names import SPOT_FILES, spec_of
from ruse.catalog.names import game as game_named
from ruse.catalog.recorded import recorded_game
from ruse.compile.files.game_files import split
from ruse.errors import FileTrouble, RuseError
from ruse.horizon.horizon import horizon_named
from ruse.protocol.game import Game
from ruse.spread.pieces import Spreading
from ruse.spread.places import place_named
from ruse.store.records import is_count, is_number, misfit
from ruse.store.runs import RunDirectory
from ruse.sweeps.cells import MakeGame, SweepCell, cells_of, train_run, varied_in
from ruse.sweeps.folder import SweepFolder
from ruse.sweeps.grid import SweepGrid, grids_in, write_grids
from ruse.sweeps.summary import CellOutcome, SweepResult
from ruse.training.jobs.job import Job
from ruse.training.terms.stops import interruptible
from ruse.training.training import CHECKPOINT_SECONDS
from ruse.words.long_work import refuse_uncallable

if TYPE_CHECKING:
    from ruse.catalog.given import GameLike

RESULT = {"iterations": is_count, "seconds": is_number, "exploitability": is_number}
PACE = 0.5  # seconds between two looks at the runs
ROUNDED = -1e-6  # what is never below zero may be so by rounding


class RunningCell(NamedTuple):
    """How far a cell has come."""

    name: str
    iteration: int
    exploitability: float | None  # at the last check


class SweepProgress(NamedTuple):
    """How a sweep stands."""

    cells: int
    done: int
    failed: int
    running: tuple[RunningCell, ...]
    lost: int  # workers

    def __str__(self) -> str:
        known = [
            f"{one.name} {one.iteration:,}" + ("" if one.exploitability is None else f" at {one.exploitability:.3g}")
            for one in self.running
        ]
        failed = f", {self.failed} failed" if self.failed else ""
        lost = f", {self.lost} processes lost and begun again" if self.lost else ""
        return f"{self.done} of {self.cells} cells done{failed}{lost}; {', '.join(known) or 'none running'}"


class Sweep:
    """The cells of some grids and the folder of their runs. Nothing is made, or trained, before `complete`."""

    def __init__(
        self, grids: Sequence[SweepGrid], folder: SweepFolder, make: MakeGame, *, on: str = "cpu",
        skip_unfit: bool = False,
    ) -> None:  # fmt: skip
        self.grids, self.folder = grids, folder
        self.cells = cells_of(grids, make, on)
        self.varied = varied_in(self.cells)
        unfit = [cell for cell in self.cells if cell.unfit is not None]
        if len(unfit) == len(self.cells):
            raise RuseError(f"nothing of the grid goes together: {unfit[0].unfit}")
        if unfit and not skip_unfit:
            more = f" ({len(unfit)} of {len(self.cells)} cells do not go together)" if len(unfit) > 1 else ""
            raise RuseError(f"{unfit[0].named(self.varied)}: {unfit[0].unfit}{more}; --skip-unfit leaves such out")
        self.identities = {cell.identity: number for number, cell in enumerate(self.cells) if cell.job is not None}
        self.runs: dict[int, RunDirectory] = {}
        self._whole: set[int] = set()
        self.troubles: dict[int, str] = {}

    @property
    def threads(self) -> int:
        """Of the cell that has most."""
        return max(cell.job.threads or 1 for cell in self.cells if cell.job is not None)

    def find(self) -> None:
        """Look which cells have a run."""
        found = self.folder.runs()
        self.runs = {number: found[text] for text, number in self.identities.items() if text in found}
        self._whole &= self.runs.keys()

    def is_done(self, number: int) -> bool:
        """Whether its run is finished, and all of it can be read; a strategy may be large, so it is read once."""
        if number not in self._whole and number in self.runs and self.runs[number].is_whole:
            self._whole.add(number)
        return number in self._whole and result_of(self.runs[number], self.cells[number].job) is not None

    @property
    def done(self) -> list[int]:
        return [number for number in self.identities.values() if self.is_done(number)]

    def complete(
        self, place: Spreading, watch: Callable[[SweepProgress], None] | None = None, *,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
    ) -> bool:  # fmt: skip
        """Train what is not done, to the end or to the first Ctrl-C; whether it got there."""
        is_stopping: list[bool] = []
        self.folder.make()
        with self.folder.lock(), interruptible(lambda: is_stopping.append(True)):
            write_grids(self.folder.grid_path, self.grids)
            self.find()
            done = set(self.done)
            numbers = [number for number in self.identities.values() if number not in done]
            for number in numbers:
                if is_stopping:
                    return False
                if number not in self.runs:
                    self.runs[number] = self.folder.new_run(self.cells[number], self.cells[number].named(self.varied))
            pieces = [{"run": str(self.runs[n].path), "checkpoint_seconds": checkpoint_seconds} for n in numbers]
            lost, told_at = 0, 0.0
            with closing(_begun(place, pieces)) as hearings:
                for hearing in hearings:
                    lost += len(hearing.lost)
                    for answer in hearing.answers:
                        if answer.trouble is not None:
                            self.troubles[numbers[answer.piece]] = answer.trouble
                        else:
                            done.add(numbers[answer.piece])
                    if watch is not None and time.monotonic() - told_at > PACE:
                        told_at = time.monotonic()
                        running = tuple(self._running(numbers[piece]) for piece in hearing.at_work)
                        watch(SweepProgress(len(self.identities), len(done), len(self.troubles), running, lost))
                    if is_stopping:
                        break
        return not is_stopping

    def _running(self, number: int) -> RunningCell:
        run, last = self.runs[number], dict[str, Any]()
        with suppress(FileTrouble):  # it is being written
            last = next(reversed(run.metrics()), {})
        return RunningCell(run.name, last.get("iteration", 0), last.get("exploitability"))

    def result(self) -> SweepResult:
        """What lies in the folder now."""
        self.find()
        outcomes = [self._outcome(number, cell) for number, cell in enumerate(self.cells)]
        return SweepResult(self.folder.path, tuple(self.varied), tuple(outcomes))

    def _outcome(self, number: int, cell: SweepCell) -> CellOutcome:
        run = self.runs.get(number)
        about = {name: cell.said.get(name, "") for name in self.varied}
        base = CellOutcome(cell.said["game"], cell.named(self.varied), about, cell.seed)
        if cell.job is None:
            return base._replace(standing="unfit", trouble=cell.unfit)
        base = base._replace(rule=cell.job.solver.name, run=None if run is None else run.path)
        if run is None or not self.is_done(number):
            trouble = self.troubles.get(number)
            if trouble is None and run is not None and number in self._whole:
                trouble = f"{run.result_path} is damaged; delete it, and start the sweep again"
            return base._replace(standing="unfinished" if trouble is None else "failed", trouble=trouble)
        result = result_of(run, cell.job) or {}
        curve = [(m["iteration"], finite(m.get("exploitability"))) for m in run.metrics()]
        judged = run.judged_at(result["iterations"]) if run.is_of_part else result["exploitability"]
        return base._replace(
            standing="done", iterations=result["iterations"], seconds=finite(result["seconds"]),
            exploitability=finite(judged), curve=tuple(p for p in curve if not math.isnan(p[1])),
            remark=remark_on(cell.job, result["iterations"]),
        )  # fmt: skip


def remark_on(job: Job, iterations: int) -> str | None:
    """What is to be known of a cell that is done, beside its numbers."""
    if job.horizon is not None and iterations <= horizon_named(job.horizon).blueprint:
        return "ended in its blueprint"  # nothing is solved up to the horizon yet
    return None


def result_of(run: RunDirectory, job: Job | None) -> dict[str, Any] | None:
    """What a run came to, if its file says so in numbers that this job can come to."""
    found = None
    with suppress(FileTrouble):  # damaged since it was looked at
        found = run.result
    if found is None or not found.keys() >= RESULT.keys() or misfit(found, RESULT) is not None:
        return None
    if job is not None and job.iterations is not None:
        has_other_ends = not (job.target is None and job.seconds is None and job.until is None)
        if found["iterations"] > job.iterations or (found["iterations"] < job.iterations and not has_other_ends):
            return None
    return None if min(found[name] or 0.0 for name in ("seconds", "exploitability")) < ROUNDED else found


def finite(value: Any) -> float:
    """A number as a file has it; NaN for none, or for one that is not finite."""
    return float(value) if value is not None and math.isfinite(value) else math.nan


def _begun(place: Spreading, pieces: list[dict[str, Any]]) -> Any:
    """Nothing at all where nothing is to be done: no process is started for it."""
    return place.spread(train_run, pieces) if pieces else _nothing()


def _nothing() -> Iterator[Any]:
    yield from ()


# ---- the short way ---------------------------------------------------------------------------------------------------


def sweep(
    game: "GameLike | Sequence[str] | None" = None, *, out: str | Path, grid: str | Path | None = None,
    jobs: int | None = None, on: str = "cpu", skip_unfit: bool = False,
    watch: Callable[[SweepProgress], None] | None = None, **axes: Any,
) -> SweepResult:  # fmt: skip
    """Train every combination of what is given, each in a run of its own below `out`, and tell what they came to.

    Takes what `ruse solve` takes, by name, with several values each: `rule=["dcfr", "cfr_plus"]`, `seed=range(5)` or
    "0..4"; what is no option is a field of the game, `suits=[2, 3]`. Or a `grid`, which is a file (docs/sweep.md);
    with neither it goes on with what `out` holds. `jobs` processes at once, or one for each core; `on="ray"` or
    `on="ray://HOST:PORT"` for a cluster. Combinations that do not go together are refused, unless they are to be
    skipped.
    """
    refuse_uncallable(watch)
    asked, make = asked_for(game, grid, axes, folder := SweepFolder(out))
    place, on = place_named(on)
    made = Sweep(asked, folder, make, on=on, skip_unfit=skip_unfit)
    made.complete(place.ready(jobs, made.threads), watch)
    result = made.result()
    result.write()
    return result


def asked_for(
    game: Any, grid: str | Path | None, axes: Mapping[str, Any], folder: SweepFolder
) -> tuple[list[SweepGrid], MakeGame]:
    """The grids that are meant, and how their games are made."""
    if game is None and grid is None and axes:
        raise RuseError("say which game, as leduc; `ruse games` lists them")
    if game is not None and grid is None:
        named = [_spec(game)] if hasattr(game, "players") else game
        grid_ = SweepGrid.of(named, axes)
        return [grid_._replace(games=tuple(map(from_anywhere, grid_.games)))], game_named_in_sweep
    if game is not None or axes:
        given = game if game is not None else next(iter(axes))
        raise RuseError(f"a grid file says all of it; leave {given} or the file out")
    path = folder.grid_path if grid is None else Path(grid)
    if grid is None and not path.is_file():
        raise RuseError(f"say what to sweep, as leduc --seed 0..4: there is no {path} to go on with")
    return grids_in(path), lambda text, fields: recorded_game(text, path, fields)


def game_named_in_sweep(text: str, fields: Mapping[str, Any]) -> Game:
    """A game that a person names; a file of one's own is run."""
    return as_game(game_named(text, **fields))


def from_anywhere(text: str) -> str:
    """A game's text that means the same in another folder."""
    name, fields = split(text)
    if not name.endswith((".py", ".efg", *SPOT_FILES)):
        return text
    return str(Path(name).resolve()) + (f":{fields}" if fields else "")


def _spec(game: Any) -> str:
    if (found := spec_of(as_game(game))) is None:
        raise RuseError(f"a sweep is of games that a file can name, and {game!r} is none; put it into a .py file")
    return found
