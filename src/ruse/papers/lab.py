"""What all experiments share: work on two cores, and where trainings and pictures go."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ruse.errors import RuseError
from ruse.papers.evidence import Found, told
from ruse.protocol.game import Game
from ruse.solve.solver.presets import Solver
from ruse.spread.here import Threads
from ruse.spread.pieces import results_of
from ruse.store.runs import find, has_runs
from ruse.training.jobs.job import Job
from ruse.training.jobs.kept import keep
from ruse.training.progress import Progress, Run
from ruse.training.train import resume
from ruse.training.training import Training

PANEL = (5.2, 3.6)  # inches of one of a picture's panels
T = TypeVar("T")
R = TypeVar("R")


class Lab(NamedTuple):
    """Where and how experiments are run."""

    out: Path | None = None  # pictures are drawn there; None: not drawn
    quick: bool = False  # fewer games and seeds, smaller games
    seed: int = 0
    tell: Callable[[str], None] = lambda text: None  # told what is being done
    resumed: bool = False  # trainings that were stopped are gone on with
    run: str = ""  # which one it is; pictures say so
    keep: Callable[[Path], None] = lambda path: None  # told of each file that was written for people

    @property
    def deals(self) -> int:
        """Deals of a match; each is played in both seats."""
        return 1_000 if self.quick else 5_000

    def seeds(self, count: int) -> list[int]:
        """So many seeds, or three if it has to be quick."""
        return [self.seed + k for k in range(min(count, 3) if self.quick else count)]

    def each(self, work: Callable[[T], R], things: Iterable[T]) -> list[R]:
        """The work for each thing, side by side on all cores: kernels run without the interpreter's lock."""
        return list(results_of(Threads(), work, list(things)))

    def trained(self, name: str, game: Game, solver: Solver, **settings: Any) -> Run:
        """A long training. It is kept under `out`, so that it can be stopped and gone on with."""

        def watch(progress: Progress) -> None:
            left = f", {progress.seconds_left / 60:.0f} minutes left" if progress.seconds_left is not None else ""
            self.tell(f"{name}: {progress.iteration:,} iterations in {progress.seconds:.0f} s{left}")

        job = Job(game, solver, seed=self.seed, **settings)
        if self.out is None:
            run = Training(job).complete(watch)
        else:
            root = self.out / "runs" / f"{name}, seed {self.seed}{', quick' if self.quick else ''}"
            if self.resumed and has_runs(root):
                run = resume(find(root, "last"), game=game, solver=solver, watch=watch, **settings)
            else:
                run = Training(job, keep(root, job)).complete(watch)
        if not run.is_finished:
            raise KeyboardInterrupt
        return run

    @contextmanager
    def figure(
        self, name: str, rows: int, columns: int, *, panel: tuple[float, float] = PANEL, **options: Any
    ) -> Iterator[Any]:
        """Axes to draw on; the picture is saved under this name. Nothing is drawn without a place to save it."""
        try:
            import matplotlib
        except ImportError as error:
            raise RuseError('drawing needs Matplotlib: pip install "ruse[plot]"') from error
        matplotlib.use("Agg")
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(panel[0] * columns, panel[1] * rows), dpi=120)
        FigureCanvasAgg(figure)
        yield figure.subplots(rows, columns, squeeze=False, **options)
        figure.tight_layout()
        if self.out is not None:
            self.out.mkdir(parents=True, exist_ok=True)
            path = self.out / f"{name}.png"
            figure.savefig(path, metadata={"Description": self.run} if self.run else None)
            self.keep(path)


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def share_of(found: Found) -> str:
    """A share of games, as 57.8 % (56.9 to 58.7)."""
    return told(found, ".1f", scale=100.0, unit=" %")


def points_of(gap: Found) -> str:
    """A difference of shares in points."""
    return told(gap, "+z.1f", scale=100.0, unit=" points")
