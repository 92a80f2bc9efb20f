"""How many histories one iteration visits of a walk that explores many actions: told from a few dives in plain Python.

A dive follows one random path, as the first iteration does, and multiplies the branching where the walk explores (Knuth
1975). On average that is what an iteration visits. A single dive may be far above it, but not the half of them: if that
many come to some number, an iteration visits half as much, or more.
"""

import math
import random

from ruse.protocol.game import CHANCE, OVER, Game

DIVES = 9
MANY_DIVES = 30
MOVES = 2_000  # of a dive
VAST = 1e12  # histories that no iteration gets through: days for one core


def is_vast(game: Game, *, everyone: bool, actions: float = math.inf) -> bool:
    """Whether more than half of the dives come to a number that no iteration gets through.

    So many actions are explored at a decision of one player, each in turn, or of everyone.
    """
    dice, vast = random.Random(0), 0
    for dive in range(DIVES):
        vast += width_below(game, None if everyone else dive % game.players, actions, dice) >= VAST
        if 2 * max(vast, dive + 1 - vast) > DIVES:
            break
    return 2 * vast > DIVES


def mean_width(game: Game) -> float:
    """What an iteration that explores every action visits, by the mean of some dives: a single wide one is enough."""
    dice = random.Random(0)
    return sum(width_below(game, None, math.inf, dice) for _ in range(MANY_DIVES)) / MANY_DIVES


def width_below(game: Game, explorer: int | None, most: float, dice: random.Random) -> float:
    """What one dive comes to; it stops where that is vast."""
    row, width = game.start(), 1.0
    for _ in range(MOVES):
        player = int(game.player(row))
        if player == OVER or width >= VAST:
            break
        actions = range(int(game.num_actions(row)))
        if player == CHANCE:
            action = dice.choices(actions, [float(game.chance(row, a)) for a in actions])[0]
        else:
            action = dice.choice(actions)
            width *= min(len(actions), most) if explorer in (None, player) else 1
        game.apply(row, action)
    return width
