"""The same game in the order that the engine likes best: level by level, nodes with as many actions side by side.

A loop over two or three actions costs more in wrong guesses about its end than in arithmetic. With equals side by side
the processor guesses right: 1.4 times the speed on Liar's Dice, 1.6 times on Leduc.
"""

import numpy as np

from ruse.compile import kernel
from ruse.tree.sequence_form import SequenceForm, renamed_leaves, renumbered


def in_levels(form: SequenceForm) -> tuple[SequenceForm, np.ndarray]:
    """The renumbered form, and for each sequence of `form` its number there. Parents still come before children."""
    nodes, renamed = levelled_nodes(form)
    return nodes.with_leaves(*renamed_leaves(form, renamed, None, form.num_sequences)), renamed


def levelled_nodes(form: SequenceForm) -> tuple[SequenceForm, np.ndarray]:
    """The same without leaves."""
    nodes, players = len(form.parent), form.players
    count = np.diff(form.first)
    node_of = np.zeros(form.num_sequences, np.uint32)
    node_of[players:] = np.repeat(np.arange(nodes, dtype=np.uint32), count)
    owner = np.repeat(np.arange(players, dtype=np.uint8), np.diff(form.node_start))
    order = np.lexsort((count, depths(form.parent, node_of, players), owner))
    first = np.concatenate([[players], players + np.cumsum(count[order])]).astype(np.uint32)
    there = np.empty(nodes, np.uint32)
    there[order] = first[:-1]
    renamed = renumbered(form, there)
    parent, slot = renamed[form.parent[order]], renamed[form.slot[order]]
    return SequenceForm.of_nodes(form.node_start, first, parent, form.copies[order], slot), renamed


@kernel
def depths(parent, node_of, players):
    """How many decisions of the same player lie above each node."""
    depth = np.zeros(len(parent), np.int64)
    for j in range(len(parent)):
        if parent[j] >= players:
            depth[j] = depth[node_of[parent[j]]] + 1
    return depth
