"""A blueprint of Hold'em as people look at it: a square of hands at a place, or one hand."""

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.catalog.titles import spec
from ruse.cli.terminal.output import called, is_coloured, print_json, print_table
from ruse.cli.terminal.progress import working
from ruse.errors import RuseError
from ruse.words.printable import beneath

if TYPE_CHECKING:
    from ruse.strategy import Strategy


def show_blueprint(strategy: "Strategy", *, line: str, hand: str | None, as_json: bool) -> None:
    """How a blueprint is played where bets and cards lead, by all hands or by one."""
    from ruse.spots.blueprints import blueprint_here, call_words, due_words
    from ruse.spots.grid import Grid, coloured_lines, legend, on, plain_lines

    game: Any = strategy.game
    with working("following the line"):
        at = blueprint_here(strategy, line)
    place: Any = at.place
    if hand is not None:
        show_hand(strategy, at, hand, as_json=as_json)
        return
    if as_json:
        facts = {"game": spec(game), "about": strategy.about, "line": list(place.line), "player": at.player}
        overall = dict(zip(at.actions, map(float, at.overall), strict=True)) if at.player >= 0 else None
        print_json(facts | {"overall": overall, "grid": Grid.of(at).as_dict() if at.player >= 0 else None})
        return
    about = strategy.about
    made = f"{about.get('rule', 'strategy')}, {about.get('iterations', 0):,} iterations, {len(strategy):,} infosets"
    print(f"{called(game)}: {made}")
    if at.player < 0:
        print(f"{place.words(game)}: {due_words(at, game)}")
        return
    print(f"{place.words(game)}: {call_words(at, game)}")
    colourful, entries, grid = is_coloured(), [], Grid.of(at)
    for letter, action, colour, share in legend(at):
        mark = on(f" {letter} ", [colour] * (len(letter) + 2)) if colourful else letter
        entries.append(f"{mark} {action} {share:.1%}")
    for row in ["   ".join(entries), "", *(coloured_lines(grid) if colourful else plain_lines(grid))]:
        print(row, file=beneath(sys.stdout) if colourful else sys.stdout)


def show_hand(strategy: "Strategy", at: Any, text: str, *, as_json: bool) -> None:
    """What one hand does at a place, and how it stands against what another comes there with."""
    from ruse.games.holdem.cards import cards_named, names_of
    from ruse.games.holdem.hands.equity import equity
    from ruse.games.holdem.ranges.cells import hand_name, hand_named

    game: Any = strategy.game
    number, board = hand_named(text), at.place.board
    if set(cards_named(text)) & set(board):
        raise RuseError(f"{hand_name(number)} cannot be held: it has a card of the board {names_of(board)}")
    if at.player < 0:
        raise RuseError(f"nobody acts {at.place.words(game)}; add cards to --history, or leave the last action out")
    own = np.zeros(len(at.reach[0]))
    own[number] = 1.0
    share = None
    if game.players == 2:
        share = equity(own, at.reach[1 - at.player], board)
    row = dict(zip(at.actions, map(float, at.rows[number]), strict=True))
    reach = float(at.reach[at.player][number])
    if as_json:
        told = {"hand": hand_name(number), "strategy": row, "reach": reach}
        print_json({"game": spec(game), "line": list(at.place.line), **told, "equity": share and share.share})
        return
    print(f"{called(game)}: {at.place.words(game)}, seat {at.player} to act")
    standing = f"; {share} of what seat {1 - at.player} comes here with" if share is not None else ""
    print(f"{hand_name(number)} comes here {reach:.3g} times of 1{standing}")
    print_table(["action", "probability"], [[name, f"{p:.3f}"] for name, p in row.items()], right=["probability"])
