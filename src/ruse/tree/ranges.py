"""The lowest and highest payoffs below each decision of a player."""

import numpy as np

from ruse.compile import kernel


@kernel
def fill_ranges(form, highest, lowest, spread):
    """Bring the extremes up the decision trees, where parents come before children."""
    for j in range(len(form.parent) - 1, -1, -1):
        high, low = -np.inf, np.inf
        for s in range(form.first[j], form.first[j + 1]):
            high, low = max(high, highest[s]), min(low, lowest[s])
        above = form.parent[j]
        highest[above], lowest[above] = max(highest[above], high), min(lowest[above], low)
        spread[j] = high - low
