"""`ruse equity`: how often a hand or a range of Hold'em wins against another."""

from typing import Annotated

import typer

from ruse.cli.terminal.options import AsJson, Seed, whole
from ruse.cli.terminal.output import print_json
from ruse.cli.terminal.progress import working

HANDS = "A hand or a range: AsKs, or QQ+, AKs, KTo:0.5, random."


def equity(
    first: Annotated[str, typer.Argument(metavar="RANGE", help=HANDS)],
    second: Annotated[str, typer.Argument(metavar="RANGE", help="The other one.")],
    *,
    board: Annotated[str, typer.Option(metavar="CARDS", help="Three to five cards: Qs Jh 2h.")] = "",
    boards: Annotated[
        int | None, typer.Option(parser=whole, metavar="N", help="Draw so many boards instead of asking all of them.")
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Tell how often a hand or a range of Hold'em wins against another, on any board.

    Exact where that takes some seconds at most, else from boards drawn at random, with an interval of 95 %.

    Example: ruse equity AsKs "QQ+, AKo" --board "Qs Jh 2h"
    """
    from ruse.games.holdem.cards import cards_named
    from ruse.games.holdem.hands.equity import equity as told
    from ruse.games.holdem.hands.equity import sampled_equity
    from ruse.games.holdem.ranges.reading import range_on

    cards = cards_named(board)
    ours, theirs = range_on(first, cards, "the first range"), range_on(second, cards, "the second range")
    with working("dealing boards"):
        if boards is None:
            found = told(ours, theirs, cards, seed=seed)
        else:
            found = sampled_equity(ours, theirs, cards, boards=boards, seed=seed)
    if as_json:
        print_json({name: value for name, value in found._asdict().items() if name != "by_holding"})
    else:
        print(found)
