"""`ruse match`: bots against bots, with the error of the result."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruse.catalog.titles import spec
from ruse.cli.terminal.names import bot_from, game_named, game_of, is_game
from ruse.cli.terminal.options import RUNS, AsJson, Runs, Seed, TheirGame, whole
from ruse.cli.terminal.output import called, print_json
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError
from ruse.words.counts import count_of

if TYPE_CHECKING:
    from ruse.protocol.game import Game

BOTS = "A game and a bot for each player, or bots alone: strategy files, runs, random, or as the game offers."


def match(
    words: Annotated[list[str], typer.Argument(metavar="[GAME] BOT BOT...", help=BOTS)],
    *,
    deals: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Deals; each is played in every rotation of seats.")
    ] = 10_000,
    less: Annotated[bool, typer.Option("--less-luck", help="Take luck with cards out (Hold'em for two).")] = False,
    seed: Seed = 0,
    game: TheirGame = None,
    runs: Runs = RUNS,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other.

    Every deal is played once in each seat, so that luck with the cards cancels out. In Hold'em, --less-luck takes out
    more of it by equity: the mean is the same, and its interval is narrower.

    Example: ruse match leduc leduc.strategy random --deals 10000
    """
    from ruse.play.match import match as play_match

    names = list(words)
    if is_game(names[0]) and game is not None:
        raise RuseError(f"{names[0]} is a game already; leave --game {game} out")
    typed = names.pop(0) if is_game(names[0]) else game
    made = game_of(names, runs) if typed is None else game_named(typed)
    count_of("deals", deals, least=2)  # before files are read, which may take minutes
    bots = [bot_from(name, runs=runs, game=made) for name in names]
    played = 0

    def watch(done: int) -> None:
        nonlocal played
        played = done
        tell(f"{done:,} of {deals:,} deals")

    if less:
        report_less(made, bots, names, deals=deals, seed=seed, as_json=as_json)
        return
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


def report_less(made: "Game", bots: list[Any], names: list[str], *, deals: int, seed: int, as_json: bool) -> None:
    """The result of a match of two with luck taken out."""
    from ruse.evaluate.holdem.luck import EquityLuck, refuse_others
    from ruse.evaluate.luck import less_luck

    refuse_others(made)
    if len(bots) != 2:
        raise RuseError(f"{called(made)} takes 2 bots, got {len(bots)}")
    with working(f"playing {called(made)}") as tell:

        def watch(done: int) -> None:
            tell(f"{done:,} of {deals:,} deals")

        result = less_luck(made, (bots[0], bots[1]), EquityLuck(), deals=deals, seed=seed, watch=watch)
    result = result._replace(names=(names[0], names[1]))
    if as_json:
        print_json({"game": spec(made), **result._asdict(), "gain": result.gain})
        return
    print(f"{called(made)}: what the first wins a game, with its 95 % interval, luck with the cards taken out")
    print(result)
