"""`ruse play`: sit down against a strategy in the terminal."""

import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruse.catalog import names as catalog
from ruse.cli.terminal.names import bot_from, thing_from
from ruse.cli.terminal.options import GAME, RUNS, STRATEGY, Runs, TheirGame, seed_number, whole
from ruse.cli.terminal.output import called
from ruse.cli.terminal.progress import watching, working
from ruse.cli.terminal.table import Grade, Opponent, Quit, Table
from ruse.errors import RuseError
from ruse.play.record import append, events
from ruse.protocol.game import EVERYTHING, Game
from ruse.protocol.state import State

if TYPE_CHECKING:
    from ruse.strategy import Strategy

SMALL = 500_000  # histories of a game that is solved on the spot
ITERATIONS = 200


def play(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="GAME|STRATEGY", help=f"{GAME} Or a strategy file or run.")],
    *,
    against: Annotated[
        str | None, typer.Option(metavar="BOT", help=f"{STRATEGY} Or a bot: random, or as the game offers.")
    ] = None,
    seat: Annotated[str, typer.Option(metavar="P|random", help="Where you sit: 0, 1, ... or random.")] = "0",
    seed: Annotated[
        int | None, typer.Option(parser=seed_number, metavar="N", help="Deal the same cards again.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(parser=whole, metavar="N", help="How many games; else until you quit.")
    ] = None,
    coach: Annotated[bool, typer.Option("--coach", help="Grade your choices after each game.")] = False,
    to: Annotated[Path | None, typer.Option("--record", metavar="FILE", help="Append each game, as JSONL.")] = None,
    game: TheirGame = None,
    runs: Runs = RUNS,
) -> None:
    """Play in the terminal against a strategy or a bot.

    A small game without one is solved on the spot.

    Example: ruse play leduc --against leduc.strategy --coach
    """
    from ruse.strategy import Strategy

    thing = thing_from(ctx, what, runs=runs, game=game)
    made = thing.game if isinstance(thing, Strategy) else thing
    refuse_bad(made, seat=seat, games=games, record_to=to)
    if not isinstance(thing, Strategy):
        others = opponent(made, against, runs=runs)
    elif against is None:
        others = playing(thing, what)
        print(f"The others play {what}.")
    else:
        raise RuseError(f"{what} is a strategy already; name a game, or leave --against out")
    seed = random.SystemRandom().randrange(2**32) if seed is None else seed
    table = Table(made, others, seed=seed, coach=coach)
    if coach:
        _ = table.explanation  # now, and not in the middle of a game
    sit_down(table, seat=seat, games=games, record_to=to)


def refuse_bad(game: Game, *, seat: str, games: int | None, record_to: Path | None) -> None:
    if seat != "random" and not (seat.isdecimal() and int(seat) < game.players):
        raise RuseError(f"--seat must be 0 to {game.players - 1} or random in {called(game)}, got {seat!r}")
    if games is not None and games < 1:
        raise RuseError(f"--games must be at least 1, got {games}")
    if record_to is not None and (record_to.is_dir() or not record_to.parent.is_dir()):
        raise RuseError(f"--record must name a file in a folder that exists, got {record_to}")


def opponent(game: Game, against: str | None, *, runs: Path) -> Opponent:
    """Who has the other seats; says so."""
    from ruse.strategy import Strategy

    chance = playing(Strategy.uniform(game), "random")
    if against == "random":
        print("The others choose at random.")
        return chance
    if against is not None:
        bot = bot_from(against, runs=runs, game=game)
        print(f"The others play {against}.")
        return playing(bot, against) if isinstance(bot, Strategy) else Opponent(against, bot)
    from ruse.training.train import train
    from ruse.tree.size import size

    with working(f"measuring {called(game)}"):
        is_small = size(game, limit=SMALL).is_exact
    if not is_small:
        print(f"{called(game)} is too large to solve on the spot, so the others choose at random.")
        return chance
    with watching(called(game)) as watch:
        run = train(game, catalog.preset("dcfr"), iterations=ITERATIONS, watch=watch)
    if not run.is_finished:
        raise KeyboardInterrupt
    print(f"The others play dcfr, solved just now: {ITERATIONS} iterations, exploitability {run.exploitability:.3g}.")
    return playing(run.strategy, "dcfr")


def playing(strategy: "Strategy", name: str) -> Opponent:
    """Whoever plays a strategy."""
    from ruse.play.bot import StrategyBot

    return Opponent(name, StrategyBot.of(strategy), strategy)


def sit_down(table: Table, *, seat: str, games: int | None, record_to: Path | None) -> None:
    """Play until the games are over or the person has had enough."""
    seats = random.Random(f"{table.seed} seats")
    score, lost, played = 0.0, 0.0, 0
    print("Type ? for help.")
    try:
        while games is None or played < games:
            mine = seats.randrange(table.game.players) if seat == "random" else int(seat)
            end, grades = table.play(played, mine)
            if record_to is not None:
                players = ["you" if p == mine else table.opponent.name for p in range(table.game.players)]
                append(record_to, events(end.game, end.history, seed=table.seed, number=played, players=players))
            played += 1
            score += end.payoffs[mine]
            lost += sum(grade.lost or 0.0 for grade in grades)
            announce(end, mine, grades if table.coach else None)
            print(f"Score after {counted(played)}: {score:+zg}")
    except Quit:
        print("You leave the table.")
    price = f", {lost:z.4f} lost by your choices" if table.coach else ""
    print(f"{counted(played)}, {score:+zg} in all{price}")


def announce(end: State, seat: int, grades: list[Grade] | None) -> None:
    """Everything, now that the game is over."""
    print(f"\nThe game is over: {end.describe(EVERYTHING)}")
    print(f"All moves: {end.path()}")
    print(f"You get {end.payoffs[seat]:+zg}.")
    if grades is not None:
        print("\n".join(["Your choices:", *map(str, grades)]) if grades else "You had no choice to make.")


def counted(games: int) -> str:
    return f"{games} game" if games == 1 else f"{games} games"
