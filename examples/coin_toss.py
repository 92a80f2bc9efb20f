"""Coin toss: sell the coin, or play it (Brown and Sandholm 2017). A whole game in one file."""

from typing import NamedTuple

import numpy as np

from ruse import CHANCE, EVERYTHING, OVER, compiled

COIN, FIRST, SECOND = 0, 1, 2  # columns of the row; -1 where nothing has happened yet
FACES = ("heads", "tails")


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class CoinToss(NamedTuple):
    """Player 0 sees a coin and sells it or plays on; then player 1, who does not see it, guesses."""

    price: float = 0.5  # what selling heads earns; tails costs as much
    stake: float = 1.0  # what a wrong guess pays player 0, and a right one costs

    players = 2
    payoff_sum = 0

    def start(self):
        return np.full(3, -1)

    def player(self, s):
        if s[COIN] < 0:
            return CHANCE
        if s[FIRST] < 0:
            return 0
        return 1 if s[FIRST] == 1 and s[SECOND] < 0 else OVER

    def num_actions(self, s):
        return 2  # heads or tails, sell or play, guess heads or guess tails

    def chance(self, s, a):
        return 0.5

    def apply(self, s, a):
        if s[COIN] < 0:
            s[COIN] = a
        elif s[FIRST] < 0:
            s[FIRST] = a
        else:
            s[SECOND] = a

    def infoset(self, s):
        return s[COIN] if s[FIRST] < 0 else 2  # player 1 knows only that it is his turn

    def payoff(self, s, player):
        sign = 1.0 if player == 0 else -1.0
        if s[FIRST] == 0:
            return sign * self.price * (1 - 2 * s[COIN])
        return -sign * self.stake if s[SECOND] == s[COIN] else sign * self.stake

    def action_name(self, s, a):
        if s[COIN] < 0:
            return FACES[a]
        return ("sell", "play")[a] if s[FIRST] < 0 else f"guess {FACES[a]}"

    def describe(self, s, viewer):
        words = [FACES[s[COIN]]] if s[COIN] >= 0 and viewer in (0, EVERYTHING) else []
        words += [("sell", "play")[s[FIRST]]] if s[FIRST] >= 0 else []
        words += [f"guess {FACES[s[SECOND]]}"] if s[SECOND] >= 0 else []
        return ", ".join(words)


if __name__ == "__main__":
    import ruse

    game = CoinToss()
    print(ruse.check(game))
    run = ruse.train(game, ruse.cfr_plus(), target=1e-6)
    print(run)
    print(run.strategy)
    guess = run.strategy["play"]
    assert abs(guess["guess heads"] - 0.25) < 1e-3  # the known equilibrium: any other guess makes playing pay
