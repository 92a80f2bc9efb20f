"""A game given as its tree: what importers and tests build, and any game small enough to write down."""

import json
import math
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Row
from ruse.words.naming import distinct

NODE = 0  # the only column
NOT_YET = -3  # the actor of a node that the builder still has to be told about


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Explicit(NamedTuple):
    """A tree of histories as arrays. Node 0 is the start; a node's children lie side by side, after it."""

    actor: np.ndarray  # [node] int64: a player, CHANCE or OVER
    parent: np.ndarray  # [node] int64, -1 for the start
    first_child: np.ndarray  # [node] int64
    num_children: np.ndarray  # [node] int64: how many children
    probability: np.ndarray  # [node] float64, of the edge into the node if chance chose it
    infoset_of: np.ndarray  # [node] int64: a row of the labels, a new one for each chance node; -1 at the end
    payoffs: np.ndarray  # [node, player] float64, zero but at the end
    labels: np.ndarray  # uint8: {"name": ..., "labels": [key], "actions": [key][action]} in JSON

    @property
    def players(self) -> int:
        return int(self.payoffs.shape[1])

    @property
    def payoff_sum(self) -> float:
        sums = self.payoffs[self.actor == OVER].sum(axis=1)
        if np.ptp(sums) > 1e-9:
            raise AttributeError("the payoffs of this game have no fixed sum")
        return float(sums[0])

    @property
    def perfect_recall(self) -> bool:
        """Whether every infoset tells its player the infosets and actions of his own that led to it."""
        return all(recalls(self, p) for p in range(self.players))

    def start(self) -> Row:
        return np.zeros(1, np.int64)

    def player(self, s):
        return self.actor[s[NODE]]

    def num_actions(self, s):
        return self.num_children[s[NODE]]

    def chance(self, s, a):
        return self.probability[self.first_child[s[NODE]] + a]

    def apply(self, s, a):
        s[NODE] = self.first_child[s[NODE]] + a

    def infoset(self, s):
        return self.infoset_of[s[NODE]]

    def payoff(self, s, player):
        return self.payoffs[s[NODE], player]

    def action_name(self, s, a):
        return decoded(self.labels)["actions"][self.infoset_of[s[NODE]]][a]

    def describe(self, s, viewer):
        """The label of the viewer's infoset, or what he last knew and did; the whole path for EVERYTHING."""
        words, node, steps = decoded(self.labels), int(s[NODE]), []
        if viewer != EVERYTHING and self.actor[node] == viewer:
            return words["labels"][self.infoset_of[node]]
        while node > 0:
            child, node = node, int(self.parent[node])
            action = words["actions"][self.infoset_of[node]][child - self.first_child[node]]
            if viewer == self.actor[node] and viewer != EVERYTHING:
                return f"{words['labels'][self.infoset_of[node]]}, {action}"
            steps.append(action)
        return ", ".join(reversed(steps)) if viewer == EVERYTHING else ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Explicit) and all(map(np.array_equal, self, other))

    def __ne__(self, other: object) -> bool:  # a tuple has its own, which stumbles over arrays
        return not self == other

    def __hash__(self) -> int:
        return hash((len(self.actor), self.infoset_of.tobytes(), self.payoffs.tobytes()))

    def __repr__(self) -> str:
        infosets = len(np.unique(self.infoset_of[self.actor >= 0]))
        name = decoded(self.labels)["name"]
        return f"Explicit({name!r}, {self.players} players, {len(self.actor)} histories, {infosets} infosets)"


def recalls(game: Explicit, player: int) -> bool:
    """Whether all nodes of each infoset of the player follow the same infoset and action of his."""
    nodes = np.arange(len(game.actor))
    # For each node, the nearest ancestor (or the node itself) that this player moved into: jump up, ever twice as far.
    own = np.where(game.actor[game.parent] == player, nodes, game.parent)
    own[0] = 0
    while not np.array_equal(own, own[own]):
        own = own[own]
    before, widest = game.parent[own], game.num_children.max()
    last = np.where(own > 0, game.infoset_of[before] * widest + own - game.first_child[before], -1)
    mine = nodes[game.actor == player]
    _, first, group = np.unique(game.infoset_of[mine], return_index=True, return_inverse=True)
    return bool((last[mine] == last[mine[first[group]]]).all())


_decoded: list[tuple[np.ndarray, dict[str, Any]]] = []  # the games last looked at, newest first


def decoded(labels: np.ndarray) -> dict[str, Any]:
    """The words of a game, read once: a game is asked for them at every node, and they may be megabytes."""
    for array, words in _decoded:  # another thread may put one there meanwhile
        if array is labels:
            return words
    found: dict[str, Any] = json.loads(labels.tobytes())
    _decoded.insert(0, (labels, found))
    del _decoded[8:]
    return found


class Builder:
    """Builds an Explicit game node by node, from the start, which is node 0.

    Each node is told once what happens there; `decide` and `chance` answer with the first of its children. Infosets of
    one player that have the same label, and actions of one infoset that have the same name, are numbered.

    >>> tree = Builder("guess the coin", players=2)
    >>> coin = tree.decide(0, player=0, infoset="hide", actions=["heads", "tails"])
    >>> for side in range(2):
    ...     guess = tree.decide(coin + side, player=1, infoset="guess", actions=["heads", "tails"])
    ...     for call in range(2):
    ...         tree.end(guess + call, [-1, 1] if call == side else [1, -1])
    >>> tree.game()
    Explicit('guess the coin', 2 players, 7 histories, 2 infosets)
    """

    def __init__(self, name: str, players: int) -> None:
        self.name = name
        self.players = players
        self.actor, self.parent, self.first_child, self.num_children = [NOT_YET], [-1], [0], [0]
        self.probability, self.infoset_of = [1.0], [-1]
        self.payoffs: dict[int, Sequence[float]] = {}
        self.labels: list[str] = []
        self.actions: list[list[str]] = []
        self.infosets: dict[tuple[int, Hashable], int] = {}

    def decide(
        self, node: int, *, player: int, infoset: Hashable, actions: Sequence[str], label: str | None = None
    ) -> int:
        """A player moves here. Nodes with the same infoset are the same to him; its label is its name if left out."""
        if not 0 <= player < self.players:
            raise ValueError(f"player must be 0 to {self.players - 1} at node {node}, got {player}")
        key = self.infosets.setdefault((player, infoset), len(self.labels))
        if key == len(self.labels):
            self._label(str(infoset) if label is None else label, actions)
        elif self.actions[key] != list(actions):
            raise ValueError(f"infoset {infoset!r} must have the actions {self.actions[key]}, got {list(actions)}")
        return self._split(node, player, key)

    def chance(self, node: int, *, outcomes: Sequence[str], probabilities: Sequence[float], label: str = "") -> int:
        """Something random happens here."""
        is_one = abs(sum(probabilities) - 1) <= 1e-9  # False for what is not a number, too
        if len(outcomes) != len(probabilities) or not is_one or min(probabilities) < 0:
            raise ValueError(f"probabilities must be one for each outcome and sum to 1, got {list(probabilities)}")
        self._label(label, outcomes)
        child = self._split(node, CHANCE, len(self.labels) - 1)
        self.probability[child:] = map(float, probabilities)
        return child

    def end(self, node: int, payoffs: Sequence[float]) -> None:
        """The game is over here."""
        if len(payoffs) != self.players:
            raise ValueError(f"payoffs must be one for each of {self.players} players, got {list(payoffs)}")
        if not all(map(math.isfinite, payoffs)):
            raise ValueError(f"payoffs must be finite numbers at node {node}, got {list(payoffs)}")
        self._settle(node, OVER, -1)
        self.payoffs[node] = payoffs

    def game(self) -> Explicit:
        """The finished game."""
        if NOT_YET in self.actor:
            raise ValueError(f"node {self.actor.index(NOT_YET)} is neither a decision, chance nor an end; say which")
        payoffs = np.zeros((len(self.actor), self.players))
        for node, values in self.payoffs.items():
            payoffs[node] = values
        labels = self._distinct_labels()
        actions = [distinct(names) for names in self.actions]
        words = json.dumps({"name": self.name, "labels": labels, "actions": actions}, ensure_ascii=False)
        return Explicit(
            actor=np.array(self.actor, np.int64),
            parent=np.array(self.parent, np.int64),
            first_child=np.array(self.first_child, np.int64),
            num_children=np.array(self.num_children, np.int64),
            probability=np.array(self.probability),
            infoset_of=np.array(self.infoset_of, np.int64),
            payoffs=payoffs,
            labels=np.frombuffer(words.encode(), np.uint8).copy(),
        )

    def _distinct_labels(self) -> list[str]:
        """The labels, with those of one player told apart; chance nodes may be called alike."""
        labels = list(self.labels)
        for player in range(self.players):
            mine = [key for (owner, _), key in self.infosets.items() if owner == player]
            for key, label in zip(mine, distinct(labels[key] for key in mine), strict=True):
                labels[key] = label
        return labels

    def _label(self, label: str, actions: Sequence[str]) -> None:
        if not actions:
            raise ValueError(f"there must be at least one action at {label!r}, got none")
        self.labels.append(label)
        self.actions.append(list(actions))

    def _split(self, node: int, actor: int, key: int) -> int:
        """Make the node's children and answer with the first."""
        self._settle(node, actor, key)
        child, n = len(self.actor), len(self.actions[key])
        self.first_child[node], self.num_children[node] = child, n
        self.actor += [NOT_YET] * n
        self.parent += [node] * n
        self.first_child += [0] * n
        self.num_children += [0] * n
        self.probability += [1.0] * n
        self.infoset_of += [-1] * n
        return child

    def _settle(self, node: int, actor: int, key: int) -> None:
        if not 0 <= node < len(self.actor):
            raise ValueError(f"node {node} does not exist yet; make its parent first")
        if self.actor[node] != NOT_YET:
            raise ValueError(f"node {node} is settled already; each node is told once what happens there")
        self.actor[node], self.infoset_of[node] = actor, key
