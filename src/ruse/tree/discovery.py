"""The visitor that counts a game or writes it down: nodes as they are found, and leaves if they are wanted.

Counting and expanding are one visitor, so the rules of a game are compiled once for both. Several walkers may find
nodes at once, each in a piece of the game of its own: a new node is put into the index by swapping a mark into its
place, and published when its row is written. Which number a node gets then is up to the machine; the history that comes
to it first is not, and in that order nodes are taken up.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function, lean_kernel
from ruse.compile.hashing import mix
from ruse.compile.machine import add_at_once, look_now, publish, swap
from ruse.protocol.game import Game
from ruse.protocol.guards.breaches import is_off, promised_sum
from ruse.tree.walk import BROKEN, VISITED

MISFITS, LEAVES, CHANCES, DECISIONS, DEPTH = range(5)  # what a walker counts
NODES, SEQUENCES = range(2)  # what all of them count together
KEY, PARENT, FIRST, COUNT, OWNER, WITNESS, COLUMNS = range(7)  # what is known of a node, side by side
TAKEN = -1  # in place of a node: another walker is about to write it
MOST_WALKERS = 64  # each of which may find a node before it looks whether there is room
ROOM = 1 << 12  # nodes to begin with
PIECE = 40  # bits for the number of a history in a piece of the game


@compiled_function
def node_identity(key, parent):
    """A 64-bit name of a node: its infoset and the sequence that leads to it."""
    return mix(key, parent)


class FoundNodes(NamedTuple):
    """The nodes of a game, told apart by infoset and own sequence; common to all walkers."""

    totals: np.ndarray  # [2] the last sequences are the players' empty ones
    words: np.ndarray  # [2 * place] the index: a node's identity, and after it 1 + its number; 0 where it is free
    nodes: np.ndarray  # [node * COLUMNS] WITNESS is the number, in depth-first order, of the first history there

    @classmethod
    def none(cls, players: int, room: int = ROOM) -> "FoundNodes":
        return cls(np.array([0, players]), np.zeros(4 * room, np.int64), np.zeros(room * COLUMNS, np.int64))

    def larger(self) -> "FoundNodes":
        """The same with room for twice as many."""
        words, nodes = np.zeros(2 * len(self.words), np.int64), np.empty(2 * len(self.nodes), np.int64)
        copy_words(self.words, words)
        nodes[: len(self.nodes)] = self.nodes
        return FoundNodes(self.totals, words, nodes)

    @property
    def is_crowded(self) -> bool:
        """Whether walkers must wait until there is more room."""
        return bool((self.totals[NODES] + MOST_WALKERS) * COLUMNS > len(self.nodes))

    @property
    def rows(self) -> np.ndarray:
        """[node, column]"""
        count = int(self.totals[NODES])
        return self.nodes[: count * COLUMNS].reshape(count, COLUMNS)


@compiled("is_full", "at_chance", "at_decision", "at_end")
class Discovery(NamedTuple):
    """One walker's way of looking at a game."""

    totals: np.ndarray  # [5] misfits: states of a node that differ in count; leaves: also where the next one is written
    promised: float  # the sum of payoffs, NaN if none is promised
    keeps_leaves: int  # 0 or 1: whether leaves are written down or only counted
    piece: int  # what is added to the number of a history in this piece of the game
    common: np.ndarray  # as in FoundNodes
    words: np.ndarray
    nodes: np.ndarray
    leaf_sequence: np.ndarray  # [player, leaf]
    leaf_value: np.ndarray  # [player, leaf]

    @classmethod
    def of(cls, game: Game, found: FoundNodes, piece: int, leaves: tuple[np.ndarray, np.ndarray] | None) -> "Discovery":
        """With what is found so far, and room for leaves; without, they are counted and payoffs not looked at."""
        sequence, value = (
            (np.zeros((game.players, 0), np.uint32), np.zeros((game.players, 0))) if leaves is None else leaves
        )
        totals = np.zeros(5, np.int64)
        return cls(totals, promised_sum(game), int(leaves is not None), piece << PIECE, *found, sequence, value)

    def is_full(self):
        if (look_now(self.common, NODES) + MOST_WALKERS) * COLUMNS > len(self.nodes):
            return True
        return self.keeps_leaves == 1 and self.totals[LEAVES] >= self.leaf_value.shape[1]

    def at_chance(self, level, count):
        self.totals[CHANCES] += 1

    def at_decision(self, stack, level, key):
        self.totals[DECISIONS] += 1
        player, actions = stack.player[level], stack.actions[level]
        parent, number = stack.sequence[level, player], self.piece + stack.cursor[VISITED]
        row = find_or_share(self.words, self.nodes, self.common, key, parent, actions, player, number)
        if self.nodes[row + COUNT] != actions:
            self.totals[MISFITS] += 1
        return self.nodes[row + FIRST]

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


@compiled_function
def find_or_share(words, nodes, common, key, parent, actions, player, number):
    """Where the row of a node starts, which is written now if it is new; `number` is that of the history."""
    identity = node_identity(key, parent)
    mask = len(words) // 2 - 1
    place = (identity ^ (identity >> 29)) & mask
    while True:
        word = look_now(words, 2 * place + 1)
        if word == TAKEN:
            continue
        if word != 0:
            if words[2 * place] != identity:
                place = (place + 1) & mask
                continue
            row = (word - 1) * COLUMNS
            first = look_now(nodes, row + WITNESS)
            while number < first and swap(nodes, row + WITNESS, first, number) == 0:
                first = look_now(nodes, row + WITNESS)
            return row
        if swap(words, 2 * place + 1, 0, TAKEN) == 0:
            continue
        node = add_at_once(common, NODES, 1)
        row = node * COLUMNS
        nodes[row + KEY], nodes[row + PARENT], nodes[row + COUNT] = key, parent, actions
        nodes[row + OWNER], nodes[row + WITNESS] = player, number
        nodes[row + FIRST] = add_at_once(common, SEQUENCES, actions)
        words[2 * place] = identity
        publish(words, 2 * place + 1, node + 1)
        return row


@lean_kernel
def copy_words(words, larger):
    """Copy an index into a larger one."""
    mask = len(larger) // 2 - 1
    for k in range(0, len(words), 2):
        if words[k + 1] != 0:
            place = (words[k] ^ (words[k] >> 29)) & mask
            while larger[2 * place + 1] != 0:
                place = (place + 1) & mask
            larger[2 * place] = words[k]
            larger[2 * place + 1] = words[k + 1]
