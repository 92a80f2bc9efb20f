"""Preferences in sampled walks: found by the key of an infoset, so they take no room in the table.

The price of a visit is beta, with the weight that the walk gives to the regret of that visit: walks come to an infoset
in proportion to pi_-i(I), or multiply by it.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.solve.prefer.favour import Form
from ruse.solve.prefer.preferred import Preferred
from ruse.tree.walk import find_place, new_index


@compiled("lean", "price")
class PreferredKeys(NamedTuple):
    """Preferences of some infosets."""

    form: Any
    keys: np.ndarray  # the index of preferred infosets
    ids: np.ndarray
    start: np.ndarray  # [infoset + 1] where its deltas start
    delta: np.ndarray
    beta: np.ndarray  # [infoset]

    def lean(self, minimizer, regret, first, count, sigma, at, key):
        n = self.ids[find_place(self.keys, self.ids, key)]
        if n >= 0:
            self.form.play_preferred(regret, first, count, sigma, at, self.delta, self.start[n])
        else:
            minimizer.play(regret, first, count, sigma, at)

    def price(self, key):
        n = self.ids[find_place(self.keys, self.ids, key)]
        return self.beta[n] if n >= 0 else 0.0

    @classmethod
    def of(cls, preferred: Preferred, form: Form) -> "PreferredKeys":
        keys, ids = new_index(len(preferred.keys))
        for n, key in enumerate(preferred.keys.view(np.int64).tolist()):
            place = find_place(keys, ids, key)
            keys[place], ids[place] = key, n
        return cls(form, keys, ids, preferred.start, preferred.delta, preferred.beta)
