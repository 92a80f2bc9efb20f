"""Preferences in the full-width engine: a minimizer that knows which rows are preferred, and asks another for the rest.

The price of a preference is paid before the regret is added: r'(a) = r(a) - beta * pi_-i(I), the same for all actions,
which is what `match` does when what was expected is higher by that much.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.solve.full.engine import Tables
from ruse.solve.prefer.favour import Form
from ruse.solve.prefer.preferred import Preferred
from ruse.solve.prefer.visits import Visits
from ruse.solve.solver.rules import Minimizer
from ruse.solve.solver.traits import MinimizerTraits, minimizer_traits
from ruse.tree.expanded import Expanded
from ruse.tree.passes import leaves_value

Array = NDArray[Any]


@compiled("match", "play")
class PreferredRows(NamedTuple):
    """The minimizer of a solver with preferences, for one expanded game."""

    minimizer: Any  # of rows that are not preferred
    form: Any  # of those that are
    number: np.ndarray  # [slot] which preferred infoset starts there, -1 for none
    start: np.ndarray  # [infoset] where its deltas start
    delta: np.ndarray
    beta: np.ndarray  # [infoset]
    visit_start: np.ndarray  # [infoset + 1] as in Visits
    visit_others: np.ndarray
    visit_chance: np.ndarray
    reach: np.ndarray  # [sequence] of the tables that it works on

    @property
    def traits(self) -> MinimizerTraits:
        return minimizer_traits(self.minimizer)._replace(favours=True)

    def match(self, regret, value, expected, sigma, first, last, weights):
        n = self.number[first]
        if n < 0:
            self.minimizer.match(regret, value, expected, sigma, first, last, weights)
            return
        price = 0.0
        if self.beta[n] > 0.0:
            others = leaves_value(self.visit_start, self.visit_others, self.visit_chance, self.reach, n)
            price = self.beta[n] * others
        delta, d = self.delta, self.start[n]
        self.form.match_preferred(regret, value, expected + price, sigma, first, last, weights, delta, d)

    def play(self, regret, first, count, sigma, at):
        n = self.number[first]
        if n < 0:
            self.minimizer.play(regret, first, count, sigma, at)
        else:
            self.form.play_preferred(regret, first, count, sigma, at, self.delta, self.start[n])

    def on(self, tables: Tables) -> "PreferredRows":
        """The same, for these tables."""
        return self._replace(reach=tables.reach)


def preferred_rows(
    expanded: Expanded, preferred: Preferred, minimizer: Minimizer, form: Form
) -> tuple[Expanded, PreferredRows]:
    """The game merged no further than preferences allow, and the minimizer for its rows."""
    whole = expanded.form
    number = preferred.number_of(expanded.keys)
    visits = Visits.of(expanded, np.where(preferred.beta[number] > 0.0, number, -1), len(preferred.keys))
    apart = told_apart(expanded, preferred, number, visits)
    merged, renamed = apart.merged, apart.renamed
    # Of infosets that have become one, the first stands for all: preferences and reach are the same.
    nodes = np.flatnonzero(number >= 0)
    slots = renamed[whole.slot[nodes]]
    rows, earliest = np.unique(slots, return_index=True)
    chosen = number[nodes[earliest]]
    by_slot = np.full(merged.num_sequences, -1, np.int64)
    by_slot[rows] = np.arange(len(rows))
    part = PreferredRows(
        minimizer, form, by_slot, preferred.start[chosen], preferred.delta, preferred.beta[chosen],
        *visits.renamed(renamed, chosen), np.zeros(merged.num_sequences),
    )  # fmt: skip
    return apart, part


def told_apart(expanded: Expanded, preferred: Preferred, number: Array, visits: Visits) -> Expanded:
    """The game with infosets merged only where delta and beta agree, and so does the others' reach if beta is paid.

    Merging looks at values, not at reach: twice the payoff at half the probability is the same to it, but not to beta.
    Which reaches are the same depends on what is merged, so it is asked again until nothing changes.
    """
    form = expanded.form
    colour = np.zeros(form.num_sequences, np.int64)
    nodes = np.flatnonzero(number >= 0)
    for j in nodes:
        n = number[j]
        price = np.float64(preferred.beta[n]).view(np.int64)
        for a in range(form.first[j + 1] - form.first[j]):
            delta = np.float64(preferred.delta[preferred.start[n] + a]).view(np.int64)
            colour[form.first[j] + a] = mix(mix(1, int(delta)), int(price))
    while True:
        apart = expanded.apart(colour)
        seen = visits.colours(apart.renamed)
        groups = np.stack([apart.renamed[form.first[nodes]], seen[number[nodes]]])
        if len(np.unique(groups[0])) == len(np.unique(groups, axis=1).T):
            return apart
        for j in nodes:
            for s in range(form.first[j], form.first[j + 1]):
                colour[s] = mix(int(colour[s]), int(seen[number[j]]))
