"""The average strategy under hybrid pruning: what one player skips must not change the average of the other.

External sampling adds to a player's average where the *opponent* explores: at infoset J once for each history of J on
the way, in proportion to N(J), the sum of their probabilities of chance. If the opponent skips some of these histories,
only N'(J) of it is left. Early iterations, of which nothing was skipped, would then weigh N(J) / N'(J) times too much,
and they are the worst. So a visit counts N(J) / N'(J) times.

Where N'(J) is 0 nobody arrives, and no regret there changes: the same strategy is played on. How often it would have
been added is known from the action that leads there: N(J) for each N(I) that (I, a) has been played.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import lean_kernel
from ruse.tree.histories import END, NODE, OTHERS, Histories

NOBODY = -1.0  # what a row holds for N / N' - 1 if N' is 0


class AverageVisits(NamedTuple):
    """How often external sampling comes to a node when it adds to averages, its owner's own choices left aside."""

    everything: np.ndarray  # [node] N: if nothing is skipped
    left: np.ndarray  # [node] N': of this, what is not skipped
    owner: np.ndarray  # [sequence] the node that it is an action of; of the empty sequences, none

    @classmethod
    def of(cls, form: Any, histories: Histories) -> "AverageVisits":
        nodes, node = len(form.parent), histories.rows[:, NODE]
        decisions = node != END
        everything = np.bincount(node[decisions], histories.weight[decisions], minlength=nodes)
        owner = np.concatenate([np.full(form.players, -1), np.repeat(np.arange(nodes), np.diff(form.first))])
        return cls(everything, everything.copy(), owner)


@lean_kernel
def weigh(form, histories, visits, where, dead, rows):
    """Write into each row how much a visit counts from now on; `dead` are the sequences that are skipped."""
    everything, left = visits.everything, visits.left
    left[:] = 0.0
    for k in range(len(histories.weight)):
        node = histories.rows[k, NODE]
        if node != END and not dead[histories.rows[k, OTHERS]]:
            left[node] += histories.weight[k]
    for j in range(len(form.parent)):
        count = np.int64(form.first[j + 1]) - np.int64(form.first[j])
        if where[j] > 0:
            rows[where[j] + 2 * count] = everything[j] / left[j] - 1.0 if left[j] > 0.0 else NOBODY


@lean_kernel
def complete(form, visits, minimizer, where, sigma, rows, t):
    """Add what is missing after t iterations where nobody has arrived; parents come before children."""
    for j in range(len(form.parent)):
        first, row = np.int64(form.first[j]), where[j]
        count = np.int64(form.first[j + 1]) - first
        if row == 0 or rows[row + 2 * count] != NOBODY:
            continue
        above, played = visits.owner[form.parent[j]], float(t)
        if above >= 0:
            width = np.int64(form.first[above + 1]) - np.int64(form.first[above])
            slot = where[above] + width + np.int64(form.parent[j]) - np.int64(form.first[above])
            played = rows[slot] / visits.everything[above] if where[above] > 0 else 0.0
        missing = played * visits.everything[j]
        for a in range(count):
            missing -= rows[row + count + a]
        if missing > 0.0:
            minimizer.play(rows, row, count, sigma, first)
            for a in range(count):
                rows[row + count + a] += missing * sigma[first + a]
