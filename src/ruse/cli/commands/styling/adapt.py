"""`ruse style --adapt-to`: a strategy that answers an opponent's mistakes for no more than may be paid."""

from functools import partial
from typing import TYPE_CHECKING

from ruse.catalog import names as catalog
from ruse.catalog.titles import spec
from ruse.cli.commands.styling.asked import StyleAsked, StyleFound
from ruse.cli.commands.styling.habit import ITERATIONS
from ruse.cli.terminal.names import bot_from, strategy_from
from ruse.cli.terminal.output import called, print_table
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError
from ruse.protocol.game import Game

if TYPE_CHECKING:
    from ruse.horizon.adapting import AdaptedButton
    from ruse.styles.adapting import AdaptedStyle

SEARCHED = ("rule", "iterations", "solves", "boards", "blueprint")  # what a linear program has no use for


def adapted(game: Game, who: str, asked: StyleAsked, typed: set[str]) -> StyleFound:
    """The answer to an opponent; what was typed and has no use here is refused."""
    from ruse.horizon.targets import has_habits
    from ruse.solve.solver.fits import Setup, must_fit

    if not asked.cap > 0.0:
        raise RuseError(f"max_exploitability must be above 0, got {asked.cap:g}")
    find, useless = (button, ("solves",)) if has_habits(game) else (answer, SEARCHED)
    unused = tuple(f"--{name}" for name in useless if name in typed)[:1]  # one at a time
    must_fit(Setup(game=game, adapts=True, exact=find is answer, unused=unused), "adapting")
    found = find(game, who, asked)
    about = {"game": spec(game), "adapted_to": who, "max_exploitability": asked.cap}
    return found._replace(numbers=about | found.numbers)


# ---- games that are small enough for a linear program ----------------------------------------------------------------


def answer(game: Game, who: str, asked: StyleAsked) -> StyleFound:
    """The strategy that wins most, in both seats."""
    from ruse.styles.adapting import adapt

    opponent = bot_from(who, runs=asked.runs, game=game)
    with working(f"adapting to {who} in {called(game)}"):
        found = adapt(game, opponent, max_exploitability=asked.cap)
    return StyleFound(found.strategy, found.as_dict(), partial(show_answer, who, found))


def show_answer(who: str, found: "AdaptedStyle") -> None:
    """What is won and what it costs, beside a plain solve and the best response."""
    was, now = found.plain.mean, found.chosen.mean
    print(
        f"{called(found.game)}: wins {now:.4f} a game from {who}, {found.gain:.4f} more than a plain solve's {was:.4f}"
    )
    first, second = (max(lost, 0.0) for lost in found.chosen.lost)  # less than nothing is rounding
    print(f"price: exploitability {(first + second) / 2.0:.3g}, in seat 0 {first:.3g}, in seat 1 {second:.3g}")
    headers = ["", "wins", "in seat 0", "in seat 1", "exploitability"]
    rows = [[name, *(f"{x:+z.4f}" for x in (a.mean, *a.won)), f"{max(a.exploitability, 0.0):.4f}"]
            for name, a in found.rows]  # fmt: skip
    print_table(headers, rows, right=headers[1:])


# ---- Hold'em before the flop -----------------------------------------------------------------------------------------


def button(game: Game, who: str, asked: StyleAsked) -> StyleFound:
    """A blueprint whose button answers before the flop."""
    from ruse.horizon.adapting import adapted_button
    from ruse.horizon.targets import refuse_idle
    from ruse.play.bots.names import bots_of

    if asked.blueprint is None:
        raise RuseError(
            "in Hold'em a style adapts on top of a blueprint: `ruse solve holdem` makes one, --blueprint last takes it"
        )
    rule = catalog.preset(asked.rule)
    iterations = ITERATIONS if asked.iterations is None else asked.iterations
    refuse_idle(iterations, rule)
    if who.partition(":")[0] in bots_of(game):
        raise RuseError(
            f"before the flop a button answers what is known hand by hand, of a run or a strategy file; {who} is "
            f"a bot, and {called(game)} is too large to find out what it does"
        )
    blueprint = strategy_from(asked.blueprint, runs=asked.runs, game=game)
    opponent = strategy_from(who, runs=asked.runs, game=game)
    with working(f"adapting to {who} in {called(game)}"):
        found = adapted_button(
            blueprint, opponent, price=asked.cap, boards=asked.boards, solver=rule, iterations=iterations,
        )  # fmt: skip
    numbers = {
        "plain_solve": {"won": found.before, "exploitability": found.exploitability},
        "adapted": {"won": found.after, "price": found.found.price, "trust": found.found.trust},
        "gain": found.found.gain,
    }
    return StyleFound(found.strategy, numbers, partial(show_button, game, who, found))


def show_button(game: Game, who: str, button: "AdaptedButton") -> None:
    """The same of a button, in thousandths of a big blind."""
    before, after, found = 1000 * button.before, 1000 * button.after, button.found
    print(
        f"{called(game)}: before the flop the button wins {after:+z.1f} mbb a hand from {who}, {1000 * found.gain:.1f} "
        f"more than a plain solve's {before:+z.1f}"
    )
    print(
        f"price: {1000 * found.price:.1f} mbb a hand more than a plain solve gives away, whose exploitability is "
        f"{1000 * button.exploitability:.1f}"
    )
    print(f"restricted Nash response: {who} was taken to play so {found.trust:.0%} of the time")
