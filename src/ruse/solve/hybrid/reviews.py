"""The hybrid of external sampling and Best-Response Pruning: best responses now and then, and a heuristic.

Best-Response Pruning needs two numbers that a sampled walk does not have, T psi(I, a) and the sum of v_t(I). So from
time to time the walk stops for a *review*: the exact best response to the average strategies is computed in the whole
game, and the sum of v_t(I) is taken to be T times the value of the average profile at I. By these an action is pruned
if

    T psi(I, a) + what may be spent until the next review + c sqrt(visits) (U(I, a) - L(I))  <=  sum of v_t(I)

and its sampled regret is as low; then the walk skips it. The last term is for the error of sums over so many visits. At
the next review it stays pruned, or comes back with the regrets of 2017: as if the best response after it had always
been played. What one player skips is kept out of the other's average by `average.py`. No theorem covers this:
averages are noisy, and v of the average is not the average of v. It is judged by exploitability.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, kernel, lean_kernel
from ruse.protocol.game import Game
from ruse.protocol.view import View
from ruse.solve.hybrid.average import AverageVisits, complete, weigh
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.table.table import Table
from ruse.solve.table.threads import find_row
from ruse.store.restoring import refuse
from ruse.tree.expanded import Expanded
from ruse.tree.histories import END, NODE, OTHERS, trees
from ruse.tree.measure.size import TooLarge
from ruse.tree.passes import Following, Responding, fill_leaves, fill_reach, highest, pass_down, pass_up

PRUNED = -1e30  # the regret of a pruned action in a sampled table: finite, so that adding to it changes nothing
PLAYED = 1e-6  # regret of the best response where it comes back: too little to matter, enough to be played


@compiled("play")
class Silenced(NamedTuple):
    """A minimizer that never plays what is pruned, even where no regret is positive."""

    minimizer: Any

    def play(self, regret, first, count, sigma, at):
        self.minimizer.play(regret, first, count, sigma, at)
        pruned = 0.0
        for a in range(count):
            if regret[first + a] <= PRUNED:
                pruned += sigma[at + a]
                sigma[at + a] = 0.0
        if pruned > 0.0:
            for a in range(count):
                sigma[at + a] /= 1.0 - pruned


class Review(NamedTuple):
    """What a review computes, for all nodes of the decision trees; scratch."""

    where: np.ndarray  # [node] the slot of its first regret in the table, 0 if the walk has not been there
    sigma: np.ndarray  # [sequence] the average strategy
    reach: np.ndarray  # [sequence] its owner's own probabilities
    best: np.ndarray  # [sequence] psi: the value when the owner goes on with the best response
    value: np.ndarray  # [sequence] the value when all follow the average
    met: np.ndarray  # [node] the probability with which chance and the opponent arrive
    total: np.ndarray  # [node] the value of all iterations so far, estimated
    dead: np.ndarray  # [sequence] whether it is pruned or follows what is

    @classmethod
    def start(cls, form: Any) -> "Review":
        sequences, nodes = form.num_sequences, len(form.parent)
        sigma, reach, best, value = (np.zeros(sequences) for _ in range(4))
        met, total, where = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes, np.int64)
        return cls(where, sigma, reach, best, value, met, total, np.zeros(sequences, np.uint8))


def reviewed_game(game: Game, view: View, pruning: Any, memory: int | None) -> Expanded:
    """The game that reviews look at, unless it is too large or best responses to an average make no sense in it."""
    try:
        expanded = Expanded.of(game, view, memory=memory, merging=False)
    except TooLarge as error:
        raise TooLarge(f"reviews of hybrid pruning expand the game: {error}; or use prune='threshold'") from error
    must_fit(Setup(game=game, form=expanded.form, pruning=pruning))
    return expanded


class Reviewer:
    """The whole game beside a sampled table."""

    def __init__(self, game: Game, view: View, pruning: Any, minimizer: Any, memory: int | None) -> None:
        expanded = reviewed_game(game, view, pruning, memory)
        self.pruning, self.minimizer, self.trees = pruning, Silenced(minimizer), trees(expanded, memory=memory)
        self.keys = expanded.keys.view(np.int64)
        self.scratch = Review.start(self.trees.form)
        self.visits = AverageVisits.of(self.trees.form, self.trees.histories)

    @property
    def cost(self) -> int:
        """Leaves, nodes and histories that a review looks at."""
        form = self.trees.form
        return len(form.value) + 4 * len(form.parent) + 2 * len(self.trees.histories.weight)

    @property
    def bytes(self) -> int:
        return self.trees.bytes + sum(array.nbytes for part in (self.scratch, self.visits) for array in part)

    def next_after(self, done: int) -> int:
        """The iteration after which the next review is; it does not depend on where a run was stopped."""
        t = self.pruning.first
        while t <= done:
            t = self.pruning.next_review(t)
        return int(t)

    def review(self, table: Table, t: int) -> None:
        """After t iterations: prune actions in the table, leave them pruned, or let them come back."""
        form, histories, ranges = self.trees.form, self.trees.histories, self.trees.ranges
        scratch, rows = self.scratch, table.rows
        locate(self.keys, table.places, scratch.where)
        complete(form, self.visits, self.minimizer, scratch.where, scratch.sigma, rows, t)
        survey(form, histories, rows, scratch, t)
        decide(form, ranges, scratch, self.pruning, rows, t)
        weigh(form, histories, self.visits, scratch.where, scratch.dead, rows)

    def refuse_misfits(self, table: Table) -> None:
        """Raise if an infoset has another number of actions in the table than in the game, which reviews count on."""
        keys, _, width = table.used()
        wanted, counts = self.keys.view(np.uint64), np.diff(self.trees.form.first)
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        if len(keys) and np.any((keys[place] == wanted) & (width[place] != counts)):
            refuse("an infoset has another number of actions than in the game")

    def brought_back(self, table: Table, t: int) -> Table:
        """The table as it would be if every pruned action came back now."""
        copy = table._replace(rows=table.rows.copy())
        form, histories = self.trees.form, self.trees.histories
        locate(self.keys, copy.places, self.scratch.where)
        survey(form, histories, copy.rows, self.scratch, t)
        decide(form, self.trees.ranges, self.scratch, self.pruning._replace(patience=np.inf), copy.rows, t)
        return copy

    def dead(self, table: Table) -> int:
        """How many actions are pruned in the table, or follow one that is."""
        locate(self.keys, table.places, self.scratch.where)
        fill_dead(self.trees.form, self.scratch, table.rows)
        return int(self.scratch.dead.sum())


@compiled_function
def is_pruned(rows, first, a):
    return first > 0 and rows[first + a] <= PRUNED


@kernel
def locate(keys, places, where):
    for j in range(len(keys)):
        where[j] = find_row(places, keys[j])


@kernel
def fill_dead(form, review, rows):
    """Which sequences are pruned or follow one that is; parents come before children."""
    for s in range(len(review.dead)):
        review.dead[s] = 0
    pass_down(form, review.dead, Dead(review.where, rows), 0, len(form.parent))


@compiled("descend")
class Dead(NamedTuple):
    """A node on the way down: where it is dead itself, all follows."""

    where: np.ndarray
    rows: np.ndarray

    def descend(self, reach, above, j, first, last):
        for s in range(first, last):
            reach[s] = 1 if above > 0 or is_pruned(self.rows, self.where[j], np.int64(s) - np.int64(first)) else 0
        return j + 1


@lean_kernel
def survey(form, histories, rows, review, t):
    """The average strategies, who arrives where by them, and what they and the best responses to them are worth."""
    node_first, parent = form.first, form.parent
    where, sigma, reach, best, value = review.where, review.sigma, review.reach, review.best, review.value
    for j in range(len(parent)):
        first, last = np.int64(node_first[j]), np.int64(node_first[j + 1])
        average, total = where[j] + last - first, 0.0  # averages lie behind the regrets
        for a in range(last - first):
            sigma[first + a] = rows[average + a] if where[j] > 0 else 0.0
            total += sigma[first + a]
        for s in range(first, last):
            sigma[s] = sigma[s] / total if total > 0.0 else 1.0 / (last - first)
    fill_reach(form, sigma, reach)
    for j in range(len(parent)):
        review.met[j] = 0.0
    for k in range(len(histories.weight)):
        node = histories.rows[k, NODE]
        if node != END:
            review.met[node] += histories.weight[k] * reach[histories.rows[k, OTHERS]]
    fill_leaves(form, reach, value, 0, len(value))
    for s in range(len(best)):
        best[s] = value[s]
    pass_up(form, value, Totalled(Following(form.slot, sigma), review.total, t), 0, len(parent))
    pass_up(form, best, Responding(0), 0, len(parent))


@compiled("worth")
class Totalled(NamedTuple):
    """What another part makes of a node, written down as that of t iterations."""

    node: Any
    total: np.ndarray
    t: int

    def worth(self, value, j, first, last):
        expected = self.node.worth(value, j, first, last)
        self.total[j] = self.t * expected
        return expected


@lean_kernel
def decide(form, ranges, review, pruning, rows, t):
    """Prune what is worth it, and let others come back; from the roots down, because what follows depends on it."""
    best, total, dead = review.best, review.total, review.dead
    dead[:] = 0
    for j in range(len(form.parent)):
        first, last, row = np.int64(form.first[j]), np.int64(form.first[j + 1]), review.where[j]
        if dead[form.parent[j]]:
            dead[first:last] = 1
            continue
        if row == 0:
            continue
        playable = 0
        for a in range(last - first):
            playable += 0 if is_pruned(rows, row, a) else 1
        for a in range(last - first):
            s = first + a
            highest, lowest, most = ranges.highest[s], ranges.lowest[j], ranges.most[j]
            spent = pruning.length.spent(review.met[j], total[j] / t, highest, lowest, most)
            error = pruning.certainty * np.sqrt(t * review.met[j]) * (highest - lowest)  # of sums over so many visits
            is_worth = pruning.is_worth(total[j] - t * best[s] - error, spent, t)
            if is_pruned(rows, row, a):
                if not is_worth:
                    rows[row + a] = t * best[s] - total[j]
                    come_back(form, review, rows, t, ranges.below[s], ranges.beyond[s])
            elif is_worth and playable > 1 and pruning.is_worth(-rows[row + a], spent, t):
                rows[row + a] = PRUNED
                playable -= 1
            dead[s] = 1 if is_pruned(rows, row, a) else 0


@compiled_function
def come_back(form, review, rows, t, start, end):
    """Nodes start .. end, as if the best response had always been played there.

    R(I', a') = T (psi(I', a') - psi(I')), and sum of v_t(I') = T psi(I').
    """
    for n in range(np.int64(end) - np.int64(start)):
        j = np.int64(start) + n
        first, last, row = np.int64(form.first[j]), np.int64(form.first[j + 1]), review.where[j]
        psi = highest(review.best, first, last)
        review.total[j] = t * psi
        is_found = False
        for s in range(first, last if row > 0 else first):
            is_best = review.best[s] == psi and not is_found
            rows[row + s - first] = PLAYED if is_best else t * (review.best[s] - psi)
            is_found = is_found or is_best
