"""`ruse runs`: what has been solved, and what was left unfinished."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ruse.catalog.titles import title
from ruse.cli.terminal.options import RUNS, AsJson, Runs
from ruse.cli.terminal.output import fits, print_bold, print_json, print_table
from ruse.cli.terminal.progress import duration

if TYPE_CHECKING:
    from ruse.store.runs import RunSummary


def runs(*, root: Runs = RUNS, as_json: AsJson = False) -> None:
    """List the runs, the oldest first.

    Example: ruse runs
    """
    from ruse.store.runs import list_runs

    listed = [facts_of(run) for run in list_runs(root)]
    if as_json:
        print_json(listed)
    elif not listed:
        print(f"There is no run in {root} yet; make one with: ruse solve leduc")
    else:
        print_runs([row_of(run) for run in listed])


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
    game = RunDirectory.open(run.path).settings.get("game", run.game)
    return facts | {"game": game, "created": run.created.isoformat()}


def row_of(run: dict[str, Any]) -> list[str]:
    measured = "" if run["exploitability"] is None else f"{run['exploitability']:.3g}"
    age = duration((datetime.now(UTC) - datetime.fromisoformat(run["created"])).total_seconds())
    game = title(run["game"])
    return [run["name"], game, run["rule"], f"{run['iterations']:,}", measured, run["status"], age]
