"""The slow and obvious twin of the range engine for Hold'em: every board, every pair of hands, no symmetry.

A betting tree is nested lists: ("act", player, [children]), ("deal", child), ("fold", player who folds, chips) and
("showdown", chips); chips are what the loser has put in, with half of the first pot.
"""

from itertools import combinations
from typing import Any

import numpy as np

from ruse.games.holdem.hands.strengths import strengths

Hand = tuple[int, int]


def number(hand: Hand) -> int:
    high, low = max(hand), min(hand)
    return high * (high - 1) // 2 + low


def weights_of(held: dict[Hand, float]) -> np.ndarray:
    """A range by the numbers of its hands."""
    found = np.zeros(1326)
    for hand, weight in held.items():
        found[number(hand)] = weight
    return found


class RangeTwin:
    """CFR by pairs of hands; alternating updates, weights as the solver's weighting has them."""

    def __init__(self, board: tuple[int, ...], ranges: list[dict[Hand, float]], tree: Any) -> None:
        self.board, self.tree = board, tree
        self.hands = [[h for h in held if not set(h) & set(board)] for held in ranges]
        self.weights = [np.array([ranges[p][h] for h in self.hands[p]]) for p in range(2)]
        self.regret: dict[Any, np.ndarray] = {}
        self.average: dict[Any, np.ndarray] = {}
        self.known: dict[tuple[int, ...], list[np.ndarray]] = {}
        self.favours: dict[Any, tuple[np.ndarray, float]] = {}  # way: [action] delta, and beta

    def iterate(self, weighting: Any, iterations: int) -> None:
        for t in range(1, iterations + 1):
            weights = weighting.weights(t, 0.0)
            for p in range(2):
                self.walk(p, self.tree, (), self.board, self.weights[p], self.weights[1 - p], ("learn", weights))

    def strategy(self, table: dict[Any, np.ndarray], place: Any, shape: tuple[int, int]) -> np.ndarray:
        rows = np.maximum(table.get(place, np.zeros(shape)), 0.0)
        if place in self.favours and table is self.regret and place in table:
            delta = self.favours[place][0][:, None]
            rows = np.where(rows.sum(axis=0) > 0, delta * rows, delta - 1.0)
        total = rows.sum(axis=0)
        return np.where(total > 0, rows / np.where(total > 0, total, 1), 1 / shape[0])

    def walk(
        self, p: int, node: Any, way: Any, board: Any, own: np.ndarray, other: np.ndarray, task: Any
    ) -> np.ndarray:
        """Values of player p's hands, weighted by the other's reach; a hand that the board blocks has reach 0."""
        kind = node[0]
        if kind == "fold":
            return (node[2] if node[1] != p else -node[2]) * self.meets(p, board)[0] @ other
        if kind == "showdown":
            return node[1] * self.meets(p, board)[1] @ other
        if kind == "deal":
            total = np.zeros(len(own))
            cards = [c for c in range(52) if c not in board]
            for card in cards:
                free = [np.array([card not in h for h in self.hands[q]], float) for q in (p, 1 - p)]
                below = self.walk(p, node[1], (*way, -card), (*board, card), own * free[0], other * free[1], task)
                total += free[0] * below / (len(cards) - 4)
            return total
        shape = (len(node[2]), len(self.hands[node[1]]))
        table = self.average if task[0] in ("follow", "respond") else self.regret
        sigma = self.strategy(table, way, shape)
        if node[1] != p:
            return sum(self.walk(p, child, (*way, a), board, own, other * sigma[a], task)
                       for a, child in enumerate(node[2]))  # fmt: skip
        values = np.array([self.walk(p, child, (*way, a), board, own * sigma[a], other, task)
                           for a, child in enumerate(node[2])])  # fmt: skip
        if task[0] == "respond":
            return values.max(axis=0)
        expected = (sigma * values).sum(axis=0)
        if task[0] == "learn":
            positive, negative, floor, fading, _ = task[1]
            old = self.regret.get(way, np.zeros(shape))
            price = self.favours[way][1] * (self.meets(p, board)[0] @ other) if way in self.favours else 0.0
            gains = values - (expected + price)
            self.regret[way] = np.maximum(old * np.where(old > 0, positive, negative) + gains, floor)
            self.average[way] = self.average.get(way, np.zeros(shape)) * fading + own * sigma
        return expected

    def meets(self, p: int, board: tuple[int, ...]) -> list[np.ndarray]:
        """Which hands can meet, and who wins: [own hand, other's hand]."""
        key = (p, *board)
        if key not in self.known:
            pairs = [[(h, g) for g in self.hands[1 - p]] for h in self.hands[p]]
            can = np.array([[float(not set(h) & set(g)) for h, g in row] for row in pairs])
            wins = np.zeros_like(can)
            if len(board) == 5:
                strength = {h: int(strengths(np.array([[*board, *h]]))[0]) if not set(h) & set(board) else 0
                            for q in range(2) for h in self.hands[q]}  # fmt: skip
                wins = can * np.array([[np.sign(strength[h] - strength[g]) for h, g in row] for row in pairs])
            self.known[key] = [can, wins]
        return self.known[key]

    def worth(self, p: int, task: str) -> float:
        """What player p gets by following the average, or responding to it."""
        value = self.walk(p, self.tree, (), self.board, self.weights[p], self.weights[1 - p], (task,))
        pairs = self.weights[p] @ self.meets(p, self.board)[0] @ self.weights[1 - p]
        return float(value @ self.weights[p] / pairs)

    def reached(self, p: int, way: tuple[int, ...], card: int) -> dict[int, float]:
        """By number: what each hand of player p that can meet another is worth, after some actions and a card."""
        node, other = self.tree, self.weights[1 - p]
        for k, a in enumerate(way):
            if node[1] != p:
                other = other * self.strategy(self.average, way[:k], (len(node[2]), len(other)))[a]
            node = node[2][a]
        free = np.array([card not in h for h in self.hands[1 - p]], float)
        board = (*self.board, card)
        value = self.walk(p, node[1], (*way, -card), board, self.weights[p], other * free, ("follow",))
        met = self.meets(p, board)[0] @ (other * free)
        return {number(h): v / m for h, v, m in zip(self.hands[p], value, met, strict=True) if m > 0}


def all_hands(cards: list[int]) -> list[Hand]:
    return [(a, b) for a, b in combinations(sorted(cards), 2)]
