"""A blueprint of Hold'em as people look at it: a square of hands at a place, or one hand."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.catalog.titles import spec
from ruse.cli.terminal.output import called, print_json, print_table
from ruse.cli.terminal.progress import working
from ruse.cli.terminal.spots import print_square
from ruse.errors import RuseError

if TYPE_CHECKING:
    from ruse.strategy import Strategy


def show_blueprint(strategy: "Strategy", *, line: str, hand: str | None, as_json: bool) -> None:
    """How a blueprint is played where bets and cards lead, by all hands or by one."""
    from ruse.spots.blueprints import blueprint_here, call_words, due_words
    from ruse.spots.facts import by_action
    from ruse.spots.grid import Grid

    game: Any = strategy.game
    with working("following the line"):
        at = blueprint_here(strategy, line)
    place: Any = at.place
    if hand is not None:
        show_hand(strategy, at, hand, as_json=as_json)
        return
    if as_json:
        facts = {"game": spec(game), "about": strategy.about, "line": list(place.line), "player": at.player}
        overall = by_action(at, at.overall) if at.player >= 0 else None
        print_json(facts | {"overall": overall, "grid": Grid.of(at).as_dict() if at.player >= 0 else None})
        return
    about = strategy.about
    made = f"{about.get('rule', 'strategy')}, {about.get('iterations', 0):,} iterations, {len(strategy):,} infosets"
    print(f"{called(game)}: {made}")
    if at.player < 0:
        print(f"{place.words(game)}: {due_words(at, game)}")
        return
    print(f"{place.words(game)}: {call_words(at, game)}")
    print_square(at)


def show_hand(strategy: "Strategy", at: Any, text: str, *, as_json: bool) -> None:
    """What one hand does at a place, and how it stands against what another comes there with."""
    from ruse.games.holdem.hands.equity import equity
    from ruse.games.holdem.ranges.cells import hand_name
    from ruse.spots.facts import by_action, typed_hand

    game: Any = strategy.game
    number, board = typed_hand(text, at.place.board), at.place.board
    if at.player < 0:
        raise RuseError(f"nobody acts {at.place.words(game)}; add cards to --history, or leave the last action out")
    own = np.zeros(len(at.reach[0]))
    own[number] = 1.0
    share = None
    if game.players == 2:
        share = equity(own, at.reach[1 - at.player], board)
    row = by_action(at, at.rows[number])
    reach = float(at.reach[at.player][number])
    if as_json:
        told = {"hand": hand_name(number), "strategy": row, "reach": reach}
        print_json({"game": spec(game), "line": list(at.place.line), **told, "equity": share and share.share})
        return
    print(f"{called(game)}: {at.place.words(game)}, seat {at.player} to act")
    standing = f"; {share} of what seat {1 - at.player} comes here with" if share is not None else ""
    print(f"{hand_name(number)} comes here {reach:.3g} times of 1{standing}")
    print_table(["action", "probability"], [[name, f"{p:.3f}"] for name, p in row.items()], right=["probability"])
