"""Outcome sampling: one line of play an iteration and player, with importance weights (Lanctot et al. 2009).

The traverser explores with probability epsilon, the others follow their strategies. With baselines (VR-MCCFR, Schmid et
al. 2019) the value of an action that was not taken is its baseline instead of nothing, and only what exceeds the
baseline is scaled up:

    u(h, a) = b(I, a) + [a was taken] (u(ha) - b(I, a)) / xi(a),      u(h) = sum of sigma(a) u(h, a)

Without baselines b is 0 and these are the plain estimates.

With two players the average is updated where the other acts: the strategy there is divided by the probability of the
traverser's choices on the way, so it is weighted by its owner's reach. With more players some way there may hold an
action that a third player never takes, so the average gets a line of play of its own (`iterations.py`).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.compile.rng import uniform
from ruse.protocol.game import CHANCE, OVER
from ruse.solve.sampled import iterations
from ruse.solve.sampled.decision import open_decision
from ruse.solve.sampled.lawful import draw_lawful, is_short, paid
from ruse.solve.solver.traits import WalkTraits
from ruse.solve.table.sampling import DEEPEST, HISTORIES, draw_action, draw_exploring

BEFORE, TAKEN = 0, 1  # columns of weight: own sampling probability before the node, and of the action taken


@compiled("update")
class Episode(NamedTuple):
    """One line of play for one player; `rate` is how fast baselines learn."""

    epsilon: float = 0.6
    rate: float = 0.5

    def update(self, game, view, parts, table, scratch, rng, me, now, players):
        episode(game, view, parts, table, scratch, rng, me, now, players)


class OutcomeSampling(NamedTuple):
    """One line of play; `rate` is how fast baselines learn, 0 for none."""

    epsilon: float = 0.6
    rate: float = 0.5

    @property
    def traits(self) -> WalkTraits:
        return WalkTraits(branches=False, has_baselines=self.rate > 0)

    def kernel(self) -> tuple[Callable[..., int], Any]:
        return iterations.run, Episode(self.epsilon, self.rate)

    def __str__(self) -> str:
        return "outcome"


@compiled_function
def episode(game, view, parts, table, scratch, rng, me, now, players):
    """Play once, then go back and learn."""
    sigma, value = scratch.sigma, scratch.value
    s = scratch.rows[0]
    for c in range(len(s)):
        s[c] = scratch.root[c]
    level, top, explored = 0, 0, 1.0  # explored: probability of our own choices so far
    result, steps = 0.0, 0
    # A line of play as in `line.py`, but for what must be known of it later: kept in registers it is 7 % faster.
    while True:
        scratch.counters[HISTORIES] += 1
        steps += 1
        player = game.player(s)
        if player == OVER:
            result = paid(game, s, me, scratch)
            break
        if not is_short(scratch, steps):
            return
        if player == CHANCE:
            game.apply(s, draw_lawful(game, s, rng, scratch))
            continue
        count, first, key = open_decision(game, view, parts, table, scratch, s, player, now, level, top, 1)
        if count == 0:
            return
        a, share = 0, 1.0
        if player == me:
            epsilon = parts.walk.epsilon
            a = draw_exploring(sigma, top, count, epsilon, rng)
            share = epsilon / count + (1.0 - epsilon) * sigma[top + a]
        else:
            a = draw_action(sigma, top, count, uniform(rng))
            share = sigma[top + a]
            if players == 2:
                for b in range(count):
                    parts.writer.add(table.rows, first + count + b, sigma[top + b] / explored)
        scratch.key[level] = key
        scratch.player[level] = player
        scratch.first[level] = first
        scratch.actions[level] = count
        scratch.next[level] = a
        scratch.at[level] = top
        scratch.weight[level, BEFORE] = explored
        scratch.weight[level, TAKEN] = share
        explored *= share if player == me else 1.0
        top += count
        level += 1
        scratch.counters[DEEPEST] = max(scratch.counters[DEEPEST], level)
        game.apply(s, a)
    baselined = table.blocks == 3
    for d in range(level - 1, -1, -1):
        first, count, at, taken = scratch.first[d], scratch.actions[d], scratch.at[d], scratch.next[d]
        player, share = scratch.player[d], scratch.weight[d, TAKEN]
        # A baseline is the acting player's expectation: ours at our nodes, and its negative at the other's of two.
        sign = 0.0
        if baselined and (player == me or players == 2):
            sign = 1.0 if player == me else -1.0
        expected = 0.0
        for a in range(count):
            known = sign * table.rows[first + 2 * count + a] if sign != 0.0 else 0.0
            value[at + a] = known + ((result - known) / share if a == taken else 0.0)
            expected += sigma[at + a] * value[at + a]
        if sign != 0.0:
            known = first + 2 * count + taken
            # A running mean: it does no harm if threads that share the table lose one of its steps.
            table.rows[known] += parts.walk.rate * (sign * result - table.rows[known])
        if player == me:
            scale, price = 1.0 / scratch.weight[d, BEFORE], parts.leaning.price(scratch.key[d])
            for a in range(count):
                regret = scale * (value[at + a] - expected - price)
                parts.writer.add_above(table.rows, first + a, regret, parts.clock.floor)
        result = expected
