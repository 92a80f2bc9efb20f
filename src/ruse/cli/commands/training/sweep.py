"""`ruse sweep`: every combination of what is given, trained once; one table and one picture."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruse.cli.terminal.lawful import refuse_unlawful_file
from ruse.cli.terminal.names import refuse_slip, word_and_texts
from ruse.cli.terminal.options import AsJson, Checkpoint, taking, whole
from ruse.cli.terminal.output import print_json, print_table, writable_folder
from ruse.cli.terminal.progress import working
from ruse.cli.terminal.signals import INTERRUPTED
from ruse.errors import RuseError
from ruse.training.jobs.schema import OPTIONS
from ruse.words.amounts import in_bytes

if TYPE_CHECKING:
    from ruse.protocol.game import Game
    from ruse.sweeps.summary import SweepResult

FAILED = 1  # the exit code if a cell came to nothing
ON = "Where: cpu (here), ray or ray://HOST:PORT."
# Each option of a solve, with several values.
VARIED = tuple(
    option._replace(kind="text", default=None, is_many=True, shown=f"{option.shown or 'yes,no'},...")
    for option in OPTIONS
    if option.name != "on"
)


@taking(VARIED)
def sweep(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME,...", help="Games, by name.", show_default=False)] = None,
    *,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder of its runs; sweep-GAME if none.")] = None,
    grid: Annotated[Path | None, typer.Option(metavar="FILE", help="A grid in a TOML file, instead of a game.")] = None,
    jobs: Annotated[int | None, typer.Option(parser=whole, metavar="N", help="Processes at once; one a core.")] = None,
    on: Annotated[str, typer.Option(metavar="WHERE", help=ON)] = "cpu",
    skip_unfit: Annotated[bool, typer.Option("--skip-unfit", help="Leave out what does not go together.")] = False,
    as_json: AsJson = False,
    checkpoint_seconds: Checkpoint = 30.0,
    **asked: Any,
) -> None:
    """Train every combination of games, options and fields, and compare.

    Each option of `ruse solve`, and each field of the game, may have several values: --rule dcfr,cfr_plus --seed 0..4
    --suits 2,3. Each combination is a run in --out. Started again, it skips what is done and goes on with the rest;
    with --out alone it goes on with what is there.

    Example: ruse sweep leduc --rule dcfr,cfr_plus --seed 0..4
    """
    from ruse.spread.places import place_named
    from ruse.sweeps.folder import SweepFolder
    from ruse.sweeps.sweep import Sweep, asked_for, game_named_in_sweep
    from ruse.tree.measure.free import free_memory

    word, axes = axes_from(ctx, game, asked)
    place, each_on = place_named(on)
    folder = SweepFolder(writable_folder(out or default_folder(word, grid)) or Path())
    grids, make = asked_for(word, grid, axes, folder)

    def made(text: str, fields: Mapping[str, Any]) -> "Game":
        try:
            found = make(text, fields)
        except RuseError as error:
            refuse_slip(ctx, fields, error)
            raise
        if make is game_named_in_sweep:
            refuse_unlawful_file(found, text)
        return found

    with working("looking at the grid"):
        planned = Sweep(grids, folder, made, on=each_on, skip_unfit=skip_unfit)
        planned.find()
        done = len(planned.done)
    with working(f"making ready to work on {on}"):
        ready = place.ready(jobs, planned.threads)
    if not as_json:
        cells, at_once = len(planned.identities), ready.at_once
        where = f" on {on}" if each_on != on else f", {in_bytes(free_memory() / at_once)} of memory free for each"
        print(
            f"{cells} cell{'s' if cells > 1 else ''}, {done} done already; "
            f"{at_once} process{'es' if at_once > 1 else ''} at once{where}"
        )
    with working(f"sweep of {planned.cells[0].said['game']}") as tell:
        is_over = planned.complete(ready, lambda p: tell(str(p)), checkpoint_seconds=checkpoint_seconds)
        result = planned.result()
        written = result.write()
    conclude(result, written, is_over=is_over, as_json=as_json)


def axes_from(ctx: typer.Context, game: str | None, asked: Mapping[str, list[str] | None]) -> tuple[str | None, Any]:
    """The games, and the values of all that was typed; an option that was given again has more of them."""
    from ruse.sweeps.grid import VARIED as KNOWN
    from ruse.sweeps.values import each_of, option_values

    axes: dict[str, list[Any]] = {}
    for name, given in asked.items():
        for text in given or ():
            axes.setdefault(name, []).extend(option_values(KNOWN[name], text))
    word, texts = word_and_texts(ctx, game)  # after the options: one that lacks its value has taken another for it
    for name, text in texts:
        axes.setdefault(name, []).extend(each_of(text))
    return word, axes


def default_folder(word: str | None, grid: Path | None) -> Path:
    if word is None and grid is None:
        raise RuseError("say which game, as in `ruse sweep leduc --seed 0..4`; `ruse games` lists them")
    stem = Path(word.split(":")[0]).stem if word is not None and "," not in word else ""
    return Path(f"sweep-{stem}" if stem else "sweep" if grid is None else f"sweep-{grid.stem}")


def conclude(result: "SweepResult", written: list[Path], *, is_over: bool, as_json: bool) -> None:

    if as_json:
        print_json(result.as_dict() | {"finished": is_over, "files": written})
    else:
        headers, rows = result.table
        print_table(headers, rows, right=["seeds", "iterations", "exploitability", "seconds"])
        for path in written:
            print(f"wrote {shown(path)}")
        if not is_over:
            print("stopped; the same command goes on")
        else:
            folder = shlex.quote(shown(result.out))
            print(f"next: ruse runs --runs {folder}, ruse studio --runs {folder}")
    if not is_over:
        raise typer.Exit(INTERRUPTED)
    if result.number_of("failed"):
        raise typer.Exit(FAILED)


def shown(path: Path) -> str:
    """As short as it can be typed here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
