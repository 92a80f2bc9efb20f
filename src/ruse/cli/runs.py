"""`ruse runs`: what has been solved, and what was left unfinished."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruse.cli.options import RUNS, AsJson, Runs
from ruse.cli.output import print_json, print_table
from ruse.cli.progress import duration

if TYPE_CHECKING:
    from ruse.runs import RunSummary


def runs(*, root: Runs = RUNS, as_json: AsJson = False) -> None:
    """List the runs, the oldest first.

    Example: ruse runs
    """
    from ruse.runs import list_runs

    listed = [facts_of(run) for run in list_runs(root)]
    if as_json:
        print_json(listed)
    elif not listed:
        print(f"There is no run in {root} yet; make one with: ruse solve leduc")
    else:
        headers = ["name", "game", "rule", "iterations", "exploitability", "status", "age"]
        print_table(headers, map(row_of, listed), right=["iterations", "exploitability"])


def facts_of(run: "RunSummary") -> dict[str, Any]:
    """A run as JSON tells it; the game with its fields, as it was asked for."""
    from ruse.runs import RunDirectory

    facts: dict[str, Any] = {"name": run.path.name, **run._asdict(), "path": str(run.path)}
    game = RunDirectory.open(run.path).settings.get("game", run.game)
    return facts | {"game": game, "created": run.created.isoformat()}


def row_of(run: dict[str, Any]) -> list[str]:
    measured = "" if run["exploitability"] is None else f"{run['exploitability']:.3g}"
    age = duration((datetime.now(UTC) - datetime.fromisoformat(run["created"])).total_seconds())
    game = run["game"] if run["game"].startswith("openspiel:") else Path(run["game"]).name
    return [run["name"], game, run["rule"], f"{run['iterations']:,}", measured, run["status"], age]
