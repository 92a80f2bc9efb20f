"""The visitor that counts a game or writes it down: nodes in the order of discovery, and leaves if they are wanted.

Counting and expanding are one visitor, so a game that is measured and then expanded has its rules compiled once.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.protocol.breaches import is_off, promised_sum
from ruse.protocol.game import Game
from ruse.tree.walk import BROKEN, VISITED, find_place, larger_index, new_index, twice

NODES, SEQUENCES, LEAVES, MISFITS, CHANCES, DECISIONS, DEPTH = range(7)  # what is counted
ROOM = 1 << 12  # nodes to begin with, where it is not known how many there are


@compiled_function
def node_identity(key, parent):
    """A 64-bit name of a node: its infoset and the sequence that leads to it."""
    return mix(key, parent)


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Discovery(NamedTuple):
    """The nodes of a game, told apart by infoset and own sequence, and its leaves."""

    totals: (
        np.ndarray
    )  # [7] the last sequences are the players' empty ones; misfits: states of a node that differ in count
    promised: float  # the sum of payoffs, NaN if none is promised
    keeps_leaves: int  # 0 or 1: whether leaves are written down or only counted
    keys: np.ndarray  # the index of nodes, by infoset key and parent sequence
    ids: np.ndarray
    node_key: np.ndarray  # [node]
    node_parent: np.ndarray  # [node]
    node_first: np.ndarray  # [node]
    node_count: np.ndarray  # [node]
    node_owner: np.ndarray  # [node]
    node_witness: np.ndarray  # [node] the number, in depth-first order, of the first history that reaches it
    leaf_sequence: np.ndarray  # [player, leaf]
    leaf_value: np.ndarray  # [player, leaf]

    @classmethod
    def counting(cls, game: Game, nodes: int = ROOM) -> "Discovery":
        """Leaves are counted and their payoffs not looked at."""
        return cls._begin(game, nodes, leaves=0)

    @classmethod
    def writing(cls, game: Game, nodes: int, leaves: int) -> "Discovery":
        """With room for a game of this size; it grows if that was too little."""
        # One node more than there are, or it would be full before the last leaf; after that there is nothing left.
        return cls._begin(game, nodes + 1, max(leaves, 1))

    @classmethod
    def _begin(cls, game: Game, nodes: int, leaves: int) -> "Discovery":
        totals, columns = np.zeros(7, np.int64), [np.zeros(nodes, np.int64) for _ in range(6)]
        totals[SEQUENCES] = game.players
        sequence, value = np.zeros((game.players, leaves), np.uint32), np.zeros((game.players, leaves))
        return cls._make([totals, promised_sum(game), int(leaves > 0), *new_index(nodes), *columns, sequence, value])

    def is_full(self):
        if self.totals[NODES] >= len(self.node_key):
            return True
        return self.keeps_leaves == 1 and self.totals[LEAVES] >= self.leaf_value.shape[1]

    def at_chance(self, level, count):
        self.totals[CHANCES] += 1

    def at_decision(self, stack, level, key):
        self.totals[DECISIONS] += 1
        player = stack.player[level]
        parent = stack.sequence[level, player]
        identity = node_identity(key, parent)
        place = find_place(self.keys, self.ids, identity)
        if self.ids[place] < 0:
            node = self.totals[NODES]
            self.keys[place] = identity
            self.ids[place] = node
            self.node_key[node] = key
            self.node_parent[node] = parent
            self.node_first[node] = self.totals[SEQUENCES]
            self.node_count[node] = stack.actions[level]
            self.node_owner[node] = player
            self.node_witness[node] = stack.cursor[VISITED]
            self.totals[NODES] += 1
            self.totals[SEQUENCES] += stack.actions[level]
        node = self.ids[place]
        if self.keeps_leaves == 1 and self.node_count[node] != stack.actions[level]:
            self.totals[MISFITS] += 1
        return self.node_first[node]

    def at_end(self, game, stack, level):
        leaf = self.totals[LEAVES]
        self.totals[LEAVES] += 1
        if level > self.totals[DEPTH]:
            self.totals[DEPTH] = level
        if self.keeps_leaves == 0:
            return
        total, largest = 0.0, 0.0
        for p in range(stack.sequence.shape[1]):
            payoff = game.payoff(stack.rows[level], p)
            total += payoff
            largest = max(largest, abs(payoff))
            self.leaf_sequence[p, leaf] = stack.sequence[level, p]
            self.leaf_value[p, leaf] = stack.chance[level] * payoff
        if not np.isfinite(total) or is_off(total - self.promised, largest):
            stack.cursor[BROKEN] = 1

    def larger(self) -> "Discovery":
        """The same with room for twice as many nodes and leaves."""
        index = larger_index(self.keys, self.ids, 2 * len(self.node_key))
        return Discovery._make([*self[:3], *index, *twice(self[5:11]), *twice(self[11:], axis=1)])
