"""`ruse runs`: what has been solved, and what was left unfinished; other names for runs, and none at all."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruse.catalog.titles import how_far, title
from ruse.cli.terminal.options import RUNS, AsJson, Runs
from ruse.cli.terminal.output import fits, print_bold, print_json, print_table
from ruse.cli.terminal.progress import duration
from ruse.cli.terminal.table import Quit, read
from ruse.errors import RuseError

if TYPE_CHECKING:
    from pathlib import Path

    from ruse.store.runs import RunSummary

WORDS = "rename RUN NAME, or delete RUN..."


def runs(
    words: Annotated[list[str] | None, typer.Argument(metavar="[rename|delete] RUN...", help=WORDS)] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    root: Runs = RUNS,
    as_json: AsJson = False,
) -> None:
    """List the runs, the oldest first; give one another name, or delete some.

    `ruse runs rename last kuhn-best` and `ruse runs delete RUN` take a run by its name, a part of it, or last. What is
    to be deleted is shown, and asked for, unless --yes is given.

    Example: ruse runs
    """
    from ruse.store.runs import list_runs

    if words:
        change(words, root, yes=yes, as_json=as_json)
        return
    listed = [facts_of(run) for run in list_runs(root)]
    if as_json:
        print_json(listed)
    elif not listed:
        print(f"There is no run in {root} yet; make one with: ruse solve leduc")
    else:
        print_runs([row_of(run) for run in listed])


def change(words: list[str], root: "Path", *, yes: bool, as_json: bool) -> None:
    """Rename a run, or delete some."""
    from ruse.store.runs import find

    what, *names = words
    if what == "rename":
        if len(names) != 2:
            raise RuseError("say which run, and its new name: ruse runs rename last kuhn-best")
        run = find(root, names[0])
        before = run.name
        run.rename(names[1])
        print_json({"renamed": before, "name": run.name}) if as_json else print(f"{before} is now {run.name}")
        return
    if what != "delete":
        raise RuseError(f"`ruse runs` can rename and delete, not {what!r}; without a word it lists them")
    if not names:
        raise RuseError("say which run: ruse runs delete last")
    found = list({run.path: run for run in (find(root, name) for name in names)}.values())
    if not as_json:
        print_runs([row_of(facts_of(run.summary())) for run in found])
    if not yes and not agreed(len(found)):
        print("nothing was deleted")
        return
    for run in found:
        run.delete()
    deleted = [run.name for run in found]
    print_json({"deleted": deleted}) if as_json else print(f"deleted: {', '.join(deleted)}")


def agreed(count: int) -> bool:
    """Whether a person says yes; who says nothing does not."""
    try:
        return (
            read(f"Delete {'this run' if count == 1 else f'these {count} runs'}? Type yes: ").strip().casefold()
            == "yes"
        )
    except Quit:
        return False


def print_runs(rows: list[list[str]]) -> None:
    """A line a run, or two where a terminal is too narrow: a name that is broken cannot be copied."""
    headers = ["name", "game", "rule", "iterations", "exploitability", "status", "age"]
    if fits([headers, *rows]):
        print_table(headers, rows, right=["iterations", "exploitability"])
        return
    for name, game, rule, iterations, measured, status, age in rows:
        print_bold(name)
        judged = f", exploitability {measured}" if measured else ""
        print(f"  {game}, {rule}: {iterations} iterations{judged}, {status}, {age}")


def facts_of(run: "RunSummary") -> dict[str, Any]:
    """A run as JSON tells it; the game with its fields, as it was asked for."""
    from ruse.store.runs import RunDirectory

    facts: dict[str, Any] = {"name": run.path.name, **run._asdict(), "path": str(run.path)}
    settings = RunDirectory.open(run.path).settings
    facts |= {"game": settings.get("game", run.game), "created": run.created.isoformat()}
    return facts | ({"horizon": settings["horizon"]} if "horizon" in settings else {})


def row_of(run: dict[str, Any]) -> list[str]:
    measured = "" if run["exploitability"] is None else f"{run['exploitability']:.3g}"
    age = duration((datetime.now(UTC) - datetime.fromisoformat(run["created"])).total_seconds())
    game = title(run["game"]) + how_far(run)
    return [run["name"], game, run["rule"], f"{run['iterations']:,}", measured, run["status"], age]
