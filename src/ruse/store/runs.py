"""A run is a directory: what was asked, how it went, where to go on from, and what came out.

    <utc>-<game>-<slug>/
      run.toml               what was asked, and on what machine
      metrics.jsonl          one object a line, only ever appended to; a line counts once its newline is there
      pulse.jsonl            the same, a few times a minute: how fast it went, for whoever watches
      checkpoints/00001200/  tables.safetensors, manifest.json; renamed into place when all of it is on disk
      strategy.safetensors   what play and explore load
      result.json            there when the run is finished
      lock                   held by the process that trains

A process may be killed at any moment: the next one finds the last whole checkpoint. Nothing here imports Numba.
"""

import logging
import os
import platform
import re
import shutil
import tomllib
import unicodedata
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import tomli_w
from numpy.typing import NDArray

from ruse.errors import FileTrouble, NewerFile, RuseError
from ruse.store import checkpoints, locks, metrics, tensors
from ruse.store.checkpoints import Checkpoint
from ruse.store.records import is_count, is_number, misfit, parsed, plain
from ruse.store.results import read_result, write_result
from ruse.store.settings import SETTINGS
from ruse.words.versions import version_of

log = logging.getLogger(__name__)


class RunSummary(NamedTuple):
    """A line of `ruse runs`."""

    path: Path
    game: str
    rule: str
    iterations: int
    exploitability: float | None  # at that iteration, in the whole game, if it was measured there
    created: datetime
    status: str  # "finished", "running", "interrupted", or "damaged": it was finished, and its result cannot be read


class RunDirectory:
    """The directory of one run. One process at a time may write to it (see `lock`); any number may read."""

    def __init__(self, path: Path, about: dict[str, Any]) -> None:
        self.path = path
        self.about = about  # the content of run.toml

    # ---- making and opening ------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, root: str | Path, game_name: str, *, slug: str, settings: Mapping[str, Any]) -> "RunDirectory":
        """Make the directory of a new run. Settings that are None are left out of run.toml, which has no null."""
        asked = plain(settings, drop_none=True)
        if wrong := misfit(asked, SETTINGS):  # before anything is made
            raise RuseError(f"a run cannot have the setting {wrong} = {asked[wrong]!r}")
        now = datetime.now(UTC)
        about = {
            "format": tensors.format_name("run", 1),
            "game": game_name,
            "created": now,
            "settings": asked,
            "versions": {
                "python": platform.python_version(),
                **{name: version_of(name) for name in ("ruse", "numpy", "numba")},
            },
            "machine": {"platform": platform.platform(), "processor": platform.machine(), "cpus": os.cpu_count() or 1},
        }
        text = tomli_w.dumps(about).encode()
        name = f"{now:%Y%m%dT%H%M%SZ}-{_safe(game_name)}-{_safe(slug)}"
        folder = tensors.as_path(root)
        with tensors.explaining("make a run in", root):
            folder.mkdir(parents=True, exist_ok=True)
            path = _new_directory(folder, name)
        try:
            with tensors.replacing(path / "run.toml") as file:
                file.write(text)
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        tensors.sync_directory(path.parent)
        return cls.open(path)

    @classmethod
    def open(cls, path: str | Path) -> "RunDirectory":
        """An existing run."""
        path = Path(path)
        file = path / "run.toml"
        if not _is_run(path):
            raise FileTrouble(f"{path} is not a run: there is no {file.name} in it")
        try:
            with tensors.explaining("read", file):
                about = tomllib.loads(file.read_bytes().decode())
        except (ValueError, RecursionError) as error:
            raise FileTrouble(f"{file} is damaged: {error}") from error
        tensors.check_format(about.get("format"), "run", newest=1, path=file)
        match about:
            # The machine comes last: a file cut short at the end of a line must not pass for one with fewer settings.
            case {"game": str(), "created": datetime() as created, "settings": dict(asked), "machine": {"cpus": int()}}:
                if wrong := misfit(asked, SETTINGS):
                    raise FileTrouble(f"{file} is damaged: the setting {wrong} cannot be {asked[wrong]!r}")
                if created.tzinfo is not None:
                    return cls(path, about)
        raise FileTrouble(f"{file} is damaged: it lacks the game, the time of creation, the settings or the machine")

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def game(self) -> str:
        return str(self.about["game"])

    @property
    def created(self) -> datetime:
        created: datetime = self.about["created"]
        return created

    @property
    def settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = self.about["settings"]
        return settings

    @property
    def strategy_path(self) -> Path:
        return self.path / "strategy.safetensors"

    def __repr__(self) -> str:
        return f"RunDirectory({str(self.path)!r})"

    # ---- metrics -----------------------------------------------------------------------------------------------------

    @property
    def metrics_path(self) -> Path:
        return self.path / "metrics.jsonl"

    def append_metrics(self, row: Mapping[str, Any]) -> None:
        """Add a line; numbers that are not finite become null, so that every reader of JSON can read it."""
        metrics.append(self.metrics_path, row)

    def metrics(self) -> list[dict[str, Any]]:
        """All rows, in order; a last line that is not whole yet is left out, and a damaged one with a warning."""
        return metrics.read(self.metrics_path)

    @property
    def pulse_path(self) -> Path:
        return self.path / "pulse.jsonl"

    def append_pulse(self, row: Mapping[str, Any]) -> None:
        """Add a line on how far it has come. It says when it was written, so no two runs have the same."""
        metrics.append(self.pulse_path, row)

    def rewind(self, iteration: int) -> None:
        """Forget what was measured after an iteration, so that the run can be gone on with from there."""
        metrics.rewind(self.metrics_path, iteration)
        metrics.rewind(self.pulse_path, iteration)

    # ---- checkpoints -------------------------------------------------------------------------------------------------

    def save_checkpoint(
        self, iteration: int, arrays: Mapping[str, NDArray[Any]], *, state: Mapping[str, Any], keep: int = 2
    ) -> None:
        """Save where the run stands, then delete all but the newest `keep` checkpoints and any of later iterations.

        The state comes back as JSON keeps it: tuples as lists, keys as texts.
        """
        if self.metrics_path.exists():  # metrics before the checkpoint must not be lost when it is not
            with tensors.explaining("write", self.metrics_path), open(self.metrics_path, "rb+") as file:
                os.fsync(file.fileno())
        checkpoints.save(self.path / "checkpoints", iteration, arrays, state=state, keep=keep)

    def newest_checkpoint(self) -> Checkpoint | None:
        """The last whole checkpoint; a damaged one is passed over with a warning, unless there is no other."""
        return checkpoints.newest(self.path / "checkpoints")

    @property
    def saved_iteration(self) -> int:
        """Where the run would go on from: the newest checkpoint's iteration, 0 if there is none."""
        return max(checkpoints.iterations(self.path / "checkpoints"), default=0)

    # ---- the end -----------------------------------------------------------------------------------------------------

    @property
    def result_path(self) -> Path:
        return self.path / "result.json"

    @property
    def is_finished(self) -> bool:
        return self.result_path.is_file()

    @property
    def is_whole(self) -> bool:
        """Whether it is finished, and both its result and its strategy can be read."""
        try:
            return self.result is not None and bool(tensors.read(self.strategy_path))
        except FileTrouble:
            return False

    @property
    def result(self) -> dict[str, Any] | None:
        """What `finish` was given; None before."""
        if not self.is_finished:
            return None
        return read_result(self.result_path)

    def finish(self, result: Mapping[str, Any]) -> None:
        """Mark the run as finished; numbers that are not finite become null."""
        write_result(self.result_path, result)

    def ask(self, **goals: Any) -> None:
        """Ask something else of the run, such as more iterations: it is no longer finished, and goes on to that."""
        settings = {name: value for name, value in self.settings.items() if name not in goals}
        asked = plain(settings | goals, drop_none=True)
        if wrong := misfit(asked, SETTINGS):
            raise RuseError(f"a run cannot have the setting {wrong} = {asked[wrong]!r}")
        # In the place that it had: the machine comes last, see `open`.
        self.about = {name: asked if name == "settings" else value for name, value in self.about.items()}
        with tensors.replacing(self.path / "run.toml") as file:
            file.write(tomli_w.dumps(self.about).encode())
        with tensors.explaining("delete", self.result_path):
            self.result_path.unlink(missing_ok=True)
        tensors.sync_directory(self.path)

    def rename(self, name: str) -> None:
        """Call it by another name in the same folder; what was there before is never replaced."""
        if not name or Path(name).name != name or name.startswith(".") or name == "last":
            raise RuseError(f"a run cannot be called {name!r}: give a plain name, without a folder")
        if not name.isprintable() or name.strip() != name:  # nobody could type it, or see where it ends
            raise RuseError(f"a run cannot be called {name!r}: give a plain name, of one line without blanks around it")
        place = self.path.with_name(name)
        if place.exists():
            raise FileTrouble(f"there is {place} already; choose another name")
        if self.is_running:
            raise FileTrouble(f"{self.path} is being trained; stop it first")
        with tensors.explaining("rename", self.path):
            self.path.rename(place)
        self.path = place

    def delete(self) -> None:
        """Remove it with all that is in it, unless it is being trained."""
        if self.is_running:
            raise FileTrouble(f"{self.path} is being trained; stop it first")
        with tensors.explaining("delete", self.path):
            shutil.rmtree(self.path)

    # ---- one at a time -----------------------------------------------------------------------------------------------

    def lock(self) -> AbstractContextManager[None]:
        """Keep other processes from training this run; the system lets go of it when this process dies."""
        return locks.held(self.path)

    @property
    def is_running(self) -> bool:
        """Whether some process trains it."""
        return locks.is_held(self.path)

    def summary(self) -> RunSummary:
        status = "running" if self.is_running else "finished" if self.is_finished else "interrupted"
        rows, reached = self.metrics(), self.saved_iteration
        if status == "interrupted":  # what was measured after the last checkpoint is lost
            rows = [row for row in rows if row["iteration"] <= reached]
        iterations = max([reached, *(row["iteration"] for row in rows[-1:])])
        exploitability = rows[-1].get("exploitability") if rows and rows[-1]["iteration"] == iterations else None
        if status == "finished":
            try:
                result = self.result or {}
                iterations = result["iterations"] if is_count(result.get("iterations")) else iterations
                exploitability = found if is_number(found := result.get("exploitability")) else None
            except FileTrouble:  # the checkpoint and what was measured on the way are there still
                status = "damaged"
        if self.is_of_part or (status in ("interrupted", "damaged") and exploitability is None):
            exploitability = self.judged_at(iterations)
        rule = str(self.settings.get("rule", ""))
        return RunSummary(self.path, self.game, rule, iterations, exploitability, self.created, status)

    @property
    def is_of_part(self) -> bool:
        """Whether what is measured on the way is measured in a part of the game, as up to a horizon."""
        return "horizon" in self.settings

    def judged_at(self, iteration: int) -> float | None:
        """What the strategy that was left at this iteration was judged by, in the whole game."""
        with suppress(FileTrouble, OSError):
            about = parsed(tensors.metadata_of(self.strategy_path).get("about", "").encode())
            if isinstance(about, dict) and about.get("iterations") == iteration:
                found = about.get("exploitability")
                return found if is_number(found) else None
        return None


# ---- many runs -------------------------------------------------------------------------------------------------------


def list_runs(root: str | Path) -> list[RunSummary]:
    """All runs under a folder, oldest first; those that cannot be read are skipped with a warning."""
    summaries = []
    for path in _candidates(root):
        try:
            summaries.append(RunDirectory.open(path).summary())
        except FileTrouble as trouble:
            log.warning("skipped: %s", trouble)
    return sorted(summaries, key=lambda summary: (summary.created, summary.path))


def find(root: str | Path, text: str) -> RunDirectory:
    """The run that a person means: a path, a name, a part of a name that no other run has, or "last"."""
    if not text.strip():  # which is a part of every name
        raise FileTrouble("no run is called by an empty text: give its name, a part of that, or last")
    if text != "last" and (_is_run(Path(text)) or Path(text).name != text):  # a mere word may name any folder
        return RunDirectory.open(text)
    named = [path for path in _candidates(root) if _is_run(path)]
    if text == "last" and named:
        return _last(named)
    word = text.casefold()
    fits = (
        [path for path in named if path.name.casefold() == word]
        or [path for path in named if path.name.casefold().startswith(word)]
        or [path for path in named if word in path.name.casefold()]
    )
    if len(fits) == 1:
        return RunDirectory.open(fits[0])
    if not named:
        raise FileTrouble(f"there is no run in {root} yet: train one first")
    if not fits:
        raise FileTrouble(f"no run in {root} is called {text!r}: `ruse runs` lists them")
    shown = ", ".join(path.name for path in fits[-5:])
    raise FileTrouble(f"{text!r} may mean {len(fits)} runs ({shown}{', …' if len(fits) > 5 else ''}): give more of it")


def has_runs(root: str | Path) -> bool:
    """Whether a run was begun in a folder: a kill may leave one of which nothing was written yet."""
    return any(map(_is_run, _candidates(root)))


def _last(paths: list[Path]) -> RunDirectory:
    """The newest of those that can be read."""
    runs, troubles = [], list[FileTrouble]()
    for path in paths:
        try:
            runs.append(RunDirectory.open(path))
        except NewerFile as trouble:
            troubles.append(trouble)
        except FileTrouble as trouble:
            troubles.append(FileTrouble(f"{trouble}; put that file back, or delete {path}"))
    if not runs:
        raise troubles[-1]
    return max(runs, key=lambda run: (run.created, run.path))


def _is_run(path: Path) -> bool:
    return os.path.isfile(path / "run.toml")  # unlike Path.is_file, False too for a name that no file can have


def _candidates(root: str | Path) -> list[Path]:
    with tensors.explaining("list the runs in", root):
        if not Path(root).is_dir():
            if Path(root).exists():
                raise FileTrouble(f"{root} is a file, not a folder of runs: name the folder, as in --runs runs")
            return []
        return sorted(path for path in Path(root).iterdir() if path.is_dir() and not path.name.startswith("."))


# ---- small things ----------------------------------------------------------------------------------------------------


def _new_directory(root: Path, name: str) -> Path:
    """Make a directory that was not there, with a number after its name where two start in the same second."""
    for suffix in ("", *(f"-{n}" for n in range(2, 10_000))):
        with suppress(FileExistsError):
            (root / (name + suffix)).mkdir()
            return root / (name + suffix)
    raise FileTrouble(f"there are too many runs called {name} in {root}: choose another folder")


def _safe(text: str) -> str:
    """Letters, digits and dashes that mean the same text to a person on any file system."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:40].strip("-") or "unnamed"
