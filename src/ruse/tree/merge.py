"""Merge what is the same: the coarsest partition on which every player's counterfactual values stay equal.

Colour refinement over sequences. Two sequences keep one colour while they have the same colour above them, below them
and beside them, and the same payoff against each colour of the other players. CFR from equal starts then computes the
same numbers for both, so it may as well compute them once. No knowledge of suits is needed: Leduc's 936 infosets
become 288.

Colours are 64-bit hashes. The payoffs against one colour are added up *inside* the hash, because the hash of a leaf is
its payoff, as an integer, times the hash of the others' colours: no sorting. So sequences are looked at in any order,
by as many threads as there are.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ruse.compile import compiled_function, lean_kernel
from ruse.compile.distinct import count_distinct, numbered
from ruse.compile.hashing import mix
from ruse.spread.here import cores
from ruse.tree.sequence_form import SequenceForm, renamed_leaves, renumbered

MANY = 1_000_000  # leaves that are worth threads
QUANTUM = 2.0**-44  # of the largest payoff: payoffs that differ by less are rounding of the same number


def merge(form: SequenceForm, colours: np.ndarray | None = None) -> tuple[SequenceForm, np.ndarray]:
    """The merged form, and for each sequence of `form` its sequence there.

    `colours` tells sequences apart that must not be merged, whatever their payoffs. A form whose nodes share rows
    (imperfect recall) is returned as it is.
    """
    if not form.perfect_recall:
        return form, np.arange(form.num_sequences, dtype=np.uint32)
    nodes, renamed, is_kept = merged_nodes(form, colours)
    return nodes.with_leaves(*renamed_leaves(form, renamed, is_kept, nodes.num_sequences)), renamed


def merged_nodes(
    form: SequenceForm, colours: np.ndarray | None, *, threads: int | None = None
) -> tuple[SequenceForm, np.ndarray, np.ndarray]:
    """The merged form without its leaves, the new name of each sequence, and which of them are kept."""
    sequences = form.num_sequences
    if not form.perfect_recall:
        return form, np.arange(sequences, dtype=np.uint32), np.ones(sequences, bool)
    colour = np.zeros(sequences, np.int64) if colours is None else colours.astype(np.int64)
    node_of = np.full(sequences, -1, np.int32)
    node_of[form.players :] = np.repeat(np.arange(len(form.parent), dtype=np.int32), np.diff(form.first))
    paint(form, node_of, colour)
    scaled = form.value / (max(form.value.max(initial=1e-300), -form.value.min(initial=0.0)) * QUANTUM)
    payoff = np.round(scaled, out=scaled).astype(np.int64)
    del scaled
    node_colour, distinct = np.zeros(len(form.parent), np.int64), 0
    threads = (threads or cores()) if len(payoff) >= MANY else 1
    cuts = np.searchsorted(form.leaf_start, np.linspace(0, len(payoff), threads + 1)).tolist()
    cuts[0], cuts[-1] = 0, sequences
    with ThreadPoolExecutor(threads) as pool:
        while (now := count_distinct(colour)) > distinct:
            distinct = now
            seen = np.zeros(sequences, np.int64)
            see_nodes(form, colour, node_colour, seen)
            list(pool.map(lambda *ends: see_leaves(form, payoff, colour, seen, *ends), cuts[:-1], cuts[1:]))  # noqa: B023
            repaint(node_of, node_colour, seen, colour)
    return quotient(form, node_colour)


@lean_kernel
def paint(form, node_of, colour):
    """First colours: the owner, the number of actions, and which of them."""
    players = len(form.node_start) - 1
    for s in range(players):
        colour[s] = mix(colour[s], s)
    for p in range(players):
        for j in range(form.node_start[p], form.node_start[p + 1]):
            for s in range(form.first[j], form.first[j + 1]):
                colour[s] = mix(mix(mix(colour[s], p + players), form.first[j + 1] - form.first[j]), s - form.first[j])


@lean_kernel
def see_nodes(form, colour, node_colour, seen):
    """Every sequence sees the nodes below it."""
    for j in range(len(form.parent)):
        c = mix(colour[form.parent[j]], 1)
        for s in range(form.first[j], form.first[j + 1]):
            c = mix(c, colour[s])
        node_colour[j] = c
        seen[form.parent[j]] += mix(c, 2)


@lean_kernel
def see_leaves(form, payoff, colour, seen, start, end):
    """Sequences of a range see their leaves."""
    for s in range(start, end):
        for leaf in range(form.leaf_start[s], form.leaf_start[s + 1]):
            seen[s] += payoff[leaf] * leaf_hash(form.others, leaf, colour)


@lean_kernel
def repaint(node_of, node_colour, seen, colour):
    """Every sequence takes in its own node, and what it has seen."""
    for s in range(len(colour)):
        above = node_colour[node_of[s]] if node_of[s] >= 0 else 0
        colour[s] = mix(mix(colour[s], above), seen[s])


@compiled_function
def leaf_hash(others, leaf, colour):
    h = 3
    for c in range(others.shape[1]):
        h = mix(h, colour[others[leaf, c]])
    return h | 1  # odd, so that no payoff is lost


def quotient(form: SequenceForm, node_colour: np.ndarray) -> tuple[SequenceForm, np.ndarray, np.ndarray]:
    """Keep the first node of each colour; it has kept its parent, because a twin of the parent has a twin of it."""
    kept, new_node = numbered(node_colour)
    count = np.diff(form.first)
    players = form.players
    first = np.concatenate([[players], players + np.cumsum(count[kept])]).astype(np.uint32)
    renamed = renumbered(form, first[new_node])
    parent = renamed[form.parent[kept]]
    is_sibling = form.parent == form.parent[kept][new_node]  # below the very parent of the node that is kept
    copies = np.bincount(new_node, weights=form.copies * is_sibling, minlength=len(kept))
    node_start = np.searchsorted(kept, form.node_start).astype(np.uint32)
    is_kept_node = np.zeros(len(new_node), bool)
    is_kept_node[kept] = True
    is_kept = np.concatenate([np.ones(players, bool), np.repeat(is_kept_node, count)])
    return SequenceForm.of_nodes(node_start, first, parent, copies, first[:-1].copy()), renamed, is_kept
