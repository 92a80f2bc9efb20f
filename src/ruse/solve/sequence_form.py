"""The sequence form: a game as its leaves and, for each player, the tree of that player's own decisions.

A *sequence* is an action together with all of the player's own decisions before it; a *node* of a decision tree is an
infoset reached by one sequence. At a leaf every player's last sequence is known, so one pass over the leaves and one
over each decision tree is an iteration of CFR (von Stengel 1996; Farina et al. 2019).

Sequences 0 .. players-1 are the empty ones. Nodes are numbered in preorder, player by player, and their sequences in
the order of the nodes: a subtree of a decision tree is one range of nodes and, but for its own action, of sequences.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, kernel
from ruse.errors import RuseError
from ruse.game import Game, mix
from ruse.solve.size import SLICE, Size
from ruse.solve.walk import Stack, find, new_index, reindex, walk
from ruse.view import View


class SequenceForm(NamedTuple):
    """A game as the full-width engine sees it.

    Indices are unsigned: a signed one costs the engine half its speed, because it could count from the end.
    """

    node_start: np.ndarray  # [player + 1] the nodes of player p are node_start[p] .. node_start[p + 1]
    first: np.ndarray  # [node + 1] a node's first sequence; its last one is the next node's first
    parent: np.ndarray  # [node] the sequence that leads to the node
    copies: np.ndarray  # [node] how many such nodes hang below the parent: 1 unless they were merged
    slot: np.ndarray  # [node] where its row starts in the tables; nodes that share an infoset share a row
    leaf_start: np.ndarray  # [sequence + 1] the leaves of a sequence, for the player who owns it
    others: np.ndarray  # [leaf, player - 1] the other players' sequences
    value: np.ndarray  # [leaf] payoff times the probability of chance

    @property
    def players(self) -> int:
        return len(self.node_start) - 1

    @property
    def num_sequences(self) -> int:
        return len(self.leaf_start) - 1

    @property
    def perfect_recall(self) -> bool:
        return bool(np.array_equal(self.slot, self.first[:-1]))


class Expansion(NamedTuple):
    """A game's sequence form, with what it takes to find a node's state again."""

    form: SequenceForm
    keys: np.ndarray  # [node] uint64 infoset key
    owner: np.ndarray  # [node] player
    witness: np.ndarray  # [node] the number, in depth-first order, of the first history that reaches it
    leaves: int  # terminal histories


@compiled_function
def node_identity(key, parent):
    """A 64-bit name of a node: its infoset and the sequence that leads to it."""
    return mix(key, parent)


@kernel
def fill_index(node_keys, parent, keys, ids):
    """Put all nodes into an index by their identity."""
    for j in range(len(node_keys)):
        identity = node_identity(node_keys[j], np.int64(parent[j]))
        place = find(keys, ids, identity)
        keys[place] = identity
        ids[place] = j


def node_index(node_keys: np.ndarray, parent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An index of nodes, given their infoset keys and the sequences that lead to them."""
    keys, ids = new_index(len(parent))
    fill_index(node_keys.view(np.int64), parent, keys, ids)
    return keys, ids


@compiled_function
def node_and_reach(keys, ids, reach, stack, level, key):
    """The node of a decision that a walk has come to, and the probability that chance and the others lead there so."""
    player = stack.player[level]
    node = ids[find(keys, ids, node_identity(key, stack.sequence[level, player]))]
    product = stack.chance[level]
    for p in range(stack.sequence.shape[1]):
        if p != player:
            product *= reach[stack.sequence[level, p]]
    return node, product


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Expander(NamedTuple):
    """A visitor that writes down nodes and leaves in the order of discovery."""

    totals: np.ndarray  # [3] nodes, sequences, leaves
    keys: np.ndarray  # the index of nodes, by infoset key and parent sequence
    ids: np.ndarray
    node_key: np.ndarray  # [node]
    node_parent: np.ndarray  # [node]
    node_first: np.ndarray  # [node]
    node_count: np.ndarray  # [node]
    node_owner: np.ndarray  # [node]
    node_witness: np.ndarray  # [node]
    leaf_sequence: np.ndarray  # [leaf, player]
    leaf_value: np.ndarray  # [leaf, player]

    def is_full(self):
        return self.totals[0] >= len(self.node_key) or 2 * self.totals[0] >= len(self.ids)

    def at_chance(self, level, count):
        pass

    def at_decision(self, stack, level, key):
        player = stack.player[level]
        parent = stack.sequence[level, player]
        identity = node_identity(key, parent)
        place = find(self.keys, self.ids, identity)
        if self.ids[place] < 0:
            node = self.totals[0]
            self.keys[place] = identity
            self.ids[place] = node
            self.node_key[node] = key
            self.node_parent[node] = parent
            self.node_first[node] = self.totals[1]
            self.node_count[node] = stack.actions[level]
            self.node_owner[node] = player
            self.node_witness[node] = stack.cursor[1]
            self.totals[0] += 1
            self.totals[1] += stack.actions[level]
        node = self.ids[place]
        if self.node_count[node] != stack.actions[level]:
            self.totals[2] = -(1 << 40)  # an error that the caller reports; leaves are counted up from here
        return self.node_first[node]

    def at_end(self, game, stack, level):
        leaf = self.totals[2]
        if leaf < 0:
            return
        for p in range(stack.sequence.shape[1]):
            self.leaf_sequence[leaf, p] = stack.sequence[level, p]
            self.leaf_value[leaf, p] = stack.chance[level] * game.payoff(stack.rows[level], p)
        self.totals[2] += 1

    def larger(self) -> "Expander":
        """The same with room for twice as many nodes."""
        index = new_index(2 * len(self.node_key))
        reindex(self.keys, self.ids, *index)
        nodes = [np.concatenate([array, array]) for array in self[3:9]]
        return Expander._make([self.totals, *index, *nodes, self.leaf_sequence, self.leaf_value])


def expand(game: Game, view: View, size: Size) -> Expansion:
    """Walk the whole game and bring it into sequence form."""
    players, leaves = game.players, int(size.leaves)
    nodes = max(int(size.infosets), 1)
    columns = [np.zeros(nodes, dtype) for dtype in (np.int64, np.int64, np.int64, np.int64, np.int64, np.int64)]
    sequence, value = np.zeros((leaves, players), np.uint32), np.zeros((leaves, players))
    visitor = Expander._make([np.array([0, players, 0]), *new_index(nodes), *columns, sequence, value])
    stack = Stack.start(game)
    while not stack.is_done:
        if stack.is_full:
            stack = stack.deeper()
        if visitor.is_full():
            visitor = visitor.larger()
        walk(game, view, stack, visitor, SLICE)
        if visitor.totals[2] < 0:
            raise RuseError(f"{game!r}: two states of one infoset differ in their number of actions; run `ruse check`")
    nodes = int(visitor.totals[0])
    key, parent, first, count, owner, witness = (array[:nodes] for array in visitor[3:9])
    order, renamed = preorder(players, int(visitor.totals[1]), parent, first, count, owner)
    key, parent, count, owner, witness = key[order], renamed[parent[order]], count[order], owner[order], witness[order]
    first = np.concatenate([[players], players + np.cumsum(count)]).astype(np.uint32)
    node_start = np.searchsorted(owner, np.arange(players + 1)).astype(np.uint32)
    leaf_form = sort_leaves(*own_leaves(renamed[sequence], value), int(first[-1]))
    slot = slots(game, key, first)
    form = SequenceForm(node_start, first, parent.astype(np.uint32), np.ones(nodes), slot, *leaf_form)
    return Expansion(form, key.view(np.uint64), owner, witness, leaves)


def slots(game: Game, key: np.ndarray, first: np.ndarray) -> np.ndarray:
    """A row for each infoset: that of its first node. With perfect recall every node has its own."""
    _, earliest, infoset = np.unique(key, return_index=True, return_inverse=True)
    count = np.diff(first)
    if np.any(count[earliest][infoset] != count):
        raise RuseError(f"{game!r}: two states of one infoset differ in their number of actions; run `ruse check`")
    return first[:-1][earliest][infoset]


@kernel
def preorder(players, sequences, parent, first, count, owner):
    """The nodes player by player in preorder, and the new name of each sequence."""
    nodes = len(parent)
    child = np.full(sequences, -1, np.int64)  # the last node below a sequence, and before it the others
    sibling = np.full(nodes, -1, np.int64)
    for j in range(nodes):
        sibling[j] = child[parent[j]]
        child[parent[j]] = j
    order = np.empty(nodes, np.int64)
    renamed = np.empty(sequences, np.uint32)
    stack = np.empty(nodes + 1, np.int64)
    done, name = 0, players
    for p in range(players):
        renamed[p] = p
        height = 0
        j = child[p]
        while j >= 0:
            stack[height] = j
            height += 1
            j = sibling[j]
        while height > 0:
            height -= 1
            j = stack[height]
            order[done] = j
            done += 1
            for a in range(count[j]):
                renamed[first[j] + a] = name
                name += 1
            for a in range(count[j] - 1, -1, -1):
                k = child[first[j] + a]
                while k >= 0:
                    stack[height] = k
                    height += 1
                    k = sibling[k]
    return order, renamed


def own_leaves(sequence: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each leaf once for each player: own sequence, the others' sequences, own payoff times chance."""
    players = sequence.shape[1]
    others = np.concatenate([np.delete(sequence, p, axis=1) for p in range(players)])
    return sequence.T.ravel(), others, value.T.ravel()


def sort_leaves(
    own: np.ndarray, others: np.ndarray, value: np.ndarray, sequences: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sort leaves by own sequence, then the others'; add up those that agree in all, leave out those worth nothing."""
    order = np.arange(len(own))
    for column in reversed(range(others.shape[1])):
        order = counting_sort(others[:, column].copy(), order, sequences)
    order = counting_sort(own, order, sequences)
    leaf_start, kept, added = add_equal(own, others, value, order, sequences)
    return leaf_start, kept, added


@kernel
def counting_sort(name, order, names):
    """A stable sort of `order` by name[order], for names 0 .. names-1."""
    start = np.zeros(names + 1, np.int64)
    for k in range(len(name)):
        start[name[k] + 1] += 1
    for n in range(names):
        start[n + 1] += start[n]
    result = np.empty_like(order)
    for k in order:
        result[start[name[k]]] = k
        start[name[k]] += 1
    return result


@kernel
def add_equal(own, others, value, order, sequences):
    """Walk sorted leaves and write each set of equal ones once."""
    width = others.shape[1]
    leaf_start = np.zeros(sequences + 1, np.uint32)
    out_others = np.empty((len(order), width), np.uint32)
    out_value = np.empty(len(order))
    leaves, k = 0, 0
    while k < len(order):
        head = order[k]
        total = 0.0
        same = True
        while same:
            total += value[order[k]]
            k += 1
            same = k < len(order) and own[order[k]] == own[head]
            for c in range(width):
                same = same and others[order[k], c] == others[head, c]
        if total != 0.0:
            for c in range(width):
                out_others[leaves, c] = others[head, c]
            out_value[leaves] = total
            leaf_start[own[head] + 1] += 1
            leaves += 1
    for s in range(sequences):
        leaf_start[s + 1] += leaf_start[s]
    return leaf_start, out_others[:leaves].copy(), out_value[:leaves].copy()
