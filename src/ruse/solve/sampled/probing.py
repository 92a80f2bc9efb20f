"""Probing: one line of play for each player; on it each of the traverser's actions is tried by a rollout.

Gibson et al. 2012. A *probe* plays on from an action with everybody's current strategy; what it ends with is an
unbiased estimate of the action's value, and no larger than a payoff. On the line itself chance and the others are
sampled as they play, and the traverser moves at random with probability epsilon, else as it plays too. So one iteration
adds on average

    regret(I, a) += e(I) (v(I, a) - v(I)),      average(I, a) += m(I) reach(I) sigma(I, a)

where v are counterfactual values, e(I) is the probability that the owner's moves on the line lead to I, and m(I) the
probability that chance and the other's moves on the line do. With epsilon = 1 both stay the same from iteration to
iteration. Regret matching does not care about a constant factor of an infoset's regret, nor an average about one of its
weights: there is nothing to divide by, and an update never exceeds the range of the payoffs. The argument needs perfect
recall, and so does CFR's own. With a smaller epsilon e and m change as the strategies do, and there is no proof; but
more of the time is spent where games really go.

With more than two players the average gets a line of play of its own (`iterations.py`).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.compile.rng import uniform
from ruse.protocol.game import OVER
from ruse.solve.sampled import iterations
from ruse.solve.sampled.decision import SKIPPED, finish, open_decision
from ruse.solve.sampled.lawful import paid
from ruse.solve.sampled.line import play_on
from ruse.solve.solver.threshold import Never, Skipping
from ruse.solve.solver.traits import WalkTraits
from ruse.solve.table.sampling import HISTORIES, draw_action, draw_exploring

PATH, PROBE = 0, 1  # rows: the state on the line of play, and that of a rollout


@compiled("update")
class Probed(NamedTuple):
    """One line of play for one player."""

    epsilon: float = 1.0

    def update(self, game, view, parts, table, scratch, rng, me, now, players):
        follow(game, view, parts, table, scratch, rng, me, now, players == 2)


class Probing(NamedTuple):
    """One line of play, and a rollout for each of one's own actions on it."""

    epsilon: float = 1.0  # how often one's own moves on the line are random; below 1 there is no proof, see above
    pruning: Skipping = Never()

    @property
    def traits(self) -> WalkTraits:
        return WalkTraits(skips=True, branches=False)

    def kernel(self) -> tuple[Callable[..., int], Any]:
        return iterations.run, Probed(self.epsilon)

    def __str__(self) -> str:
        return "probing"


@compiled_function
def follow(game, view, parts, table, scratch, rng, me, now, averaging):
    """One line of play, with probes at our own decisions; the average is updated at the others'."""
    s = scratch.rows[PATH]
    for c in range(len(s)):
        s[c] = scratch.root[c]
    visits_all = parts.pruning.visits_all(uniform(rng))
    play_on(game, view, parts, table, scratch, rng, s, OnTheLine(averaging, visits_all), me, now)
    scratch.counters[HISTORIES] += 1  # the end


@compiled("move")
class OnTheLine(NamedTuple):
    """We try all our actions and move on, at random now and then; the others play."""

    averaging: bool  # whether what they play is added to their average
    visits_all: bool  # whether nothing is pruned this time

    def move(self, game, view, parts, table, scratch, rng, s, player, me, now, level):
        sigma = scratch.sigma
        count, first, key = open_decision(game, view, parts, table, scratch, s, player, now, 0, 0, 1)
        if count == 0:
            return -1
        if player == me:
            probe(game, view, parts, table, scratch, rng, me, now, first, count, key, self.visits_all)
            return draw_exploring(sigma, 0, count, parts.walk.epsilon, rng)
        if self.averaging:
            for b in range(count):
                parts.writer.add(table.rows, first + count + b, sigma[b])
        return draw_action(sigma, 0, count, uniform(rng))


@compiled_function
def probe(game, view, parts, table, scratch, rng, me, now, first, count, key, visits_all):
    """Try every action that is not pruned, and add the regrets. The strategy is in sigma[:count]."""
    rows, value = scratch.rows, scratch.value
    spared = visits_all or parts.pruning.spares(game, rows[PATH])
    for a in range(count):
        for c in range(rows.shape[1]):
            rows[PROBE, c] = rows[PATH, c]
        game.apply(rows[PROBE], a)
        # What ends the game at once costs nothing, so it is never pruned.
        if spared or not parts.pruning.skips(table.rows[first + a]) or game.player(rows[PROBE]) == OVER:
            play_on(game, view, parts, table, scratch, rng, rows[PROBE], RollingOut(count), me, now)
            value[a] = paid(game, rows[PROBE], me, scratch)
        else:
            value[a] = SKIPPED
    finish(table, parts, scratch.sigma, value, first, count, 0, 1.0, key)


@compiled("move")
class RollingOut(NamedTuple):
    """Everybody plays; the strategies lie in sigma[at:]."""

    at: int

    def move(self, game, view, parts, table, scratch, rng, s, player, me, now, level):
        count, _, _ = open_decision(game, view, parts, table, scratch, s, player, now, 0, self.at, 1)
        return draw_action(scratch.sigma, self.at, count, uniform(rng)) if count > 0 else -1
