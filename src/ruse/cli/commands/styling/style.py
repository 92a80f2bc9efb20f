"""`ruse style`: a strategy that plays as one says, and what that costs."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruse.catalog import names as catalog
from ruse.catalog.titles import spec
from ruse.cli.commands.styling.asked import StyleAsked, StyleFound, keep, tell
from ruse.cli.terminal.names import game_from
from ruse.cli.terminal.options import GAME, RUNS, AsJson, Runs, number, typed_names, whole
from ruse.cli.terminal.output import called, print_table, writable_folder
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError
from ruse.protocol.game import Game

if TYPE_CHECKING:
    from ruse.styles.styled import Styled, Target


def style(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME)] = None,
    *,
    target: Annotated[
        str | None, typer.Option(metavar="TEXT", help='What to do how often: "bet, player 0, first = 0.45".')
    ] = None,
    adapt_to: Annotated[
        str | None, typer.Option(metavar="WHO", help="Win most from a strategy, a run or a bot, instead of a target.")
    ] = None,
    max_exploitability: Annotated[
        float,
        typer.Option(parser=number, metavar="X", help="What the style may cost, to the profile and to its player."),
    ] = 0.02,
    rule: Annotated[str, typer.Option(metavar="RULE", help="How to solve: dcfr, pdcfr_plus, ...")] = "dcfr",
    iterations: Annotated[
        int | None, typer.Option(parser=whole, metavar="N", help="Iterations of a solve, at least; 5000 if not given.")
    ] = None,
    solves: Annotated[int, typer.Option(parser=whole, metavar="N", help="Solves at most.")] = 20,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the strategy, the search and a picture.")
    ] = None,
    blueprint: Annotated[
        str | None, typer.Option(metavar="RUN", help="Of Hold'em: what the style is found on top of.")
    ] = None,
    boards: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Of Hold'em: boards for what flops are worth.")
    ] = 300,
    runs: Runs = RUNS,
    as_json: AsJson = False,
) -> None:
    """Search for a strategy that takes an action as often as one says, or that adapts, and tell what it costs.

    Preferences are tried that cost nothing, then such that do. The exit code is 1 if the target was not met. In
    Hold'em a target may be a habit of the button, as "VPIP = 0.97" or "PFR = 0.5", with --blueprint last. With
    --adapt-to an opponent's mistakes are answered, for no more than the style may cost.

    Example: ruse style leduc --target "raise, player 0, first = 0.6"
    """
    from ruse.cli.commands.styling.adapt import adapted
    from ruse.cli.commands.styling.habit import styled_button
    from ruse.horizon.holdem_leaves import FEWEST_BOARDS
    from ruse.horizon.targets import is_habit, refuse_no_habit
    from ruse.styles.styled import target_of

    if boards < FEWEST_BOARDS:
        raise RuseError(f"boards must be at least {FEWEST_BOARDS}, got {boards}")
    if (target is None) == (adapt_to is None):
        raise RuseError(
            'say what the style is: --target, as "bet, player 0, first = 0.45", or --adapt-to, as random; not both'
        )
    made = game_from(ctx, game)
    out = writable_folder(out)
    asked = StyleAsked(max_exploitability, rule, iterations, solves, blueprint, boards, runs)
    if adapt_to is not None:
        found = adapted(made, adapt_to, asked, typed_names(ctx))
    else:
        wanted = target_of(str(target))
        if blueprint is not None:  # which nothing else is found on top of
            refuse_no_habit(wanted.name)
        found = (styled_button if is_habit(wanted.name) else styled)(made, wanted, asked)
    if out is not None:
        with working("keeping it"):
            keep(found, out)
    tell(found, out=out, as_json=as_json)


def styled(game: Game, target: "Target", asked: StyleAsked) -> StyleFound:
    """The strategy that takes an action as often as was said."""
    from ruse.styles.search import by_program
    from ruse.styles.search import style as search

    with working(f"styling {called(game)}") as told_now:
        found = search(
            game, target, max_exploitability=asked.cap, solver=catalog.preset(asked.rule),
            iterations=5_000 if asked.iterations is None else asked.iterations, solves=asked.solves,
            watch=lambda tried: told_now(f"{target}, now {tried.value:.3f} at {tried.cost:.3g}"),
        )  # fmt: skip
        numbers = found.as_dict() | {"game": spec(game)} | by_program(found)
    return StyleFound(
        found.strategy, numbers, partial(show, found, numbers), is_met=found.is_met, draw=partial(draw, found, numbers)
    )


def show(found: "Styled", told: dict[str, Any]) -> None:
    """Target against achieved, price, and how it was found."""
    chosen, alone = found.chosen, found.chosen.exploitability_of_styled_player
    verdict = "met" if found.is_met else "not met"
    print(f"{called(found.game)}: {found.target}: {verdict}, {chosen.value:.4f} instead of {found.plain.value:.4f}")
    print(found.why)
    limit = "" if chosen.bound is None else f", NashConv in the limit at most {chosen.bound:.3g}"
    seat = f"not known; one player alone could gain {chosen.could_gain:.3g}"
    if alone is not None:
        seat = f"{alone:.3g}" + (f" (within {chosen.price.margin:.1g})" if chosen.price.margin else "")
    print(f"price: exploitability {chosen.exploitability:.3g}, of its player alone {seat}{limit}")
    if told.get("cheapest") is not None:
        print(f"the least that any strategy of this style must lose to a best response: {told['cheapest']:.3g}")
    if chosen.how == "by linear program":
        print("found by linear program: no preference gives this strategy")
    if found.rule is not None:
        mixed = "" if chosen.share == 1.0 else f", {chosen.share:.0%} of it mixed with the solve before"
        print(f"preference: {found.rule}{mixed}")
    headers = ["delta", "beta", "value", "exploitability", "could gain" if alone is None else "of its player"]
    rows = [[f"{t.delta:.3g}", f"{t.beta:.3g}", f"{t.value:.4f}", f"{t.exploitability:.2e}",
             f"{t.could_gain if alone is None else t.exploitability_of_styled_player:.2e}"]
            for t in found.tried]  # fmt: skip
    print_table(headers, rows, right=headers)
    print(f"{len(found.tried)} solves in {found.seconds:.2g} s")


def draw(found: "Styled", told: dict[str, Any], path: Path) -> None:
    """What the style costs, and where it is."""
    from ruse.styles.family_charts import draw_style

    draw_style(
        found.target.name, [(t.value, t.cost) for t in found.tried], told.get("exact_frontier", []), path,
        title=f"{called(found.game)}: what {found.target.name} costs",
        target=found.target.value, cap=found.cap, chosen=(found.chosen.value, found.chosen.cost),
    )  # fmt: skip
