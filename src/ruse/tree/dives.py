"""How large a game is that cannot be walked to the end, told from random dives.

Histories and leaves are Knuth's estimate: follow random paths, multiply the branching (Knuth 1975). Infosets are those
that dives have met, and as many unseen as is told by how often the rarest were met: with f1 met once and f2 twice there
are f1 (f1 - 1) / 2 (f2 + 1) more (Chao 1984). It is a lower bound where some are met more easily than others, so those
that dives meet about as easily are taken by themselves; and an infoset has one history at least.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import kernel
from ruse.compile.rng import uniform
from ruse.protocol.breaches import LONGEST, endless
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.view import View, infoset_key

DIVES = 100_000
COVERED = 0.5  # of the sights of a group must be of infosets seen before, so that what they tell is enough
ROOM = 4_000_000  # decisions that are remembered, at most


class Sighted(NamedTuple):
    """What dives tell of a game."""

    histories: float
    leaves: float
    infosets: float
    actions: float  # of infosets
    depth: int


def sighted(game: Game, view: View, dives: int = DIVES) -> Sighted:
    """The estimates of so many dives, always the same ones."""
    row, sums = game.start(), np.zeros(4)
    seen = np.zeros((ROOM, 3), np.int64)
    width = np.zeros(ROOM)
    met = look_around(game, view, row, row.copy(), dives, seen, width, sums, np.ones(1, np.uint64))
    if sums[2] > LONGEST:
        raise endless(game)
    done = sums[3]
    infosets, actions = unseen_too(seen[:met], width[:met], done)
    return Sighted(float(sums[0] / done), float(sums[1] / done), infosets, actions, int(sums[2]))


@kernel
def look_around(game, view, start, s, dives, seen, width, sums, rng):
    """Dive, and note each decision's key, depth, actions and width; return how many were noted.

    Add to the sums: histories, leaves; the third becomes the length of the longest path, the fourth the dives made,
    fewer if there is no room for another. Paths that do not end are left when they are longer than any may be.
    """
    met = 0
    while sums[3] < dives and met < len(width):
        for c in range(len(s)):
            s[c] = start[c]
        wide, depth = 1.0, 0
        while depth <= LONGEST:
            sums[0] += wide
            player = game.player(s)
            if player == OVER:
                sums[1] += wide
                break
            n = game.num_actions(s)
            if n < 1:  # a walk that tests the laws will come here
                break
            if player != CHANCE and met < len(width):
                seen[met, 0], seen[met, 1], seen[met, 2], width[met] = infoset_key(game, view, s), depth, n, wide
                met += 1
            wide *= n
            depth += 1
            game.apply(s, int(uniform(rng) * n))
        sums[2] = max(sums[2], depth)
        sums[3] += 1.0
        if depth > LONGEST:
            break
    return met


def unseen_too(seen: np.ndarray, width: np.ndarray, dives: float) -> tuple[float, float]:
    """How many infosets there are, and actions of them, by what was seen.

    Infosets of one depth and about one width, where a dive comes with one probability, are taken together. One that is
    met at several depths or widths counts where it was first seen.
    """
    _, first, which, times = np.unique(seen[:, 0], return_index=True, return_inverse=True, return_counts=True)
    actions = seen[first, 2].astype(float)
    groups, group = np.unique(seen[first, 1] * 2048 + np.log2(width[first]).astype(np.int64), return_inverse=True)

    def by_group(weights: np.ndarray) -> np.ndarray:
        return np.bincount(group, weights=weights, minlength=len(groups))

    known, once, twice = by_group(np.ones(len(first))), by_group(times == 1), by_group(times == 2)
    decisions = np.bincount(group[which], weights=width / dives, minlength=len(groups))
    unseen = np.minimum(once * (once - 1) / (2 * (twice + 1)), np.maximum(decisions - known, 0.0))
    infosets = known + unseen
    covered = once < (1.0 - COVERED) * by_group(times)
    if covered.any():  # where the next dive meets mostly new ones, infosets are taken to be as large as elsewhere
        share = min(1.0, infosets[covered].sum() / decisions[covered].sum())
        infosets = np.where(covered, infosets, np.maximum(infosets, share * decisions))
    return float(infosets.sum()), float((infosets * by_group(actions) / known).sum())
