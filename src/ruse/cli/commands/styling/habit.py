"""`ruse style holdem`: a habit of poker players as a target, on top of a blueprint."""

from functools import partial
from typing import TYPE_CHECKING, Any

from ruse.catalog import names as catalog
from ruse.catalog.titles import spec
from ruse.cli.commands.styling.asked import StyleAsked, StyleFound
from ruse.cli.terminal.names import strategy_from
from ruse.cli.terminal.output import called, print_table
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError
from ruse.protocol.game import Game

if TYPE_CHECKING:
    from ruse.horizon.targets import HabitFound
    from ruse.styles.styled import Target

ITERATIONS = 400  # before the flop: to a few thousandths of a big blind


def styled_button(game: Game, target: "Target", asked: StyleAsked) -> StyleFound:
    """The strategy of a whole game whose button has the habit."""
    from ruse.horizon.targets import Effort, find_habit, refuse_unsearchable, with_habits

    with_habits(game)
    if asked.blueprint is None:
        raise RuseError(
            f"{target.name} is found on top of a blueprint: `ruse solve holdem` makes one, --blueprint last takes it"
        )
    effort = Effort(asked.boards, ITERATIONS if asked.iterations is None else asked.iterations, asked.solves)
    rule = catalog.preset(asked.rule)
    refuse_unsearchable(target.name, target.value, cap=asked.cap, effort=effort, solver=rule)
    known = strategy_from(asked.blueprint, runs=asked.runs, game=game)
    with working(f"styling {called(game)}") as tell:
        found = find_habit(
            known, target.name, target.value, cap=asked.cap, effort=effort, solver=rule,
            watch=lambda one: tell(f"{target}, now {one.value:.3f} at {1000 * one.cost:.1f} mbb"),
        )  # fmt: skip
    return StyleFound(
        found.strategy, as_dict(found) | {"game": spec(game)}, partial(show, game, found), is_met=found.is_met
    )


def as_dict(found: "HabitFound") -> dict[str, Any]:
    each = [{"beta": t.beta, "value": t.value, "exploitability": t.exploitability, "own": t.own} for t in found.tried]
    return {
        "target": {"name": found.name, "value": found.target}, "achieved": found.chosen.value, "met": found.is_met,
        "max_exploitability": found.cap, "exploitability": found.chosen.exploitability,
        "exploitability_of_styled_player": found.chosen.own, "prefer": found.preference,
        "habits": found.habits._asdict(), "frontier": each, "seconds": found.seconds,
    }  # fmt: skip


def show(game: Game, found: "HabitFound") -> None:
    """Target against achieved, price, and how it was found."""
    verdict = "met" if found.is_met else f"not to be had for {found.cap:g} by the preferences that were tried"
    was, now = found.tried[0], found.chosen
    print(
        f"{called(game)}: {found.name} = {found.target:g} on the button: {verdict}, {now.value:.4f} instead of "
        f"{was.value:.4f}"
    )
    print(
        f"price before the flop: exploitability {1000 * now.exploitability:.1f} mbb a hand, of the button alone "
        f"{1000 * now.own:.1f}"
    )
    print(found.habits)
    print(f"preference: {found.preference or 'none'}")
    headers = ["beta", found.name, "exploitability, mbb", "of the button"]
    rows = [[f"{t.beta:.3g}", f"{t.value:.4f}", f"{1000 * t.exploitability:.1f}", f"{1000 * t.own:.1f}"]
            for t in found.tried]  # fmt: skip
    print_table(headers, rows, right=headers)
    print(f"{len(found.tried)} solves in {found.seconds:.2g} s")
