"""Every history of a game, walked by its rules alone."""

from typing import Any

import numpy as np

from ruse.compile import kernel
from ruse.protocol.game import CHANCE, OVER, Game


@kernel
def walk(game, players, rows, tried, counts, keys, payoffs, chances):
    """Visit every history of at most len(rows) - 1 moves, depth first.

    Fills counts[depth, decision/chance/terminal], and, as far as they have room, keys[n] with (player, key), payoffs[n]
    and chances[n], in the order of the walk. Answers with how many of each there are.
    """
    depth, decisions, ends, outcomes = 0, 0, 0, 0
    tried[0] = 0
    while depth >= 0:
        s = rows[depth]
        who = game.player(s)
        if tried[depth] == 0:
            if who == OVER:
                counts[depth, 2] += 1
                if ends < len(payoffs):
                    for p in range(players):
                        payoffs[ends, p] = game.payoff(s, p)
                ends += 1
            elif who == CHANCE:
                counts[depth, 1] += 1
                for a in range(game.num_actions(s)):
                    if outcomes < len(chances):
                        chances[outcomes] = game.chance(s, a)
                    outcomes += 1
            else:
                counts[depth, 0] += 1
                if decisions < len(keys):
                    keys[decisions, 0], keys[decisions, 1] = who, game.infoset(s)
                decisions += 1
        if who == OVER or depth == len(rows) - 1 or tried[depth] == game.num_actions(s):
            depth -= 1
            continue
        rows[depth + 1] = s
        game.apply(rows[depth + 1], tried[depth])
        tried[depth] += 1
        depth += 1
        tried[depth] = 0
    return decisions, ends, outcomes


def survey(game: Game, start: np.ndarray, depth: int, walker: Any = walk) -> tuple[np.ndarray, ...]:
    """Counts [depth, kind], keys [n, 2], payoffs [n, player] and chances [n] of all histories up to a depth."""
    rows, tried = np.zeros((depth + 1, len(start)), np.int64), np.zeros(depth + 1, np.int64)
    rows[0] = start
    decisions, ends, outcomes = 0, 0, 0
    for _ in range(2):  # once to see how many there are, once to keep them
        counts, keys = np.zeros((depth + 1, 3), np.int64), np.zeros((decisions, 2), np.int64)
        payoffs, chances = np.zeros((ends, game.players)), np.zeros(outcomes)
        decisions, ends, outcomes = walker(game, game.players, rows, tried, counts, keys, payoffs, chances)
    return counts, keys, payoffs, chances
