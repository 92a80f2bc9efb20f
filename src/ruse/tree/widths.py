"""How many histories one iteration visits of a walk that explores all actions: told from a few dives in plain Python.

A dive follows one random path, as the first iteration does, and multiplies the branching where the walk explores all
(Knuth 1975). On average that is what an iteration visits. A single dive may be far above it, but not the half of them:
if that many come to some number, an iteration visits half as much, or more.
"""

import random

from ruse.protocol.game import CHANCE, OVER, Game

DIVES = 9
MOVES = 2_000  # of a dive
VAST = 1e12  # histories that no iteration gets through: days for one core


def is_vast(game: Game, *, everyone: bool) -> bool:
    """Whether more than half of the dives come to a number that no iteration gets through.

    All actions are explored of one player, each in turn, or of everyone.
    """
    dice, vast = random.Random(0), 0
    for dive in range(DIVES):
        vast += is_vast_below(game, None if everyone else dive % game.players, dice)
        if 2 * max(vast, dive + 1 - vast) > DIVES:
            break
    return 2 * vast > DIVES


def is_vast_below(game: Game, explorer: int | None, dice: random.Random) -> bool:
    """Whether one dive comes to such a number."""
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
            width *= len(actions) if explorer in (None, player) else 1
        game.apply(row, action)
    return width >= VAST
