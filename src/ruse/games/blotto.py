"""Colonel Blotto: share soldiers among the fields in secret; whoever takes more fields wins (Borel 1921)."""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.protocol.game import EVERYTHING, OVER, Row

# Columns. For each player what was chosen, -1 before; sharings are numbered in the order of their words.
WHO, CHOSEN = 0, 1


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Blotto(NamedTuple):
    """Every player shares as many soldiers among the fields. The most soldiers take a field, a tie leaves it."""

    coins: int = 5
    fields: int = 3
    players: int = 2

    # Together, because type checkers would take one alone for a field without a default.
    payoff_sum, perfect_recall = 0, True

    def start(self) -> Row:
        for name, least, most in (("coins", 1, 30), ("fields", 2, 8), ("players", 2, 6)):
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name} must be {least} to {most} in Blotto, got {getattr(self, name)}")
        if (count := sharings(self.coins, self.fields)) > 10_000:
            raise ValueError(f"{self.coins} coins have {count:,} sharings on {self.fields} fields, more than 10,000")
        return np.array([0] + [-1] * self.players, np.int64)

    def player(self, s):
        return s[WHO] if s[WHO] < self.players else OVER

    def num_actions(self, s):
        return sharings(self.coins, self.fields)

    def chance(self, s, a):
        return 0.0

    def apply(self, s, a):
        s[CHOSEN + s[WHO]] = a
        s[WHO] += 1

    def infoset(self, s):
        return 0

    def payoff(self, s, player):
        mine, best, winners = taken(self, s, player), 0, 0
        for p in range(self.players):
            count = taken(self, s, p)
            if count > best:
                best, winners = count, 0
            winners += count == best
        if winners == self.players:
            return 0.0
        return 1.0 / winners if mine == best else -1.0 / (self.players - winners)

    def action_name(self, s, a):
        return "-".join(str(on_field(self, a, f)) for f in range(self.fields))

    def describe(self, s, viewer):
        """What one has chosen oneself, 0-2-3, and in the end what the others have, too."""
        first = max(viewer, 0)  # EVERYTHING is told from player 0 on
        around = [(first + k) % self.players for k in range(self.players)]
        is_over = s[WHO] == self.players
        seen = [p for p in around if s[CHOSEN + p] >= 0 and (is_over or viewer in (p, EVERYTHING))]
        return " against ".join(self.action_name(s, s[CHOSEN + p]) for p in seen) or "to share"


@compiled_function
def sharings(coins, fields):
    """In how many ways so many coins are shared among the fields: coins + fields - 1 over fields - 1."""
    count = 1
    for k in range(1, fields):
        count = count * (coins + k) // k
    return count


@compiled_function
def on_field(game, a, field):
    """How many coins sharing a has on a field; in the order of words, so that the first field has few at first."""
    left = game.coins
    for f in range(game.fields - 1):
        here = 0
        while True:
            rest = sharings(left - here, game.fields - f - 1)
            if a < rest:
                break
            a -= rest
            here += 1
        if f == field:
            return here
        left -= here
    return left


@compiled_function
def taken(game, s, player):
    """How many fields a player takes: those where nobody else has as many."""
    count = 0
    for f in range(game.fields):
        mine, alone = on_field(game, s[CHOSEN + player], f), True
        for p in range(game.players):
            if p != player and on_field(game, s[CHOSEN + p], f) >= mine:
                alone = False
        count += alone
    return count
