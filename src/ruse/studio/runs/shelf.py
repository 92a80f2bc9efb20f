"""The folder of runs as it is on disk now: what the list shows, and what was measured on the way."""

import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from ruse.catalog.titles import how_far, title
from ruse.errors import FileTrouble
from ruse.store.records import is_count, is_number
from ruse.store.runs import RunDirectory, RunSummary
from ruse.studio.answers import Missing
from ruse.studio.feed import Feed, News
from ruse.studio.names import is_file_name
from ruse.studio.runs.following import Tail
from ruse.studio.runs.launching import Launched, Launcher
from ruse.studio.state import Studio

STEP = 1 << 20  # rows of a file that a number of the feed can count


class RunRow(BaseModel):
    """A run as the list shows it."""

    name: str
    game: str  # what finds the game again
    title: str  # what it is called
    rule: str
    status: Literal["running", "finished", "interrupted"]
    created: str
    iterations: int
    exploitability: float | None  # in the whole game, where it was measured last
    seconds: float | None
    infosets: int | None
    planned: int | None  # iterations
    target: float | None
    limit: float | None  # seconds
    has_strategy: bool


class StartedRow(BaseModel):
    """A command that the studio has started and that has no run yet, or has failed."""

    id: str
    command: str
    state: Literal["starting", "failed"]
    told: list[str]  # the last lines that it has written


class RunList(BaseModel):
    """All runs, the newest first."""

    folder: str
    runs: list[RunRow]
    started: list[StartedRow]


class Curves(BaseModel):
    """What was measured on the way, in columns. `fresh`: what was known before is no longer true."""

    fresh: bool
    since: int
    iteration: list[int]
    seconds: list[float | None]
    exploitability: list[float | None]
    pulse_iteration: list[int]
    pulse_seconds: list[float | None]
    speed: list[float | None]  # iterations a second
    infosets: list[float | None]


class Shelf:
    """The folder of runs, as it is now; rows of runs that have not changed are not read again."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.rows: dict[Path, tuple[Any, RunRow]] = {}
        self.files: dict[Path, Tail] = {}
        self.lock = threading.Lock()
        self.revision, self.last = 0, ""
        feed = studio.of(Feed)
        feed.source("runs", self.news_of_runs)
        feed.source("metrics", self.news_of_metrics)

    def directory(self, name: str) -> RunDirectory:
        """A run by its own name: no path, and no part of a name."""
        path = self.studio.runs / name
        if not is_file_name(name) or not (path / "run.toml").is_file():
            raise Missing(f"there is no run {name[:80]!r} in {self.studio.runs}")
        return RunDirectory.open(path)

    def tail(self, path: Path) -> Tail:
        with self.lock:
            if path not in self.files and len(self.files) > 500:
                self.files.clear()
            return self.files.setdefault(path, Tail(path))

    def listed(self) -> RunList:
        """All runs, and what was started and is none yet."""
        found = []
        folder = self.studio.runs
        for path in sorted(folder.iterdir(), reverse=True) if folder.is_dir() else ():
            if not path.name.startswith(".") and (path / "run.toml").is_file():
                with suppress(FileTrouble, OSError):  # damaged, or just being deleted
                    found.append(self.row(path))
        found.sort(key=lambda row: (row.created, row.name), reverse=True)
        taken = {trainer(folder / row.name) for row in found if row.status == "running"}
        launcher = self.studio.of(Launcher)
        started = [started_row(one) for one in launcher.every() if is_told(one, taken)]
        return RunList(folder=str(folder), runs=found, started=started[::-1])

    def row(self, path: Path) -> RunRow:
        state = stamp(path)
        known = self.rows.get(path)
        if known is not None and known[0] == state:
            return known[1]
        made = self.fresh_row(RunDirectory.open(path))
        self.rows[path] = (state, made)
        return made

    def fresh_row(self, run: RunDirectory) -> RunRow:
        summary, asked = run.summary(), run.settings
        checks, pulse = (self.tail(path).look() for path in (run.metrics_path, run.pulse_path))
        reached = [row for row in checks if row["iteration"] <= summary.iterations]
        measured = [found for row in reached if (found := number(row.get("exploitability"))) is not None]
        last = max([*checks[-1:], *pulse[-1:]], key=lambda row: row["iteration"], default={})
        is_running = summary.status == "running"
        exploitability = summary.exploitability
        if exploitability is None and measured and not run.is_of_part:
            exploitability = measured[-1]
        game = str(asked.get("game", run.game))
        infosets = next((row["infosets"] for row in reversed(pulse) if is_count(row.get("infosets"))), None)
        return RunRow(
            name=run.name, game=game, title=title(game) + how_far(asked),
            rule=str(asked.get("rule", "")), status=page_status(summary), created=run.created.isoformat(),  # type: ignore[arg-type]
            iterations=max(summary.iterations, last.get("iteration", 0)) if is_running else summary.iterations,
            exploitability=exploitability, seconds=number(last.get("seconds")),
            infosets=infosets, planned=asked.get("iterations"), target=asked.get("target"),
            limit=asked.get("seconds"), has_strategy=run.strategy_path.is_file(),
        )  # fmt: skip

    # ---- the feed ----------------------------------------------------------------------------------------------------

    def news_of_runs(self, rest: str, since: int) -> News | None:
        """The whole list, if it is not what it was."""
        listed = self.listed()
        text = listed.model_dump_json()
        with self.lock:
            if text != self.last:
                self.last, self.revision = text, self.revision + 1
            now = self.revision
        return News(now, listed.model_dump()) if since != now else None

    def news_of_metrics(self, name: str, since: int) -> News | None:
        curves = self.curves(name, since)
        is_new = curves.fresh or curves.iteration or curves.pulse_iteration
        return News(curves.since, curves.model_dump()) if is_new else None

    def curves(self, name: str, since: int) -> Curves:
        """What was measured after what a page already has: it counts the rows of both files, and how often they began
        anew.
        """
        run = self.directory(name)
        checks, pulse = self.tail(run.metrics_path), self.tail(run.pulse_path)
        rows, beats = checks.look(), pulse.look()
        begun, seen_checks, seen_beats = since // STEP**2, since // STEP % STEP, since % STEP
        generation = (checks.generation + pulse.generation) % (1 << 12) + 1
        fresh = begun != generation or seen_checks > len(rows) or seen_beats > len(beats)
        if fresh:
            seen_checks = seen_beats = 0
        now = (generation * STEP + min(len(rows), STEP - 1)) * STEP + min(len(beats), STEP - 1)
        new, heard = rows[seen_checks:], beats[seen_beats:]
        before = beats[seen_beats - 1] if seen_beats else {"iteration": 0, "seconds": 0.0}
        return Curves(
            fresh=fresh, since=now,
            iteration=[row["iteration"] for row in new],
            seconds=[number(row.get("seconds")) for row in new],
            exploitability=[number(row.get("exploitability")) for row in new],
            pulse_iteration=[row["iteration"] for row in heard],
            pulse_seconds=[number(row.get("seconds")) for row in heard],
            speed=[speed(a, b) for a, b in zip([before, *heard], heard, strict=False)],
            infosets=[number(row.get("infosets")) for row in heard],
        )  # fmt: skip


def page_status(summary: RunSummary) -> str:
    """As the page has it: a run whose result is damaged is one to go on with, which makes the result anew."""
    return "interrupted" if summary.status == "damaged" else summary.status


def number(value: Any) -> float | None:
    """A number that JSON can hold."""
    return float(value) if value is not None and is_number(value) and abs(value) < 1e300 else None


def speed(before: dict[str, Any], after: dict[str, Any]) -> float | None:
    """Iterations a second between two beats."""
    began, ended = number(before.get("seconds")), number(after.get("seconds"))
    if began is None or ended is None or ended <= began:
        return None
    return float((after["iteration"] - before["iteration"]) / (ended - began))


def stamp(path: Path) -> Any:
    """What changes when a run does."""
    marks: list[Any] = []
    for name in ("run.toml", "metrics.jsonl", "pulse.jsonl", "result.json", "checkpoints", "strategy.safetensors"):
        try:
            found = (path / name).stat()
            marks.append((found.st_ino, found.st_mtime_ns, found.st_size))
        except OSError:
            marks.append(None)
    return marks, RunDirectory(path, {}).is_running


def trainer(path: Path) -> int | None:
    """The process that trains a run, as its lock says."""
    with suppress(OSError, ValueError):
        return int((path / "lock").read_text()[:20])
    return None


def is_told(one: Launched, taken: set[int | None]) -> bool:
    """Whether a command is shown by itself: it trains, but has no run yet; or it has failed."""
    if one.words[0] not in ("solve", "resume"):
        return False
    return one.code not in (0, 130, 143) if one.code is not None else one.pid not in taken


def started_row(one: Launched) -> StartedRow:
    return StartedRow(
        id=one.id, command=one.command, state="starting" if one.code is None else "failed", told=one.told()
    )  # fmt: skip
