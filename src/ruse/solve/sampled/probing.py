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
from ruse.protocol.game import CHANCE, OVER
from ruse.protocol.view import infoset_key
from ruse.solve.sampled import iterations
from ruse.solve.sampled.external import SKIPPED, finish
from ruse.solve.sampled.lawful import draw_lawful, is_lawful, is_short, paid
from ruse.solve.solver.threshold import Never, Skipping
from ruse.solve.solver.traits import WalkTraits
from ruse.solve.table.sampling import HISTORIES, draw, has_room, refresh

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
    s, sigma = scratch.rows[PATH], scratch.sigma
    for c in range(len(s)):
        s[c] = scratch.root[c]
    visits_all = parts.pruning.visits_all(uniform(rng))
    steps = 0
    while True:
        scratch.counters[HISTORIES] += 1
        steps += 1
        player = game.player(s)
        if player == OVER or not is_short(scratch, steps):
            return
        a = 0
        if player == CHANCE:
            a = draw_lawful(game, s, rng, scratch)
        else:
            count = game.num_actions(s)
            if not is_lawful(scratch, s, player, count) or not has_room(scratch, 0, count, count):
                return
            key = infoset_key(game, view, s)
            first = table.row(key, count)
            refresh(table.rows, parts, first, count, now)
            parts.leaning.lean(parts.minimizer, table.rows, first, count, sigma, 0, key)
            if player == me:
                probe(game, view, parts, table, scratch, rng, me, now, first, count, key, visits_all)
                a = (
                    int(uniform(rng) * count)
                    if uniform(rng) < parts.walk.epsilon
                    else draw(sigma, 0, count, uniform(rng))
                )
            else:
                if averaging:
                    for b in range(count):
                        parts.writer.add(table.rows, first + count + b, sigma[b])
                a = draw(sigma, 0, count, uniform(rng))
        game.apply(s, a)


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
            roll_out(game, view, parts, table, scratch, rng, now, count)
            value[a] = paid(game, rows[PROBE], me, scratch)
        else:
            value[a] = SKIPPED
    finish(table, parts, scratch.sigma, value, first, count, 0, 1.0, key)


@compiled_function
def roll_out(game, view, parts, table, scratch, rng, now, at):
    """Play to the end with everybody's strategy, which needs sigma[at:]."""
    s, sigma = scratch.rows[PROBE], scratch.sigma
    player, steps = game.player(s), 0
    while player != OVER and is_short(scratch, steps):
        scratch.counters[HISTORIES] += 1
        steps += 1
        a = 0
        if player == CHANCE:
            a = draw_lawful(game, s, rng, scratch)
        else:
            count = game.num_actions(s)
            if not is_lawful(scratch, s, player, count) or not has_room(scratch, 0, at + count, count):
                return
            key = infoset_key(game, view, s)
            first = table.row(key, count)
            refresh(table.rows, parts, first, count, now)
            parts.leaning.lean(parts.minimizer, table.rows, first, count, sigma, at, key)
            a = draw(sigma, at, count, uniform(rng))
        game.apply(s, a)
        player = game.player(s)
