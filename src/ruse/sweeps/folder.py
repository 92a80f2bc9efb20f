"""The folder of a sweep: its grid, a run for each cell, and what they came to.

    sweep-leduc/
      sweep.toml             the grid that was asked for last
      leduc-dcfr-seed-0/     an ordinary run, for `ruse runs --runs sweep-leduc`, `ruse plot`, `ruse resume`, the studio
      ...
      table.md, sweep.json   what all cells came to, for people and for programs
      curves.png             the same as a picture

A cell knows its run by the settings in it, so a run may be renamed, and a larger grid finds the cells that are done.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from ruse.errors import FileTrouble, RuseError
from ruse.store import locks, tensors
from ruse.store.runs import RunDirectory
from ruse.sweeps.cells import SweepCell, cell_identity
from ruse.training.jobs.kept import keep


class SweepFolder:
    """Where a sweep is kept."""

    def __init__(self, path: str | Path) -> None:
        self.path = tensors.as_path(path).absolute()
        if self.path.exists() and not self.path.is_dir():
            raise RuseError(f"a sweep is kept in a folder, and {path} is a file; name another place")
        if (self.path / "run.toml").exists():
            raise RuseError(f"{path} is one run; name a folder for the runs of a sweep")

    @property
    def grid_path(self) -> Path:
        return self.path / "sweep.toml"

    def make(self) -> None:
        with tensors.explaining("make", self.path):
            self.path.mkdir(parents=True, exist_ok=True)

    def lock(self) -> AbstractContextManager[None]:
        """Keep another sweep out of it."""
        return locks.held(self.path)

    def runs(self) -> dict[str, RunDirectory]:
        """The runs that are there, by what they say of themselves; those that cannot be read are none of ours."""
        return {cell_identity(run.settings): run for run in self._readable()}

    def _readable(self) -> Iterator[RunDirectory]:
        with tensors.explaining("list", self.path):
            paths = sorted(self.path.iterdir()) if self.path.is_dir() else []
        for path in paths:
            if (path / "run.toml").is_file():
                with suppress(FileTrouble):
                    yield RunDirectory.open(path)

    def new_run(self, cell: SweepCell, name: str) -> RunDirectory:
        """Make the run of a cell, and call it by its name, or one that nobody has."""
        assert cell.job is not None
        made = keep(self.path, cell.job)
        for called in (name, *(f"{name}-{number}" for number in range(2, 100))):
            if not (self.path / called).exists():
                made.rename(called)
                break
        return made
