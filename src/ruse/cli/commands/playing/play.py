"""`ruse play`: sit down against a strategy in the terminal."""

import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ruse.catalog import names as catalog
from ruse.catalog.titles import spec
from ruse.cli.terminal.faces import Faces
from ruse.cli.terminal.names import bot_from, thing_from
from ruse.cli.terminal.options import (
    GAME,
    RUNS,
    STRATEGY,
    Runs,
    Symbols,
    TheirGame,
    seed_number,
    typed_names,
    whole,
)
from ruse.cli.terminal.output import called
from ruse.cli.terminal.progress import watching, working
from ruse.cli.terminal.table import Quit, attend
from ruse.errors import RuseError
from ruse.play.records.forms import refuse_other_form, refuse_to_append
from ruse.play.records.record import Recorded, append, left_in
from ruse.protocol.game import EVERYTHING, Game
from ruse.protocol.state import State

if TYPE_CHECKING:
    from ruse.evaluate.explaining.coach import Coach, Grade
    from ruse.play.session import Session
    from ruse.strategy import Strategy

SMALL = 500_000  # histories of a game that is solved on the spot
ITERATIONS = 200


class Opponent(NamedTuple):
    """Who has the other seats."""

    name: str
    bot: Any
    coach: "Coach | None" = None  # who knows what it plays, if that is a table


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
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game that you left, from the --record file.")
    ] = False,
    symbols: Symbols = False,
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
    faces = Faces.of(made, symbols=symbols)
    if to is not None and not resume:
        refuse_to_append(to)
    left = left_game(to, seed) if resume else None
    if left is not None:
        seat = seat_again(left, seat if "seat" in typed_names(ctx) else None)
    if not isinstance(thing, Strategy):
        others = opponent(made, against, runs=runs)
    elif against is None:
        others = playing(thing, what)
        print(f"The others play {what}.")
    else:
        raise RuseError(f"{what} is a strategy already; name a game, or leave --against out")
    if coach:
        get_ready(others)
    if left is not None:
        seed = int(left.head["seed"])
    elif seed is None:
        seed = random.SystemRandom().randrange(2**32)
    sit_down(made, others, Evening(seat, seed, games, coach, to, faces), left)


class Evening(NamedTuple):
    """How a person wants to play."""

    seat: str
    seed: int
    games: int | None
    graded: bool
    record_to: Path | None
    faces: Faces


def left_game(record: Path | None, seed: int | None) -> Recorded:
    """The game that a person has left, and wants to go on with."""
    if record is None:
        raise RuseError("--resume needs --record FILE, in which the game is that you left")
    if seed is not None:
        raise RuseError("--resume deals as the game did that you left; leave --seed out")
    refuse_other_form(record)
    left = left_in(record)
    if not left.is_left:
        raise RuseError(f"the last game in {record} was not left by one person; there is none to go on with")
    return left


def seat_again(left: Recorded, seat: str | None) -> str:
    """Where to sit after the game that was left, in which one sits where one sat: there, too, unless it is drawn."""
    sat = str(left.head["people"][0])
    if seat not in (None, "random", sat):
        raise RuseError(f"--resume goes on in seat {sat}, where you sat, not in {seat}; leave --seat out")
    return seat or sat


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
    if hasattr(catalog.companion(game, "table"), "hints"):
        chance = chance._replace(coach=None)  # the game's own hints say more
    if against == "random":
        print("The others choose at random.")
        return chance
    if against is not None:
        bot = bot_from(against, runs=runs, game=game)
        print(f"The others play {against}.")
        return playing(bot, against) if isinstance(bot, Strategy) else Opponent(against, bot)
    from ruse.training.train import train
    from ruse.tree.measure.size import tree_size

    with working(f"measuring {called(game)}"):
        is_small = tree_size(game, limit=SMALL).is_exact
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
    from ruse.evaluate.explaining.coach import Coach
    from ruse.play.bots.bot import playing as whoever_plays

    return Opponent(name, whoever_plays(strategy), Coach(strategy))


def get_ready(others: Opponent) -> None:
    """Look the values up now, and not in the middle of a game."""
    if others.coach is None:
        raise RuseError(f"{others.name} plays by no strategy, so no choice can be graded; leave --coach out")
    with working("explaining the strategy"):
        _ = others.coach.explanation


def sit_down(game: Game, others: Opponent, asked: Evening, left: Recorded | None) -> None:
    """Play until the games are over or the person has had enough; first what was left of a game."""
    from ruse.play.bots.discretion import BotFault

    score, lost, played = 0.0, 0.0, 0
    deal = 0 if left is None else int(left.head["number"])
    print("Type ? for help.")
    try:
        while asked.games is None or played < asked.games:
            session, mine = opened(game, others, asked, deal, left)
            play_to_the_end(session, mine, others, asked)
            deal, played, left = deal + 1, played + 1, None
            end, grades = session.end(), session.grades(mine) if asked.graded else []
            score += end.payoffs[mine]
            lost += sum(grade.lost or 0.0 for grade in grades)
            announce(end, mine, grades if asked.graded else None, asked.faces)
            print(f"Score after {counted(played)}: {score:+zg}")
    except Quit:
        print("You leave the table.")
    except KeyboardInterrupt:
        print(closing(played, score, lost if asked.graded else None))
        raise
    except BotFault as fault:  # what it did would tell its cards, and the same seed, or --resume, deals them again
        print(closing(played, score, lost if asked.graded else None))
        words = " ".join([spec(game), others.name, *["random"] * (game.players - 1)])
        raise RuseError(
            f"{fault.in_public}, so the game cannot go on; `ruse match {words}`, where nobody sits, tells what it did"
        ) from None
    print(closing(played, score, lost if asked.graded else None))


def closing(played: int, score: float, lost: float | None) -> str:
    """What an evening has come to."""
    price = "" if lost is None else f", {lost:z.4f} lost by your choices"
    return f"{counted(played)}, {score:+zg} in all{price}"


def opened(game: Game, others: Opponent, asked: Evening, deal: int, left: Recorded | None) -> "tuple[Session, int]":
    """A game, and where the person sits."""
    from ruse.play.session import NamedBot, Person, Session
    from ruse.play.streams import seat_drawn

    if left is not None:
        mine = int(left.head["people"][0])
    else:
        mine = seat_drawn(asked.seed, deal, game.players) if asked.seat == "random" else int(asked.seat)
    seats = [Person() if p == mine else NamedBot(others.name, others.bot) for p in range(game.players)]
    if left is not None:
        return Session.resume(game, seats, [left.head, *left.actions], coach=others.coach), mine
    return Session.start(game, seats, seed=asked.seed, deal=deal, coach=others.coach), mine


def play_to_the_end(session: "Session", mine: int, others: Opponent, asked: Evening) -> None:
    """Play a game and record it; if the person leaves it in the middle, too."""
    try:
        attend(session, mine, others.name, asked.faces)
    except (Quit, KeyboardInterrupt):
        if asked.record_to is not None and session.has_chosen(mine):
            append(asked.record_to, session.record())
            print(
                f"{asked.record_to} keeps this game: the same command with --resume, without --seed, goes on with it."
            )
        raise
    if asked.record_to is not None:
        append(asked.record_to, session.record())


def announce(end: State, seat: int, grades: "list[Grade] | None", faces: Faces) -> None:
    """Everything, now that the game is over."""
    if laid := getattr(catalog.companion(end.game, "table"), "everything", None):
        faces.print("\n".join(["\nThe game is over:", *laid(end)]))
    else:
        print(f"\nThe game is over: {end.describe(EVERYTHING)}")
        print(f"All moves: {end.path()}")
    print(f"You get {end.payoffs[seat]:+zg}.")
    if grades is not None:
        lines = ["Your choices:", *(f"  {grade}" for grade in grades)]
        print("\n".join(lines) if grades else "You had no choice to make.")


def counted(games: int) -> str:
    return f"{games} game" if games == 1 else f"{games} games"
