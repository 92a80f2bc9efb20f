"""`ruse equilibria`: how far a style can move for nothing, and what it costs to go further."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruse.catalog.titles import spec
from ruse.cli.terminal.names import game_from
from ruse.cli.terminal.options import GAME, METRIC, AsJson, number
from ruse.cli.terminal.output import called, print_json, print_table, signed, writable_folder
from ruse.cli.terminal.progress import working
from ruse.store.records import plain

if TYPE_CHECKING:
    from ruse.styles.equilibria import Equilibria, Family, Movable

SHOWN = 5  # values of the metric for which the family is printed
BAR = 30  # characters


def equilibria(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME)] = None,
    *,
    metric: Annotated[list[str] | None, typer.Option("--metric", metavar="TEXT", help=METRIC)] = None,
    within: Annotated[
        float, typer.Option(parser=number, metavar="EPS", help="Strategies that lose at most this to a best response.")
    ] = 0.0,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Draw there, and keep the numbers.")] = None,
    as_json: AsJson = False,
) -> None:
    """Map how far metrics of style can move among the equilibria of a game.

    Exact, by linear programming, for two-player games of zero or constant sum. With --metric, also what moves along
    with the first.

    Example: ruse equilibria kuhn --metric "bet, player 0, with J, first"
    """
    from ruse.styles.equilibria import Equilibria

    made = game_from(ctx, game)
    out = writable_folder(out)
    with working(f"mapping the equilibria of {called(made)}") as tell:
        found = Equilibria(made, metric or None, within=within, tell=tell)
        told: dict[str, Any] = {
            "game": spec(made), "value": found.value, "within": within,
            "metrics": [m.as_dict() for m in found.metrics],
        }  # fmt: skip
        family = None
        if metric or out is not None:
            family = found.family(found.chosen.name if not metric else found.metrics[0].name)
            told |= {"family": family._asdict(), "frontier": frontier_of(found, family.name)}
        if out is not None:
            keep(found, family, told, out)
    if as_json:
        print_json(told)
        return
    print(f"{called(made)}: value {signed(found.value)} to player 0; {over(within)}")
    print_metrics(found.metrics)
    if metric and family is not None:
        print_family(family)
    if out is not None:
        print(f"pictures and equilibria.json: {out}")


def over(within: float) -> str:
    return f"strategies that lose at most {within:g}" if within else "equilibrium strategies"


def frontier_of(found: "Equilibria", name: str) -> list[tuple[float, float]]:
    return [] if name.startswith("variance") else found.frontier(name)


def print_metrics(metrics: "list[Movable]") -> None:
    headers = ["metric", "lowest", "highest", "plain solve", f"0{'1':>{BAR - 1}}"]
    print_table(headers, [row_of(m) for m in metrics], right=headers[1:4])
    still = sum(m.is_unique for m in metrics)
    if still:
        print(f"{still} of {len(metrics)} are the same in all of these strategies: no preference alone can move them")


def row_of(metric: "Movable") -> list[str]:
    if math.isnan(metric.lowest):
        return [metric.name, "never", "never", "", ""]
    numbers = [f"{x:z.4f}" for x in (metric.lowest, metric.highest, metric.own)]
    return [metric.name, *numbers, "" if metric.name.startswith("variance") else bar(metric)]


def bar(metric: "Movable") -> str:
    """The range as a bar from 0 to 1, with the plain solve in it; a point if there is but one value."""
    place = [min(round(x * (BAR - 1)), BAR - 1) for x in (metric.lowest, metric.highest, metric.own)]
    cells = ["=" if place[0] <= k <= place[1] else " " for k in range(BAR)]
    cells[place[2]] = "|" if metric.is_unique else "o"
    return "".join(cells).rstrip()


def print_family(family: "Family") -> None:
    """What moves along with the metric, at a few of its values."""
    if len(family.at) < 2 or not family.lines:
        print(f"nothing moves along {family.name}")
        return
    places = [round(k * (len(family.at) - 1) / (SHOWN - 1)) for k in range(SHOWN)]
    rows = [[family.name, *(f"{family.at[k]:z.4f}" for k in places)]]
    rows += [["  " + name, *(ends_of(line[k]) for k in places)] for name, line in family.lines.items()]
    print()
    headers = ["along", *(" " * (k + 1) for k in range(SHOWN))]  # columns are told apart by their names
    print_table(headers, rows, right=headers[1:])


def ends_of(ends: Any) -> str:
    if ends is None:
        return "never"
    low, high = (f"{x:z.4f}" for x in ends)
    return low if low == high else f"{low} to {high}"


def keep(found: "Equilibria", family: "Family | None", told: dict[str, Any], out: Path) -> None:
    """The pictures and the numbers."""
    from ruse.styles.equilibria import SAME
    from ruse.styles.family_charts import draw_family, draw_ranges

    out.mkdir(parents=True, exist_ok=True)
    (out / "equilibria.json").write_text(json.dumps(plain(told, finite=True), indent=1, ensure_ascii=False) + "\n")
    kept = [m for m in found.metrics if not m.name.startswith("variance") and not math.isnan(m.lowest)]
    head = f"{called(found.game)}: {over(found.within)}"
    rows = [(m.name, m.lowest, m.highest, m.own) for m in kept]
    if rows:
        draw_ranges(rows, out / "ranges.png", title=f"{head}, by what they do", moved=SAME)
    if family is not None:
        own = next(m.own for m in found.metrics if m.name == family.name)
        draw_family(family.name, family.at, family.lines, told["frontier"], out / "family.png",
                    title=f"{head}, by {family.name}", own=own, within=found.within)  # fmt: skip
