"""The area Runs: what has been trained and is being trained, started, stopped, gone on with and deleted."""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi import Path as InPath
from pydantic import BaseModel, Field

from ruse.errors import FileTrouble, RuseError
from ruse.store.runs import RunDirectory
from ruse.studio.answers import Clash, Missing, said_on_a_page
from ruse.studio.runs.launching import Launcher
from ruse.studio.runs.shelf import Curves, RunList, RunRow, Shelf, number, trainer
from ruse.studio.state import Studio, studio_of
from ruse.training.jobs.schema import typed_words

router = APIRouter(prefix="/api/runs", tags=["runs"])

Here = Annotated[Studio, Depends(studio_of)]
Name = Annotated[str, InPath(max_length=200, pattern=r"^[^/\\.\x00][^/\\\x00]*$")]


class RunDetail(BaseModel):
    """One run with what was asked and what came out."""

    run: RunRow
    command: str  # what a person would type to go on with it
    settings: dict[str, Any]
    result: dict[str, Any] | None
    log: list[str]  # the last lines, if the studio has started it
    bytes: int  # that it takes on disk


class GoOn(BaseModel):
    """How much further a run is to go; nothing: as far as it was asked to."""

    iterations: Annotated[int | None, Field(gt=0, le=2**62)] = None
    target: Annotated[float | None, Field(gt=0, le=1e300)] = None
    seconds: Annotated[float | None, Field(gt=0, le=1e9)] = None


class Begun(BaseModel):
    """A command that was started."""

    id: str
    command: str


class Done(BaseModel):
    """It was done."""

    done: bool = True


@router.get("")
def all_runs(studio: Here) -> RunList:
    """All runs, the newest first, and commands that have none yet."""
    return studio.of(Shelf).listed()


@router.get("/{name}")
def one_run(studio: Here, name: Name) -> RunDetail:
    """One run with what was asked and what came out."""
    shelf = studio.of(Shelf)
    run = shelf.directory(name)
    result, trouble = result_and_trouble(run)
    size = sum(file.stat().st_size for file in run.path.rglob("*") if file.is_file())
    launched = studio.of(Launcher).by_pid(trainer(run.path) or -1)
    return RunDetail(
        run=shelf.row(run.path), command=f"ruse resume {run.path}", settings=plain(run.settings), result=plain(result),
        log=[*trouble, *(launched.told() if launched else [])], bytes=size,
    )  # fmt: skip


def result_and_trouble(run: RunDirectory) -> tuple[dict[str, Any] | None, list[str]]:
    """What it came to, and in a line why that cannot be read."""
    try:
        return run.result, []
    except FileTrouble as trouble:
        return None, [said_on_a_page(trouble)]


def plain(values: Any) -> Any:
    """The same without numbers that JSON has not."""
    if isinstance(values, dict):
        return {str(name): plain(value) for name, value in values.items()}
    if isinstance(values, list | tuple):
        return [plain(value) for value in values]
    return None if isinstance(values, float) and number(values) is None else values


@router.get("/{name}/curves")
def curves_of_a_run(studio: Here, name: Name, since: Annotated[int, Field(ge=0, le=2**53)] = 0) -> Curves:
    """What was measured on the way; `since` is that of an earlier answer."""
    return studio.of(Shelf).curves(name, since)


@router.post("/{name}/stop")
def stop_a_run(studio: Here, name: Name) -> Done:
    """Ask the process that trains a run to save it and end, wherever it was started."""
    run = studio.of(Shelf).directory(name)
    if not run.is_running:
        raise Clash(f"{name} is not being trained")
    pid = trainer(run.path)
    if pid is None or not holds(pid, run.path / "lock"):
        raise Clash(f"{name} is trained by a process that the studio cannot see; stop it where it was started")
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    return Done()


def holds(pid: int, lock: Path) -> bool:
    """Whether it is this process that has the lock open: a number in a file may be anybody's."""
    folder = Path(f"/proc/{pid}/fd")
    if not Path("/proc/self/fd").is_dir():
        return pid != os.getpid()  # another system, which does not tell
    with suppress(OSError):
        return any(os.path.samefile(link, lock) for link in folder.iterdir() if link.exists())
    return False


@router.post("/{name}/resume")
def go_on_with_a_run(studio: Here, name: Name, further: GoOn) -> Begun:
    """Go on with a run that was stopped or killed, or further with one that is finished."""
    run = studio.of(Shelf).directory(name)
    if run.is_running:
        raise Clash(f"{name} is being trained already")
    if further == GoOn() and result_and_trouble(run)[0] is not None:
        raise RuseError(f"{name} is finished; say how much further it is to go")
    asked = {word: value for word, value in further.model_dump().items() if value is not None}
    started = studio.of(Launcher).start(["resume", str(run.path), *typed_words(asked)], alone=2)
    return Begun(id=started.id, command=started.command)


@router.delete("/{name}")
def delete_a_run(studio: Here, name: Name) -> Done:
    """Delete a run with all that belongs to it. Nobody can bring it back."""
    run = studio.of(Shelf).directory(name)
    if run.path.is_symlink():
        raise Clash(f"{name} is a link to a run that lies elsewhere; delete it there, or take the link away by hand")
    try:
        with run.lock():
            # Out of sight first: nobody may find half of it.
            grave = run.path.with_name(f".deleted-{run.name}")
            shutil.rmtree(grave, ignore_errors=True)
            run.path.rename(grave)
    except RuseError as error:
        raise Clash(f"{name} is being trained; stop it first") from error
    shutil.rmtree(grave, ignore_errors=True)
    return Done()


@router.delete("/started/{id}")
def forget_a_command(studio: Here, id: Annotated[str, InPath(max_length=40)]) -> Done:
    """End a command that has no run yet, or take one that has failed off the list."""
    launcher = studio.of(Launcher)
    one = launcher.launched.get(id)
    if one is None:
        raise Missing(f"there is no command {id!r}")
    if one.code is None:
        one.process.terminate()
    else:
        launcher.launched.pop(id, None)
    return Done()
