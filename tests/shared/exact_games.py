"""Games that have an exact answer by linear programming, and games that have none."""

import numpy as np

import ruse
from ruse.games.explicit import Builder, Explicit
from ruse.protocol.game import OVER


def raised(game: Explicit, *paid: float) -> Explicit:
    """The same game, in which each player is paid something at the end, whatever he does."""
    return game._replace(payoffs=np.where((game.actor == OVER)[:, None], game.payoffs + np.array(paid), 0.0))


def forgetful() -> Explicit:
    """Player 0 moves twice and forgets the first move."""
    tree = Builder("forgetful", players=2)
    first = tree.decide(0, player=0, infoset="again?", actions=["a", "b"])
    for a in range(2):
        second = tree.decide(first + a, player=0, infoset="again?", actions=["a", "b"])
        for b in range(2):
            tree.end(second + b, [float(a != b), -float(a != b)])
    return tree.game()


PRISONERS = ruse.matrix([[[3, 0], [5, 1]], [[3, 5], [0, 1]]])  # the prisoner's dilemma
