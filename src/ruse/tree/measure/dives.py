"""How large a game is that cannot be walked to the end, told from random dives.

Histories and leaves are Knuth's estimate: follow random paths, multiply the branching (Knuth 1975). Infosets are those
that dives have met, and as many unseen as is told by how often the rarest were met: with f1 met once and f2 twice there
are f1 (f1 - 1) / 2 (f2 + 1) more (Chao 1984). It is a lower bound where some are met more easily than others, so those
that dives meet about as easily are taken by themselves; and an infoset has one history at least.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, kernel
from ruse.compile.rng import uniform
from ruse.protocol.game import CHANCE, OVER, Game
from ruse.protocol.guards.breaches import LONGEST, endless
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
    sights = Sights(view, np.zeros((ROOM, 3), np.int64), np.zeros(ROOM), np.zeros(1, np.int64))
    histories, leaves, longest, done = dived(game, dives, sights)
    met = int(sights.met[0])
    infosets, actions = unseen_too(sights.seen[:met], sights.width[:met], done)
    return Sighted(float(histories / done), float(leaves / done), infosets, actions, int(longest))


def histories_told(game: Game, dives: int) -> float:
    """The estimate of so many dives that note nothing, which takes no memory."""
    sums = dived(game, dives, NoNotes())
    return float(sums[0] / sums[3])


def deepest(game: Game, dives: int) -> int:
    """The length of the longest path of so many dives."""
    return int(dived(game, dives, NoNotes())[2])


def dived(game: Game, dives: int, notes: Any) -> np.ndarray:
    """The sums of so many dives, always the same ones, with notes taken on the way."""
    row, sums = game.start(), np.zeros(4)
    dive(game, row, row.copy(), dives, notes, sums, np.ones(1, np.uint64))
    if sums[2] > LONGEST:
        raise endless(game)
    return sums


@compiled("is_full", "sight")
class Sights(NamedTuple):
    """The decisions that dives meet: key, depth, actions and width."""

    looking: Any  # a view; Numba takes a field of that name for an array's
    seen: np.ndarray  # [decision, 3]
    width: np.ndarray  # [decision]
    met: np.ndarray  # [1] how many were noted

    def is_full(self):
        return self.met[0] >= len(self.width)

    def sight(self, game, s, depth, count, wide):
        n = self.met[0]
        if n < len(self.width):
            self.seen[n, 0], self.seen[n, 1], self.seen[n, 2] = infoset_key(game, self.looking, s), depth, count
            self.width[n] = wide
            self.met[0] = n + 1


@compiled("is_full", "sight")
class NoNotes(NamedTuple):
    """No notes."""

    nothing: int = 0

    def is_full(self):
        return False

    def sight(self, game, s, depth, count, wide):
        pass


@kernel
def dive(game, start, s, dives, notes, sums, rng):
    """Follow random paths, and note each decision while there is room.

    Add to the sums: histories, leaves; the third becomes the length of the longest path, the fourth the dives made,
    fewer if there is no room for another. Paths that do not end are left when they are longer than any may be.
    """
    while sums[3] < dives and not notes.is_full():
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
            if player != CHANCE:
                notes.sight(game, s, depth, n, wide)
            wide *= n
            depth += 1
            game.apply(s, int(uniform(rng) * n))
        sums[2] = max(sums[2], depth)
        sums[3] += 1.0
        if depth > LONGEST:
            break


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
