"""The same game in the order that the engine likes best: level by level, nodes with as many actions side by side.

A loop over two or three actions costs more in wrong guesses about its end than in arithmetic. With equals side by side
the processor guesses right: 1.4 times the speed on Liar's Dice, 1.6 times on Leduc.
"""

import numpy as np

from ruse.compile import kernel
from ruse.solve.sequence_form import SequenceForm, sort_leaves


def in_levels(form: SequenceForm) -> tuple[SequenceForm, np.ndarray]:
    """The renumbered form, and for each sequence of `form` its number there. Parents still come before children."""
    nodes, players = len(form.parent), form.players
    count = np.diff(form.first).astype(np.int64)
    node_of = np.zeros(form.num_sequences, np.int64)
    node_of[players:] = np.repeat(np.arange(nodes), count)
    owner = np.repeat(np.arange(players), np.diff(form.node_start))
    order = np.lexsort((count, depths(form.parent, node_of, players), owner))
    first = np.concatenate([[players], players + np.cumsum(count[order])]).astype(np.uint32)
    place = np.empty(nodes, np.int64)
    place[order] = np.arange(nodes)
    renamed = np.arange(form.num_sequences, dtype=np.uint32)
    offset = np.arange(form.num_sequences - players) - np.repeat(form.first[:-1].astype(np.int64) - players, count)
    renamed[players:] = np.repeat(first[place], count) + offset
    own = np.repeat(np.arange(form.num_sequences), np.diff(form.leaf_start))
    leaf_form = sort_leaves(renamed[own], renamed[form.others], form.value, form.num_sequences)
    parent, slot = renamed[form.parent[order]], renamed[form.slot[order]]
    return SequenceForm(form.node_start, first, parent, form.copies[order], slot, *leaf_form), renamed


@kernel
def depths(parent, node_of, players):
    """How many decisions of the same player lie above each node."""
    depth = np.zeros(len(parent), np.int64)
    for j in range(len(parent)):
        if parent[j] >= players:
            depth[j] = depth[node_of[parent[j]]] + 1
    return depth
