"""Leaves as a card reads them best: in strips of bounded length, 32 of them side by side.

A thread adds up one strip, from its first leaf to its last. The 32 threads of a warp read 32 entries that lie next to
each other, in step; strips that do so are about equally long, because they are sorted by length. Nearly every sequence
has one strip, and is added up in the processor's order; only one with many leaves has several.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import lean_kernel
from ruse.tree.sequence_form import SequenceForm

LANES = 32  # as in kernels.cu
LONGEST = 1024  # leaves in a strip: a thread waits longer for more, and where sums are split they round otherwise
NONE = np.uint32(0xFFFFFFFF)


class Strips(NamedTuple):
    """Which strip lies where. Nothing here is as long as the leaves are."""

    strip_start: np.ndarray  # [sequence + 1] the strips of a sequence
    leaf: np.ndarray  # [strip] its first leaf
    length: np.ndarray  # [strip]
    strip_at: np.ndarray  # [position] which strip is there, NONE for none
    slice: np.ndarray  # [slice + 1] where the entries of 32 positions start
    position_start: np.ndarray  # [player + 1] the positions of a player's strips

    @classmethod
    def of(cls, form: SequenceForm) -> "Strips":
        leaves = np.diff(form.leaf_start).astype(np.int64)
        counts = -(-leaves // LONGEST)
        strip_start = np.concatenate([[0], np.cumsum(counts)])
        part = np.arange(strip_start[-1]) - np.repeat(strip_start[:-1], counts)  # which of its sequence's
        leaf = np.repeat(form.leaf_start[:-1].astype(np.int64), counts) + LONGEST * part
        length = np.minimum(LONGEST, np.repeat(leaves, counts) - LONGEST * part)
        strip_at, position_start = [], [0]
        for p in range(form.players):
            begin, end = (int(form.first[form.node_start[q]]) for q in (p, p + 1))
            own = [np.arange(strip_start[a], strip_start[b]) for a, b in ((p, p + 1), (begin, end))]
            strips = np.concatenate(own)
            strips = strips[np.argsort(-length[strips], kind="stable")].astype(np.uint32)
            padding = np.full(-len(strips) % LANES, NONE)
            strip_at += [strips, padding]
            position_start.append(position_start[-1] + len(strips) + len(padding))
        at = np.concatenate(strip_at)
        tallest = length[at[::LANES]]  # the first of a slice is the longest
        start = np.concatenate([[0], np.cumsum(tallest * LANES)]).astype(np.uint64)
        return cls(strip_start.astype(np.uint32), leaf, length, at, start, np.array(position_start))

    @property
    def entries(self) -> int:
        """Leaves, and what fills up strips that are shorter than the one beside them."""
        return int(self.slice[-1])

    def filled(self, form: SequenceForm, number: np.dtype) -> tuple[np.ndarray, np.ndarray]:
        """The other players' sequences, [player - 1, entry], and the payoffs, [entry], of all leaves."""
        others = np.zeros((form.others.shape[1], self.entries), np.uint32)
        payoff = np.zeros(self.entries, number)
        lay_out(self.strip_at, self.slice, self.leaf, self.length, form, others, payoff)
        return others, payoff


@lean_kernel
def lay_out(strip_at, start, leaf, length, form, others, payoff):
    for position in range(len(strip_at)):
        strip = np.int64(strip_at[position])
        if strip == NONE:
            continue
        entry = np.int64(start[position // LANES]) + position % LANES
        for k in range(leaf[strip], leaf[strip] + length[strip]):
            payoff[entry] = form.value[k]
            for c in range(others.shape[0]):
                others[c, entry] = form.others[k, c]
            entry += LANES
