"""Games between bots that keep their seats: the mean payoff of one of them."""

import numpy as np

from ruse.compile import kernel
from ruse.evaluate.match import draw_outcome, open_streams
from ruse.game import CHANCE, OVER
from ruse.rng import uniform


@kernel
def play_seated(game, start, table, player, sums, seed, deals):
    """Add up the player's payoffs and their squares."""
    s = start.copy()
    luck, choice = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for deal in range(deals):
        for c in range(len(s)):
            s[c] = start[c]
        open_streams(luck, choice, seed, deal, 0)
        who = game.player(s)
        while who != OVER:
            n = game.num_actions(s)
            if who == CHANCE:
                game.apply(s, draw_outcome(game, s, n, uniform(luck)))
            else:
                game.apply(s, table.choose_for(who, game, s, who, n, uniform(choice)))
            who = game.player(s)
        payoff = game.payoff(s, player)
        sums[0] += payoff
        sums[1] += payoff * payoff
