"""What there is to tell of a place in a spot or a blueprint: of all hands, and of one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ruse.errors import RuseError
from ruse.games.holdem.cards import NAMES, cards_named, names_of
from ruse.games.holdem.hands.equity import exact_equity
from ruse.games.holdem.ranges.cells import hand_name, hand_named
from ruse.games.holdem.spots.betting import DEAL, FOLD, SHOWDOWN
from ruse.games.holdem.spots.spot import SEATS
from ruse.spots.grid import Grid
from ruse.spots.places import Here
from ruse.spots.strategy import SpotStrategy
from ruse.spots.values import action_values

WHO = {DEAL: "card", FOLD: "fold", SHOWDOWN: "showdown"}  # where nobody acts


def facts_of(strategy: SpotStrategy, at: Here) -> dict[str, Any]:
    """The place itself."""
    game, place = strategy.game, at.place
    return {
        "game": game.own_spec,
        "about": strategy.about,
        "line": list(place.line),
        "street": place.street(game),
        "board": [NAMES[card] for card in place.board(game)],
        "pot": place.pot(game),
        "player": SEATS[at.player] if at.player >= 0 else WHO[at.player],
        "actions": list(at.actions),
    }


def everything(strategy: SpotStrategy, at: Here) -> dict[str, Any]:
    """All hands of the player who acts, and the square of them."""
    reach, equity, worth = at.reach[at.player], equities(at, strategy), worth_of(strategy, at)
    hands = [
        {
            "hand": hand_name(int(number)),
            "reach": float(reach[number]),
            "strategy": by_action(at, at.rows[number]),
            "equity": float(equity[number]),
            "values": by_action(at, worth[number]),
        }
        for number in np.flatnonzero(reach > 0.0)
    ]
    return {"overall": by_action(at, at.overall), "grid": Grid.of(at).as_dict(), "hands": hands}


def known_of(strategy: SpotStrategy, at: Here, text: str) -> dict[str, Any]:
    """What is known of a hand."""
    number = typed_hand(text, at.place.board(strategy.game))
    if strategy.game.spot.weights(at.player)[number] <= 0.0:
        raise RuseError(
            f"{hand_name(number)} is not in the range of {SEATS[at.player]}, who acts here; give a hand that is, or "
            "another line"
        )
    equity, worth = equities(at, strategy, number)[number], worth_of(strategy, at)
    return {
        "name": hand_name(number),
        "reach": float(at.reach[at.player][number]),
        "strategy": by_action(at, at.rows[number]),
        "equity": None if np.isnan(equity) else float(equity),
        "values": by_action(at, worth[number]),
    }


def typed_hand(text: str, board: Sequence[int]) -> int:
    """The number of a hand that is typed, which the board must leave."""
    number = hand_named(text)
    if set(cards_named(text)) & set(board):
        raise RuseError(f"{hand_name(number)} cannot be held: it has a card of the board {names_of(board)}")
    return number


def by_action(at: Here, row: Any) -> dict[str, float]:
    return dict(zip(at.actions, map(float, row), strict=True))


def equities(at: Here, strategy: SpotStrategy, number: int | None = None) -> np.ndarray:
    """[holding] of the hands that come here, or of one, against what the other comes here with."""
    own = np.where(at.reach[at.player] > 0.0, 1.0, 0.0)
    if number is not None:
        own = np.zeros(len(own))
        own[number] = 1.0
    return equities_of(own, at, at.place.board(strategy.game))


def equities_of(own: np.ndarray, at: Here, board: Sequence[int]) -> np.ndarray:
    """[holding] of these hands against what the other of two comes to a place with; not a number where that is none."""
    try:
        return exact_equity(own, at.reach[1 - at.player], tuple(board)).by_holding
    except RuseError:  # neither can meet the other
        return np.full(len(own), np.nan)


def worth_of(strategy: SpotStrategy, at: Here) -> np.ndarray:
    """[holding, action] chips that each action brings from here on: what is in the pot counts, and to fold is 0."""
    game = strategy.game
    found = action_values(strategy, at)
    return np.asarray(found + game.stake / 2.0 + float(game.put[at.place.node, at.player]))
