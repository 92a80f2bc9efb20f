"""Passes over the decision trees of a sequence form: from the roots down for reach, from the leaves up for values.

What is done at a node on the way is a part. The loops stand here, and so do the parts that most need: to follow a
strategy, and to respond to the others as well as can be.
"""

from typing import NamedTuple, Protocol

import numpy as np

from ruse.compile import compiled, compiled_function, kernel


class Upward(Protocol):
    """What is done at a node on the way up."""

    def worth(self, value: np.ndarray, j: int, first: int, last: int) -> float:
        """What node j is worth to its owner; its sequences are first .. last, and all is known that follows them."""


class Downward(Protocol):
    """What is done at a node on the way down."""

    def descend(self, reach: np.ndarray, above: float, j: int, first: int, last: int) -> int:
        """Fill in the reach of the sequences of node j, which is itself reached with `above`; return the next node."""


@compiled_function
def pass_up(form, value, node, start, end):
    """From the last of the nodes start .. end to the first: add to the sequence above what the node is worth."""
    for n in range(np.int64(end) - np.int64(start)):
        bring_up(form, value, node, end - np.uint32(1 + n))


@compiled_function
def pass_up_some(form, value, node, nodes, count):
    """The same for `count` nodes of a list in which parents come before children."""
    for n in range(count - 1, -1, -1):
        bring_up(form, value, node, nodes[n])


@compiled_function
def bring_up(form, value, node, j):
    """Of merged nodes there are several copies below the sequence."""
    value[form.parent[j]] += form.copies[j] * node.worth(value, j, form.first[j], form.first[j + 1])


@compiled_function
def pass_down(form, reach, node, start, end):
    """From node `start` to `end`, unless the part leaves some of them out."""
    j = np.uint32(start)
    while j < end:
        j = np.uint32(node.descend(reach, reach[form.parent[j]], j, form.first[j], form.first[j + 1]))


# ---- at the leaves ---------------------------------------------------------------------------------------------------


@compiled_function
def leaves_value(leaf_start, others, payoff, reach, s):
    """What the leaves of sequence s are worth to its owner: payoff, chance and the others' reach."""
    total = 0.0
    if others.shape[1] == 1:
        for leaf in range(leaf_start[s], leaf_start[s + 1]):
            total += payoff[leaf] * reach[others[leaf, 0]]
    else:
        for leaf in range(leaf_start[s], leaf_start[s + 1]):
            product = payoff[leaf]
            for c in range(others.shape[1]):
                product *= reach[others[leaf, c]]
            total += product
    return total


@compiled_function
def fill_leaves(form, reach, value, first, last):
    """Begin a pass up: the values of sequences first .. last are those of their leaves."""
    for s in range(first, last):
        value[s] = leaves_value(form.leaf_start, form.others, form.value, reach, s)


# ---- at the nodes ----------------------------------------------------------------------------------------------------


@compiled("worth", "descend")
class Following(NamedTuple):
    """The owner follows the strategy sigma, which is given by slot."""

    slot: np.ndarray  # [node]
    sigma: np.ndarray

    def worth(self, value, j, first, last):
        expected, slot = 0.0, self.slot[j]
        for s in range(first, last):
            expected += self.sigma[slot + (s - first)] * value[s]
        return expected

    def descend(self, reach, above, j, first, last):
        slot = self.slot[j]
        for s in range(first, last):
            reach[s] = above * self.sigma[slot + (s - first)]
        return j + 1


@compiled("worth")
class Responding(NamedTuple):
    """The owner takes the best action."""

    nothing: int = 0

    def worth(self, value, j, first, last):
        return highest(value, first, last)


@compiled_function
def highest(row, first, last):
    found = row[first]
    for k in range(first, last):
        found = max(found, row[k])
    return found


@kernel
def fill_reach(form, sigma, reach):
    """Each sequence's reach under the strategy sigma."""
    for p in range(len(form.node_start) - 1):
        reach[p] = 1.0
    pass_down(form, reach, Following(form.slot, sigma), 0, len(form.parent))
