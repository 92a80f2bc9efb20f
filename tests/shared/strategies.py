"""Strategies to measure."""

import numpy as np

import ruse
from ruse.strategy import Strategy
from ruse.tree.expanded import Expanded


def lopsided(game: ruse.Game, seed: int = 0, *, pure: bool = False) -> Strategy:
    """A strategy that plays no two infosets alike; if it is pure, one action at each."""
    expanded = Expanded.of(game)
    form, dice = expanded.form, np.random.default_rng(seed)
    sigma = np.ones(form.num_sequences)
    for first, last in zip(form.first[:-1], form.first[1:], strict=True):
        n = int(last - first)
        sigma[first:last] = dice.permutation(np.eye(1, n)[0]) if pure else dice.dirichlet(np.ones(n))
    return Strategy.of(expanded, sigma)
