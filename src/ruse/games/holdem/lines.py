"""The lines of betting of a game, without any cards: what can be bet does not depend on them.

Lines are nodes in preorder, a parent before its children. Cards are dealt between a node and a child of another street.
An end is a fold, or a showdown on a street: after an all-in the rest of the board is dealt without a decision.
"""

from typing import NamedTuple

import numpy as np

from ruse.errors import RuseError
from ruse.games.holdem.row import CARD, HANDS, PAST, has_folded, left, paid, street_of
from ruse.games.holdem.rules import Holdem
from ruse.protocol.game import CHANCE, OVER, Row

FOLD, SHOWDOWN = -2, -3  # in place of who acts
MOST_LINES = 200_000


class Lines(NamedTuple):
    """The betting of a game. Amounts are in big blinds."""

    who: np.ndarray  # [node] the seat that acts, FOLD or SHOWDOWN
    street: np.ndarray  # [node] 0 before the flop to 3 on the river; at the end that of the last decision
    past: np.ndarray  # [node] the hash of all that was bet (`row.py`)
    start: np.ndarray  # [node + 1] the children of n are child[start[n] : start[n + 1]], in the order of actions
    child: np.ndarray
    paid: np.ndarray  # [node, seat] in the pot
    left: np.ndarray  # [node, seat] still in front of him
    stays: np.ndarray  # [node, seat] whether he has not folded
    payoff: np.ndarray  # [node, 3, seat] of two players at an end: seat 0 wins, loses, ties; a fold is the same thrice
    names: tuple[tuple[str, ...], ...]  # [node] of the actions

    def children(self, node: int) -> list[int]:
        found: list[int] = self.child[self.start[node] : self.start[node + 1]].tolist()
        return found

    def at(self, actions: list[int]) -> int:
        """The node after these actions."""
        node = 0
        for a in actions:
            node = self.children(node)[a]
        return node


def lines_of(game: Holdem) -> Lines:
    """All lines of a game. Of more than two players there are no payoffs: side pots hang on who beats whom."""
    nodes: list[_Node] = []
    waiting: list[tuple[Row, int, int]] = [(_dealt(game, game.start()), 0, -1)]  # row, street before, parent
    while waiting:
        s, before, parent = waiting.pop()
        if len(nodes) == MOST_LINES:
            raise RuseError(f"the game has more than {MOST_LINES:,} lines of betting; give it fewer bets or a cap")
        if parent >= 0:
            nodes[parent].children.append(len(nodes))
        node = _Node(game, s, before)
        if node.who >= 0:
            waiting += [(_after(game, s, a), node.street, len(nodes)) for a in reversed(range(game.num_actions(s)))]
        nodes.append(node)
    counts = np.array([len(node.children) for node in nodes])
    return Lines(
        np.array([node.who for node in nodes], np.int64),
        np.array([node.street for node in nodes], np.int64),
        np.array([node.past for node in nodes], np.int64),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.array([child for node in nodes for child in node.children], np.int64),
        np.array([node.paid for node in nodes]) / game.chips,
        np.array([node.left for node in nodes]) / game.chips,
        np.array([node.stays for node in nodes]),
        np.array([node.payoff for node in nodes]),
        tuple(node.names for node in nodes),
    )


class _Node:
    """What is kept of a row."""

    def __init__(self, game: Holdem, s: Row, before: int) -> None:
        is_over = int(game.player(s)) == OVER
        seats = game.players
        self.stays = [not has_folded(s, p) for p in range(seats)]
        self.who = int(game.player(s)) if not is_over else SHOWDOWN if sum(self.stays) > 1 else FOLD
        self.street = before if is_over else int(street_of(game, s))
        self.past = int(s[PAST])
        self.paid = s[paid(game) : paid(game) + seats].copy()
        self.left = s[left(game) : left(game) + seats].copy()
        self.payoff = _payoffs(game, s) if is_over and seats == 2 else np.zeros((3, seats))
        self.names = () if is_over else tuple(game.action_name(s, a) for a in range(game.num_actions(s)))
        self.children: list[int] = []


def _dealt(game: Holdem, s: Row) -> Row:
    """The row after all cards that come before the next decision: any will do."""
    while int(game.player(s)) == CHANCE:
        game.apply(s, 0)
    return s


def _after(game: Holdem, s: Row, a: int) -> Row:
    s = s.copy()
    game.apply(s, a)
    return _dealt(game, s)


def _payoffs(game: Holdem, s: Row) -> np.ndarray:
    """What both get if seat 0 has the stronger hand, the weaker, the same."""
    paid_to = np.zeros((3, 2))
    for k, strengths in enumerate(((1, 0), (0, 1), (0, 0))):
        told = s.copy()
        for p, strength in enumerate(strengths):
            told[HANDS + p] = told[HANDS + p] & ((1 << 2 * CARD) - 1) | strength << 2 * CARD
        paid_to[k] = [game.payoff(told, p) for p in range(2)]
    return paid_to
