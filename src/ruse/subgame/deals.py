"""Deals: a game up to the moment when chance has dealt and somebody is to act."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruse.compile import kernel
from ruse.compile.rng import uniform
from ruse.compile.seeds import seed_of
from ruse.errors import RuseError
from ruse.play.match import open_streams
from ruse.protocol.game import CHANCE, Game
from ruse.protocol.guards.breaches import LONGEST, unlawful
from ruse.protocol.guards.drawing import drawn
from ruse.words.naming import named


def dealt(game: Game, deals: int, *, seed: int = 0) -> NDArray[Any]:
    """[deal, column] rows of a game when chance has dealt: the deals of a match with this seed, and none of a training.

    What chance draws later in the game is not drawn yet.
    """
    if deals < 1:
        raise RuseError(f"give at least 1 deal, got {deals}")
    start = np.asarray(game.start())
    if game.player(start) != CHANCE:
        raise RuseError(f"{named(game)} begins with a decision: there is nothing to deal")
    rows = np.repeat(start[None, :], deals, axis=0)
    if (wrong := fill_deals(game, rows, seed_of(seed))) >= 0:
        raise unlawful(game, f"the chances in deal {wrong} are none, or it never ends")
    return rows


@kernel
def fill_deals(game, rows, seed):
    """Deal each of the rows; return the first that cannot be dealt, or -1."""
    luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for deal in range(len(rows)):
        s, moves = rows[deal], 0
        open_streams(luck, choice, seed, deal, 0)
        while game.player(s) == CHANCE:
            outcome = drawn(game, s, game.num_actions(s), uniform(luck))
            if outcome < 0 or moves == LONGEST:
                return deal
            game.apply(s, outcome)
            moves += 1
    return -1
