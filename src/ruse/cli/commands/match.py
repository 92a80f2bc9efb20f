"""`ruse match`: bots against bots, with the error of the result."""

import sys
from typing import Annotated

import typer

from ruse.catalog.titles import spec
from ruse.cli.terminal.names import bot_from, game_named, game_of, is_game
from ruse.cli.terminal.options import RUNS, AsJson, Runs, Seed, TheirGame, whole
from ruse.cli.terminal.output import called, print_json
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError

BOTS = "A game and a bot for each player, or bots alone: strategy files, runs, random, or as the game offers."


def match(
    words: Annotated[list[str], typer.Argument(metavar="[GAME] BOT BOT...", help=BOTS)],
    *,
    deals: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Deals; each is played in every rotation of seats.")
    ] = 10_000,
    seed: Seed = 0,
    game: TheirGame = None,
    runs: Runs = RUNS,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other.

    Every deal is played once in each seat, so that luck with the cards cancels out.

    Example: ruse match leduc leduc.strategy random --deals 10000
    """
    from ruse.play.match import match as play_match

    names = list(words)
    if is_game(names[0]) and game is not None:
        raise RuseError(f"{names[0]} is a game already; leave --game {game} out")
    typed = names.pop(0) if is_game(names[0]) else game
    made = game_of(names, runs) if typed is None else game_named(typed)
    bots = [bot_from(name, runs=runs, game=made) for name in names]
    played = 0

    def watch(done: int) -> None:
        nonlocal played
        played = done
        tell(f"{done:,} of {deals:,} deals")

    try:
        with working(f"playing {called(made)}") as tell:
            result = play_match(made, bots, deals=deals, seed=seed, watch=watch)._replace(names=tuple(names))
    except KeyboardInterrupt:
        print(f"ruse: stopped after {played:,} of {deals:,} deals", file=sys.stderr)
        raise
    if as_json:
        print_json({"game": spec(made)} | result.as_dict())
        return
    print(f"{called(made)}: payoff a game, with its 95 % interval")
    print(result)
