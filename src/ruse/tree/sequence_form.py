"""The sequence form: a game as its leaves and, for each player, the tree of that player's own decisions.

A *sequence* is an action together with all of the player's own decisions before it; a *node* of a decision tree is an
infoset reached by one sequence. At a leaf every player's last sequence is known, so one pass over the leaves and one
over each decision tree is an iteration of CFR (von Stengel 1996; Farina et al. 2019).

Sequences 0 .. players-1 are the empty ones. Nodes are numbered in preorder, player by player, and their sequences in
the order of the nodes: a subtree of a decision tree is one range of nodes and, but for its own action, of sequences.
"""

from typing import NamedTuple

import numpy as np

from ruse.compile import compiled_function, kernel
from ruse.protocol.game import Game
from ruse.protocol.guards.breaches import unlawful
from ruse.protocol.view import View
from ruse.tree.discovery import COUNT, FIRST, KEY, OWNER, PARENT, WITNESS, node_identity
from ruse.tree.measure.survey import GameSurvey
from ruse.tree.sorting import others_of, sort_leaves
from ruse.tree.walk import find_place, new_index


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

    @classmethod
    def of_nodes(
        cls, node_start: np.ndarray, first: np.ndarray, parent: np.ndarray, copies: np.ndarray, slot: np.ndarray
    ) -> "SequenceForm":
        """A form that has no leaves yet."""
        width = max(0, len(node_start) - 2)
        none = np.zeros(int(first[-1]) + 1, np.uint32), np.zeros((0, width), np.uint32), np.zeros(0)
        return cls(node_start, first, parent, copies, slot, *none)

    def with_leaves(self, leaf_start: np.ndarray, others: np.ndarray, value: np.ndarray) -> "SequenceForm":
        return self._replace(leaf_start=leaf_start, others=others, value=value)

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


@kernel
def fill_index(node_keys, parent, keys, ids):
    """Put all nodes into an index by their identity."""
    for j in range(len(node_keys)):
        identity = node_identity(node_keys[j], np.int64(parent[j]))
        place = find_place(keys, ids, identity)
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
    node = ids[find_place(keys, ids, node_identity(key, stack.sequence[level, player]))]
    product = stack.chance[level]
    for p in range(stack.sequence.shape[1]):
        if p != player:
            product *= reach[stack.sequence[level, p]]
    return node, product


def expand(game: Game, view: View) -> Expansion:
    """Walk the whole game and bring it into sequence form."""
    return expansion_of(GameSurvey(game, view, keeps_leaves=True))


def expansion_of(survey: GameSurvey) -> Expansion:
    """The sequence form of a game that is surveyed with its leaves, which are taken; the rest of it is walked now."""
    game, players = survey.game, survey.game.players
    while not survey.is_done:
        survey.go_on()
        refuse_misfits(survey)
    refuse_misfits(survey)
    rows, sequences, (sequence, value) = survey.rows(), survey.sequences, survey.take_leaves()
    key, parent, first, count, owner, witness = (
        np.ascontiguousarray(rows[:, column]) for column in (KEY, PARENT, FIRST, COUNT, OWNER, WITNESS)
    )
    del rows
    survey.forget()  # the index, which is not needed any more
    order, renamed = preorder(players, sequences, parent, first, count, owner)
    key, parent, count, owner, witness = key[order], renamed[parent[order]], count[order], owner[order], witness[order]
    first = np.concatenate([[players], players + np.cumsum(count)]).astype(np.uint32)
    node_start = np.searchsorted(owner, np.arange(players + 1)).astype(np.uint32)
    slot = slots(game, key, first)
    leaves, nodes = sequence.shape[1], len(order)
    del order, count
    others = others_of(sequence)
    leaf_form = sort_leaves(sequence.ravel(), others, value.ravel(), renamed, int(first[-1]))
    form = SequenceForm(node_start, first, parent.astype(np.uint32), np.ones(nodes), slot, *leaf_form)
    return Expansion(form, key.view(np.uint64), owner, witness, leaves)


def refuse_misfits(survey: GameSurvey) -> None:
    if survey.has_misfits:
        raise unlawful(survey.game, "two states of one infoset differ in their number of actions")


def slots(game: Game, key: np.ndarray, first: np.ndarray) -> np.ndarray:
    """A row for each infoset: that of its first node. With perfect recall every node has its own."""
    _, earliest, infoset = np.unique(key, return_index=True, return_inverse=True)
    count = np.diff(first)
    if np.any(count[earliest][infoset] != count):
        raise unlawful(game, "two states of one infoset differ in their number of actions")
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


def renumbered(form: SequenceForm, there: np.ndarray) -> np.ndarray:
    """The new name of each sequence, given the new first sequence of each node."""
    count, old = np.diff(form.first), form.first[:-1]
    renamed = np.arange(form.num_sequences, dtype=np.uint32)
    renamed[form.players :] += np.repeat(there.astype(np.uint32) - old, count)  # modulo 2^32, as it must be
    return renamed


def renamed_leaves(
    form: SequenceForm, names: np.ndarray, is_kept: np.ndarray | None, sequences: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The leaves of those sequences of a form that are kept, under new names."""
    own = np.repeat(np.arange(form.num_sequences, dtype=np.uint32), np.diff(form.leaf_start))
    chosen = None if is_kept is None else np.flatnonzero(np.repeat(is_kept, np.diff(form.leaf_start))).astype(np.uint32)
    return sort_leaves(own, form.others, form.value, names.astype(np.uint32, copy=False), sequences, chosen)
